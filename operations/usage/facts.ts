/** Reads what an upload of usage names, without locks and in one round trip. */
import assert from 'node:assert';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import { isSuspending } from '../../domain/customers/status.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { statusOn } from '../../domain/standing/status.ts';
import type { Correctable } from '../../domain/usage/corrections.ts';
import type {
  NamedLines,
  NamedOrder,
  OrderName,
  UsageLine,
  UsageOrder,
} from '../../domain/usage/lines.ts';
import type { UsageRecord } from '../../domain/usage/records.ts';
import { sum } from '../../domain/money/money.ts';
import { amountOfRecord } from '../../domain/usage/shares.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  linesById,
  linesOfCustomers,
  linesOfOrders,
  type LineFacts,
  type NamedLineRow,
  type OrderFacts,
  type CustomerAsked,
  type OrderAsked,
} from '../../db/queries/usage/lines.ts';
import {
  correctableRows,
  takenRefs,
  type CorrectableRow,
  type CorrectionOfRow,
} from '../../db/queries/usage/records.ts';
import { planVersions } from '../plans/versions.ts';
import type { OperationContext } from '../context/context.ts';

/** What is stored of what an upload names. */
export interface UploadFacts {
  readonly named: NamedLines;
  /** The references of the upload that records have, with their ids. */
  readonly taken: ReadonlyMap<string, number>;
  readonly correctable: ReadonlyMap<string, Correctable>;
  /** The stored rows behind them, to see whether they change. */
  readonly correctableRows: readonly CorrectableRow[];
}

export interface UploadInput {
  readonly records: readonly UsageRecord[];
  /** The order that the call itself names. */
  readonly ofCall: OrderName | null;
}

export async function readFacts(
  context: Pick<OperationContext, 'tx' | 'db' | 'time'>,
  { records, ofCall }: UploadInput,
): Promise<UploadFacts> {
  const { tx, db, time } = context;
  const asked = askedOf(records, ofCall);
  const refs = records.flatMap(({ extRefId }) => extRefId ?? []);
  const [byId, ofOrders, ofCustomers, taken, corrected] = await Promise.all([
    linesById(tx, asked.lines, asked.corrected),
    linesOfOrders(tx, [...asked.orders.values()]),
    linesOfCustomers(tx, [...asked.customers.values()], time.today),
    takenRefs(tx, [...new Set(refs)]),
    correctableRows(tx, asked.corrected),
  ]);
  const rows = [...byId, ...ofOrders, ...ofCustomers];
  const plans = await planVersions(
    db,
    tx,
    rows.flatMap(({ order }) => (order === null ? [] : planIdsOf(order))),
  );
  const make = linesFrom(plans, time.today);
  const lines = new Map(
    byId.flatMap((row) => make.lineOf(row) ?? []).map((line) => [line.id, line]),
  );
  return {
    named: namedOf(asked, { lines, ofOrders, ofCustomers, make }),
    taken,
    correctable: new Map(
      corrected.flatMap((row) => {
        const line = lines.get(row.lineId);
        return line ? [[row.ref, correctableOf(row, line)] as const] : [];
      }),
    ),
    correctableRows: corrected,
  };
}

/** The same rows for each line and order, however often they were found. */
interface LineMaker {
  readonly lineOf: (row: NamedLineRow) => UsageLine | null;
  readonly orderOf: (row: NamedLineRow) => UsageOrder | null;
}

function linesFrom(plans: ReadonlyMap<number, Plan>, today: IsoDate): LineMaker {
  const lines = new Map<number, UsageLine>();
  const orders = new Map<number, UsageOrder>();
  const charges = new Map(
    [...plans.values()].flatMap((plan) => plan.charges.map((charge) => [charge.id, charge])),
  );
  const orderOf = ({ order: facts }: NamedLineRow): UsageOrder | null => {
    if (facts === null) return null;
    const known = orders.get(facts.id);
    if (known) return known;
    const plan = plans.get(facts.planId);
    assert(plan, `order ${facts.id} has a plan`);
    const order = usageOrder(facts, plan, today);
    orders.set(order.id, order);
    return order;
  };
  return {
    orderOf,
    lineOf(row) {
      const order = orderOf(row);
      if (row.line === null || order === null) return null;
      const known = lines.get(row.line.id);
      if (known) return known;
      const charge = charges.get(row.line.chargeId);
      assert(charge, `order line ${row.line.id} has a charge`);
      const { chargeId: _known, closed, ...facts }: LineFacts = row.line;
      const line = { ...facts, closed: new Set(closed), charge, order };
      lines.set(line.id, line);
      return line;
    },
  };
}

function usageOrder(
  {
    orderNumber,
    anchor,
    planId: _of,
    earlier: _before,
    isAwaiting,
    customerStatus,
    ...facts
  }: OrderFacts,
  { billingPeriod, alignmentDay }: Plan,
  today: IsoDate,
): UsageOrder {
  const { termStart, termFirstEnd, ...order } = facts;
  const terms = { ...order, termStart, termFirstEnd, awaitsChange: isAwaiting };
  return {
    ...order,
    ...statusOn(terms, today),
    number: String(orderNumber),
    schedule: { billingPeriod, anchor, alignmentDay },
    customerSuspended: isSuspending(customerStatus),
  };
}

interface Rows {
  readonly lines: ReadonlyMap<number, UsageLine>;
  readonly ofOrders: readonly NamedLineRow[];
  readonly ofCustomers: readonly NamedLineRow[];
  readonly make: LineMaker;
}

function namedOf(asked: Asked, { lines, ofOrders, ofCustomers, make }: Rows): NamedLines {
  const orders = new Map<number, { order: UsageOrder; lines: Set<UsageLine> }>();
  for (const row of ofOrders) {
    const order = make.orderOf(row);
    if (row.place === null || order === null) continue;
    let found = orders.get(row.place);
    if (!found) orders.set(row.place, (found = { order, lines: new Set() }));
    const line = make.lineOf(row);
    if (line) found.lines.add(line);
  }
  const ofOrder = new Map<number, NamedOrder>(
    [...orders].map(([place, found]) => [place, { order: found.order, lines: [...found.lines] }]),
  );
  const ofCustomer = new Map<number, UsageLine[]>();
  for (const row of ofCustomers) {
    if (row.place === null) continue;
    const found = ofCustomer.get(row.place) ?? [];
    const line = make.lineOf(row);
    ofCustomer.set(row.place, line ? [...found, line] : found);
  }
  const placeIn = <At>(places: ReadonlyMap<string, { place: number }>, all: Map<number, At>) => {
    return (key: string): At | undefined => all.get(places.get(key)?.place ?? -1);
  };
  const orderAt = placeIn(asked.orders, ofOrder);
  const customerAt = placeIn(asked.customers, ofCustomer);
  return {
    line: (id) => lines.get(id),
    order: (name) => orderAt(orderKey(name)),
    customer: (record) => customerAt(customerKey(record)),
  };
}

function correctableOf(row: CorrectableRow, line: UsageLine): Correctable {
  const { ref: _known, lineId: _of, shared, percent, corrections, isCancelled, ...record } = row;
  const { currency } = line.order;
  // A correction without an amount is in the window of its record.
  const amountOf = ({ id, quantity, amount }: Pick<CorrectableRow, keyof CorrectionOfRow>) =>
    amount ?? (shared && amountOfRecord({ id, quantity }, { ...shared, currency }));
  return {
    ...record,
    at: { id: record.id },
    line,
    corrected: sum(corrections.map(({ quantity }) => quantity)),
    amount: isCancelled ? '0' : amountOf(record),
    correctedAmount: isCancelled ? '0' : sum(corrections.map((each) => amountOf(each) ?? '0')),
    percent: record.amount === null ? null : percent,
  };
}

/** The facts of the corrected records, read again under their locks. */
export async function isUnchanged(
  tx: Tx,
  { correctableRows: before }: UploadFacts,
): Promise<boolean> {
  const after = await correctableRows(
    tx,
    before.map(({ ref }) => ref),
  );
  return JSON.stringify(after) === JSON.stringify(before);
}

/* What has to be looked up for an upload of usage: each line, order and customer once. */

interface Asked {
  readonly lines: readonly number[];
  /** By `orderKey`. */
  readonly orders: ReadonlyMap<string, OrderAsked>;
  /** By `customerKey`. */
  readonly customers: ReadonlyMap<string, CustomerAsked>;
  /** The references of the corrected records. */
  readonly corrected: readonly string[];
}

const orderKey = (name: OrderName): string =>
  'id' in name ? `id ${name.id}` : `number ${name.number}`;

function customerKey({ customerId, extCustomerRef, priceCode }: UsageRecord): string {
  return `${customerId ?? `ref ${extCustomerRef}`}\n${priceCode}`;
}

function askedOf(records: readonly UsageRecord[], ofCall: OrderName | null): Asked {
  const lines = new Set<number>();
  const corrected = new Set<string>();
  const orders = new Map<string, OrderDraft>();
  const customers = new Map<string, CustomerAsked>();
  const orderAsked = (name: OrderName) => {
    const key = orderKey(name);
    let asked = orders.get(key);
    if (!asked) orders.set(key, (asked = { ...numbered(name), place: orders.size, ...noLines() }));
    return asked;
  };
  if (ofCall !== null) orderAsked(ofCall);
  for (const record of records) {
    const { lineId, orderId, orderNumber, priceCode, correctsExtRefId } = record;
    if (correctsExtRefId !== null) corrected.add(correctsExtRefId);
    if (lineId !== null) {
      lines.add(lineId);
      continue;
    }
    const own = orderId === null ? orderNumber : null;
    const name = orderId !== null ? { id: orderId } : own === null ? ofCall : { number: own };
    if (name !== null) {
      const asked = orderAsked(name);
      if (priceCode === null) asked.alone = true;
      else asked.codes.add(priceCode);
    } else if (priceCode !== null && namesCustomer(record)) {
      const key = customerKey(record);
      if (!customers.has(key)) {
        customers.set(key, customerAsked(record, { place: customers.size, code: priceCode }));
      }
    }
  }
  return { lines: [...lines], orders: plain(orders), customers, corrected: [...corrected] };
}

interface OrderDraft extends Omit<OrderAsked, 'codes' | 'alone'> {
  readonly codes: Set<string>;
  alone: boolean;
}

function namesCustomer({ customerId, extCustomerRef }: UsageRecord): boolean {
  return customerId !== null || extCustomerRef !== null;
}

const noLines = () => ({ codes: new Set<string>(), alone: false });

/** Other text than a number is the number of no order. */
function numbered(name: OrderName): { readonly id: number | null; readonly number: number | null } {
  if ('id' in name) return { id: name.id, number: null };
  return { id: null, number: /^[1-9]\d{0,14}$/.test(name.number) ? Number(name.number) : null };
}

function customerAsked(
  { customerId, extCustomerRef }: UsageRecord,
  asked: Omit<CustomerAsked, 'id' | 'ref'>,
): CustomerAsked {
  return { ...asked, id: customerId, ref: customerId === null ? extCustomerRef : null };
}

function plain(orders: ReadonlyMap<string, OrderDraft>): ReadonlyMap<string, OrderAsked> {
  return new Map([...orders].map(([key, asked]) => [key, { ...asked, codes: [...asked.codes] }]));
}

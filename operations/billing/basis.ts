/** Reads what the rating of orders rests on beside their rows. */
import type { RatingBasis } from '../../domain/billing/due/open-orders.ts';
import {
  type DueOrders,
  type OrderRow,
  loadDueOrders,
  loadOrders,
  loadSuccessors,
} from '../../db/queries/billing/load.ts';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import { duePausesOf } from '../../db/queries/due/pauses.ts';
import { readIndebted, readRules } from '../../db/queries/ageing/standings.ts';
import { liveOrdersOf } from '../../db/queries/standing/advance.ts';
import { statusByAge } from '../../domain/dunning/ageing.ts';
import { alignedOn } from '../../domain/orders/align.ts';
import { untilOf } from '../../domain/standing/pause.ts';
import { standingOf } from '../ageing/dunning.ts';
import { invoicedWithDaysFrom } from '../../db/queries/payments/charge-credits.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';
import { type OrderToRate, awaitsChange } from '../../domain/billing/order-to-rate.ts';
import type { TaxingOf } from '../../domain/billing/rate/tax.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { LockedCustomer } from '../context/locks.ts';
import { balancesOf } from './draft-rows.ts';
import { type ForecastInput, tooManyCharges } from '../../domain/billing/forecast.ts';
import { taxingOf } from './tax-answers.ts';
import { peekUsage, peekUsages } from './usage.ts';
import { billToOf, type BillTo } from '../../domain/invoices/page-parties.ts';
import { readCustomerContent } from '../../db/queries/parties/parties.ts';
import type { Balances } from '../../domain/billing/rate/balance.ts';

export interface BasisOf {
  readonly rows: readonly OrderToRate[];
  readonly taxingOf: TaxingOf;
  /** Orders of the rows that are not stored yet, and replace others of them. */
  readonly newOrders?: readonly OrderToRate[];
}

/** Plans and coupons are read once by a process; only orders that change need anything else. */
export async function ratingBasis(
  { db }: Pick<Dependencies, 'db'>,
  tx: Tx,
  { rows, taxingOf, newOrders = [] }: BasisOf,
): Promise<RatingBasis> {
  const { successors, unused } = await changesOf(tx, rows, newOrders);
  const all = [...rows, ...successors.values()];
  const [plans, coupons] = await Promise.all([
    planVersions(db, tx, all.flatMap(planIdsOf)),
    couponVersions(
      db,
      tx,
      all.map((row) => row.couponId),
    ),
  ]);
  return {
    plans,
    coupons,
    taxingOf,
    successors,
    unused,
  };
}

const noChanges = { successors: new Map<number, OrderToRate>(), unused: new Map() } as const;

async function changesOf(
  tx: Tx,
  rows: readonly OrderToRate[],
  newOrders: readonly OrderToRate[],
): Promise<Pick<RatingBasis, 'successors' | 'unused'>> {
  const changing = rows.flatMap(({ id, creditFrom, changeOn }) => {
    const from = creditFrom ?? changeOn;
    return from == null ? [] : [{ orderId: id, from }];
  });
  if (changing.length === 0) return noChanges;
  const made = new Map(newOrders.map((row) => [row.previousOrderId ?? 0, row]));
  const [stored, invoiced] = await Promise.all([
    loadSuccessors(
      tx,
      changing.flatMap(({ orderId }) => (made.has(orderId) ? [] : [orderId])),
    ),
    invoicedWithDaysFrom(tx, changing),
  ]);
  const unused = Map.groupBy(invoiced, ({ orderId }) => orderId);
  return { successors: new Map([...stored, ...made]), unused };
}

/* Reads what a forecast of one customer rests on, in the caller's snapshot. */

export interface Forecastable {
  readonly input: ForecastInput;
  readonly balances: Balances;
  readonly billTo: BillTo;
}

export interface ForecastOf {
  readonly customer: LockedCustomer;
  readonly today: IsoDate;
  readonly asOf: IsoDate;
  /** A change that is not stored. */
  readonly change?: {
    readonly currentId: number;
    /** What takes the place of the current order's row. */
    readonly row: OrderToRate;
    readonly next: OrderToRate;
  };
}

/** Throws field.invalid for asOf if the customer has more due than a forecast rates. */
export async function readForecast(
  dependencies: Dependencies,
  { tx, tenant }: { readonly tx: Tx; readonly tenant: TenantInfo },
  { customer, today, asOf, change }: ForecastOf,
): Promise<Forecastable> {
  const [read, balances, billed] = await Promise.all([
    readAhead(dependencies, { tx, tenant }, { customers: [customer], today, asOf, change }),
    balancesOf(tx, [customer.id]),
    readCustomerContent(tx, customer.id),
  ]);
  const [ahead] = read.inputs;
  if (read.cut !== null || ahead === undefined) throw tooManyCharges(asOf);
  return {
    input: { ...ahead, ...(await peekUsage(tx, ahead, asOf)) },
    balances,
    billTo: billToOf(billed),
  };
}

export interface ForecastsOf extends Pick<ForecastOf, 'today' | 'asOf'> {
  /** In the order of their ids. */
  readonly customers: readonly LockedCustomer[];
}

/** What forecasts of some customers rest on: of the first ones, as many as are read at once. */
export interface Forecasts {
  readonly inputs: readonly ForecastInput[];
  /** The first of them has more due than is read at once; then there are no inputs. */
  readonly isTooMuch: boolean;
}

/** The same for some customers, whose invoices the runs make. */
export async function readForecasts(
  dependencies: Dependencies,
  { tx, tenant }: { readonly tx: Tx; readonly tenant: TenantInfo },
  { customers, today, asOf }: ForecastsOf,
): Promise<Forecasts> {
  const run = { customers, today, asOf, atOnce: false };
  const { inputs, cut } = await readAhead(dependencies, { tx, tenant }, run);
  const whole =
    cut === null
      ? inputs
      : inputs.filter(({ customer: { id } }) =>
          cut.isWhole ? id <= cut.customerId : id < cut.customerId,
        );
  const usage = await peekUsages(tx, whole, asOf);
  const read = whole.slice(0, usage.count).map((ahead, index) => ({
    ...ahead,
    ...usage.inputs[index],
  }));
  return { inputs: read, isTooMuch: customers.length > 0 && read.length === 0 };
}

interface AheadOf extends ForecastsOf {
  readonly change?: ForecastOf['change'] | undefined;
  readonly atOnce?: boolean;
}

interface Ahead {
  /** Of all of the customers, without their usage. */
  readonly inputs: readonly ForecastInput[];
  readonly cut: DueOrders['cut'];
}

async function readAhead(
  dependencies: Dependencies,
  { tx, tenant }: { readonly tx: Tx; readonly tenant: TenantInfo },
  { customers, today, asOf, change, atOnce = asOf === today }: AheadOf,
): Promise<Ahead> {
  const customerIds = customers.map(({ id }) => id);
  const [due, taxing] = await Promise.all([
    loadDueOrders(tx, { customerIds, by: asOf, atOnce }),
    taxingOf(tx, tenant, customerIds, today),
  ]);
  const paused = await readResumptions(tx, customerIds, due.rows, asOf);
  const others = paused.rows.filter(({ id }) => id !== change?.currentId);
  const rows = change === undefined ? others : [...others, change.row];
  const newOrders = change === undefined ? [] : [change.next];
  const read = await ratingBasis(dependencies, tx, { rows, taxingOf: taxing, newOrders });
  const basis = { ...read, successors: waitingOn(rows, read) };
  const rowsOf = Map.groupBy(rows, (row) => row.customerId);
  const { paymentTerms: tenantTerms, settings } = tenant;
  const { usageGraceDays } = settings;
  const inputs = customers.map((customer) => ({
    customer,
    rows: rowsOf.get(customer.id) ?? [],
    basis,
    tenantTerms,
    usageGraceDays,
    today,
    asOf,
    atOnce,
    resumes: paused.resumesOf.get(customer.id) ?? null,
  }));
  return { inputs, cut: due.cut };
}

/* Reads what the pauses that end by a day by themselves make due. */

interface Resumptions {
  readonly rows: readonly OrderRow[];
  readonly resumesOf: ReadonlyMap<number, NonNullable<ForecastInput['resumes']>>;
}

/** Paused orders have no date, and are not among those that are due. */
async function readResumptions(
  tx: Tx,
  customerIds: readonly number[],
  due: readonly OrderRow[],
  asOf: IsoDate,
): Promise<Resumptions> {
  const pauses = await duePausesOf(tx, customerIds, asOf);
  if (pauses.length === 0) return { rows: due, resumesOf: new Map() };
  const own = pauses.filter(({ orderId }) => orderId === null);
  const resumed = own.map(({ customerId }) => customerId);
  const ofOrders = pauses.flatMap(({ orderId }) => orderId ?? []);
  const ofCustomers =
    own.length === 0 ? [] : await liveOrdersOf(tx, { customerIds: resumed, resumed });
  const known = new Set(due.map((row) => row.id));
  const ids = new Set([...ofOrders, ...ofCustomers].filter((each) => !known.has(each)));
  const more = await loadOrders(tx, [...ids]);
  const rows = [...due, ...more].map((row): OrderRow => {
    const until = row.status === 'Suspended' ? untilOf(row.pauses) : null;
    const waits = until !== null && row.changeOn !== null && row.changeOn < until;
    return waits ? { ...row, changeOn: until } : row;
  });
  if (own.length === 0) return { rows, resumesOf: new Map() };
  const rules = await readRules(tx);
  const resumesOf = new Map<number, NonNullable<ForecastInput['resumes']>>();
  for (const [until, some] of Map.groupBy(own, (pause) => pause.until)) {
    const standings = await readIndebted(
      tx,
      some.map(({ customerId }) => customerId),
      until,
    );
    const standingBy = new Map(standings.map((each) => [each.id, each]));
    for (const { customerId } of some) {
      const standing = standingBy.get(customerId);
      const status = standing ? statusByAge(standingOf(standing), rules, until) : 'Active';
      resumesOf.set(customerId, { on: until, status });
    }
  }
  return { rows, resumesOf };
}

/** The orders that replace others: where a pause has moved the day of a change, they begin on it. */
function waitingOn(
  rows: readonly OrderToRate[],
  { successors, plans }: Pick<RatingBasis, 'successors' | 'plans'>,
): RatingBasis['successors'] {
  const moved = rows.flatMap((current) => {
    const next = successors.get(current.id);
    const on = current.changeOn ?? null;
    if (next === undefined || on === null || !awaitsChange(next) || next.startDate === on)
      return [];
    return [[current.id, alignedOn(next, { current, plans }, on)] as const];
  });
  return moved.length === 0 ? successors : new Map([...successors, ...moved]);
}

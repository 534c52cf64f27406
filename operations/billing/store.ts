/**
 * Turns rated charges into rows and writes them. These are two steps, so that a caller may write in
 * between.
 */
import {
  type BillingWrite,
  type InvoiceInsert,
  withMoreIds,
  writeBilling,
} from '../../db/queries/billing/write.ts';
import { carryOut } from '../collection/carry-out.ts';
import { madeInvoices, raiseMade } from './invoice-events.ts';
import type { OperationContext } from '../context/context.ts';
import { type RaisedEvent, raise } from '../events/raise.ts';
import {
  type AutopayBasis,
  type DraftRows,
  addDraft,
  balancesOf,
  noDraftRows,
  writeOf,
} from './draft-rows.ts';
import {
  type CustomerBilling,
  type OrderBilling,
  billedOrders,
  metadataFor,
  notesOf,
  payersOf,
} from '../../domain/billing/rate-customer.ts';
import type { AnsweredCustomer } from './customers.ts';
import { type Balances, balanceKey } from '../../domain/billing/rate/balance.ts';
import { refuseUntaxed } from '../../domain/billing/rate/provider-tax.ts';
import assert from 'node:assert';
import type { DraftInvoice } from '../../domain/billing/rate/total.ts';
import type { DueCharge, UsageWindow } from '../../domain/billing/due/due-charges.ts';
import type { LineToRate } from '../../domain/billing/order-to-rate.ts';
import type { WindowClose } from '../../db/queries/billing/usage-windows.ts';
import type { UsageSubTotal } from '../../domain/billing/charges.ts';
import { minorDigits } from '../../domain/money/money.ts';
import type { LineWindow } from '../../domain/standing/line.ts';

/** Rows that can be written without another read. */
export interface PreparedBilling {
  readonly rows: BillingWrite;
  readonly balances: Balances;
  /** @see CustomerBilling */
  readonly newOrder: OrderBilling | null;
  /** Stored orders whose status or prices change; new dates alone are no event. */
  readonly moved: readonly MovedOrder[];
  /** A customer whose taxes a provider has answered at once; null for a batch. */
  readonly answered: AnsweredCustomer | null;
}

interface MovedOrder {
  readonly id: number;
  readonly customerId: number;
}

export interface Payable {
  /** The payment whose generateInvoice makes the invoices. */
  readonly forPaymentId: number | null;
  /** Autopay pays those with isAutoPay; false: never. */
  readonly paysItself: boolean;
}

/** What the caller has read, or taken, already. */
interface Known {
  /** Of the customers, under their locks. */
  readonly balances?: Balances;
  readonly ids?: readonly number[];
}

/** Throws billing.amountTooLarge, and UnansweredTaxes: nobody is billed untaxed. */
export async function prepareBilling(
  { tx, tenant }: OperationContext,
  billings: readonly CustomerBilling[],
  { forPaymentId = null, paysItself = true, ...known }: Partial<Payable> & Known = {},
): Promise<PreparedBilling> {
  refuseUntaxed(billings.flatMap(({ invoices }) => invoices));
  const autopayOn = paysItself ? tenant.settings.autopayOn : null;
  const [balances, ids] = await Promise.all([
    known.balances ??
      balancesOf(
        tx,
        billings.filter(({ invoices }) => invoices.length > 0).map((each) => each.customerId),
      ),
    withMoreIds(tx, known.ids ?? [], idsNeeded(billings)),
  ]);
  const rows = billingRows(billings, { balances, ids, autopayOn, forPaymentId });
  const [newOrder = null] = billings.flatMap((billing) => billing.newOrder ?? []);
  return { rows, balances, newOrder, moved: billings.flatMap(movedOf), answered: null };
}

function movedOf({ customerId, orders }: CustomerBilling): MovedOrder[] {
  const moved = orders.filter(
    ({ before, dates, hasNewPrices }) => hasNewPrices || dates.status !== before,
  );
  return moved.map(({ row }) => ({ id: row.id, customerId }));
}

/** Allocates the customers' unapplied money to the invoices, which it returns. */
export async function writePrepared(
  context: OperationContext,
  { rows, balances, moved }: PreparedBilling,
  insertNewOrder?: () => void,
): Promise<readonly InvoiceInsert[]> {
  // The versions of the orders are written by then, and the invoices are not, whose numbers lock the
  // tenant's counter until the commit.
  const withUsage = usageInvoices(rows);
  const made = madeInvoices(rows.invoices, ({ id, customerId, currency }) => ({
    billsUsage: withUsage.has(id),
    meetsMoney: balances.get(balanceKey(customerId, currency))?.hasUnapplied ?? false,
  }));
  const onOrders = (): void => {
    raise(context, moved.map(updated));
    raiseMade(context, made);
  };
  const { numbering } = context.tenant;
  writeBilling(context.tx, rows, { ...context.time, numbering }, { onOrders, insertNewOrder });
  await carryOut(context, { invoices: made, isRaised: true });
  return rows.invoices;
}

function usageInvoices({ windows = [] }: BillingWrite): ReadonlySet<number> {
  return new Set(windows.flatMap(({ billed }) => billed?.invoiceId ?? []));
}

function updated({ id: objectId, customerId }: MovedOrder): RaisedEvent {
  return { type: 'order.updated', customerId, objectId };
}

/* Builds rows from rated charges: invoices with their balances, ledger entries, pointers. */

/** How many ids the rows of the customers need: for invoices, their lines, billed periods. */
function idsNeeded(billings: readonly CustomerBilling[]): number {
  let count = 0;
  for (const billing of billings) {
    const { invoices } = billing;
    count += invoices.length;
    for (const invoice of invoices) count += invoice.lines.length;
    for (const order of billedOrders(billing)) count += order.due.charges.length;
  }
  return count;
}

interface RowsBasis {
  readonly autopayOn: AutopayBasis['autopayOn'];
  /** The payment whose generateInvoice makes these invoices. */
  readonly forPaymentId: number | null;
  readonly balances: Balances;
  /** At least as many as `idsNeeded` returns. */
  readonly ids: readonly number[];
}

function billingRows(billings: readonly CustomerBilling[], basis: RowsBasis): BillingWrite {
  const ids = basis.ids.values();
  const nextId = (): number => {
    const { value, done } = ids.next();
    assert(!done, 'as many ids as idsNeeded returns');
    return value;
  };
  const drafted = noDraftRows();
  const advanced: AdvancedRows = {
    periods: [],
    orders: [],
    repriced: [],
    repricedLines: [],
    windows: [],
    pointers: [],
    changes: billings.flatMap(({ orders }) => orders.flatMap(({ change }) => change ?? [])),
    changedLines: billings.flatMap(({ changedLines }) => changedLines),
  };
  for (const billing of billings) addBilling({ basis, nextId, drafted, advanced }, billing);
  return { ...writeOf(drafted), ...advanced };
}

/** What becomes of orders and their lines. */
interface AdvancedRows {
  readonly periods: BillingWrite['periods'][number][];
  readonly orders: BillingWrite['orders'][number][];
  readonly repriced: NonNullable<BillingWrite['repriced']>[number][];
  readonly repricedLines: NonNullable<BillingWrite['repricedLines']>[number][];
  readonly windows: WindowClose[];
  readonly pointers: BillingWrite['pointers'][number][];
  readonly changes: NonNullable<BillingWrite['changes']>;
  readonly changedLines: NonNullable<BillingWrite['changedLines']>;
}

interface RowsSoFar {
  readonly basis: RowsBasis;
  readonly nextId: () => number;
  readonly drafted: DraftRows;
  readonly advanced: AdvancedRows;
}

/** The rows that invoices and billed periods of a due charge refer to. */
interface ChargeIds {
  readonly periodId: number;
  invoiceId: number | null;
}

function addBilling(rows: RowsSoFar, billing: CustomerBilling): void {
  const { invoices } = billing;
  const orders = billedOrders(billing);
  const idsOf = new Map<DueCharge, ChargeIds>();
  for (const order of orders) {
    for (const charge of order.due.charges) {
      idsOf.set(charge, { periodId: rows.nextId(), invoiceId: null });
    }
  }
  const windows = new Map<UsageWindow, WindowClose>();
  const windowRowOf = windowRowsOf(orders);
  for (const invoice of invoices)
    addInvoice(rows, invoice, orders, { idsOf, windows, windowRowOf });
  const { advanced } = rows;
  for (const each of billing.orders) {
    const { row, due, dates } = each;
    if (each.hasNewPrices) {
      addRepriced(advanced, each);
      continue;
    }
    advanced.orders.push({ id: row.id, ...dates });
    for (const [id, nextPeriodIndex] of due.nextPeriodIndex)
      advanced.pointers.push({ id, nextPeriodIndex });
  }
  for (const { due, row } of orders) {
    advanced.windows.push(
      ...due.windows.map(({ window }) => windows.get(window) ?? passed(window)),
    );
    const segments = segmentsSoFar(row.lines);
    for (const charge of due.charges) {
      const key = `${charge.line.id} ${charge.periodIndex}`;
      const segment = segments.get(key) ?? 0;
      segments.set(key, segment + 1);
      const ids = idsOf.get(charge);
      assert(ids, 'every due charge has its ids');
      advanced.periods.push({
        id: ids.periodId,
        orderLineId: charge.line.id,
        chargeId: charge.line.charge.id,
        periodIndex: charge.periodIndex,
        segment,
        billedFrom: charge.from,
        billedTo: charge.to,
        invoiceId: ids.invoiceId,
      });
    }
  }
}

function addRepriced(
  { repriced, repricedLines }: AdvancedRows,
  { row, due, dates }: OrderBilling,
): void {
  const { id, planId, earlier = null } = row;
  repriced.push({ id, ...dates, planId, earlierPrices: earlier });
  for (const line of row.lines) {
    const nextPeriodIndex = due.nextPeriodIndex.get(line.id) ?? line.nextPeriodIndex;
    repricedLines.push({ id: line.id, chargeId: line.chargeId, nextPeriodIndex });
  }
}

/** What invoices bill of some orders. */
interface Billed {
  readonly idsOf: ReadonlyMap<DueCharge, ChargeIds>;
  readonly windows: Map<UsageWindow, WindowClose>;
  readonly windowRowOf: WindowRowOf;
}

function addInvoice(
  { basis, nextId, drafted }: RowsSoFar,
  invoice: DraftInvoice,
  orders: readonly OrderBilling[],
  { idsOf, windows, windowRowOf }: Billed,
): void {
  const { balances, autopayOn, forPaymentId: afterPaymentId } = basis;
  const orderIds = payersOf(invoice, orders);
  const invoiced: ChargeIds[] = [];
  const { id } = addDraft(drafted, invoice, {
    balances,
    nextId,
    autopay: { autopayOn, orderId: Math.min(...orderIds), afterPaymentId },
    notes: notesOf(invoice, orders),
    noted: { metadata: metadataFor(invoice, orders), hasOwnMetadata: false },
    billed: {
      periodIdOf(due) {
        const ids = idsOf.get(due);
        assert(ids, 'every invoiced charge was due');
        invoiced.push(ids);
        return ids.periodId;
      },
      windowIdOf: (window) => windowRowOf(window).id,
    },
  });
  for (const [window, close] of closedBy(invoice, id, windowRowOf)) windows.set(window, close);
  for (const ids of invoiced) ids.invoiceId = id;
}

/** Further days of a partly billed period get the next segment's number. */
function segmentsSoFar(lines: readonly LineToRate[]): Map<string, number> {
  const segments = new Map<string, number>();
  for (const line of lines) {
    for (const { periodIndex, segment = 0 } of line.billed) {
      const key = `${line.id} ${periodIndex}`;
      segments.set(key, Math.max(segments.get(key) ?? 0, segment + 1));
    }
  }
  return segments;
}

/* Builds what becomes of usage windows that were billed. */

/** A stored window. */
type WindowRow = LineWindow & Required<Pick<LineWindow, 'id'>>;

/** The stored window of each that was due. */
type WindowRowOf = (window: UsageWindow) => WindowRow;

function windowRowsOf(orders: readonly Pick<OrderBilling, 'row'>[]): WindowRowOf {
  const rows = new Map<string, LineWindow>();
  for (const { row } of orders) {
    for (const { id, windows = [] } of row.lines) {
      for (const each of windows) rows.set(`${id} ${each.periodIndex}`, each);
    }
  }
  return ({ line, periodIndex }) => {
    const row = rows.get(`${line.id} ${periodIndex}`);
    assert(row?.id !== undefined, 'a window with records is stored, and was read');
    return { ...row, id: row.id };
  };
}

/** The windows that an invoice bills, closed; each has one subtotal. */
function closedBy(
  { lines, currency }: DraftInvoice,
  invoiceId: number,
  rowOf: WindowRowOf,
): ReadonlyMap<UsageWindow, WindowClose> {
  const digits = minorDigits(currency);
  const subTotals = lines.flatMap(({ charges }) =>
    charges.flatMap(({ charge }) => (charge.kind === 'usageSubTotal' ? [charge] : [])),
  );
  return new Map(
    subTotals.map((subTotal) => {
      const { window } = subTotal;
      const { quantity, amount, percent } = subTotal;
      const shared = sharedOf(subTotal, rowOf(window), digits);
      const { from, to, ofPeriod } = window;
      const billed = { invoiceId, from, to, ofPeriod, quantity, amount, percent, shared };
      return [window, { ...keyOf(window), billed }];
    }),
  );
}

function sharedOf({ shared }: UsageSubTotal, { lastId = null }: WindowRow, digits: number) {
  if (shared === null) return null;
  assert(lastId !== null, 'what records share has a last one');
  const { quantity, amount } = shared;
  return { quantity, amount, digits, lastId };
}

/** A window that passes without records. */
function passed(window: UsageWindow): WindowClose {
  return { ...keyOf(window), billed: null };
}

function keyOf({ line, periodIndex }: UsageWindow) {
  return { lineId: line.id, periodIndex };
}

/**
 * Reads the orders to bill, in four statements and two round trips for any number; one more if a
 * period was billed in part.
 */
import type { CorrectedLine, CorrectedWindow } from '../../../domain/billing/credit/corrected.ts';
import type { OrderToRate, LineToRate } from '../../../domain/billing/order-to-rate.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { noUses } from '../../../domain/discounts/uses.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { ServicePause, BilledDays, LineWindow } from '../../../domain/standing/line.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type * as tables from '../../entities/customers.ts';
import type { RowOf } from '../../entities/rows.ts';
import { ask, keyed } from '../context/keyed.ts';
import { couponUses } from '../discounts/uses.ts';
import { byLine, chargesText, standingCredits, type ChargeRow } from './invoiced-charges.ts';
import { costsOf } from './parts.ts';

/** The most lines per read, plus the rest of the last order; also the most orders. */
const LINES_MAX = 5_000;

/** A stored order. */
export interface OrderRow extends OrderToRate {
  readonly orderNumber: number;
  readonly endedOn: IsoDate | null;
  readonly changeOn: IsoDate | null;
  readonly priceChangeOn: IsoDate | null;
  readonly creditFrom: IsoDate | null;
  readonly billsNothingMore: boolean;
  readonly billedThrough: IsoDate | null;
  readonly arrearsBilledThrough: IsoDate | null;
  readonly version: number;
  readonly lines: LineRow[];
  readonly pauses: ServicePause[];
}

// Once for each statement it is asked whether the tenant has such a version at all.
const columns = `id, order_number, status, customer_id, plan_id, coupon_id,
  coupon_periods_before, currency, start_date, trial_end_date, trial_days, end_date, term_start, term_first_end, is_auto_renew,
  anchor, first_period, previous_order_id, change_on, credit_from, separate_invoice, job_code,
  purchase_order, is_auto_pay, due_date_value, due_date_units, invoice_text, invoice_notes, metadata, ended_on, bills_nothing_more,
  billed_through, arrears_billed_through,
  next_billable_date, bill_on, transition_on, price_change_on, earlier_prices as earlier, version,
  case when exists (select from plan m where m.moves_to is not null) then (
    select case when v.moves_to is not null then json_build_object('planId', v.moves_to,
      'by', v.moves_by, 'from', v.moves_from) end
    from plan v where v.tenant_id = o.tenant_id and v.id = o.plan_id) end as move`;

/** This transaction must have locked the customers of the orders. */
export async function loadOrders(
  tx: Tx,
  orderIds: readonly number[],
): Promise<readonly OrderRow[]> {
  const heads = await tx.query<Head>(
    `select ${columns} from subscription_order o where o.id = any($1) order by id`,
    [orderIds],
    'orders-by-id',
  );
  return (await withLinesAndPauses(tx, heads, linesOfOrders)).rows;
}

/** The orders that replace, or will replace, these, by the replaced one. */
export async function loadSuccessors(
  tx: Tx,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, OrderRow>> {
  if (orderIds.length === 0) return new Map();
  const heads = await tx.query<Head>(
    `select ${columns} from subscription_order o where o.previous_order_id = any($1) order by id`,
    [orderIds],
    'successors-of-orders',
  );
  const { rows } = await withLinesAndPauses(tx, heads, linesOfOrders);
  return new Map(rows.map((row) => [row.previousOrderId ?? 0, row]));
}

/** Selects orders of customers by their next day of action, or of billing. */
export interface DueChoice {
  readonly customerIds: readonly number[];
  readonly by: IsoDate;
  /** Includes orders that are due but wait for the next day's run. */
  readonly atOnce: boolean;
}

export interface DueOrders {
  /** Ordered by id. */
  readonly rows: readonly OrderRow[];
  /** Where the read stopped, if it did not reach all; customers are in order of id. */
  readonly cut: DueCut | null;
}

export interface DueCut {
  /** The last customer of which something was read. */
  readonly customerId: number;
  /** All of its orders were read. */
  readonly isWhole: boolean;
  /** The first due date of the unread orders; null if they have nothing to bill. */
  readonly restOn: IsoDate | null;
}

/** Reads in order of due dates. This transaction must have locked the customers. */
export async function loadDueOrders(tx: Tx, choice: DueChoice): Promise<DueOrders> {
  const { customerIds, by, atOnce } = choice;
  const heads = await ask<DueHead>(tx, (atOnce ? dueAtOnce : due)(customerIds), by);
  let read = heads.slice(0, LINES_MAX);
  let loaded = await withLinesAndPauses(tx, read, linesOfFewOrders);
  if (loaded.lines > LINES_MAX) {
    read = await asFarAsRead(tx, read);
    loaded = await withLinesAndPauses(tx, read, linesOfOrders);
  }
  return { rows: loaded.rows.toSorted((a, b) => a.id - b.id), cut: cutOf(heads, read.length) };
}

type Head = Omit<OrderRow, 'lines' | 'pauses' | 'couponUses'>;

interface DueHead extends Head {
  readonly dueOn: IsoDate | null;
}

const due = keyed('orders-due', (are) => dueHeads(are('$1'), 'o.bill_on <= $2', 'false'));
const dueAtOnce = keyed('orders-due-at-once', (are) =>
  dueHeads(are('$1'), 'true', 'o.next_billable_date <= $2'),
);

function dueHeads(areCustomers: string, mayBill: string, isDueToo: string): string {
  return `select ${columns}, case when ${mayBill} then o.next_billable_date end as due_on
    from subscription_order o
    where o.customer_id ${areCustomers} and (o.next_action_on <= $2 or ${isDueToo})
    order by o.customer_id, due_on nulls first, o.id limit ${LINES_MAX + 1}`;
}

/** Rarely needed: usually all lines together are below the limit. */
async function asFarAsRead(tx: Tx, heads: readonly DueHead[]): Promise<DueHead[]> {
  const counts = await tx.query<{ orderId: number; lines: number }>(
    'select order_id, count(*) as lines from order_line where order_id = any($1) group by order_id',
    [heads.map(({ id }) => id)],
    'count-lines-of-orders',
  );
  const linesOf = new Map(counts.map(({ orderId, lines }) => [orderId, lines]));
  let before = 0;
  return heads.filter(({ id }) => {
    const isRead = before < LINES_MAX;
    before += linesOf.get(id) ?? 0;
    return isRead;
  });
}

function cutOf(heads: readonly DueHead[], count: number): DueCut | null {
  const [last, next] = [heads[count - 1], heads[count]];
  if (last === undefined || next === undefined) return null;
  const isWhole = next.customerId !== last.customerId;
  return { customerId: last.customerId, isWhole, restOn: isWhole ? null : next.dueOn };
}

async function withLinesAndPauses(
  tx: Tx,
  heads: readonly Head[],
  statement: LinesStatement,
): Promise<{ readonly rows: readonly OrderRow[]; readonly lines: number }> {
  if (heads.length === 0) return { rows: [], lines: 0 };
  const orders = new Map<number, OrderRow>();
  for (const head of heads) {
    orders.set(head.id, { ...head, lines: [], pauses: [], couponUses: noUses });
  }
  const ids = [...orders.keys()];
  const [lines, uses] = await Promise.all([
    addLines(tx, ids, orders, statement),
    couponUses(tx, heads),
    addPauses(tx, orders),
  ]);
  const rows = [...orders.values()];
  if (uses.size === 0) return { rows, lines };
  return {
    rows: rows.map((row) => ({ ...row, couponUses: uses.get(row.id) ?? noUses })),
    lines,
  };
}

/* Reads the lines of orders with their billed days. */

interface LineRow extends LineToRate {
  readonly orderId: number;
  billed: (BilledDays & { readonly segment: number })[];
  /** Of a usage line, once they were read. @see readWindows */
  readonly windows?: readonly WindowRow[];
}

/** A stored usage window of a line. */
export type WindowRow = Required<LineWindow>;

type BilledRow = LineRow['billed'][number] & { readonly id: number; readonly line: number };

type LinesStatement = typeof linesOfOrders;

const allLines = (
  areOrders: string,
): string => `select id, order_id, position, charge_id, trim_scale(quantity)::text as quantity,
    trim_scale(unit_price)::text as unit_price, invoice_text, is_active, starts_on, ends_on,
    next_period_index, penalty_since
  from order_line where order_id ${areOrders} order by order_id, position, id`;
const linesOfOrders = keyed('lines-of-orders', (are) => allLines(are('$1')));
const linesOfFewOrders = keyed(
  'lines-of-few-orders',
  (are) => `${allLines(are('$1'))} limit ${LINES_MAX + 1}`,
);

// Starts at the line's pointer, so that old orders cost no more than new ones: there is a billed
// period only if it was billed in part, or if one before it was rolled back.
const billedOfOrders = keyed(
  'billed-of-orders',
  (
    are,
  ) => `select b.id, b.order_line_id as line, b.period_index, b.segment, b.billed_from as "from",
       b.billed_to as "to"
     from order_line l join billed_period b
       on b.tenant_id = l.tenant_id and b.order_line_id = l.id
      and b.period_index >= l.next_period_index and b.voided_at is null
     where l.order_id ${are('$1')} order by b.period_index, b.segment`,
);

async function addLines(
  tx: Tx,
  ids: number[],
  orders: ReadonlyMap<number, { readonly lines: LineRow[] }>,
  linesBy: LinesStatement,
): Promise<number> {
  const [lines, billed] = await Promise.all([
    ask<Omit<LineRow, 'billed'>>(tx, linesBy(ids)),
    ask<BilledRow>(tx, billedOfOrders(ids)),
  ]);
  const byId = new Map<number, LineRow>();
  for (const line of lines) {
    const row: LineRow = { ...line, billed: [] };
    byId.set(row.id, row);
    orders.get(row.orderId)?.lines.push(row);
  }
  if (billed.length === 0) return lines.length;
  const costs = await costsOf(
    tx,
    billed.map(({ id }) => id),
  );
  for (const { id, line, ...days } of billed) {
    const cost = costs.get(id);
    byId.get(line)?.billed.push({ ...days, ...(cost && { cost }) });
  }
  return lines.length;
}

/* Reads the pauses of a customer's service. */

/** Pauses of all orders of a customer, without those of single orders. */
export async function pausesOfCustomer(tx: Tx, customerId: number): Promise<ServicePause[]> {
  return tx.query<ServicePause>(
    `select suspended_on, resumed_on from service_pause
     where customer_id = $1 and order_id is null order by suspended_on, id`,
    [customerId],
    'pauses-of-customer',
  );
}

/** An order to which its pauses, and those of its customer, are added. */
interface Pausable {
  readonly customerId: number;
  readonly pauses: ServicePause[];
}

type PauseRow = RowOf<
  typeof tables.ServicePause,
  'customerId' | 'orderId' | 'suspendedOn' | 'resumedOn' | 'until'
>;

const pausesOfCustomers = keyed(
  'pauses-of-customers',
  (are) => `select customer_id, order_id, suspended_on, resumed_on, until from service_pause
    where customer_id ${are('$1')} order by suspended_on, id`,
);

/** @param orders by id */
async function addPauses(tx: Tx, orders: ReadonlyMap<number, Pausable>): Promise<void> {
  const customerIds = new Set([...orders.values()].map((order) => order.customerId));
  const pauses = await ask<PauseRow>(tx, pausesOfCustomers([...customerIds]));
  for (const pause of pauses) {
    const { orderId, suspendedOn, resumedOn, until } = pause;
    const served = { suspendedOn, resumedOn, until, isOfCustomer: orderId === null };
    if (orderId !== null) {
      orders.get(orderId)?.pauses.push(served);
      continue;
    }
    for (const order of orders.values()) {
      if (order.customerId === pause.customerId) order.pauses.push(served);
    }
  }
}

/* Reads the invoices that billed usage whose records are corrected since. */

/** Only charges of the invoice that a window names: it may have been billed by another before. */
const correctedText = chargesText({
  ahead: `source as (
    select w.id, w.invoice_id from usage_window w where w.tenant_id = $1 and w.id = any($2)),
  ahead as (
    select distinct n.id
    from source s
    join invoice_charge c on c.tenant_id = $1 and c.usage_window_id = s.id
    join invoice_line n on n.tenant_id = $1 and n.id = c.invoice_line_id
      and n.invoice_id = s.invoice_id)`,
  where: 'n.tenant_id = $1',
  credits: standingCredits,
});

/**
 * What stands of the amounts of which windows took a percentage: those of their records less those of
 * corrections that were billed since.
 */
const suppliedText = `
  select w.id, ((
    select coalesce(sum(a.amount), 0) from activity a
    where a.tenant_id = $1 and a.window_id = w.id and not a.corrects_billed) + (
    select coalesce(sum(k.amount), 0) from activity k
    join usage_window kw on kw.tenant_id = $1 and kw.id = k.window_id
      and kw.closed_at is not null and not kw.corrects_plainly
    join activity a on a.tenant_id = $1 and a.id = k.corrects_id and a.window_id = w.id
    where k.tenant_id = $1 and k.order_line_id = w.order_line_id and k.corrects_billed))::text
    as supplied
  from usage_window w
  where w.tenant_id = $1 and w.id = any($2) and w.percent is not null`;

/** The lines that billed windows whose records are corrected, by the window's id. */
export async function correctedLines(
  tx: Tx,
  windowIds: readonly number[],
): Promise<ReadonlyMap<number, CorrectedLine>> {
  if (windowIds.length === 0) return new Map();
  const values = [tx.tenantId, windowIds];
  const [rows, supplied] = await Promise.all([
    tx.query<ChargeRow & Record<string, unknown>>(correctedText, values, 'corrected-lines'),
    tx.query<{ id: number; supplied: Decimal }>(suppliedText, values, 'corrected-amounts'),
  ]);
  const asked = new Set(windowIds);
  const suppliedOf = new Map(supplied.map((each) => [each.id, each.supplied]));
  const lines = new Map<number, CorrectedLine>();
  for (const line of byLine(rows)) {
    const windows = new Map<number, CorrectedWindow>();
    for (const { kind, windowId: id, from, to } of line.charges) {
      if (kind !== 'usage' || id === null || from === null || to === null) continue;
      if (asked.has(id)) windows.set(id, { id, from, to, supplied: suppliedOf.get(id) ?? null });
    }
    const corrected = { ...line, windows: [...windows.values()] };
    for (const id of windows.keys()) lines.set(id, corrected);
  }
  return lines;
}

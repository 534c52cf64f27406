/**
 * Reads the orders to bill, in four statements and two round trips for any number; one more if a
 * period was billed in part.
 */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { OrderToRate } from '../../../domain/billing/order-to-rate.ts';
import type { ServicePause } from '../../../domain/standing/line.ts';
import { noUses } from '../../../domain/discounts/uses.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { couponUses } from '../discounts/uses.ts';
import {
  addLines,
  LINES_MAX,
  linesOfFewOrders,
  linesOfOrders,
  type LineRow,
  type LinesStatement,
} from './lines.ts';
import { addPauses } from './pauses.ts';

/** A stored order. */
export interface OrderRow extends OrderToRate {
  readonly orderNumber: number;
  readonly endedOn: IsoDate | null;
  readonly changeOn: IsoDate | null;
  readonly creditFrom: IsoDate | null;
  readonly billsNothingMore: boolean;
  readonly version: number;
  readonly lines: LineRow[];
  readonly pauses: ServicePause[];
}

const columns = `id, order_number, status, customer_id, plan_id, coupon_id,
  coupon_periods_before, currency, start_date, end_date, term_start, term_first_end, is_auto_renew,
  anchor, first_period, previous_order_id, change_on, credit_from, separate_invoice, job_code, is_auto_pay,
  due_date_value, due_date_units, invoice_text, invoice_notes, ended_on, bills_nothing_more,
  next_billable_date, bill_on, transition_on, version`;

/** This transaction must have locked the customers of the orders. */
export async function loadOrders(
  tx: Tx,
  orderIds: readonly number[],
): Promise<readonly OrderRow[]> {
  const heads = await tx.query<Head>(
    `select ${columns} from subscription_order where id = any($1) order by id`,
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
    `select ${columns} from subscription_order where previous_order_id = any($1) order by id`,
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
  const heads = await tx.query<DueHead>(
    atOnce ? dueHeads('true', 'o.next_billable_date <= $2') : dueHeads('o.bill_on <= $2', 'false'),
    [customerIds, by],
    atOnce ? 'orders-due-at-once' : 'orders-due',
  );
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

function dueHeads(mayBill: string, isDueToo: string): string {
  return `select ${columns}, case when ${mayBill} then o.next_billable_date end as due_on
    from subscription_order o
    where o.customer_id = any($1) and (o.next_action_on <= $2 or ${isDueToo})
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

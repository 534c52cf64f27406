/** Reads the lines of orders with their billed days. */
import type { LineToRate } from '../../../domain/billing/order-to-rate.ts';
import type { BilledDays } from '../../../domain/standing/line.ts';
import type { LineWindow } from '../../../domain/standing/window.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { costsOf } from './parts.ts';

/** The most lines per read, plus the rest of the last order; also the most orders. */
export const LINES_MAX = 5_000;

export interface LineRow extends LineToRate {
  readonly orderId: number;
  billed: (BilledDays & { readonly segment: number })[];
  /** Of a usage line, once they were read. @see readWindows */
  readonly windows?: readonly WindowRow[];
}

/** A stored usage window of a line. */
export type WindowRow = Required<LineWindow>;

type BilledRow = LineRow['billed'][number] & { readonly id: number; readonly line: number };

export interface LinesStatement {
  readonly text: string;
  readonly name: string;
}

const allLines = `select id, order_id, position, charge_id, trim_scale(quantity)::text as quantity,
    trim_scale(unit_price)::text as unit_price, invoice_text, is_active, starts_on, ends_on,
    next_period_index, penalty_since
  from order_line where order_id = any($1) order by order_id, position, id`;
export const linesOfOrders: LinesStatement = { text: allLines, name: 'lines-of-orders' };
export const linesOfFewOrders: LinesStatement = {
  text: `${allLines} limit ${LINES_MAX + 1}`,
  name: 'lines-of-few-orders',
};

export async function addLines(
  tx: Tx,
  ids: number[],
  orders: ReadonlyMap<number, { readonly lines: LineRow[] }>,
  { text, name }: LinesStatement,
): Promise<number> {
  const linesAsked = tx.query<Omit<LineRow, 'billed'>>(text, [ids], name);
  // Starts at the line's pointer, so that old orders cost no more than new ones: there is a billed
  // period only if it was billed in part, or if one before it was rolled back.
  const billedAsked = tx.query<BilledRow>(
    `select b.id, b.order_line_id as line, b.period_index, b.segment, b.billed_from as "from", b.billed_to as "to"
     from order_line l join billed_period b
       on b.tenant_id = l.tenant_id and b.order_line_id = l.id and b.charge_id = l.charge_id
      and b.period_index >= l.next_period_index and b.voided_at is null
     where l.order_id = any($1) order by b.period_index, b.segment`,
    [ids],
    'billed-of-orders',
  );
  const [lines, billed] = await Promise.all([linesAsked, billedAsked]);
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

/** What the books say about lines, windows and records of usage. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Books } from '../operations/support/books.ts';

export interface StoredLine {
  readonly id: number;
  readonly code: string;
  readonly orderId: number;
  readonly status: string;
  readonly start: IsoDate;
  readonly end: IsoDate | null;
  /** The first day of period 0. */
  readonly anchor: IsoDate;
  /** All windows before this one are closed, stored or not. */
  readonly firstOpen: number;
}

export const readLines = (books: Books): Promise<StoredLine[]> =>
  books.read((tx) =>
    tx.query<StoredLine & Record<string, unknown>>(
      `select l.id, h.price_code as code, o.id as "orderId", o.status, o.start_date as start, o.anchor,
         l.next_period_index as "firstOpen",
         -- One that was replaced from its first day on has no days.
         case when o.status in ('Canceled', 'Superseded') then coalesce(o.ended_on, o.start_date - 1)
           else o.end_date end as "end"
       from order_line l join plan_charge h on h.tenant_id = l.tenant_id and h.id = l.charge_id
       join subscription_order o on o.tenant_id = l.tenant_id and o.id = l.order_id`,
    ),
  );

export interface StoredWindow {
  readonly id: number;
  readonly lineId: number;
  readonly period: number;
  readonly isClosed: boolean;
  readonly invoiceId: number | null;
  readonly quantity: string | null;
  readonly percent: string | null;
  /** In cents, by position, without what corrections give back of a percentage. */
  readonly charges: readonly number[];
  /** What these give back, in cents. */
  readonly given: number;
  readonly subTotals: readonly number[];
  readonly records: readonly number[];
}

export const readWindows = (books: Books): Promise<StoredWindow[]> =>
  books.read((tx) =>
    tx.query<StoredWindow & Record<string, unknown>>(
      `select w.id, w.order_line_id as "lineId", w.period_index as period,
         w.closed_at is not null as "isClosed", w.invoice_id as "invoiceId",
         trim_scale(w.quantity * 1000000)::text as quantity,
         trim_scale(w.percent * 1000000)::text as percent,
         array(select (c.amount * 100)::bigint from invoice_charge c
           join invoice_line l on l.tenant_id = c.tenant_id and l.id = c.invoice_line_id
           where c.tenant_id = w.tenant_id and c.usage_window_id = w.id
             and l.invoice_id = w.invoice_id and c.kind = 'usage'
             and not (c.is_percent and c.quantity < 0) order by c.position) as charges,
         (select coalesce(sum(c.amount * 100), 0)::int from invoice_charge c
           join invoice_line l on l.tenant_id = c.tenant_id and l.id = c.invoice_line_id
           where c.tenant_id = w.tenant_id and c.usage_window_id = w.id
             and l.invoice_id = w.invoice_id and c.kind = 'usage' and c.is_percent
             and c.quantity < 0) as given,
         array(select (c.amount * 100)::bigint from invoice_charge c
           join invoice_line l on l.tenant_id = c.tenant_id and l.id = c.invoice_line_id
           where c.tenant_id = w.tenant_id and c.usage_window_id = w.id
             and l.invoice_id = w.invoice_id and c.kind = 'usageSubTotal') as "subTotals",
         array(select a.id from activity a where a.tenant_id = w.tenant_id and a.window_id = w.id
           order by a.charge_date, a.id) as records
       from usage_window w order by w.order_line_id, w.period_index`,
    ),
  );

/** Their ids. */
export const cancelledInvoices = (books: Books): Promise<number[]> =>
  books.read(async (tx) => {
    const rows = await tx.query<{ id: number }>(
      `select id from invoice where status = 'Cancelled'`,
    );
    return rows.map(({ id }) => id);
  });

const monthOf = (day: IsoDate): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** Of a calendar month. */
export const periodOf = (day: IsoDate, { anchor }: Pick<StoredLine, 'anchor'>): number =>
  monthOf(day) - monthOf(anchor);

/** The first day after a period. */
export function endOf(period: number, { anchor }: Pick<StoredLine, 'anchor'>): IsoDate {
  const next = monthOf(anchor) + period;
  return `${Math.floor(next / 12)}-${String((next % 12) + 1).padStart(2, '0')}-01`;
}

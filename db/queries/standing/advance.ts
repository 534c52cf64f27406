/** Updates orders after billing, or after a day has passed. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { OrderStatus } from '../../../domain/standing/status.ts';
import type { OrderStanding } from '../../../domain/orders/status.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface OrderUpdate {
  readonly id: number;
  readonly status: OrderStatus;
  readonly endDate: IsoDate | null;
  readonly nextBillableDate: IsoDate | null;
  readonly billOn: IsoDate | null;
  readonly transitionOn: IsoDate | null;
}

/** The part of a row that the day decides. @example datesOf(row).billOn // '2027-02-15' */
export function datesOf(row: Omit<OrderUpdate, 'id'>): Omit<OrderUpdate, 'id'> {
  const { status, endDate, nextBillableDate, billOn, transitionOn } = row;
  return { status, endDate, nextBillableDate, billOn, transitionOn };
}

export function updateOrders(tx: Tx, rows: readonly OrderUpdate[], now: Date): void {
  tx.send(
    `update subscription_order o set status = r.status, end_date = r."endDate",
       next_billable_date = r."nextBillableDate", bill_on = r."billOn",
       transition_on = r."transitionOn", version = o.version + 1, updated_at = $3
     from json_to_recordset($2) as r(id bigint, status text, "endDate" date,
       "nextBillableDate" date, "billOn" date, "transitionOn" date)
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, JSON.stringify(rows), now],
    'update-orders',
  );
}

/** Writes what an operation makes of orders; it comes with `updateOrders`, which writes their dates. */
export function writeStandings(
  tx: Tx,
  rows: readonly (OrderStanding & { readonly id: number })[],
): void {
  if (rows.length === 0) return;
  tx.send(
    `update subscription_order o set status = r.status, end_date = r."endDate",
       ended_on = r."endedOn", bills_nothing_more = r."billsNothingMore"
     from json_to_recordset($2) as r(id bigint, status text, "endDate" date, "endedOn" date,
       "billsNothingMore" boolean)
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, JSON.stringify(rows)],
    'write-standings',
  );
}

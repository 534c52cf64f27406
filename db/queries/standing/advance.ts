/** Updates orders after billing, or after a day has passed. */
import type { OrderStanding } from '../../../domain/standing/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { SubscriptionOrder } from '../../entities/orders.ts';
import { given, type GivenBy } from '../context/insertion.ts';

const updatedOrders = given(SubscriptionOrder, [
  'id',
  'status',
  'endDate',
  'nextBillableDate',
  'billOn',
  'transitionOn',
]);
const standings = given(SubscriptionOrder, [
  'id',
  'status',
  'endDate',
  'endedOn',
  'billsNothingMore',
]);

export type OrderUpdate = GivenBy<typeof updatedOrders>;

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
     from ${updatedOrders.recordset}
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, updatedOrders.json(rows), now],
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
     from ${standings.recordset}
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, standings.json(rows)],
    'write-standings',
  );
}

/** Updates orders after billing, or after a day has passed. */
import type { OrderStanding } from '../../../domain/standing/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { OrderLine, SubscriptionOrder } from '../../entities/orders.ts';
import { type GivenBy, given } from '../context/insertion.ts';

const dateColumns = [
  'id',
  'status',
  'endDate',
  'nextBillableDate',
  'billOn',
  'transitionOn',
  'priceChangeOn',
] as const;
const updatedOrders = given(SubscriptionOrder, dateColumns);
const standings = given(SubscriptionOrder, [
  'id',
  'status',
  'endDate',
  'endedOn',
  'billsNothingMore',
]);

export type OrderUpdate = GivenBy<typeof updatedOrders>;

type Dated = Omit<OrderUpdate, 'id' | 'priceChangeOn'> &
  Partial<Pick<OrderUpdate, 'priceChangeOn'>>;

/** The part of a row that the day decides. @example datesOf(row).billOn // '2027-02-15' */
export function datesOf({ priceChangeOn = null, ...row }: Dated): Omit<OrderUpdate, 'id'> {
  const { status, endDate, nextBillableDate, billOn, transitionOn } = row;
  return { status, endDate, nextBillableDate, billOn, transitionOn, priceChangeOn };
}

/** Of the rows `r` with the date columns. */
const setDates = `status = r.status, end_date = r."endDate",
       next_billable_date = r."nextBillableDate", bill_on = r."billOn",
       transition_on = r."transitionOn", price_change_on = r."priceChangeOn",
       version = o.version + 1, updated_at = $3`;

export function updateOrders(tx: Tx, rows: readonly OrderUpdate[], now: Date): void {
  tx.send(
    `update subscription_order o set ${setDates}
     from ${updatedOrders.recordset}
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, updatedOrders.json(rows), now],
    'update-orders',
  );
}

const repricedOrders = given(SubscriptionOrder, [...dateColumns, 'planId', 'earlierPrices']);
const repricedLines = given(OrderLine, ['id', 'chargeId', 'nextPeriodIndex']);

export type RepricedOrder = GivenBy<typeof repricedOrders>;
export type RepricedLine = GivenBy<typeof repricedLines>;

/** In place of `updateOrders`, with the pointers of all their lines, for orders that take other prices. */
export function repriceOrders(
  tx: Tx,
  orders: readonly RepricedOrder[],
  lines: readonly RepricedLine[],
  now: Date,
): void {
  if (orders.length === 0) return;
  tx.send(
    `update subscription_order o set ${setDates}, plan_id = r."planId",
       earlier_prices = r."earlierPrices"
     from ${repricedOrders.recordset}
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, repricedOrders.json(orders), now],
    'reprice-orders',
  );
  // As where pointers alone are moved, a one-time penalty that is billed loses its mark.
  tx.send(
    `update order_line l set charge_id = r."chargeId", next_period_index = r."nextPeriodIndex",
       penalty_since = case when l.penalty_since is not null
         and (l.next_period_index = r."nextPeriodIndex" or not exists (
           select from plan_charge g where g.tenant_id = l.tenant_id and g.id = l.charge_id
             and g.charge_type = 'OneTimeCharge')) then l.penalty_since end,
       updated_at = $3
     from ${repricedLines.recordset}
     where l.tenant_id = $1 and l.id = r.id`,
    [tx.tenantId, repricedLines.json(lines), now],
    'reprice-lines',
  );
}

const datedOrders = given(SubscriptionOrder, ['id', 'priceChangeOn', 'transitionOn']);

export type DatedOrder = GivenBy<typeof datedOrders>;

/** The day of their next prices, and when they act by it. */
export function dateOrders(tx: Tx, rows: readonly DatedOrder[], now: Date): void {
  if (rows.length === 0) return;
  tx.send(
    `update subscription_order o set price_change_on = r."priceChangeOn",
       transition_on = r."transitionOn", version = o.version + 1, updated_at = $3
     from ${datedOrders.recordset}
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, datedOrders.json(rows), now],
    'date-orders',
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

/* Finds the orders that a suspension or a resumption of their customer changes. */

export interface LiveOrderChoice {
  readonly customerIds: readonly number[];
  /** The customers whose service has just been resumed. */
  readonly resumed?: readonly number[];
}

/**
 * The orders of these customers that may still bill or change, ascending: those that have not
 * ended, and ended ones with something to bill. A pause leaves no date to an ended order. It was
 * written then, or when it ended in the pause, so a resumption finds it by when it was last written.
 */
export async function liveOrdersOf(
  tx: Tx,
  { customerIds, resumed = [] }: LiveOrderChoice,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select o.id from subscription_order o
     left join lateral (
       select max(p.suspended_on)::timestamp at time zone own.timezone as at
       from tenant own
       join service_pause p on p.tenant_id = own.id and p.customer_id = o.customer_id
         and p.order_id is null
       where own.id = $1 and o.customer_id = any($3) group by own.timezone) pause on true
     where o.tenant_id = $1 and o.customer_id = any($2)
       and (o.status in ('Provisioning', 'Active', 'Suspended') or o.next_action_on is not null
         or o.updated_at >= pause.at)
     order by o.id`,
    [tx.tenantId, customerIds, resumed],
    'live-orders-of-customers',
  );
  return rows.map(({ id }) => id);
}

/** Writes what a change makes of its two orders, beyond their status and dates, and reads them. */
import type { OrderStanding } from '../../../domain/standing/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { OrderLine, SubscriptionOrder } from '../../entities/orders.ts';
import { given, type GivenBy } from '../context/insertion.ts';
import { writeStandings } from './advance.ts';

const changedOrders = given(SubscriptionOrder, [
  'id',
  'previousOrderId',
  'endedOn',
  'changeOn',
  'creditFrom',
]);
const changedLines = given(OrderLine, ['id', 'startsOn', 'penaltySince']);

export type OrderChange = GivenBy<typeof changedOrders>;
export type LineChange = GivenBy<typeof changedLines>;

/** It comes with `updateOrders`, which moves their versions on. */
export function writeChanges(
  tx: Tx,
  orders: readonly OrderChange[],
  lines: readonly LineChange[],
): void {
  if (orders.length > 0) {
    tx.send(
      `update subscription_order o set previous_order_id = r."previousOrderId",
         ended_on = r."endedOn", change_on = r."changeOn", credit_from = r."creditFrom"
       from ${changedOrders.recordset}
       where o.tenant_id = $1 and o.id = r.id`,
      [tx.tenantId, changedOrders.json(orders)],
      'write-changes',
    );
  }
  if (lines.length === 0) return;
  tx.send(
    `update order_line l set starts_on = r."startsOn", penalty_since = r."penaltySince"
     from ${changedLines.recordset}
     where l.tenant_id = $1 and l.id = r.id`,
    [tx.tenantId, changedLines.json(lines)],
    'write-changed-lines',
  );
}

/**
 * Ends the pending changes of orders that end before them: the orders that would have begun are
 * Canceled. Returns these.
 */
export async function cancelSuccessors(tx: Tx, orderIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<Pick<OrderStanding, 'endedOn' | 'billsNothingMore'> & Identified>(
    `with ended as (
       update subscription_order set change_on = null
       where id = any($1) and change_on is not null returning id)
     update subscription_order n set previous_order_id = null
     from ended e where n.previous_order_id = e.id and n.status = 'Provisioning'
     returning n.id, n.ended_on, n.bills_nothing_more`,
    [orderIds],
    'cancel-successors',
  );
  const never = { status: 'Canceled', endDate: null } as const;
  writeStandings(
    tx,
    rows.map((row) => ({ ...row, ...never })),
  );
  return rows.map(({ id }) => id);
}

interface Identified extends Record<string, unknown> {
  readonly id: number;
}

/** The change that an order was waiting for comes to nothing. */
export function forgetChange(tx: Tx, orderId: number): void {
  tx.send(
    'update subscription_order set change_on = null where tenant_id = $1 and id = $2',
    [tx.tenantId, orderId],
    'forget-change',
  );
}

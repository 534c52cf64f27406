/** Writes what a change makes of its two orders, beyond their status and dates, and reads them. */
import type { IsoDate } from '../../../domain/model.ts';
import type { OrderStanding } from '../../../domain/orders/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { writeStandings } from './advance.ts';

export interface OrderChange {
  readonly id: number;
  readonly previous_order_id: number | null;
  readonly ended_on: IsoDate | null;
  readonly change_on: IsoDate | null;
  readonly credit_from: IsoDate | null;
}

export interface LineChange {
  readonly id: number;
  readonly starts_on: IsoDate | null;
  readonly penalty_since: IsoDate | null;
}

/** It comes with `updateOrders`, which moves their versions on. */
export function writeChanges(
  tx: Tx,
  orders: readonly OrderChange[],
  lines: readonly LineChange[],
): void {
  if (orders.length > 0) {
    tx.send(
      `update subscription_order o set previous_order_id = r.previous_order_id,
         ended_on = r.ended_on, change_on = r.change_on, credit_from = r.credit_from
       from json_to_recordset($2) as r(id bigint, previous_order_id bigint, ended_on date,
         change_on date, credit_from date)
       where o.tenant_id = $1 and o.id = r.id`,
      [tx.tenantId, JSON.stringify(orders.map(columnsOf))],
      'write-changes',
    );
  }
  if (lines.length === 0) return;
  tx.send(
    `update order_line l set starts_on = r.starts_on, penalty_since = r.penalty_since
     from json_to_recordset($2) as r(id bigint, starts_on date, penalty_since date)
     where l.tenant_id = $1 and l.id = r.id`,
    [tx.tenantId, JSON.stringify(lines)],
    'write-changed-lines',
  );
}

/** A caller may give whole rows. */
function columnsOf(row: OrderChange): OrderChange {
  const { id, previous_order_id, ended_on, change_on, credit_from } = row;
  return { id, previous_order_id, ended_on, change_on, credit_from };
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
     returning n.id, n.ended_on as "endedOn", n.bills_nothing_more as "billsNothingMore"`,
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

/** Writes what a change makes of its two orders, beyond their status and dates, and reads them. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { OrderStanding } from '../../../domain/orders/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { writeStandings } from './advance.ts';

export interface OrderChange {
  readonly id: number;
  readonly previousOrderId: number | null;
  readonly endedOn: IsoDate | null;
  readonly changeOn: IsoDate | null;
  readonly creditFrom: IsoDate | null;
}

export interface LineChange {
  readonly id: number;
  readonly startsOn: IsoDate | null;
  readonly penaltySince: IsoDate | null;
}

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
       from json_to_recordset($2) as r(id bigint, "previousOrderId" bigint, "endedOn" date,
         "changeOn" date, "creditFrom" date)
       where o.tenant_id = $1 and o.id = r.id`,
      [tx.tenantId, JSON.stringify(orders.map(columnsOf))],
      'write-changes',
    );
  }
  if (lines.length === 0) return;
  tx.send(
    `update order_line l set starts_on = r."startsOn", penalty_since = r."penaltySince"
     from json_to_recordset($2) as r(id bigint, "startsOn" date, "penaltySince" date)
     where l.tenant_id = $1 and l.id = r.id`,
    [tx.tenantId, JSON.stringify(lines)],
    'write-changed-lines',
  );
}

/** A caller may give whole rows. */
function columnsOf(row: OrderChange): OrderChange {
  const { id, previousOrderId, endedOn, changeOn, creditFrom } = row;
  return { id, previousOrderId, endedOn, changeOn, creditFrom };
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

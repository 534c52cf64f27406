/** Suspends or cancels the orders of an invoice that is cancelled. */
import {
  afterInvoice,
  canEdit,
  type OrderStanding,
  type OrderTerms,
} from '../../domain/standing/status.ts';
import { inserting } from '../../db/queries/context/insertion.ts';
import { writeStandings } from '../../db/queries/standing/advance.ts';
import { cancelSuccessors } from '../../db/queries/standing/changes.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { creditUnusedDays } from '../payments/credit-unused.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { ServicePause } from '../../db/entities/customers.ts';

/** Returns the orders that it suspended: the Active ones. */
export async function suspendOrders(
  { tx, time }: OperationContext,
  orderIds: readonly number[],
): Promise<readonly number[]> {
  const suspended = (await ordersOf(tx, orderIds)).flatMap((order) => {
    const standing = afterInvoice(order, 'Suspended', time.today);
    return standing === null ? [] : [{ ...order, ...standing }];
  });
  writeStandings(tx, suspended);
  insertPauses(
    tx,
    suspended.map(({ id: orderId, customerId }) => ({ customerId, orderId })),
    time,
  );
  return suspended.map(({ id }) => id);
}

const insertPauses = inserting('pause-orders', {
  into: ServicePause,
  columns: ['customerId', 'orderId'],
  at: { suspendedOn: 'today' },
});

/** Cancels orders whose invoices are cancelled, in any status. */
export async function cancelOrdersAlone(
  dependencies: Dependencies,
  context: OperationContext,
  orderIds: readonly number[],
): Promise<void> {
  const { moved, ended, others } = await cancelOrders(context, orderIds);
  const updated = new Set(moved);
  await rescheduleOrders(context, { orderIds: [...orderIds, ...others] }, { updated });
  await creditUnusedDays(dependencies, context, ended);
}

interface CancelledOrders {
  /** The orders whose status changed. */
  readonly moved: readonly number[];
  /** Those of them that had not ended. */
  readonly ended: readonly number[];
  /** Orders that waited to replace one of them. */
  readonly others: readonly number[];
}

/** Cancels orders in any status; an ended one keeps its last day. */
export async function cancelOrders(
  { tx, time }: OperationContext,
  orderIds: readonly number[],
): Promise<CancelledOrders> {
  const orders = await ordersOf(tx, orderIds);
  writeStandings(
    tx,
    orders.map((order) => ({ ...order, ...afterInvoice(order, 'Canceled', time.today) })),
  );
  const ended = orders.filter(({ status }) => canEdit(status)).map(({ id }) => id);
  const moved = orders.filter(({ status }) => status !== 'Canceled').map(({ id }) => id);
  const others = await cancelSuccessors(tx, orderIds);
  return { moved: [...moved, ...others], ended, others };
}

type EndingOrder = Omit<OrderTerms, 'changeOn'> &
  OrderStanding & { readonly id: number; readonly customerId: number };

function ordersOf(tx: Tx, orderIds: readonly number[]): Promise<EndingOrder[]> {
  return tx.query<EndingOrder & Record<string, unknown>>(
    `select id, customer_id, status, start_date,
       end_date, is_auto_renew, term_start,
       term_first_end, ended_on,
       bills_nothing_more,
       previous_order_id is not null and status = 'Provisioning' as awaits_change
     from subscription_order where id = any($1) order by id`,
    [orderIds],
    'orders-of-invoice',
  );
}

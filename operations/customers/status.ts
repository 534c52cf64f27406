/** Suspends a customer's billing by hand, and activates it again. */
import { addDays } from '../../domain/calendar/calendar.ts';
import { openOrdersOf } from '../../db/queries/runs/wake-order.ts';
import { lockCustomer } from '../context/locks.ts';
import type { CustomerAddress } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { rescheduleOrders } from '../billing/reschedule.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { noteTransition } from '../standing/transitions.ts';

/**
 * Makes the customer Suspended1: none of its orders bills. By hand, so that only an activate ends
 * it; a customer that is suspended already stays as it is.
 */
export async function suspendCustomer(
  dependencies: Dependencies,
  context: OperationContext,
  address: CustomerAddress,
): Promise<void> {
  const { tx, time } = context;
  const { id, status } = await lockCustomer(tx, address);
  await tx.query(
    `update customer set status = 'Suspended1', status_by_hand = true, updated_at = $2,
       version = version + 1 where id = $1`,
    [id, time.now],
  );
  await noteTransition(context, id, status, 'Suspended1');
  await tx.query(
    `insert into service_pause (tenant_id, customer_id, order_id, suspended_on)
     values ($1, $2, null, $3) on conflict do nothing`,
    [tx.tenantId, id, time.today],
  );
  await rescheduleOrders(dependencies, context, { customerIds: [id] });
}

/**
 * Makes the customer Active; the days of suspension and of resumption are served. A customer that is
 * held from billing is only released, which is the code answered: null where it was made Active.
 */
export async function activateCustomer(
  dependencies: Dependencies,
  context: OperationContext,
  address: CustomerAddress,
): Promise<string | null> {
  const { tx, time } = context;
  const { id, status } = await lockCustomer(tx, address);
  const code = await releaseCustomer(context, id);
  if (code !== null) return code;
  await tx.query(
    `update customer set status = 'Active', status_by_hand = false, updated_at = $2,
       version = version + 1 where id = $1`,
    [id, time.now],
  );
  await noteTransition(context, id, status, 'Active');
  await tx.query(
    `update service_pause set resumed_on = $2
     where customer_id = $1 and order_id is null and resumed_on is null`,
    [id, time.today],
  );
  await rescheduleOrders(dependencies, context, { customerIds: [id] });
  return null;
}

/**
 * Lets a held customer be billed again: what was due by the next 00:00, or by generateInvoice. Its
 * workflows hear of it. Answers why it was held; null where it was not.
 */
async function releaseCustomer(context: OperationContext, id: number): Promise<string | null> {
  const { tx, time } = context;
  const [held] = await tx.query<{ code: string }>(
    `select coalesce(billing_held_code, 'unknown') as code from customer
     where id = $1 and billing_held_at is not null`,
    [id],
    'held-code',
  );
  if (!held) return null;
  await tx.query(
    `update customer set billing_held_at = null, billing_held_code = null, updated_at = $2,
       version = version + 1 where id = $1`,
    [id, time.now],
  );
  await tx.query(
    `update subscription_order set bill_on = $2, updated_at = $3, version = version + 1
     where customer_id = $1 and bill_on < $2`,
    [id, addDays(time.today, 1), time.now],
  );
  const orders = await openOrdersOf(tx, [id]);
  enqueue(
    context,
    orders.map((objectId) => ({ kind: 'order', objectId })),
  );
  return held.code;
}

/** Suspends a customer's billing by hand, and activates it again. */
import { addDays } from '../domain/calendar.ts';
import { openOrdersOf } from '../db/queries/follow-order.ts';
import { lockCustomer } from './locks.ts';
import type { CustomerAddress } from './locks.ts';
import { enqueue } from './outbox.ts';
import { rescheduleOrders } from './rescheduling.ts';
import type { Services, Work } from './services.ts';
import { noteTransition } from './transitions.ts';

/**
 * Makes the customer Suspended1: none of its orders bills. By hand, so that only an activate ends
 * it; a customer that is suspended already stays as it is.
 */
export async function suspendCustomer(
  services: Services,
  work: Work,
  address: CustomerAddress,
): Promise<void> {
  const { tx, moment } = work;
  const { id, status } = await lockCustomer(tx, address);
  await tx.query(
    `update customer set status = 'Suspended1', status_by_hand = true, updated_at = $2,
       version = version + 1 where id = $1`,
    [id, moment.now],
  );
  await noteTransition(work, id, status, 'Suspended1');
  await tx.query(
    `insert into service_break (tenant_id, customer_id, order_id, suspended_on)
     values ($1, $2, null, $3) on conflict do nothing`,
    [tx.tenantId, id, moment.today],
  );
  await rescheduleOrders(services, work, { customerIds: [id] });
}

/**
 * Makes the customer Active; the days of suspension and of resumption are served. A customer that is
 * held from billing is only released, which is the code answered: null where it was made Active.
 */
export async function activateCustomer(
  services: Services,
  work: Work,
  address: CustomerAddress,
): Promise<string | null> {
  const { tx, moment } = work;
  const { id, status } = await lockCustomer(tx, address);
  const code = await releaseCustomer(work, id);
  if (code !== null) return code;
  await tx.query(
    `update customer set status = 'Active', status_by_hand = false, updated_at = $2,
       version = version + 1 where id = $1`,
    [id, moment.now],
  );
  await noteTransition(work, id, status, 'Active');
  await tx.query(
    `update service_break set resumed_on = $2
     where customer_id = $1 and order_id is null and resumed_on is null`,
    [id, moment.today],
  );
  await rescheduleOrders(services, work, { customerIds: [id] });
  return null;
}

/**
 * Lets a held customer be billed again: what was due by the next 00:00, or by generateInvoice. Its
 * workflows hear of it. Answers why it was held; null where it was not.
 */
async function releaseCustomer(work: Work, id: number): Promise<string | null> {
  const { tx, moment } = work;
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
    [id, moment.now],
  );
  await tx.query(
    `update subscription_order set bill_on = $2, updated_at = $3, version = version + 1
     where customer_id = $1 and bill_on < $2`,
    [id, addDays(moment.today, 1), moment.now],
  );
  const orders = await openOrdersOf(tx, [id]);
  enqueue(
    work,
    orders.map((objectId) => ({ kind: 'order', objectId })),
  );
  return held.code;
}

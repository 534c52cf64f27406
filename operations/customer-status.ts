/** Suspends a customer's billing by hand, and activates it again. */
import { lockCustomer } from './locks.ts';
import type { CustomerAddress } from './locks.ts';
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

/** Makes the customer Active; the days of suspension and of resumption are served. */
export async function activateCustomer(
  services: Services,
  work: Work,
  address: CustomerAddress,
): Promise<void> {
  const { tx, moment } = work;
  const { id, status } = await lockCustomer(tx, address);
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
}

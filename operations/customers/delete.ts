/** Deletes customers without any bookings. */
import { DomainError } from '../../domain/errors.ts';
import { Customer } from '../../db/entities/customers.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { noteRemoved } from '../events/raise.ts';

/** Throws customer.unknown, or customer.inUse; also deletes what the customer owns. */
export async function deleteCustomer(
  context: OperationContext,
  address: CustomerAddress,
): Promise<void> {
  const { tx } = context;
  const { tenantId } = tx;
  const { id } = await lockCustomer(tx, address);
  // Every booking locks its customer first, so this stays true until the commit.
  if (await isInUse(context, id)) {
    throw new DomainError(
      'customer.inUse',
      'a customer with orders, invoices, payments or a payment plan cannot be deleted',
    );
  }
  // Of a password that was reset: all other mails are of bookings.
  tx.send('delete from mail where tenant_id = $1 and customer_id = $2', [tenantId, id]);
  tx.em.remove(await tx.em.findOneOrFail(Customer, { tenantId, id }));
  await tx.flush();
  noteRemoved(tx, id);
}

async function isInUse({ tx }: OperationContext, id: number): Promise<boolean> {
  const used = await tx.query(
    `select 1 where exists (select from subscription_order where customer_id = $1)
        or exists (select from invoice where customer_id = $1)
        or exists (select from payment where customer_id = $1)
        or exists (select from payment_plan where customer_id = $1)
        or exists (select from ledger_entry where customer_id = $1)`,
    [id],
    'customer-in-use',
  );
  return used.length > 0;
}

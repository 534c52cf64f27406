/** Deletes customers that nothing was ever booked on. */
import { DomainError } from '../../domain/errors.ts';
import { lockCustomer } from '../context/locks.ts';
import type { CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';

/** Throws customer.unknown, or customer.inUse; contacts and transitions go with their customer. */
export async function deleteCustomer(
  { tx }: OperationContext,
  address: CustomerAddress,
): Promise<void> {
  const { id } = await lockCustomer(tx, address);
  const deleted = await tx.query(
    `delete from customer c where c.tenant_id = $1 and c.id = $2
       and not exists (select from subscription_order o
                       where o.tenant_id = c.tenant_id and o.customer_id = c.id)
       and not exists (select from invoice i
                       where i.tenant_id = c.tenant_id and i.customer_id = c.id)
       and not exists (select from payment p
                       where p.tenant_id = c.tenant_id and p.customer_id = c.id)
       and not exists (select from ledger_entry l
                       where l.tenant_id = c.tenant_id and l.customer_id = c.id)
     returning id`,
    [tx.tenantId, id],
    'delete-customer',
  );
  if (deleted.length > 0) return;
  throw new DomainError(
    'customer.inUse',
    'a customer that has orders, invoices or payments is not deleted',
  );
}

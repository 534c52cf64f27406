/** Reads where the tenant's own sequence of invoice numbers begins. */
import type { Tx } from '../../connection/tenancy.ts';

export async function readFirstNumber(tx: Tx): Promise<bigint> {
  const [counter] = await tx.query<{ first: number }>(
    `select first from counter where tenant_id = $1 and kind = 'invoice'`,
    [tx.tenantId],
    'first-invoice-number',
  );
  if (counter === undefined) throw new Error('the tenant has no counter of invoices');
  return BigInt(counter.first);
}

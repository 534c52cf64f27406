/** Makes the pay links that a mail brings: each mail has links of its own. */
import type { OperationContext } from '../context/context.ts';
import { readAllowedOrigins } from '../hosted-pages/tenant-origin.ts';
import { isOpenToPay } from '../self-service/payable.ts';
import { makePayLinks } from './links.ts';

interface Mailing extends Pick<OperationContext, 'tx' | 'realNow'> {
  /** Of the tenant's hosted pages. */
  readonly origin: string;
}

/**
 * By the ids of those invoices of which something is open, the first due first; none for a tenant whose
 * file allows no origin, as it has no hosted pages.
 */
export async function payAddresses(
  { origin, ...making }: Mailing,
  invoiceIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { tx } = making;
  if (invoiceIds.length === 0 || (await readAllowedOrigins(tx)).length === 0) return new Map();
  const open = await tx.query<{ id: number }>(
    `select i.id from invoice i
     where i.tenant_id = $1 and i.id = any($2) and ${isOpenToPay} order by i.due_date, i.id`,
    [tx.tenantId, invoiceIds],
    'mailed-payable',
  );
  const links = makePayLinks(
    making,
    open.map(({ id }) => id),
  );
  return new Map([...links].map(([id, path]) => [id, `${origin}${path}`]));
}

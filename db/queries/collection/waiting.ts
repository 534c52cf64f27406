/** Wakes the workflows of payments that wait for their payer, because what they name has changed. */
import type { Tx } from '../../connection/tenancy.ts';

interface Wake {
  /** What the workflow ids of payments begin with. */
  readonly idPrefix: string;
  readonly customerIds: readonly number[];
}

/** All of the customers', without waiting for the answer. */
export function wakeWaiting(tx: Tx, { idPrefix, customerIds }: Wake): void {
  if (customerIds.length === 0) return;
  tx.send(
    wakingText({ customerIds: '$2', idPrefix: '$3', invoiceIds: null }),
    [tx.tenantId, customerIds, idPrefix],
    'wake-waiting-payments',
  );
}

/**
 * The statement, with its parameters, of which `$1` is the tenant: of the customers' payments those that
 * name one of the invoices; null: all of them. Most customers have none, which the index says at once.
 */
export function wakingText({
  invoiceIds,
  customerIds,
  idPrefix,
}: Readonly<Record<'customerIds' | 'idPrefix', string>> & {
  readonly invoiceIds: string | null;
}): string {
  const named = invoiceIds === null ? '' : `and p.named_invoice_ids && ${invoiceIds}::bigint[]`;
  return `insert into outbox (tenant_id, workflow_id, kind, object_id)
     select distinct $1::bigint, ${idPrefix}::text || p.cascade_id, 'payment', p.cascade_id from payment p
     where p.tenant_id = $1 and p.customer_id = any(${customerIds}::bigint[])
       and p.status = 'ActionRequired' ${named}
     order by 2
     on conflict (tenant_id, workflow_id)
       do update set version = outbox.version + 1, deliver_after = excluded.deliver_after`;
}

/** Wakes the workflows of payments that wait for their payer, because what they name has changed. */
import type { Tx } from '../../connection/tenancy.ts';

export interface WaitingChoice {
  /** What the workflow ids of payments begin with. */
  readonly idPrefix: string;
  readonly customerIds: readonly number[];
  /** Those that name one of these; null: all of the customers'. */
  readonly invoiceIds: readonly number[] | null;
}

/** Nobody waits for it: most customers have none, which the index says at once. */
export function wakeWaiting(tx: Tx, { idPrefix, customerIds, invoiceIds }: WaitingChoice): void {
  if (customerIds.length === 0) return;
  tx.send(
    `insert into outbox (tenant_id, workflow_id, kind, object_id)
     select distinct $1::bigint, $2::text || p.cascade_id, 'payment', p.cascade_id from payment p
     where p.tenant_id = $1 and p.customer_id = any($3) and p.status = 'ActionRequired'
       and ($4::bigint[] is null or p.named_invoice_ids && $4)
     order by 2
     on conflict (tenant_id, workflow_id)
       do update set version = outbox.version + 1, deliver_after = excluded.deliver_after`,
    [tx.tenantId, idPrefix, customerIds, invoiceIds],
    'wake-waiting-payments',
  );
}

/** What the export of a customer reads beside the lists of the interface: ids, and its mails. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Mail } from '../../db/entities/events.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** The tables of objects of which a customer has many. */
export type ObjectTable =
  | 'subscription_order'
  | 'invoice'
  | 'payment'
  | 'activity'
  | 'signup'
  | 'customer_transition';

interface Place {
  readonly customerId: number;
  /** The id before. */
  readonly after: number;
  readonly limit: number;
}

/** By ascending id. */
export async function idsOfCustomer(
  tx: Tx,
  table: ObjectTable,
  { customerId, after, limit }: Place,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from ${table} where tenant_id = $1 and customer_id = $2 and id > $3
     order by id limit $4`,
    [tx.tenantId, customerId, after, limit],
    `ids-of-customer-${table}`,
  );
  return rows.map(({ id }) => id);
}

export async function hasPaymentPlan(tx: Tx, customerId: number): Promise<boolean> {
  const plans = await tx.query(
    'select from payment_plan where tenant_id = $1 and customer_id = $2 limit 1',
    [tx.tenantId, customerId],
    'has-payment-plan',
  );
  return plans.length > 0;
}

export interface ExportedMail extends RowOf<
  typeof Mail,
  'id' | 'kind' | 'state' | 'objectId' | 'createdAt' | 'sentAt' | 'address'
> {}

/** The oldest first. */
export function mailsOfCustomer(tx: Tx, customerId: number): Promise<ExportedMail[]> {
  return tx.query<ExportedMail & Record<string, unknown>>(
    `select id, kind, state, object_id, created_at, sent_at, address
     from mail where tenant_id = $1 and customer_id = $2 order by id`,
    [tx.tenantId, customerId],
    'mails-of-customer',
  );
}

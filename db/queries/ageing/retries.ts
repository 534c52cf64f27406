/** Retries of declined automatic payments, as far as they concern the dunning of their customer. */
import type { Tx } from '../../connection/tenancy.ts';

/** The condition of an attempt that keeps a dunning open: a retry to come, or one under way. */
export const retryRemains = (a: string): string =>
  `${a}.kind = 'retry' and ${a}.state in ('due', 'claimed')`;

/** The condition of an attempt whose customer's dunning nobody holds. */
export const notHeld = (a: string): string => `not exists (select from dunning held
  where held.tenant_id = ${a}.tenant_id and held.customer_id = ${a}.customer_id
    and held.held_on is not null)`;

export interface RetryCounts {
  readonly due: number;
  readonly claimed: number;
}

/** How many retries of the customer are to come, and how many are under way. */
export async function countRetries(tx: Tx, customerId: number): Promise<RetryCounts> {
  const [counts] = await tx.query<RetryCounts & Record<string, unknown>>(
    `select count(*) filter (where state = 'due')::int as due,
            count(*) filter (where state = 'claimed')::int as claimed
     from collection_attempt a
     where a.tenant_id = $1 and a.customer_id = $2 and ${retryRemains('a')}`,
    [tx.tenantId, customerId],
    'count-retries',
  );
  return counts ?? { due: 0, claimed: 0 };
}

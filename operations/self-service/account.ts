/** Reads whose account a session of self-service shows. */
import type { Tx } from '../../db/connection/tenancy.ts';

export interface Account {
  readonly customerId: number;
  readonly name: string;
  readonly currency: string;
  /** As the customer has it: `de_AT`. */
  readonly locale: string | null;
  /** Of the tenant's address. */
  readonly countryCode: string | null;
}

/** Undefined if the customer was deleted meanwhile. */
export async function readAccount(tx: Tx, customerId: number): Promise<Account | undefined> {
  const [account] = await tx.query<Account & Record<string, unknown>>(
    `select c.id as customer_id, c.name, c.currency, c.locale,
       t.file->'address'->>'countryCode' as country_code
     from customer c join tenant t on t.id = c.tenant_id
     where c.tenant_id = $1 and c.id = $2`,
    [tx.tenantId, customerId],
    'self-service-account',
  );
  return account;
}

/** Finds the customer that a sign-up reuses. */
import type { Tx } from '../../db/connection/tenancy.ts';

/** What a visitor, or the tenant's site, says of a customer. */
export interface Identity {
  readonly extCustomerRef: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/**
 * By extCustomerRef, else by e-mail address in any case, else by phone of 7 digits or more, as
 * billing contacts have them; the lowest id. Null if none has any of them.
 */
export async function findReused(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  { extCustomerRef, email, phone }: Identity,
): Promise<number | null> {
  const [row] = await tx.query<{ id: number | null }>(
    `select coalesce(
       (select id from customer where tenant_id = $1 and ext_customer_ref = $2),
       (select customer_id from contact where tenant_id = $1 and email_key = lower($3)
        order by customer_id limit 1),
       (select customer_id from contact where tenant_id = $1 and phone_key = $4
        order by customer_id limit 1)) as id`,
    [tx.tenantId, extCustomerRef, email, phone?.replaceAll(/[^0-9]/g, '') ?? null],
    'reused-customer',
  );
  return row?.id ?? null;
}

/** The customer whose contact logs in by that name; null if nobody does. */
export async function findLoginOwner(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  login: string,
): Promise<number | null> {
  const [row] = await tx.query<{ customerId: number }>(
    `select customer_id as "customerId" from contact where tenant_id = $1 and login = $2`,
    [tx.tenantId, login],
    'login-owner',
  );
  return row?.customerId ?? null;
}

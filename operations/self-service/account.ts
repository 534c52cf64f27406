/** Reads whose account a session of self-service shows. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Customer } from '../../db/entities/customers.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import type { AutopayPreference } from '../../domain/payments/allocation.ts';
import type { PaymentMethod } from '../../db/entities/payments.ts';

export interface Account extends RowOf<
  typeof Customer,
  | 'name'
  | 'currency'
  /** As the customer has it: `de_AT`. */
  | 'locale'
> {
  readonly customerId: number;
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

/* Reads the payment methods on file that an account shows, without more of their numbers than the end. */

export interface FiledMethod extends RowOf<
  typeof PaymentMethod,
  'id' | 'type' | 'brand' | 'lastFour' | 'expiry'
> {
  readonly preference: AutopayPreference;
}

/** In the order in which they are used. */
export function readMethods(tx: Tx, customerId: number): Promise<FiledMethod[]> {
  return tx.query<FiledMethod & Record<string, unknown>>(
    `select id, autopay_preference as preference, type, brand, last_four, expiry
     from payment_method
     where tenant_id = $1 and customer_id = $2 and autopay_preference is not null
     order by autopay_preference`,
    [tx.tenantId, customerId],
    'self-service-methods',
  );
}

/* A page of a list that goes on: the row after it is read, but not shown. */

export interface ListedPage<Row> {
  readonly rows: readonly Row[];
  /** The id of the last row, after which the next page begins; null if this is the last page. */
  readonly next: number | null;
}

/** The rows of a page. */
export const LISTED_MAX = 50;

/** @param rows up to one more than a page has */
export function listedOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
): ListedPage<Row> {
  const shown = rows.slice(0, LISTED_MAX);
  return { rows: shown, next: rows.length > LISTED_MAX ? (shown.at(-1)?.id ?? null) : null };
}

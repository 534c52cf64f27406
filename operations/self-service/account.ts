/** Reads whose account a session of self-service shows. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Customer } from '../../db/entities/customers.ts';
import type { RowOf } from '../../db/entities/rows.ts';

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

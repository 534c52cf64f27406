/** The customers of usage records, whom an upload does not lock. */
import type { Tx } from '../../connection/tenancy.ts';

interface Owner {
  readonly id: number;
  readonly isErased: boolean;
}

/** Their erasure waits until this transaction ends; whoever was erased meanwhile says so. */
export function holdCustomers(tx: Tx, ids: readonly number[]): Promise<Owner[]> {
  return tx.query<Owner & Record<string, unknown>>(
    `select id, erased_on is not null as is_erased from customer
     where tenant_id = $1 and id = any($2) order by id for key share`,
    [tx.tenantId, ids],
    'hold-owners-of-usage',
  );
}

/** Of the customers with these ids and references those that are erased. */
export function erasedOf(
  tx: Tx,
  { ids, references }: { readonly ids: readonly number[]; readonly references: readonly string[] },
): Promise<Owner[]> {
  return tx.query<Owner & Record<string, unknown>>(
    `select id, true as is_erased from customer
     where tenant_id = $1 and erased_on is not null
       and (id = any($2) or ext_customer_ref = any($3)) order by id`,
    [tx.tenantId, ids, references],
    'erased-owners-of-usage',
  );
}

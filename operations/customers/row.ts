/** Writes a customer's own row, and with it what the customer is found by. */
import { searchTextOf } from './search.ts';
import type { SearchableContact } from './search.ts';
import type { OperationContext } from '../context/context.ts';

interface Found {
  readonly name: string;
  readonly ext_customer_ref: string | null;
  readonly contacts: readonly SearchableContact[];
}

/** Columns by their names; the row is locked by this transaction, its contacts are written. */
export async function writeCustomer(
  { tx, time }: OperationContext,
  id: number,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const [found] = await tx.query<Found>(
    `select c.name, c.ext_customer_ref,
       (select coalesce(json_agg(k order by k.kind), '[]') from contact k
        where k.tenant_id = c.tenant_id and k.customer_id = c.id) as contacts
     from customer c where c.tenant_id = $1 and c.id = $2`,
    [tx.tenantId, id],
    'customer-as-found',
  );
  if (!found) throw new Error(`customer ${id} is locked and not there`);
  const { contacts, ...stored } = found;
  const columns = {
    ...changes,
    search_text: searchTextOf({ ...stored, ...changes }, contacts),
  };
  const set = Object.keys(columns).map((column, index) => `${column} = $${index + 3}, `);
  await tx.query(
    `update customer set ${set.join('')}updated_at = $2, version = version + 1 where id = $1`,
    [id, time.now, ...Object.values(columns)],
  );
}

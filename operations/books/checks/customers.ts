/** Invariants of customers: of one that is erased nothing personal is left. */
import { remains } from '../../../db/queries/customers/personal.ts';
import type { Check } from './check.ts';

const left = remains
  .map(
    ({ table, left: something }) => `
      select c.id, '${table} has something of it' as detail from erased c where ${something}`,
  )
  .join(' union all ');

export const erasureChecks: readonly Check[] = [
  {
    name: 'customer.erased',
    rule: 'Of an erased customer nothing personal is left, and its gateways have removed its methods or are asked to.',
    sql: `
      with erased as materialized (
        select id from customer where tenant_id = $1 and erased_on is not null)
      select 'customer ' || id as object, detail from (${left}
        union all
        select c.id, 'payment method ' || m.id || ' is not to be removed at its gateway'
        from erased c join payment_method m on m.tenant_id = $1 and m.customer_id = c.id
        where m.token <> '' and m.remove_at is null) found
      order by 1, 2`,
  },
];

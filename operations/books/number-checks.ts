/** Invariants of the numbers of orders and invoices. */
import type { Check } from './check.ts';

export const numberChecks: readonly Check[] = [
  numbering('order', 'subscription_order', 'order_number'),
  numbering('invoice', 'invoice', 'invoice_number'),
];

function numbering(kind: string, table: string, column: string): Check {
  return {
    name: `number.${kind}`,
    // The number of a removed order counts as skipped.
    rule: `Every ${kind} number from the first to the last one assigned is used once, unless skipped.`,
    sql: `
      with edges as (
        select ${column} as number from ${table}
        where tenant_id = $1 and ${column} is not null
        union all
        select unnest(array[first - 1, next]) from counter
        where tenant_id = $1 and kind = '${kind}'),
      steps as (
        select number, lead(number) over (order by number) as following from edges)
      select '${kind} number ' || number + 1 as object,
             case when following = number then number || ' is used twice, or was not given yet'
                  when following = number + 2 then 'is missing'
                  else 'up to ' || following - 1 || ': ' || following - number - 1
                    || ' numbers are missing' end as detail
      from steps where following <> number + 1
        and (following = number or not exists (
          select from counter where tenant_id = $1 and kind = '${kind}'
            and skipped @> int8range(number + 1, greatest(following, number + 1))))
      union all
      select '${kind} numbers', 'have no counter'
      where not exists (select from counter where tenant_id = $1 and kind = '${kind}')`,
  };
}

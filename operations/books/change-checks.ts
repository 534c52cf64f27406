/** Invariants of change orders: each pair of orders fits together. */
import type { Check } from './check.ts';

/** Each order that is replaced, or will be, with the order that replaces it. */
const pairs = `pairs as (
  select o.id, o.order_number, o.status, o.customer_id, o.start_date, o.ended_on, o.change_on,
         n.order_number as next_number, n.status as next_status, n.start_date as next_start,
         n.customer_id as next_customer
  from subscription_order o
  left join subscription_order n on n.tenant_id = $1 and n.previous_order_id = o.id
  where o.tenant_id = $1
    and (o.status = 'Superseded' or o.change_on is not null or n.id is not null))`;

export const changeChecks: readonly Check[] = [
  {
    name: 'change.pair',
    rule: 'A Superseded order has one successor, of its customer, from the day after its end; a pending change has one that waits for its day.',
    sql: `
      with ${pairs}
      select 'order ' || order_number as object, case
               when next_number is null and change_on is null then 'is Superseded by no order'
               when next_number is null then 'changes on ' || change_on || ' to no order'
               when next_customer <> customer_id
                 then 'is replaced by order ' || next_number || ' of another customer'
               when change_on is null and next_status = 'Provisioning'
                 then 'has no day on which order ' || next_number || ' replaces it'
               when change_on is not null and next_status <> 'Provisioning'
                 then 'changes on ' || change_on || ' to order ' || next_number || ', which is '
                   || next_status
               when change_on is null and status not in ('Superseded', 'Canceled')
                 then 'is ' || status || ', but order ' || next_number || ' has replaced it'
               else 'ends ' || coalesce('on ' || ended_on, 'on no day') || ', but order '
                 || next_number || ' begins on ' || next_start end as detail
      from pairs p
      where (next_number is null and (change_on is not null
          -- Its successor may have been deleted for another order since.
          or not exists (select from subscription_order r where r.tenant_id = $1
            and r.customer_id = p.customer_id and r.removed_order_id is not null)))
        or next_customer <> customer_id
        or (change_on is null) = (next_status = 'Provisioning')
        or (change_on is null and status not in ('Superseded', 'Canceled'))
        or next_start <> coalesce(change_on, ended_on + 1, start_date)
      order by order_number`,
  },
];

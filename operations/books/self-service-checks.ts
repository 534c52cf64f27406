/** Invariants of hosted self-service: what its pages charge, and whom. */
import type { Check } from './check.ts';

export const selfServiceChecks: readonly Check[] = [
  {
    name: 'selfService.payment',
    rule: 'No payment of a page exceeds what the page showed, and it is of the customer of the session.',
    sql: `
      select 'payment ' || p.id as object, f.fault as detail
      from self_service_payment made
      join payment p on p.tenant_id = $1 and p.cascade_id = made.payment_id
      left join self_service_session s on s.tenant_id = $1 and s.id = made.session_id
      cross join lateral (select case
        when p.amount > made.shown_amount
          then 'is over ' || trim_scale(p.amount) || ', but its page showed '
            || trim_scale(made.shown_amount)
        when s.customer_id <> p.customer_id
          then 'is of customer ' || p.customer_id || ', but its session of customer '
            || s.customer_id
        when p.payment_type <> 'Payment' then 'is a ' || p.payment_type
        end as fault) f
      where made.tenant_id = $1 and f.fault is not null
      order by p.id`,
  },
];

/** Invariants of what gateways withdrew from payments, and of what was reinstated. */
import type { Check } from './check.ts';

export const withdrawalChecks: readonly Check[] = [
  {
    name: 'payment.withdrawn',
    rule: "A payment's withdrawn amount is the sum of the amounts that its withdrawals entered.",
    sql: `
      select 'payment ' || p.id as object,
             'withdrawn ' || trim_scale(p.withdrawn) || ', its withdrawals '
               || trim_scale(coalesce(w.entered, 0)) as detail
      from payment p left join (
        select payment_id as id, sum(entered) as entered from payment_withdrawal
        where tenant_id = $1 group by 1) w on w.id = p.id
      where p.tenant_id = $1 and p.withdrawn <> coalesce(w.entered, 0) order by p.id`,
  },
  {
    name: 'withdrawal.excess',
    rule: 'A withdrawal that exceeds what was paid has a gateway finding.',
    sql: `
      select 'payment ' || w.payment_id as object,
             w.kind || ' ' || w.gateway_ref || ' is ' || trim_scale(w.excess)
               || ' in excess, but there is no finding' as detail
      from payment_withdrawal w join payment p on p.tenant_id = $1 and p.id = w.payment_id
      where w.tenant_id = $1 and w.excess > 0 and not exists (select from gateway_finding f
        where f.tenant_id = $1 and f.payment_id = w.payment_id and f.kind = 'withdrawnExcess'
          and f.gateway_key = p.gateway_key || '/' || w.gateway_ref) order by w.id`,
  },
  {
    name: 'withdrawal.reinstated',
    rule: 'A reinstated payment has the covered amount, the customer and the currency of its dispute.',
    sql: `
      select 'payment ' || p.id as object,
             'of ' || trim_scale(p.amount) || ', reinstates ' || trim_scale(w.covered) as detail
      from payment_withdrawal w join payment p on p.tenant_id = $1
        and p.id = w.reinstated_payment_id
      join payment o on o.tenant_id = $1 and o.id = w.payment_id
      where w.tenant_id = $1 and (p.amount <> w.covered or p.customer_id <> o.customer_id
        or p.currency <> o.currency or not p.is_system_payment) order by w.id`,
  },
];

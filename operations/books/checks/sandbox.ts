/** Compares the books with the sandbox gateway's own log, which is not part of the books. */
import type { Check } from './check.ts';
import { cameIn } from './payments.ts';

/** Excludes calls that a person resolved, until the gateway was asked about them. */
const isToBeAsked = (payment: string): string =>
  `coalesce(${payment}.resolved_on is not null, false)`;

/** A finding says that the gateway's record of the call differs; findings have checks of their own. */
const isFound = (key: string): string => `exists (select from gateway_finding f
  where f.tenant_id = $1 and f.gateway_key = ${key} and f.kind in ('difference', 'lateDecline'))`;

/** Excludes findings, which have a check of their own or were closed by a person. */
const isKnown = `exists (select from gateway_finding f
  where f.tenant_id = $1 and f.gateway_key = s.idempotency_key)`;

/** A payment that a person resolved as approved has no answer from the gateway. */
const answered = (row: string): string => `${row}.transaction_id is not null`;

export const sandboxChecks: readonly Check[] = [
  {
    name: 'sandbox.charge',
    rule: 'Every payment through the sandbox has an approved charge there with its key and amount.',
    sql: `
      select 'payment ' || p.id as object,
             p.status || ' over ' || trim_scale(p.amount) || ' ' || p.currency || ', charge '
               || coalesce(s.id || ' ' || s.status || ' over ' || trim_scale(s.amount) || ' '
                    || s.currency, 'not made') as detail
      from payment p left join sandbox_transaction s on s.tenant_id = $1
        and s.operation = 'charge' and s.idempotency_key = p.gateway_key
      where p.tenant_id = $1 and p.gateway = 'sandbox' and ${cameIn('p')} and ${answered('p')}
        and not ${isToBeAsked('p')} and not ${isFound('p.gateway_key')} and (s.status is distinct from 'Approved' or s.amount <> p.amount
          or s.currency <> p.currency or s.id::text <> p.transaction_id) order by p.id`,
  },
  {
    name: 'sandbox.payment',
    rule: 'Every approved sandbox charge belongs to a payment that was received or is under way.',
    sql: `
      select 'sandbox charge ' || s.id as object,
             'approved ' || trim_scale(s.amount) || ' ' || s.currency || ', '
               || coalesce('payment ' || p.id || ' is ' || p.status, 'for no payment') as detail
      from sandbox_transaction s left join payment p on p.tenant_id = $1
        and p.gateway = 'sandbox' and s.idempotency_key = p.gateway_key
      where s.tenant_id = $1 and s.operation = 'charge' and s.status = 'Approved'
        and not coalesce(p.phase in ('Charging', 'Processing') or p.status = 'ActionRequired' or ${cameIn('p')}, false)
        and not ${isToBeAsked('p')} and not ${isKnown}
      order by s.id`,
  },
  {
    name: 'sandbox.share',
    rule: 'Every paid share of a refund through the sandbox has its refund or void there.',
    sql: `
      select 'refund ' || r.refund_id as object,
             r.way || ' of ' || trim_scale(r.amount) || ' from payment ' || p.id || ', there '
               || coalesce(s.operation || ' ' || s.id || ' ' || s.status || ' over '
                    || trim_scale(s.amount) || ' of charge ' || s.charge_id, 'not made') as detail
      from refund_share r join payment p on p.tenant_id = $1 and p.id = r.payment_id
      join payment own on own.tenant_id = $1 and own.id = r.refund_id
      left join sandbox_transaction s on s.tenant_id = $1 and s.operation in ('refund', 'void')
        and s.idempotency_key = r.gateway_key
      where r.tenant_id = $1 and p.gateway = 'sandbox' and r.way <> 'none' and r.status = 'Paid'
        and ${answered('r')} and not ${isToBeAsked('own')} and not ${isFound('r.gateway_key')}
        and (s.status is distinct from 'Approved' or s.amount <> r.amount
          or s.operation <> r.way or s.charge_id is distinct from p.transaction_id)
      order by r.refund_id, r.position`,
  },
  {
    name: 'sandbox.return',
    rule: 'Every refund and void of the sandbox belongs to a refund that is paid or under way.',
    sql: `
      select 'sandbox ' || s.operation || ' ' || s.id as object,
             'gave back ' || trim_scale(s.amount) || ', '
               || coalesce('refund ' || r.refund_id || ' has it as ' || r.status, 'for no refund')
               as detail
      from sandbox_transaction s left join refund_share r on r.tenant_id = $1
        and s.idempotency_key = r.gateway_key
      left join payment own on own.tenant_id = $1 and own.id = r.refund_id
      where s.tenant_id = $1 and s.operation in ('refund', 'void') and s.status = 'Approved'
        and not ${isToBeAsked('own')}
        and coalesce(r.status not in ('Paid', 'Pending', 'Processing'), true)
        and not ${isKnown}
      order by s.id`,
  },
  {
    name: 'sandbox.withdrawal',
    rule: 'Every return in the sandbox is withdrawn here or about to be, and nothing else is.',
    sql: `
      select 'payment ' || b.payment_id as object,
             'returned there ' || coalesce(trim_scale(b.there)::text, 'nothing') || ', here '
               || coalesce(trim_scale(b.here)::text, 'nothing') as detail
      from (select coalesce(p.id, w.payment_id) as payment_id, s.amount as there, w.amount as here,
                   p.gateway_news_on
            from (select s.*, p.id as paid from sandbox_transaction s
                  join payment p on p.tenant_id = $1 and p.gateway = 'sandbox'
                    and p.transaction_id = s.charge_id
                  where s.tenant_id = $1 and s.operation = 'return') s
            full join (select w.* from payment_withdrawal w
                       join payment p on p.tenant_id = $1 and p.id = w.payment_id
                       where w.tenant_id = $1 and p.gateway = 'sandbox' and w.kind = 'return') w
              on w.payment_id = s.paid and w.gateway_ref = s.id::text
            left join payment p on p.tenant_id = $1 and p.id = s.paid) b
      where b.there is distinct from b.here and b.gateway_news_on is null order by b.payment_id`,
  },
];

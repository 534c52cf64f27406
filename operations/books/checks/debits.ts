/** Invariants of announced debits: none comes unannounced, too early, or over what was announced. */
import type { Check } from './check.ts';

/** What is wrong with the first debit `p` that autopay makes of an invoice; null if nothing is. */
const fault = `case when n.id is null then 'was not announced for ' || p.effective_date
  when p.amount - p.surcharge > n.amount
    then 'is over ' || trim_scale(p.amount) || ', announced were ' || trim_scale(n.amount) end`;

export const debitChecks: readonly Check[] = [
  {
    name: 'debit.notice',
    rule: 'Each first SEPA debit that autopay makes of an invoice was announced for its day or an earlier one, and takes at most what was announced.',
    sql: `
      select 'payment ' || p.id as object, ${fault} as detail
      from payment p
      join payment_method m on m.tenant_id = p.tenant_id and m.id = p.payment_method_id
        and m.debit = 'sepa'
      left join lateral (
        select d.id, d.amount from debit_notice d
        where d.tenant_id = p.tenant_id and d.invoice_id = p.autopay_invoice_id
          and d.payment_method_id = p.payment_method_id and d.debit_on <= p.effective_date
          and d.announced_on < d.debit_on
        order by d.id desc limit 1) n on true
      where p.tenant_id = $1 and p.autopay_invoice_id is not null
        and p.collection_attempt_id is null and not p.is_retry and p.cascade_id = p.id
        and ${fault} is not null
      order by p.id`,
  },
];

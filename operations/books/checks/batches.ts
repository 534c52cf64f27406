/** Invariants of batch jobs: their counts, and what they may leave behind. */
import { type Check, customerOf, invoiceOf } from './check.ts';
import { enteredOf, standingStatus } from '../../../db/queries/context/invoices.ts';

export const batchChecks: readonly Check[] = [
  {
    name: 'import.rows',
    rule: 'The counts of an import are those of its rows, until its result is deleted.',
    sql: `
      select 'batch ' || b.job_id as object,
             b.success_count || ' succeeded and ' || b.fail_count || ' failed, its rows say '
               || r.successes || ' and ' || r.failures as detail
      from batch b
      cross join lateral (
        select count(*) filter (where w.status = 'Success') as successes,
               count(*) filter (where w.status = 'Failure') as failures
        from import_row w where w.tenant_id = $1 and w.batch_id = b.id) r
      where b.tenant_id = $1 and b.kind in ('customers', 'invoices', 'lines')
        and b.result_deleted_at is null
        and (b.success_count <> r.successes or b.fail_count <> r.failures)
      order by b.id`,
  },
  {
    name: 'import.ended',
    rule: 'An import that has ended has done all of its rows, or says why not, and nothing waits.',
    sql: `
      select 'batch ' || b.job_id as object,
             b.status || ' after ' || b.success_count + b.fail_count || ' of '
               || coalesce(b.row_count::text, 'unknown') || ' rows, ' || s.staged || ' staged' as detail
      from batch b
      cross join lateral (
        select count(*) as staged from import_line l
        where l.tenant_id = $1 and l.batch_id = b.id) s
      where b.tenant_id = $1 and b.kind in ('customers', 'invoices', 'lines')
        and b.finished_at is not null
        and (s.staged > 0 or b.error_message is null
          and b.success_count + b.fail_count is distinct from b.row_count)
      order by b.id`,
  },
];

/* Invariants of what was carried over: nothing of it is open, and what was open is kept. */

/** Where its cause lets a zeroOut leave more than nothing: made meanwhile, or reserved by a refund. */
const mayLeave = `(exists (
    select from ledger_entry e
    where e.tenant_id = $1 and e.customer_id = z.customer_id and e.currency = z.currency
      and e.id > z.takes_below and e.id < z.id)
  or exists (
    select from payment r
    join refund_share s on s.tenant_id = $1 and s.refund_id = r.id and s.id < z.id
    left join ledger_entry e on e.tenant_id = $1 and e.payment_id = r.id and e.kind = 'refund'
    where r.tenant_id = $1 and r.customer_id = z.customer_id and r.currency = z.currency
      and r.payment_type = 'Refund' and (e.id is null or e.id > z.id)))`;

export const carriedOverChecks: readonly Check[] = [
  {
    name: 'carriedOver.open',
    rule: 'Nothing of what was carried over is open, and what of it is not applied is kept.',
    sql: `
      with applied as (
        select invoice_id as id, sum(amount_applied) as amount from invoice_payment
        where tenant_id = $1 and invoice_id is not null group by 1),
      spent as (
        select payment_id as id, sum(amount_applied) as amount from invoice_payment
        where tenant_id = $1 group by 1),
      settled as (
        select debit_id as id, sum(amount_applied) as amount from invoice_payment
        where tenant_id = $1 and debit_id is not null group by 1),
      sides as (
        select ${invoiceOf('i')} as object, i.id, i.outstanding_balance as open,
               i.carried_open as kept,
               case when ${standingStatus('i')} = 'Cancelled' then 0
                    else greatest(${enteredOf('i')}, 0) end - coalesce(a.amount, 0) as left_open
        from invoice i left join applied a on a.id = i.id
        where i.tenant_id = $1 and i.status = 'CarriedOver'
        union all
        select case when p.amount < 0 then 'debit ' else 'credit ' end || p.id, p.id, p.balance,
               p.carried_open, p.amount - coalesce(s.amount, 0) + coalesce(d.amount, 0)
        from payment p left join spent s on s.id = p.id left join settled d on d.id = p.id
        where p.tenant_id = $1 and p.status = 'CarriedOver')
      select object,
             'is open for ' || trim_scale(open) || ', keeps ' || trim_scale(kept) || ', should keep '
               || trim_scale(left_open) as detail
      from sides where open <> 0 or kept <> left_open order by id`,
  },
  {
    name: 'zeroOut.balance',
    rule: 'A zeroOut entry leaves a balance of zero, unless something was made or reserved meanwhile.',
    // A customer's entries are written under its lock, so their ids are in the order of commit.
    sql: `
      with running as (
        select l.id, l.customer_id, l.currency, l.kind, l.batch_id,
               sum(l.amount) over (partition by l.customer_id, l.currency order by l.id) as balance
        from ledger_entry l where l.tenant_id = $1)
      select ${customerOf('z')} as object,
             'zeroOut of batch ' || z.batch_id || ' left ' || trim_scale(z.balance) as detail
      from (
        select r.*, b.takes_below from running r
        join batch b on b.tenant_id = $1 and b.id = r.batch_id
        where r.kind = 'zeroOut') z
      where z.balance <> 0 and not ${mayLeave}
      order by z.id`,
  },
  {
    name: 'carriedOver.balance',
    rule: 'After a BatchInit a balance is what is open, carried over or zeroed, less unapplied money.',
    sql: `
      with touched as (
        select customer_id from invoice where tenant_id = $1 and status = 'CarriedOver'
        union
        select customer_id from payment where tenant_id = $1 and carried_open is not null
        union
        select customer_id from ledger_entry where tenant_id = $1 and batch_id is not null),
      parts as (
        select customer_id, currency, sum(part) as total from (
          select customer_id, currency, outstanding_balance + coalesce(carried_open, 0) as part
          from invoice where tenant_id = $1
          union all
          select customer_id, currency, -balance - coalesce(carried_open, 0)
          from payment where tenant_id = $1
          union all
          select customer_id, currency, amount from ledger_entry
          where tenant_id = $1 and batch_id is not null) each
        where customer_id in (select customer_id from touched) group by 1, 2)
      select ${customerOf('parts')} as object,
             'balance ' || trim_scale(coalesce(b.balance, 0)) || ', its parts '
               || trim_scale(parts.total) as detail
      from parts left join customer_balance b
        on b.tenant_id = $1 and b.customer_id = parts.customer_id and b.currency = parts.currency
      where parts.total <> coalesce(b.balance, 0) order by parts.customer_id`,
  },
];

/** Invariants of the ledger that is derived from the books, in one statement that derives it once. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { piecesText, sumOf } from '../../db/queries/ledger/entries.ts';
import { everyFact, factsText } from '../../db/queries/ledger/facts.ts';
import { customerOf } from './checks/check.ts';
import type { Fault } from './report.ts';

const facts = factsText(everyFact, () => {
  throw new Error('all facts are chosen without a value');
});

const statement = `
  with fact as materialized (${facts}),
  piece as materialized (
    select fact_id, fact_customer_id as customer_id, fact_currency as currency, account, amount
    from (${piecesText('select * from fact')}) p),
  entry as (
    select f.id, f.kind, f.amount, f.written_in, coalesce(sum(p.amount), 0) as total,
           count(p.amount) filter (where p.amount <> 0) as rows
    from fact f left join piece p on p.fact_id = f.id group by 1, 2, 3, 4),
  books as (
    select customer_id, currency, sum(owed) as owed, sum(money) as money, sum(balance) as balance
    from (
      select customer_id, currency, outstanding_balance as owed, 0 as money, 0 as balance
      from invoice where tenant_id = $1 and outstanding_balance <> 0
      union all
      select customer_id, currency, greatest(-balance, 0), greatest(balance, 0), 0
      from payment where tenant_id = $1 and balance <> 0
      union all
      select customer_id, currency, 0, 0, balance from customer_balance where tenant_id = $1
    ) each group by 1, 2),
  accounts as (
    select customer_id, currency, ${sumOf('receivables')} as receivables,
           -${sumOf('unapplied')} as unapplied, ${sumOf('carriedOver')} as carried_over
    from piece group by 1, 2),
  sides as (
    select customer_id, currency, coalesce(b.owed, 0) as owed, coalesce(b.money, 0) as money,
           coalesce(b.balance, 0) as balance, coalesce(a.receivables, 0) as receivables,
           coalesce(a.unapplied, 0) as unapplied, coalesce(a.carried_over, 0) as carried_over
    from books b full join accounts a using (customer_id, currency))
  select 'ledger.entry' as check, 'fact ' || id as object,
         'the entry of ' || kind || ' comes to ' || trim_scale(total) as detail
  from entry where total <> 0
  union all
  select 'ledger.entry', 'fact ' || id,
         'the entry of ' || kind || ' over ' || trim_scale(amount) || ' has no rows'
  from entry where amount <> 0 and rows = 0
  union all
  select 'ledger.entry', 'fact ' || id,
         kind || ' was written by transaction ' || coalesce(written_in::text, 'none')
           || ', which this cluster has not had yet'
  from entry
  where written_in is null or written_in >= pg_snapshot_xmax(pg_current_snapshot())
  union all
  select 'ledger.balance', ${customerOf('sides')},
         'the accounts come to ' || trim_scale(receivables + carried_over - unapplied)
           || ', the balance is ' || trim_scale(balance)
  from sides where receivables + carried_over - unapplied <> balance
  union all
  select 'ledger.open', ${customerOf('sides')},
         'receivables ' || trim_scale(receivables) || ', open ' || trim_scale(owed)
           || '; unapplied ' || trim_scale(unapplied) || ', left of money ' || trim_scale(money)
  from sides where receivables <> owed or unapplied <> money
  order by 1, 2`;

/**
 * Each fact has an entry whose rows come to zero (`ledger.entry`), the accounts of a customer come to
 * its balance (`ledger.balance`), and to what is open of its invoices and money (`ledger.open`).
 */
export async function auditLedger(tx: Tx): Promise<Fault[]> {
  // What is compiled for this statement costs more than it saves.
  await tx.query('set local jit = off');
  return tx.query<Fault & Record<string, unknown>>(statement, [tx.tenantId], 'audit-ledger');
}

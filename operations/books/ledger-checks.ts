/** Invariants of ledger entries and of the balances that sum them up. */
import { standingStatus } from '../../db/queries/context/carried-over.ts';
import { enteredOf } from '../../db/queries/context/invoices.ts';
import { customerOf, invoiceOf, type Check } from './check.ts';

export const ledgerChecks: readonly Check[] = [
  {
    name: 'balance.ledger',
    rule: "A customer's balance is the sum of its ledger entries.",
    sql: `
      with entries as (
        select customer_id, currency, sum(amount) as total from ledger_entry
        where tenant_id = $1 group by 1, 2)
      select ${customerOf('both_sides')} as object,
             'balance ' || trim_scale(both_sides.balance) || ', ledger '
               || trim_scale(both_sides.total) as detail
      from (select coalesce(b.customer_id, e.customer_id) as customer_id,
                   coalesce(b.currency, e.currency) as currency,
                   coalesce(b.balance, 0) as balance, coalesce(e.total, 0) as total
            from (select * from customer_balance where tenant_id = $1) b
            full join entries e using (customer_id, currency)) both_sides
      where balance <> total order by customer_id`,
  },
  {
    name: 'balance.lastTotalDue',
    rule: "The total that the next invoice starts from is totalDue of the customer's last invoice made here.",
    sql: `
      with last as (
        select distinct on (customer_id, currency) customer_id, currency, total_due
        from invoice where tenant_id = $1 and imported_number is null
        order by customer_id, currency, invoice_number desc)
      select ${customerOf('both_sides')} as object,
             'kept ' || trim_scale(kept) || ', last invoice ' || trim_scale(total) as detail
      from (select coalesce(b.customer_id, l.customer_id) as customer_id,
                   coalesce(b.currency, l.currency) as currency,
                   coalesce(b.last_total_due, 0) as kept, coalesce(l.total_due, 0) as total
            from (select * from customer_balance where tenant_id = $1) b
            full join last l using (customer_id, currency)) both_sides
      where kept <> total order by customer_id`,
  },
  enteredOnce({
    name: 'ledger.invoice',
    rule: 'An invoice has one entry of its amount, and one reversal if and only if it is cancelled.',
    which: 'i.imported_number is null',
    kind: 'invoice',
  }),
  enteredOnce({
    name: 'import.invoice',
    rule: 'An imported invoice has one entry of what was open, and one reversal if it is cancelled.',
    which: 'i.imported_number is not null',
    kind: 'import',
  }),
];

interface EnteredOnce extends Pick<Check, 'name' | 'rule'> {
  /** The invoices. */
  readonly which: string;
  /** The kind of their entries; they have none of another kind. */
  readonly kind: 'invoice' | 'import';
}

function enteredOnce({ name, rule, which, kind }: EnteredOnce): Check {
  const amount = enteredOf('i');
  return {
    name,
    rule,
    sql: `
      with entries as (
        select invoice_id,
               coalesce(sum(amount) filter (where kind <> 'invoiceCancelled'), 0) as entered,
               count(*) filter (where kind = '${kind}') as times,
               count(*) filter (where kind not in ('${kind}', 'invoiceCancelled')) as others,
               coalesce(sum(amount) filter (where kind = 'invoiceCancelled'), 0) as reversed,
               count(*) filter (where kind = 'invoiceCancelled') as reversals
        from ledger_entry where tenant_id = $1 and invoice_id is not null group by 1)
      select ${invoiceOf('i')} as object,
             i.status || ' over ' || trim_scale(${amount}) || ', entered '
               || trim_scale(coalesce(e.entered, 0)) || ', reversed '
               || trim_scale(coalesce(e.reversed, 0)) as detail
      from invoice i left join entries e on e.invoice_id = i.id
      where i.tenant_id = $1 and ${which}
        and (e.times is distinct from 1 or e.others > 0 or e.entered <> ${amount}
          or e.reversals <> case when ${standingStatus('i')} = 'Cancelled' then 1 else 0 end
          or e.reversed <> case when ${standingStatus('i')} = 'Cancelled' then -(${amount}) else 0 end)
      order by i.invoice_number, i.id`,
  };
}

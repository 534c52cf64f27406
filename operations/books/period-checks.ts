/** Invariants of billed periods. */
import { standingStatus } from '../../db/queries/context/invoices.ts';
import { invoiceOf, type Check } from './check.ts';

export const periodChecks: readonly Check[] = [
  {
    name: 'period.overlap',
    rule: 'No day of an order line is billed twice, unless the first billing was rolled back.',
    sql: `
      select 'order ' || o.order_number as object,
             'line ' || l.position || ' is billed again for ' || p.billed_from || ' to '
               || p.billed_to || ', period ' || p.period_index as detail
      from (select order_line_id, period_index, billed_from, billed_to,
                   max(billed_to) over (partition by order_line_id, charge_id
                     order by billed_from, period_index, segment
                     rows between unbounded preceding and 1 preceding) as until
            from billed_period where tenant_id = $1 and voided_at is null) p
      join order_line l on l.tenant_id = $1 and l.id = p.order_line_id
      join subscription_order o on o.tenant_id = $1 and o.id = l.order_id
      where p.billed_from <= p.until or p.billed_to < p.billed_from
      order by o.order_number, l.position, p.billed_from`,
  },
  {
    name: 'period.charge',
    rule: 'A billed period and its charges belong to the same invoice and order line.',
    sql: `
      select ${invoiceOf('i')} as object,
             'charges for period ' || p.period_index || ' of order line ' || c.order_line_id
               || ', which was billed elsewhere' as detail
      from invoice_charge c
      join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      join billed_period p on p.tenant_id = $1 and p.id = c.billed_period_id
      where c.tenant_id = $1 and (p.invoice_id is distinct from l.invoice_id
        or p.order_line_id is distinct from c.order_line_id)
      union all
      select 'order line ' || p.order_line_id,
             'period ' || p.period_index || ' was billed, but on no invoice'
      from billed_period p
      join plan_charge g on g.tenant_id = $1 and g.id = p.charge_id
      where p.tenant_id = $1 and not exists (
          select from invoice_charge c where c.tenant_id = $1 and c.billed_period_id = p.id)
        -- One-time charges of zero alone make no invoice.
        and not (p.invoice_id is null and g.charge_type = 'OneTimeCharge')`,
  },
  {
    name: 'period.rollback',
    rule: 'Only the periods of a cancelled invoice are rolled back.',
    sql: `
      select ${invoiceOf('i')} as object,
             'is ' || i.status || ', but its period ' || p.period_index || ' of order line '
               || p.order_line_id || ' was rolled back' as detail
      from billed_period p join invoice i on i.tenant_id = $1 and i.id = p.invoice_id
      where p.tenant_id = $1 and p.voided_at is not null
        and ${standingStatus('i')} <> 'Cancelled'
      order by i.invoice_number`,
  },
];

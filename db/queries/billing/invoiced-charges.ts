/** Reads the charges of invoice lines, and what was given back of them. */
import { isOf } from '../context/billed.ts';
import { standingStatus } from '../context/invoices.ts';
import type { InvoicedCharge, InvoicedLine } from '../../../domain/billing/credit/dependents.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { earlierDays } from './parts.ts';

export interface OrderInvoicedLine extends InvoicedLine {
  readonly orderId: number;
  readonly invoiceId: number;
}

/** The credits of a charge `c`. */
export const standingCredits = `select sum(r.amount) as amount,
    sum(r.amount) filter (where r.by_note) as noted,
    -sum((select k.quantity from invoice_charge k
      where r.by_note and k.tenant_id = r.tenant_id and k.id = r.credit_charge_id)) as quantity
  from charge_credit r where r.tenant_id = c.tenant_id and r.invoice_charge_id = c.id and r.voided_at is null`;

export interface ChargesOf {
  /** The ids of invoice lines, as a table `ahead`; tables for it may come before. */
  readonly ahead: string;
  readonly where: string;
  readonly credits: string;
  /** Also those that give back of others. */
  readonly isEach?: boolean;
}

/** The charges of invoice lines that are not cancelled; without those that give back of others. */
export const chargesText = ({ ahead, where, credits, isEach = false }: ChargesOf): string => `
  with ${ahead}
  select n.id as line_id, n.order_id, i.id as invoice_id,
         i.invoice_date as invoiced_on, exists (select from tax_record t
           where t.tenant_id = i.tenant_id and t.invoice_id = i.id) as is_provided, c.id,
         c.position, c.kind, c.is_percent, c.order_line_id,
         c.base_positions,
         coalesce(g.charge_type = 'RecurringCharge', false) as is_recurring,
         coalesce(g.is_prorated, false) as is_prorated, c.coupon_id,
         c.price_code, c.accounting_code,
         c.invoice_text,
         case when k.is_tax then null else coalesce(c.tax_code, c.tax_codes[1], k.tax_codes[1]) end as tax_code,
         trim_scale(c.unit_price)::text as unit_price, trim_scale(c.quantity)::text as quantity,
         c.amount, c.usage_window_id as window_id, coalesce(p.amount, 0)::text as credited,
         coalesce(p.noted, 0)::text as noted, c.unit_of_measure,
         coalesce(p.quantity, 0)::text as quantity_credited,
         case when b.id is not null then json_build_object(
           'periodId', b.id, 'periodIndex', b.period_index, 'from', b.billed_from, 'to', b.billed_to)
           end as billed, (select row_to_json(e) from ${earlierDays} e) as before, c.billing_start_date as "from", c.billing_end_date as "to"
  from ahead a
  join invoice_line n on n.id = a.id
  join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id
   and ${standingStatus('i')} <> 'Cancelled'
  join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
  left join plan_charge g on g.tenant_id = c.tenant_id and g.id = c.charge_id
  left join billed b on ${isOf('c')} and not b.is_usage
  left join order_line o on o.tenant_id = c.tenant_id and o.id = c.order_line_id
  left join plan_charge k on k.tenant_id = c.tenant_id
    and k.id = case when c.charge_id is null then o.charge_id else c.charge_id end
  left join lateral (${credits}) p on true
  where c.kind <> 'usageSubTotal' and ${where} and (${isEach} or not exists (
    select from charge_credit x where x.tenant_id = c.tenant_id and x.credit_charge_id = c.id))
  order by n.id, c.position, c.id`;

export interface ChargeRow extends InvoicedCharge {
  readonly lineId: number;
  readonly orderId: number;
  readonly invoiceId: number;
  readonly invoicedOn: IsoDate;
  readonly isProvided: boolean;
  /** The days of what it bills. */
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
}

/** The lines of the rows, which come line by line. */
export function byLine<Row extends ChargeRow>(
  rows: readonly Row[],
): (OrderInvoicedLine & { readonly charges: readonly Row[] })[] {
  return [...Map.groupBy(rows, (row) => row.lineId).values()].flatMap((charges) => {
    const [first] = charges;
    if (first === undefined) return [];
    const { orderId, invoiceId, invoicedOn, isProvided } = first;
    return [{ orderId, invoiceId, invoicedOn, isProvided, charges }];
  });
}

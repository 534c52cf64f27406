/** Reads charges that orders prepaid for future days, and writes their credits. */
import { standingStatus } from '../context/carried-over.ts';
import type { InvoicedCharge, InvoicedLine } from '../../../domain/billing/unused.ts';
import type { IsoDate } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { earlierDays } from '../billing/parts.ts';
import { isOf, standsOf } from '../context/billed.ts';
import { inserting } from '../context/insertion.ts';

export interface OrderInvoicedLine extends InvoicedLine {
  readonly orderId: number;
  readonly invoiceId: number;
}

const notCredited = `not exists (
  select from invoice_charge o
  join charge_credit r on r.tenant_id = o.tenant_id and r.invoice_charge_id = o.id
    and r.voided_at is null
  where o.tenant_id = n.tenant_id and o.invoice_line_id = n.id)`;

/** An order, and its first unused day. */
export interface UnusedFrom {
  readonly orderId: number;
  readonly from: IsoDate;
}

/**
 * The invoice lines of orders with a charge billed for an unused day, with all their charges. It
 * excludes cancelled invoices, and lines that were already credited, unless these are wanted too.
 */
export async function invoicedWithDaysFrom(
  tx: Tx,
  orders: readonly UnusedFrom[],
  { isCredited = false }: { readonly isCredited?: boolean } = {},
): Promise<OrderInvoicedLine[]> {
  if (orders.length === 0) return [];
  const rows = await tx.query<
    InvoicedCharge & {
      readonly lineId: number;
      readonly orderId: number;
      readonly invoiceId: number;
      readonly invoicedOn: IsoDate;
      readonly isProvided: boolean;
    }
  >(
    `with ahead as (
       select distinct c.invoice_line_id as id
       from json_to_recordset($1) as r("orderId" bigint, "from" date)
       join order_line l on l.order_id = r."orderId"
       join billed b on ${standsOf('l')} and not b.is_usage and b.billed_to >= r."from"
       join invoice_line n on n.tenant_id = l.tenant_id and n.invoice_id = b.invoice_id
        and n.order_id = l.order_id
       join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = n.id
        and c.billed_period_id = b.id)
     select n.id as "lineId", n.order_id as "orderId", i.id as "invoiceId",
            i.invoice_date as "invoicedOn", exists (select from tax_record t
              where t.tenant_id = i.tenant_id and t.invoice_id = i.id) as "isProvided", c.id,
            c.position, c.kind, c.is_percent as "isPercent", c.order_line_id as "orderLineId",
            c.base_positions as "basePositions",
            coalesce(g.charge_type = 'RecurringCharge', false) as "isRecurring",
            coalesce(g.is_prorated, false) as "isProrated", c.coupon_id as "couponId",
            c.price_code as "priceCode", c.accounting_code as "accountingCode",
            c.invoice_text as "invoiceText",
            case when k.is_tax then null else coalesce(c.tax_code, k.tax_codes[1]) end as "taxCode",
            trim_scale(c.unit_price)::text as "unitPrice", trim_scale(c.quantity)::text as quantity,
            c.amount, case when b.id is not null then json_build_object(
              'periodId', b.id, 'periodIndex', b.period_index, 'from', b.billed_from, 'to', b.billed_to) end as billed,
            (select row_to_json(e) from ${earlierDays} e) as before
     from ahead a
     join invoice_line n on n.id = a.id
     join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id
      and ${standingStatus('i')} <> 'Cancelled'
     join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
     left join plan_charge g on g.tenant_id = c.tenant_id and g.id = c.charge_id
     left join billed b on ${isOf('c')} and not b.is_usage
     left join order_line o on o.tenant_id = c.tenant_id and o.id = c.order_line_id
     left join plan_charge k on k.tenant_id = c.tenant_id
       and k.id = coalesce(c.charge_id, o.charge_id)
     where c.kind <> 'usageSubTotal' ${isCredited ? '' : `and ${notCredited}`}
     order by n.id, c.position, c.id`,
    [JSON.stringify(orders)],
    isCredited ? 'ever-invoiced-with-days-from' : 'invoiced-with-days-from',
  );
  return [...Map.groupBy(rows, (row) => row.lineId).values()].flatMap((charges) => {
    const [first] = charges;
    if (first === undefined) return [];
    const { orderId, invoiceId, invoicedOn, isProvided } = first;
    return [{ orderId, invoiceId, invoicedOn, isProvided, charges }];
  });
}

/** What payments of type Credit give back of charges. */
export const insertChargeCredits = inserting('insert-charge-credits', {
  into: 'charge_credit',
  columns: {
    payment_id: 'bigint',
    invoice_charge_id: 'bigint',
    amount: 'numeric',
    unused_from: 'date',
    unused_to: 'date?',
  },
});

/** Whether part of an invoice was credited. */
export async function isCredited(tx: Tx, invoiceId: number): Promise<boolean> {
  const [row] = await tx.query<{ credited: boolean }>(
    `select exists (
       select from invoice_line n
       join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
       join charge_credit r on r.tenant_id = c.tenant_id and r.invoice_charge_id = c.id
         and r.voided_at is null
       where n.invoice_id = $1) as credited`,
    [invoiceId],
    'invoice-is-credited',
  );
  return row?.credited ?? false;
}

/**
 * Gives back the credits that the charges of an invoice carry: what they credited stands again, and
 * is to be credited anew.
 */
export function voidCarriedCredits(tx: Tx, invoiceId: number, now: Date): void {
  tx.send(
    `with voided as (
       update charge_credit r set voided_at = $3
       from invoice_line n
       join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
       where n.tenant_id = $1 and n.invoice_id = $2 and c.kind = 'credit'
         and r.tenant_id = $1 and r.credit_charge_id = c.id and r.voided_at is null
       returning n.order_id, r.unused_from)
     update subscription_order o set credit_from = v.unused_from
     from (select distinct order_id, unused_from from voided) v
     where o.tenant_id = $1 and o.id = v.order_id`,
    [tx.tenantId, invoiceId, now],
    'void-carried-credits',
  );
}

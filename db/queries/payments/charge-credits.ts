/** Reads charges that orders prepaid for future days, and writes their credits. */
import type { Tx } from '../../connection/tenancy.ts';
import {
  byLine,
  chargesText,
  standingCredits,
  type ChargeRow,
  type OrderInvoicedLine,
} from '../billing/invoiced-charges.ts';
import { standsOf } from '../context/billed.ts';
import { inserting, givenOf, type GivenBy } from '../context/insertion.ts';
import { ChargeCredit } from '../../entities/payments.ts';

/** Its unused days were credited; corrections of its usage are no bar. */
const notCredited = `not exists (
  select from invoice_charge o
  join charge_credit r on r.tenant_id = o.tenant_id and r.invoice_charge_id = o.id
    and r.voided_at is null and r.unused_from is not null
  where o.tenant_id = n.tenant_id and o.invoice_line_id = n.id)`;

/** Those that stood when the unused days of the charge's line were credited, by an earlier invoice. */
const creditsBefore = `${standingCredits} and r.unused_from is null and not exists (
  select from invoice_charge o
  join charge_credit u on u.tenant_id = o.tenant_id and u.invoice_charge_id = o.id
    and u.voided_at is null and u.unused_from is not null
  left join invoice_charge rc on rc.tenant_id = r.tenant_id and rc.id = r.credit_charge_id
  left join invoice_charge uc on uc.tenant_id = u.tenant_id and uc.id = u.credit_charge_id
  where o.tenant_id = c.tenant_id and o.invoice_line_id = c.invoice_line_id
    and (u.id < r.id or uc.invoice_line_id = rc.invoice_line_id))`;

const unusedOrders = givenOf(
  {
    orderId: 'bigint',
    // Its first unused day.
    from: 'date',
  },
  '$1',
);

/** An order, and its first unused day. */
export type UnusedFrom = GivenBy<typeof unusedOrders>;

const daysAhead = `ahead as (
  select distinct c.invoice_line_id as id
  from ${unusedOrders.recordset}
  join order_line l on l.order_id = r."orderId"
  join billed b on ${standsOf('l')} and not b.is_usage and b.billed_to >= r."from"
  join invoice_line n on n.tenant_id = l.tenant_id and n.invoice_id = b.invoice_id
   and n.order_id = l.order_id
  join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = n.id
   and c.billed_period_id = b.id)`;

const uncreditedText = chargesText({
  ahead: daysAhead,
  where: notCredited,
  credits: standingCredits,
});
const everInvoicedText = chargesText({ ahead: daysAhead, where: 'true', credits: creditsBefore });

/**
 * The invoice lines of orders with a charge billed for an unused day, with all their charges. It
 * excludes cancelled invoices, and lines whose unused days were credited, unless these are wanted too,
 * as they stood before.
 */
export async function invoicedWithDaysFrom(
  tx: Tx,
  orders: readonly UnusedFrom[],
  { isCredited = false }: { readonly isCredited?: boolean } = {},
): Promise<OrderInvoicedLine[]> {
  if (orders.length === 0) return [];
  const rows = await tx.query<ChargeRow & Record<string, unknown>>(
    isCredited ? everInvoicedText : uncreditedText,
    [unusedOrders.json(orders)],
    isCredited ? 'ever-invoiced-with-days-from' : 'invoiced-with-days-from',
  );
  return byLine(rows);
}

/** What payments of type Credit give back of charges. */
export const insertChargeCredits = inserting('insert-charge-credits', {
  into: ChargeCredit,
  columns: ['paymentId', 'invoiceChargeId', 'amount', 'unusedFrom', 'unusedTo'],
});

/** Whether part of an invoice was credited, or will be once a gateway has refunded as much. */
export async function isCredited(tx: Tx, invoiceId: number): Promise<boolean> {
  const [row] = await tx.query<{ credited: boolean }>(
    `select exists (
       select from invoice_line n
       join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
       join charge_credit r on r.tenant_id = c.tenant_id and r.invoice_charge_id = c.id
         and r.voided_at is null
       where n.invoice_id = $1)
       or exists (select from refund_reservation r where r.invoice_id = $1 and r.with_note)
       as credited`,
    [invoiceId],
    'invoice-is-credited',
  );
  return row?.credited ?? false;
}

/**
 * Gives back the credits that the charges of an invoice carry: what they credited stands again, and
 * is to be credited anew. Corrections are billed again with their windows.
 */
export function voidCarriedCredits(tx: Tx, invoiceId: number, now: Date): void {
  tx.send(
    `with voided as (
       update charge_credit r set voided_at = $3
       from invoice_line n
       join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
       where n.tenant_id = $1 and n.invoice_id = $2 and c.kind in ('credit', 'usage')
         and r.tenant_id = $1 and r.credit_charge_id = c.id and r.voided_at is null
       returning n.order_id, r.unused_from)
     update subscription_order o set credit_from = v.unused_from
     from (select distinct order_id, unused_from from voided where unused_from is not null) v
     where o.tenant_id = $1 and o.id = v.order_id`,
    [tx.tenantId, invoiceId, now],
    'void-carried-credits',
  );
}

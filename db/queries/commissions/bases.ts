/** What the charges of orders on invoices come to as the base of commissions. */
import type { OrderBase } from '../../../domain/commissions/earned.ts';
import type { ChargeKind } from '../../../domain/billing/kinds.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** The kinds of charges that are in a base, with the discounts and credits of those. */
const kindsOfBase: readonly ChargeKind[] = ['period', 'usage', 'percent'];

export const kindsInBase = kindsOfBase.map((kind) => `'${kind}'`).join(', ');

export interface InvoiceBase extends OrderBase {
  readonly invoiceId: number;
  readonly orderId: number;
}

/** Of a credit, what is credited decides; of a discount, the other charges of its order line. */
export const basesText = (invoices: string): string => `
  select n.invoice_id, n.order_id,
         sum(c.amount - coalesce(given.back, 0))::text as amount,
         coalesce(array_agg(distinct c.price_code)
           filter (where e.kind <> 'discount' and c.price_code is not null), '{}') as price_codes
  from invoice_line n
  join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
  left join charge_credit r
    on c.kind = 'credit' and r.tenant_id = c.tenant_id and r.credit_charge_id = c.id
  left join invoice_charge o on o.tenant_id = r.tenant_id and o.id = r.invoice_charge_id
  cross join lateral (
    select coalesce(o.kind, c.kind) as kind, coalesce(o.invoice_line_id, c.invoice_line_id) as line,
           coalesce(o.order_line_id, c.order_line_id) as order_line) e
  left join lateral (
    select sum(g.amount) as back from charge_credit g
    where g.tenant_id = c.tenant_id and g.invoice_charge_id = c.id
      and g.payment_id is not null) given on true
  where ${invoices} and n.order_id is not null
    and (e.kind in (${kindsInBase}) or (e.kind = 'discount' and exists (
      select from invoice_charge s
      where s.tenant_id = n.tenant_id and s.invoice_line_id = e.line
        and s.order_line_id = e.order_line and s.kind in (${kindsInBase}))))
  group by n.invoice_id, n.order_id`;

export function readBases(tx: Tx, invoiceIds: readonly number[]): Promise<InvoiceBase[]> {
  return tx.query<InvoiceBase & Record<string, unknown>>(
    basesText('n.invoice_id = any($1)'),
    [invoiceIds],
    'commission-bases',
  );
}

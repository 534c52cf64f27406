/** Reads an invoice of which a credit note gives back, with all of its charges. */
import assert from 'node:assert';
import type { CreditedLine } from '../../../domain/invoices/credit-note.ts';
import type { InvoiceState } from '../../../domain/invoices/happened.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { NotableCharge, NotableLine } from '../../../domain/billing/credit/note.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { byLine, chargesText, standingCredits, type ChargeRow } from './invoiced-charges.ts';
import { invoiceStateColumns } from '../invoices/invoices.ts';
import type { Invoice, InvoiceLine } from '../../entities/invoices.ts';
import type { RowOf } from '../../entities/rows.ts';

export interface CreditableInvoice
  extends
    InvoiceState,
    RowOf<
      typeof Invoice,
      | 'id'
      | 'customerId'
      | 'currency'
      | 'isImported'
      | 'currentAmountDue'
      | 'metadata'
      | 'hasOwnMetadata'
    > {
  /** Of a sign-up that may still fail. */
  readonly isOfOpenSignup: boolean;
  /** A tax provider taxed it. */
  readonly isProvided: boolean;
  /** What notes to come will give back, once gateways have refunded as much. */
  readonly reserved: Decimal;
  /** In their order. */
  readonly lines: readonly (CreditedLine & NotableLine)[];
}

type Head = Omit<CreditableInvoice, 'lines' | 'isProvided'>;

type LineRow = RowOf<
  typeof InvoiceLine,
  'id' | 'orderId' | 'contractCode' | 'invoiceText' | 'purchaseOrder'
> & { readonly orderNumber: number | null };

type Row = ChargeRow & NotableCharge & Record<string, unknown>;

const chargesOfInvoice = chargesText({
  ahead: 'ahead as (select id from invoice_line where invoice_id = $1)',
  where: 'true',
  credits: standingCredits,
  isEach: true,
});

/** The customer is locked, so nothing else gives back of it meanwhile. */
export async function readCreditable(
  tx: Pick<Tx, 'query'>,
  id: number,
): Promise<CreditableInvoice> {
  const [[invoice], lines, rows] = await Promise.all([
    tx.query<Head & Record<string, unknown>>(
      `select i.id, i.customer_id, i.currency, i.is_imported, i.current_amount_due, i.metadata, i.has_own_metadata,
              exists (select from signup s where s.tenant_id = i.tenant_id
                and i.id = any(s.invoice_ids) and s.status <> 'PROCESSED') as is_of_open_signup,
              (select coalesce(sum(r.amount), 0)::text from refund_reservation r
               where r.tenant_id = i.tenant_id and r.invoice_id = i.id and r.with_note) as reserved,
              ${invoiceStateColumns('i')}
       from invoice i where i.id = $1`,
      [id],
      'creditable-invoice',
    ),
    tx.query<LineRow>(
      `select n.id, n.order_id, o.order_number, n.contract_code, n.invoice_text,
              n.purchase_order
       from invoice_line n
       left join subscription_order o on o.tenant_id = n.tenant_id and o.id = n.order_id
       where n.invoice_id = $1 order by n.position, n.id`,
      [id],
      'creditable-lines',
    ),
    tx.query<Row>(chargesOfInvoice, [id], 'creditable-charges'),
  ]);
  assert(invoice, 'the address of the invoice was found');
  const invoiced = new Map(byLine(rows).map((line) => [line.charges[0]?.lineId, line]));
  return {
    ...invoice,
    isProvided: rows.some((row) => row.isProvided),
    lines: lines.flatMap(({ id: lineId, orderId, orderNumber, contractCode, ...line }) => {
      const charges = invoiced.get(lineId);
      if (charges === undefined) return [];
      const order =
        orderId === null ? null : { id: orderId, orderNumber, contractCode: contractCode ?? '' };
      return [{ ...line, ...charges, order }];
    }),
  };
}

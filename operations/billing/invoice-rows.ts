/** Builds the columns of one invoice, its lines and its charges from the invoice's draft. */
import assert from 'node:assert';
import type { InvoiceCharge } from '../../domain/billing/charges.ts';
import type { DraftCharge, DraftInvoice, DraftLine } from '../../domain/billing/total.ts';
import { maxDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { fitsBooks } from '../../domain/money/money.ts';
import type { DueCharge, IsoDate } from '../../domain/model.ts';
import type { BillingWrite, ChargeInsert, InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { TenantSettings } from '../context/context.ts';
import type { CustomerBilling } from './rate-customer.ts';

/** Throws billing.amountTooLarge before the write if an amount exceeds its column. */
export function assertFits({ customerId, lines }: DraftInvoice, made: InvoiceInsert): void {
  const { current_amount_due: sum, total_due: total, payments_and_adjustments: paid } = made;
  const amounts = lines.flatMap((line) => [
    line.lineAmountTotal,
    ...line.charges.map((charge) => charge.amount),
  ]);
  const tooLarge = [sum, total, paid, ...amounts].find((amount) => !fitsBooks(amount));
  if (tooLarge === undefined) return;
  const text = `customer ${customerId} would be billed, or owe, ${tooLarge}`;
  throw new DomainError('billing.amountTooLarge', text, { value: tooLarge });
}

export function notesOf(invoice: DraftInvoice, orders: CustomerBilling['orders']): string | null {
  const included = new Set(invoice.lines.map((line) => line.order.id));
  const notes = orders
    .filter(({ row }) => included.has(row.id) && row.invoice_notes !== null)
    .map(({ row }) => row.invoice_notes);
  return notes.length === 0 ? null : notes.join('\n');
}

export interface AutopayBasis {
  readonly autopayOn: TenantSettings['autopayOn'];
  /** The payment whose generateInvoice makes these invoices. */
  readonly forPaymentId: number | null;
}

type AutopayColumns =
  | 'is_auto_pay'
  | 'autopay_on'
  | 'autopay_order_id'
  | 'autopay_after_payment_id';

export function autopayOf(
  { status, invoiceDate, dueDate, lines }: DraftInvoice,
  { autopayOn, forPaymentId }: AutopayBasis,
): Pick<InvoiceInsert, AutopayColumns> {
  const isAutoPay = lines.some((line) => line.order.isAutoPay);
  const isOpen = isAutoPay && status === 'Outstanding';
  return {
    is_auto_pay: isAutoPay,
    autopay_on: isOpen ? autopayDay(autopayOn, { invoiceDate, dueDate }) : null,
    autopay_order_id: isOpen ? Math.min(...lines.map((line) => line.order.id)) : null,
    autopay_after_payment_id: isOpen ? forPaymentId : null,
  };
}

/** The day on which autopay pays an open invoice. */
export function autopayDay(
  autopayOn: TenantSettings['autopayOn'],
  { invoiceDate, dueDate }: { readonly invoiceDate: IsoDate; readonly dueDate: IsoDate },
): IsoDate {
  return autopayOn === 'dueDate' ? maxDate(dueDate, invoiceDate) : invoiceDate;
}

export function lineRow(
  line: DraftLine,
  id: number,
  invoiceId: number,
): BillingWrite['lines'][number] {
  return {
    id,
    invoice_id: invoiceId,
    position: line.position,
    order_id: line.order.id,
    contract_code: line.order.plan.contractCode,
    invoice_text: line.invoiceText,
    billing_start_date: line.billingStartDate,
    billing_end_date: line.billingEndDate,
    line_amount_total: line.lineAmountTotal,
  };
}

/** The rows to which a stored charge refers. */
type References = Pick<
  ChargeInsert,
  'order_line_id' | 'charge_id' | 'pricing_tier_id' | 'billed_period_id'
>;

const noReferences: References = {
  order_line_id: null,
  charge_id: null,
  pricing_tier_id: null,
  billed_period_id: null,
};

/** @param periodIdOf the billed period of a due charge */
export function chargeRow(
  draft: DraftCharge,
  lineId: number,
  periodIdOf: (due: DueCharge) => number,
): ChargeInsert {
  return {
    ...referencesOf(draft.charge, periodIdOf),
    invoice_line_id: lineId,
    position: draft.position,
    kind: draft.charge.kind,
    price_code: draft.priceCode,
    accounting_code: draft.accountingCode,
    invoice_text: draft.invoiceText,
    is_percent: draft.isPercent,
    billing_start_date: draft.billingStartDate,
    billing_end_date: draft.billingEndDate,
    charge_date: draft.chargeDate,
    unit_price: draft.unitPrice,
    quantity: draft.quantity,
    unit_of_measure: draft.unitOfMeasure,
    amount: draft.amount,
  };
}

function referencesOf(charge: InvoiceCharge, periodIdOf: (due: DueCharge) => number): References {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
      return ofDue(charge, periodIdOf);
    case 'tax':
      return 'due' in charge ? ofDue(charge, periodIdOf) : noReferences;
    case 'manual':
      return noReferences;
    case 'usage':
    case 'usageSubTotal':
    case 'discount':
    case 'credit':
      // Nothing rates these yet; their tables come with what does.
      assert.fail(`a charge of kind ${charge.kind} has no rows to refer to`);
  }
}

function ofDue(
  { due, tierId }: Extract<InvoiceCharge, { readonly due: DueCharge }>,
  periodIdOf: (due: DueCharge) => number,
): References {
  return {
    order_line_id: due.line.id,
    charge_id: due.line.charge.id,
    pricing_tier_id: tierId,
    billed_period_id: periodIdOf(due),
  };
}

/** Builds the columns of one invoice, its lines and its charges from the invoice's draft. */
import assert from 'node:assert';
import type { InvoiceCharge } from '../../domain/billing/charges.ts';
import type { DraftCharge, DraftInvoice, DraftLine } from '../../domain/billing/total.ts';
import { maxDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { add, fitsBooks, negate } from '../../domain/money/money.ts';
import type { DueCharge, IsoDate } from '../../domain/model.ts';
import type {
  BalanceUpsert,
  BillingWrite,
  ChargeInsert,
  InvoiceInsert,
} from '../../db/queries/billing/write.ts';
import type { TenantSettings } from '../context/context.ts';
import type { Balance } from './balances.ts';
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

/** An invoice of a draft, or one made by hand, which has no billed days. */
export interface MadeInvoice extends Omit<
  DraftInvoice,
  'lines' | 'billingStartDate' | 'billingEndDate'
> {
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
}

type AutopayColumns =
  | 'is_auto_pay'
  | 'autopay_on'
  | 'autopay_order_id'
  | 'autopay_after_payment_id';

export interface InvoiceOwn {
  readonly id: number;
  /** It continues from the total of the previous one by number. */
  readonly before: Pick<Balance, 'balance' | 'lastTotalDue'>;
  readonly autopay: Pick<InvoiceInsert, AutopayColumns>;
  readonly notes: string | null;
}

export function invoiceRow(
  invoice: MadeInvoice,
  { id, before: { balance, lastTotalDue }, autopay, notes }: InvoiceOwn,
): InvoiceInsert {
  const { status, currentAmountDue } = invoice;
  return {
    id,
    status,
    customer_id: invoice.customerId,
    currency: invoice.currency,
    invoice_date: invoice.invoiceDate,
    due_date: invoice.dueDate,
    billing_start_date: invoice.billingStartDate,
    billing_end_date: invoice.billingEndDate,
    billing_period: invoice.billingPeriod,
    previous_balance: lastTotalDue,
    payments_and_adjustments: add(balance, negate(lastTotalDue)),
    current_amount_due: currentAmountDue,
    total_due: add(balance, currentAmountDue),
    outstanding_balance: status === 'Paid' ? '0' : currentAmountDue,
    ...autopay,
    notes,
  };
}

/** The customer's balance after the invoice. */
export function balanceRow({ customer_id, currency, total_due }: InvoiceInsert): BalanceUpsert {
  return { customer_id, currency, balance: total_due, last_total_due: total_due };
}

export function ledgerRow(invoice: InvoiceInsert): BillingWrite['ledger'][number] {
  const { id: invoice_id, customer_id, currency, current_amount_due: amount } = invoice;
  return { customer_id, currency, kind: 'invoice', amount, invoice_id };
}

export interface AutopayBasis {
  readonly isAutoPay: boolean;
  readonly autopayOn: TenantSettings['autopayOn'];
  /** The order whose workflow pays it. */
  readonly orderId: number | null;
  readonly afterPaymentId: number | null;
}

/** Autopay pays an open invoice from its day on. */
export function autopayOf(
  { status, invoiceDate, dueDate }: Pick<MadeInvoice, 'status' | 'invoiceDate' | 'dueDate'>,
  { isAutoPay, autopayOn, orderId, afterPaymentId }: AutopayBasis,
): Pick<InvoiceInsert, AutopayColumns> {
  const isOpen = isAutoPay && status === 'Outstanding';
  const day = autopayOn === 'dueDate' ? maxDate(dueDate, invoiceDate) : invoiceDate;
  return {
    is_auto_pay: isAutoPay,
    autopay_on: isOpen ? day : null,
    autopay_order_id: isOpen ? orderId : null,
    autopay_after_payment_id: isOpen ? afterPaymentId : null,
  };
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

/** @param periodIdOf the billed period of a due charge; a charge made by hand is of none */
export function chargeRow(
  draft: DraftCharge,
  lineId: number,
  periodIdOf: (due: DueCharge) => number = () => assert.fail('a charge of a due one'),
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

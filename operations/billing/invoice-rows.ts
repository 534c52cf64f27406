/** Builds the columns of one invoice and its lines from the invoice's draft. */
import { assertFits, continueFrom, type BalanceBefore } from '../../domain/billing/balance.ts';
import type { DraftInvoice, DraftLine } from '../../domain/billing/total.ts';
import { autopayDay, invoiceMade } from '../../domain/invoices/transitions.ts';
import type {
  BalanceUpsert,
  BillingWrite,
  InvoiceInsert,
  LineInsert,
} from '../../db/queries/billing/write.ts';
import type { TenantSettings } from '../context/context.ts';

interface InvoiceOwn {
  readonly id: number;
  /** It continues from the total of the previous one by number. */
  readonly before: BalanceBefore;
  readonly autopay: AutopayBasis;
  readonly notes: string | null;
}

/** Throws billing.amountTooLarge. */
export function invoiceRow(
  invoice: DraftInvoice,
  { id, before, autopay, notes }: InvoiceOwn,
): InvoiceInsert {
  const { currentAmountDue, isAutoPay } = invoice;
  const continued = continueFrom(before, currentAmountDue);
  assertFits(invoice, continued);
  const on = autopayDay(invoice, autopay.autopayOn);
  const { state } = invoiceMade(currentAmountDue, { on, awaits: autopay.afterPaymentId });
  return {
    id,
    status: state.status,
    customerId: invoice.customerId,
    currency: invoice.currency,
    invoiceDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    billingStartDate: invoice.billingStartDate,
    billingEndDate: invoice.billingEndDate,
    billingPeriod: invoice.billingPeriod,
    previousBalance: continued.previousBalance,
    paymentsAndAdjustments: continued.paymentsAndAdjustments,
    currentAmountDue,
    totalDue: continued.totalDue,
    outstandingBalance: state.open,
    isAutoPay,
    autopayOn: state.autopayOn,
    autopayOrderId: state.autopayOn === null ? null : autopay.orderId,
    autopayAfterPaymentId: state.awaits,
    notes,
  };
}

/** The customer's balance after the invoice. */
export function balanceRow(invoice: InvoiceInsert): BalanceUpsert {
  const { customerId, currency, totalDue: balance } = invoice;
  return { customerId, currency, balance, lastTotalDue: balance };
}

export function ledgerRow(invoice: InvoiceInsert): BillingWrite['ledger'][number] {
  const { id: invoiceId, customerId, currency, currentAmountDue: amount } = invoice;
  return { customerId, currency, kind: 'invoice', amount, invoiceId };
}

export interface AutopayBasis {
  /** Null: never, whatever its order says. */
  readonly autopayOn: TenantSettings['autopayOn'] | null;
  /** The order whose workflow pays it. */
  readonly orderId: number | null;
  readonly afterPaymentId: number | null;
}

export function lineRow(line: DraftLine, id: number, invoiceId: number): LineInsert {
  return {
    id,
    invoiceId,
    position: line.position,
    orderId: line.order?.id ?? null,
    contractCode: line.order?.contractCode ?? null,
    invoiceText: line.invoiceText,
    billingStartDate: line.billingStartDate,
    billingEndDate: line.billingEndDate,
    lineAmountTotal: line.lineAmountTotal,
  };
}

/** Money of a payment that was applied, or taken back, as payments and invoices show it. */
import { z } from 'zod';
import { date, decimal, id, reference } from '../types.ts';

export const invoicePayment = z.strictObject({
  id: id(),
  payment: reference(),
  // Empty where the money went to a debit.
  invoice: reference().nullable(),
  amountApplied: decimal(),
  balanceRemaining: decimal(),
  customer: reference(),
  lastUpdated: date(),
  dateCreated: date(),
});
export type InvoicePaymentDocument = z.output<typeof invoicePayment>;

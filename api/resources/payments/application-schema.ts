/** Money of a payment that was applied, or taken back, as payments and invoices show it. */
import { z } from 'zod';
import { date, id, reference, sum } from '../../xml/types.ts';

export const invoicePayment = z.strictObject({
  id: id(),
  payment: reference(),
  // Empty where the money went to a debit.
  invoice: reference().nullable(),
  amountApplied: sum(),
  balanceRemaining: sum(),
  customer: reference(),
  lastUpdated: date(),
  dateCreated: date(),
});
export type InvoicePaymentDocument = z.output<typeof invoicePayment>;

/** Applications of payments to invoices, and reversals, as payments and invoices show them. */
import { z } from 'zod';
import { date, id, reference, sum } from '../../xml/types.ts';

export const invoicePayment = z.strictObject({
  id: id(),
  payment: reference(),
  // Empty if the money went to a debit.
  invoice: reference().nullable(),
  amountApplied: sum(),
  balanceRemaining: sum(),
  customer: reference(),
  lastUpdated: date(),
  dateCreated: date(),
});
export type InvoicePaymentDocument = z.output<typeof invoicePayment>;

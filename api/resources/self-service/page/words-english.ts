/** The words of the self-service pages, in English. */
import type { Translated } from '../../../pages/words-english.ts';

export const english = {
  title: 'Your account',
  balance: 'Balance',
  balanceIn: 'Balance in {currency}',
  open: 'Open',
  overdue: 'Of this overdue',
  unapplied: 'Credit not used yet',
  invoices: 'Newest open invoices',
  invoice: 'Invoice',
  openAmount: 'Open amount',
  invoiceTitle: 'Invoice {number} of {date}',
  due: 'due on {date}',
  nothingOpen: 'No invoice is open.',
} as const;

export type SelfServiceWords = Translated<typeof english>;

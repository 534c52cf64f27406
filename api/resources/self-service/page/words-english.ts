/** The words that all self-service pages share, and those of the first one, in English. */
import type { Translated } from '../../../pages/words-english.ts';

export const english = {
  title: 'Your account',
  menu: 'Your account',
  logOut: 'Log out',
  idle: 'You have not done anything for a while. This page closes soon.',
  stay: 'Stay here',
  part: {
    home: 'Overview',
    statements: 'Statement',
    invoices: 'Invoices',
    payments: 'Payments',
    pay: 'Pay now',
    card: 'Payment methods',
    orders: 'Subscriptions',
    profile: 'Profile',
  },
  more: 'What you can do here',
  about: {
    home: 'Your balance and open invoices',
    statements: 'All that was invoiced and paid',
    invoices: 'All your invoices',
    payments: 'Your payments and their receipts',
    pay: 'Pay open invoices',
    card: 'Cards that pay your invoices',
    orders: 'What you have subscribed to',
    profile: 'Your name, address and password',
  },
  balance: 'Balance',
  balanceIn: 'Balance in {currency}',
  open: 'Open',
  overdue: 'Of this overdue',
  unapplied: 'Credit not used yet',
  payNow: 'Pay now',
  invoices: 'Newest open invoices',
  invoice: 'Invoice',
  openAmount: 'Open amount',
  invoiceTitle: 'Invoice {number} of {date}',
  due: 'due on {date}',
  nothingOpen: 'No invoice is open.',
} as const;

export type SelfServiceWords = Translated<typeof english>;

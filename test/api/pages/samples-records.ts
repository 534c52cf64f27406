/** Views of the records of an account: its statement, its invoices, its payments. */
import { atStripe } from './samples-gateways.ts';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import {
  renderInvoice,
  renderInvoices,
  type InvoicesView,
  type InvoiceView,
} from '../../../api/resources/self-service/records/render-invoices.ts';
import {
  renderPayment,
  renderPayments,
  type PaymentPageView,
  type PaymentsView,
} from '../../../api/resources/self-service/records/render-payments.ts';
import {
  renderStatement,
  type StatementView,
} from '../../../api/resources/self-service/records/render-statement.ts';
import type { AccountView } from '../../../api/resources/self-service/page/account.ts';
import { entryKinds } from '../../../operations/self-service/statements.ts';
import type { AccountPayment } from '../../../operations/self-service/payments.ts';
import type { ListedInvoice } from '../../../operations/self-service/invoices.ts';
import { sourceOf } from '../../providers/invoice-documents/samples.ts';

const entry = {
  id: 1,
  enteredOn: '2027-01-15',
  invoiceId: 4711,
  invoiceNumber: '1002',
  cancellationNumber: null,
  paymentId: null,
  method: null,
  hasReceipt: false,
} as const;

export const statementOf = (account: AccountView): StatementView => ({
  ...account,
  address: `${account.home}/statements`,
  asked: { from: '2026-01-16', to: '2027-01-15' },
  problems: [],
  shown: {
    period: { from: '2026-01-16', to: '2027-01-15' },
    isContinued: false,
    olderThan: null,
    currencies: [
      {
        currency: 'USD',
        opening: '10.00',
        closing: '1204.55',
        entries: [
          { ...entry, kind: 'invoice', amount: '1234.50', balance: '1244.50' },
          {
            ...entry,
            kind: 'payment',
            amount: '-39.95',
            balance: '1204.55',
            invoiceId: null,
            paymentId: 4712,
            method: 'Visa - *****1111',
            hasReceipt: true,
          },
        ],
      },
      { currency: 'EUR', opening: '0', closing: '0', entries: [] },
    ],
  },
});

/** Each kind of entry, with older ones before them and newer ones after them. */
export const everyEntry = (account: AccountView): StatementView => {
  const view = statementOf(account);
  const { shown } = view;
  if (shown === null) return view;
  const plain = entryKinds.map((kind, index) => {
    const isInvoice = kind.startsWith('invoice') || kind === 'import';
    const ids = isInvoice ? {} : { invoiceId: null, invoiceNumber: null };
    return { ...entry, ...ids, id: index + 1, kind, amount: '1', balance: String(index + 1) };
  });
  const cancellation = { ...entry, kind: 'invoiceCancelled', cancellationNumber: '1003' } as const;
  const balance = String(plain.length + 1);
  const entries = [...plain, { ...cancellation, id: plain.length + 1, amount: '1', balance }];
  const count = String(entries.length);
  const currencies = [{ currency: 'USD', opening: '0', closing: count, entries }];
  const olderThan = { enteredOn: '2027-01-15', id: 1 };
  return { ...view, shown: { ...shown, isContinued: true, olderThan, currencies } };
};

export const faultyStatement = (account: AccountView): StatementView => ({
  ...statementOf(account),
  asked: { from: '2027-02-30', to: 'soon' },
  problems: [
    { field: 'from', key: 'date.form' },
    { field: 'to', key: 'date.form' },
  ],
  shown: null,
});

const open: ListedInvoice = {
  id: 4711,
  invoiceNumber: '1002',
  cancellationNumber: null,
  invoiceDate: '2026-12-15',
  dueDate: '2027-01-14',
  status: 'Outstanding',
  currency: 'USD',
  amount: '1234.50',
  open: '1204.55',
};

export const invoicesOf = (account: AccountView): InvoicesView => ({
  ...account,
  address: `${account.home}/invoices`,
  today: '2027-01-15',
  before: 4800,
  next: 4711,
  rows: [
    { ...open, dueDate: '2027-01-15' },
    open,
    { ...open, status: 'Paid', open: '0' },
    { ...open, status: 'Cancelled', open: '0' },
    { ...open, status: 'CarriedOver', open: '0' },
    { ...open, status: 'Paid', amount: '-10', open: '0' },
  ],
});

export const invoiceOf = (account: AccountView): InvoiceView => ({
  ...account,
  address: `${account.home}/invoices/4711`,
  listed: open,
  document: invoicePage(
    sourceOf({ customer: { locale: account.locale.replace('-', '_') }, invoice: { notes: 'x' } }),
    messages,
  ),
});

/** 100.00 and a surcharge of 2.00, of which 10.00 were paid back. */
export const paid: AccountPayment = {
  id: 4712,
  cascadeId: 4712,
  isPayerPresent: false,
  type: 'Payment',
  status: 'Paid',
  effectiveDate: '2027-01-15',
  currency: 'USD',
  amount: '102.00',
  methodType: 'CreditCard',
  method: 'Visa - *****1111',
  surcharge: '2.00',
  unapplied: '20.00',
  goneBack: '10.00',
  furtherInvoices: '0',
  otherDebts: '5.00',
  invoices: [
    { id: 4711, invoiceNumber: '1002', invoiceDate: '2026-12-15', amount: '40.00' },
    { id: 4713, invoiceNumber: '1003', invoiceDate: '2027-01-15', amount: '25.00' },
  ],
};

export const paymentsOf = (account: AccountView): PaymentsView => ({
  ...account,
  address: `${account.home}/payments`,
  before: null,
  next: 4711,
  rows: (['Payment', 'Refund'] as const).flatMap((type) =>
    (['Pending', 'Paid', 'Declined', 'Canceled', 'Voided', 'Refunded'] as const).map(
      (status, index) => ({
        ...paid,
        type,
        status,
        method: null,
        methodType: (['CreditCard', 'ACH', 'Token', 'Check', 'Cash', null] as const)[index] ?? null,
      }),
    ),
  ),
});

export const paymentOf = (
  account: AccountView,
  payment: Partial<AccountPayment> = {},
): PaymentPageView => ({
  ...account,
  address: `${account.home}/payments/4712`,
  payment: { ...paid, ...payment },
  isOwn: true,
  challenge: null,
});

/** Every page of the records by its name, in the locale of the account. */
export function recordPagesOf(account: AccountView): Readonly<Record<string, string>> {
  const none = { before: null, next: null, rows: [] };
  return {
    statement: renderStatement(statementOf(account)),
    'statement-entries': renderStatement(everyEntry(account)),
    'statement-faulty': renderStatement(faultyStatement(account)),
    invoices: renderInvoices(invoicesOf(account)),
    'invoices-none': renderInvoices({ ...invoicesOf(account), ...none }),
    invoice: renderInvoice(invoiceOf(account)),
    payments: renderPayments(paymentsOf(account)),
    'payments-none': renderPayments({ ...paymentsOf(account), ...none }),
    payment: renderPayment(paymentOf(account)),
    'payment-asked': renderPayment({
      ...paymentOf(account, { status: 'ActionRequired', isPayerPresent: true }),
      challenge: {
        tenant: atStripe,
        clientSecret: 'pi_1_secret_1',
        to: `${account.home}/payments/4712`,
      },
    }),
    'payment-pending': renderPayment(paymentOf(account, { status: 'Pending' })),
    'payment-declined': renderPayment(paymentOf(account, { status: 'Declined' })),
    refund: renderPayment(paymentOf(account, { type: 'Refund', amount: '-10.00', invoices: [] })),
  };
}

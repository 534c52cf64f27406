/** Renders the list of a customer's payments, and the page of one: its state, what it was used for. */
import {
  paidBy,
  receiptFacts,
  receiptRows,
  type ReceiptWording,
} from '../../../../domain/self-service/receipt.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { RecordWords } from '../../../../domain/text/messages.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import type {
  AccountPayment,
  ListedPayment,
} from '../../../../operations/self-service/payments.ts';
import { type ChallengeOnPage, shownChallenge } from '../../../pages/gateway-fields.ts';
import { linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { inAccount, partAddress, reloadOf, type AccountView } from '../page/account.ts';
import { formatsIn } from '../page/formats.ts';
import { pagerOf, type ListedView, invoiceLink, paymentLink, pdfLink } from './list.ts';

export interface PaymentsView extends AccountView, ListedView {
  readonly rows: readonly ListedPayment[];
}

export interface PaymentPageView extends AccountView {
  /** The session has made it. */
  readonly isOwn: boolean;
  /** The gateway's script on the page lets the payer authenticate. */
  readonly challenge: ChallengeOnPage | null;
  readonly payment: AccountPayment;
}

const WORKING_SECONDS = 3;

const render = templatesOf(import.meta.dirname);

export function renderPayments(view: PaymentsView): string {
  const own = messagesOf(view.locale).record;
  const { title } = own.payments;
  const wording = wordingOf(view);
  const body = render('payments', {
    own: own.payments,
    rows: view.rows.map((row) => rowTexts(row, wording(row.currency), { view, own })),
    pager: { label: own.pages, ways: pagerOf(partAddress(view.home, 'payments'), view, own) },
  });
  return inAccount(view, { part: 'payments', page: 'payments', title, body });
}

interface Texts {
  readonly view: AccountView;
  readonly own: RecordWords;
}

function rowTexts(row: ListedPayment, wording: ReceiptWording, { view, own }: Texts) {
  const text = titleOf(row, wording, own);
  return {
    link: paymentLink(view, { id: row.id, text, hasReceipt: hasReceipt(row) }),
    method: paidBy(row, wording.methods) ?? '',
    amount: wording.formats.amount(row.amount),
    ...statusOf(row, own),
  };
}

function wordingOf({ locale }: AccountView): (currency: string) => ReceiptWording {
  const figures = figuresLocaleOf(locale);
  const formats = formatsIn(figures);
  const { method: methods, receipt: own } = messagesOf(locale);
  return (currency) => ({ own, methods, formats: formats(currency) });
}

function titleOf(
  { type, effectiveDate }: ListedPayment,
  { formats }: ReceiptWording,
  { payments }: RecordWords,
): string {
  const title = type === 'Refund' ? payments.refundOn : payments.paymentOn;
  return fill(title, { date: formats.date(effectiveDate) });
}

function statusOf({ type, status }: ListedPayment, own: RecordWords) {
  const texts = type === 'Refund' ? own.refundStatus : own.paymentStatus;
  return { status: texts[status], isAlarm: status === 'Declined' };
}

/** Only of a payment that is Paid. */
export const hasReceipt = ({ type, status }: ListedPayment): boolean =>
  type === 'Payment' && status === 'Paid';

export function renderPayment(view: PaymentPageView): string {
  const { payment, isOwn, switches } = view;
  const { record: own, page: words } = messagesOf(view.locale);
  const page = { part: 'payments', page: 'payment' } as const;
  const wording = wordingOf(view)(payment.currency);
  const isPayment = payment.type === 'Payment';
  const isAsked = payment.status === 'ActionRequired';
  const isPending = payment.status === 'Pending' || (isAsked && payment.isPayerPresent);
  // Nobody waits for a debit, which takes days.
  const takesDays = payment.status === 'Pending' && payment.takesDays === true;
  const isPolled = isPending && !takesDays && view.challenge === null;
  const isDeclined = isPayment && payment.status === 'Declined';
  const title = isDeclined ? own.payment.declined : titleOf(payment, wording, own);
  const pageTitle = isPending && isPayment ? own.payment.pending : title;
  const body = render('payment', {
    own: own.payment,
    title: pageTitle,
    poll: isPolled ? linkable(reloadOf(view.address)) : null,
    takesDays,
    again: linkable(view.address),
    message: isOwn && hasReceipt(payment) ? own.payment.paid : null,
    isDeclined,
    challenge: view.challenge && shownChallenge(words.gateway, view.challenge),
    payAgain: isDeclined && switches.allowPayments ? payAddress(view) : null,
    facts: factsOf(view, wording, own),
    usedFor: usedFor(view, wording),
    receipt: hasReceipt(payment)
      ? pdfLink(view, 'payments', { id: payment.id, text: own.payments.receipt })
      : null,
    all: switches.showPayments ? allLink(view, own) : null,
  });
  const refresh = isPolled ? { refreshSeconds: WORKING_SECONDS } : {};
  return inAccount(view, { ...page, title: pageTitle, ...refresh, body });
}

const payAddress = ({ home, payment }: PaymentPageView): string =>
  linkable(`${partAddress(home, 'pay')}?currency=${payment.currency}`);

const allLink = (view: AccountView, own: RecordWords) => ({
  address: linkable(partAddress(view.home, 'payments')),
  text: own.payments.all,
  newTab: null,
});

function factsOf({ payment }: PaymentPageView, wording: ReceiptWording, own: RecordWords) {
  const { status, isAlarm } = statusOf(payment, own);
  const plain = receiptFacts(payment, wording).map((fact) => ({
    ...fact,
    isBadge: false,
    isAlarm: false,
  }));
  const amount = { label: own.payments.amount, value: wording.formats.amount(payment.amount) };
  return [
    { label: own.payments.status, value: status, isBadge: true, isAlarm },
    { ...amount, isBadge: false, isAlarm: false },
    ...plain,
  ];
}

/** Money that did not come in was used for nothing. In pdfMode the receipt alone says it. */
function usedFor(view: PaymentPageView, wording: ReceiptWording) {
  const { payment, switches } = view;
  const isIn = payment.status === 'Paid' || payment.status === 'Refunded';
  if (payment.type !== 'Payment' || !isIn || switches.pdfMode) return null;
  const rows = receiptRows(payment, wording).map(({ label: text, value, invoiceId: id }) => ({
    link: id === null ? { address: null, text, newTab: null } : invoiceLink(view, { id, text }),
    value,
  }));
  const { own, formats } = wording;
  return {
    caption: own.usedFor,
    amount: own.amount,
    rows,
    total: { label: own.total, value: formats.amount(payment.amount) },
  };
}

/** The content of a mail in the customer's language and formats, for the templates to lay out. */
import type { IsoDate } from '../calendar/calendar.ts';
import { addressLines } from '../customers/postal-address.ts';
import { formatsOf, instantText, localeOf } from '../invoices/formats.ts';
import { type DocumentKind, namesOf } from '../invoices/document-kind.ts';
import type { NamedInvoice } from '../invoices/page.ts';
import { compare, add, type Decimal } from '../money/money.ts';
import { methodText } from '../text/method.ts';
import { fill } from '../text/fill.ts';
import { languageOf, type Language, type MessagesByLanguage } from '../text/language.ts';
import type { MailWords } from '../text/messages.ts';
import type { Content, Fact, MailFact, MailTable, Wording } from './content.ts';
import type { MailKind } from './kinds.ts';
import { cardContent, debitContent, noticeContent, priceContent } from './notice-content.ts';
import type { MailAction, MailInvoice, MailPayment, MailSource, MailSubject } from './source.ts';

/** Everything that a template may show: formatted texts only. */
export interface MailPage {
  readonly kind: MailKind;
  /** The language of its words, for `lang`. */
  readonly language: Language;
  readonly locale: string;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly MailFact[];
  /** The same facts by name; null for those that the object does not have. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Invoices, below the facts; null where there are none. */
  readonly table: MailTable | null;
  /** Sentences after the table. */
  readonly remarks: readonly string[];
  readonly closing: string;
  readonly customer: { readonly name: string; readonly reference: string | null };
  readonly sender: { readonly name: string; readonly lines: readonly string[] };
}

/**
 * The content of a mail. Pure: the same source gives the same page.
 *
 * @example mailPage(source, messages).subject // 'Rechnung 1001 von Demo GmbH' for the locale de_DE
 */
export function mailPage(source: MailSource, messages: MessagesByLanguage): MailPage {
  const { customer, sender, subject } = source;
  const locale = localeOf(customer.locale, sender.address?.countryCode ?? null);
  const language = languageOf(locale);
  const { invoice: words, mail: own, method: methods } = messages[language];
  const wording = wordingOf(locale, { words, own, methods, sender: sender.name });
  const { facts, ...content } = contentOf(subject, wording);
  const name = personOf(customer);
  const lines = addressLines(sender.address ?? {}, formatsOf(locale, ANY_CURRENCY).country);
  return {
    kind: subject.kind,
    language,
    locale,
    ...content,
    facts: facts.flatMap((each) => (each.value === null ? [] : [{ ...each, value: each.value }])),
    values: Object.fromEntries(facts.map((each) => [each.name, each.value])),
    greeting: name === '' ? wording.own.greetingOfNobody : fill(wording.own.greeting, { name }),
    closing: wording.own.closing,
    customer: { name: customer.name, reference: customer.extCustomerRef },
    sender: {
      name: sender.name,
      lines: sender.taxId === null ? lines : [...lines, fill(words.taxId, { taxId: sender.taxId })],
    },
  };
}

const ANY_CURRENCY = 'USD';

function wordingOf(locale: string, given: Omit<Wording, 'date' | 'amount' | 'instant'>): Wording {
  return {
    ...given,
    date: (date) => formatsOf(locale, ANY_CURRENCY).date(date),
    amount: (amount, currency) => formatsOf(locale, currency).amount(amount),
    instant: (instant, timezone) => instantText(instant, { locale, timezone }),
  };
}

function personOf({ name, billingContact }: MailSource['customer']): string {
  const person = [billingContact?.firstName, billingContact?.lastName].filter(Boolean).join(' ');
  return person === '' ? name : person;
}

function contentOf(subject: MailSubject, wording: Wording): Content {
  switch (subject.kind) {
    case 'newInvoice':
    case 'newCreditNote':
      return invoiceContent(subject.invoice, wording);
    case 'newOrder':
      return orderContent(subject.order, wording);
    case 'paymentReceived':
      return receivedContent(subject.payment, wording);
    case 'paymentFailed':
      return failedContent(subject.payment, wording);
    case 'paymentAction':
      return actionContent(subject.action, wording);
    case 'customerOverdue':
      return overdueContent(subject, wording);
    case 'trialEnding':
    case 'renewalNotice':
      return noticeContent(subject.kind, subject.notice, wording);
    case 'priceChange':
      return priceContent(subject, wording);
    case 'cardExpiring':
      return cardContent(subject.card, wording);
    case 'debitNotice':
      return debitContent(subject.debit, wording);
    case 'passwordReset':
      return resetContent(subject, wording);
    case 'contactChanged':
      return changedContent(wording);
    case 'signupConfirm':
      return confirmContent(subject, wording);
  }
}

type InvoiceMail = Extract<MailSubject, { readonly kind: 'newInvoice' | 'newCreditNote' }>;
type OfKind<Kind extends MailKind> = Extract<MailSubject, { readonly kind: Kind }>;

function invoiceContent(invoice: InvoiceMail['invoice'], wording: Wording): Content {
  const { words, own, sender } = wording;
  const { invoiceNumber: number, currency, autopayOn, isPaidByPlan, cancels } = invoice;
  const kind = cancels === undefined ? kindOf(invoice.currentAmountDue) : 'cancellation';
  const isInvoice = kind === 'invoice';
  const texts = kind === 'invoice' ? own.newInvoice : own[kind];
  const names = namesOf(words, kind);
  const date = wording.date(invoice.invoiceDate);
  const said = { number, date, sender, cancelled: cancels?.invoiceNumber ?? '' };
  const open = wording.amount(invoice.outstandingBalance, currency);
  const dueDate = wording.date(invoice.dueDate);
  const isOpen = compare(invoice.outstandingBalance, '0') > 0;
  const day = isOpen && autopayOn !== null ? wording.date(autopayOn) : null;
  const openText = day !== null ? own.paidByUs : isPaidByPlan ? own.paidByPlan : own.payBy;
  const toDo = isOpen
    ? fill(openText, { amount: open, dueDate, day: day ?? '' })
    : own.nothingToPay;
  const amount = wording.amount(invoice.currentAmountDue, currency);
  const creditLeft =
    invoice.creditLeft === null ? null : wording.amount(invoice.creditLeft, currency);
  return {
    subject: fill(texts.subject, said),
    paragraphs: [fill(texts.lead, said), ...(isInvoice ? [toDo] : [])],
    facts: [
      { name: 'invoiceNumber', label: names.number, value: number },
      { name: 'invoiceDate', label: names.date, value: date },
      { name: 'cancelledInvoice', label: words.cancels, value: namedOf(cancels, wording) },
      { name: 'dueDate', label: words.dueDate, value: isInvoice ? dueDate : null },
      { name: 'amount', label: names.amount, value: amount },
      { name: 'openAmount', label: words.stillDue, value: isInvoice ? open : null },
      { name: 'creditLeft', label: words.creditLeft, value: creditLeft },
      payFact(invoice, wording),
    ],
    table: null,
    remarks: [],
  };
}

const payFact = (
  { payAddress }: Pick<MailInvoice, 'payAddress'>,
  { own }: Pick<Wording, 'own'>,
): Fact => ({ name: 'payAddress', label: own.payOnline, value: payAddress });

const kindOf = (amount: Decimal): DocumentKind =>
  compare(amount, '0') < 0 ? 'creditNote' : 'invoice';

function namedOf(cancels: NamedInvoice | undefined, { words, date }: Wording): string | null {
  if (cancels === undefined) return null;
  const { invoiceNumber: number, invoiceDate } = cancels;
  return fill(words.invoiceOf, { number, date: date(invoiceDate) });
}

function orderContent(order: OfKind<'newOrder'>['order'], wording: Wording): Content {
  const { words, own } = wording;
  const { orderNumber: number, planName: plan } = order;
  const day = (date: IsoDate | null) => (date === null ? null : wording.date(date));
  return {
    subject: fill(own.newOrder.subject, { number }),
    paragraphs: [fill(own.newOrder.lead, { number, plan })],
    facts: [
      { name: 'orderNumber', label: words.order, value: number },
      { name: 'plan', label: own.plan, value: plan },
      { name: 'startDate', label: own.startDate, value: wording.date(order.startDate) },
      { name: 'endDate', label: own.endDate, value: day(order.endDate) },
      { name: 'nextBillDate', label: own.nextBillDate, value: day(order.nextBillableDate) },
    ],
    table: null,
    remarks: [],
  };
}

function paymentFacts(payment: MailPayment, wording: Wording): Fact[] {
  const { words, own, methods, ...formats } = wording;
  const amount = formats.amount(payment.amount, payment.currency);
  const method = payment.method === null ? null : methodText(payment.method, methods);
  return [
    { name: 'amount', label: words.amount, value: amount },
    { name: 'paymentDate', label: own.paymentDate, value: formats.date(payment.effectiveDate) },
    { name: 'paymentMethod', label: own.paymentMethod, value: method },
  ];
}

function receivedContent(payment: MailPayment, wording: Wording): Content {
  const { words, own } = wording;
  const amount = wording.amount(payment.amount, payment.currency);
  const rows = payment.invoices.map((each) => [
    each.invoiceNumber,
    wording.amount(each.amount, payment.currency),
  ]);
  const thanks = fill(own.paymentReceived.lead, { amount });
  return {
    subject: fill(own.paymentReceived.subject, { amount }),
    paragraphs: rows.length === 0 ? [thanks] : [thanks, own.appliedTo],
    facts: paymentFacts(payment, wording),
    table:
      rows.length === 0
        ? null
        : tableOf(own, {
            columns: [words.invoice, words.amount],
            rows,
            payAddresses: rows.map(() => null),
          }),
    remarks: [],
  };
}

function failedContent(payment: MailPayment, wording: Wording): Content {
  const { own } = wording;
  const amount = wording.amount(payment.amount, payment.currency);
  return {
    subject: fill(own.paymentFailed.subject, { amount }),
    paragraphs: [fill(own.paymentFailed.lead, { amount }), own.checkMethod],
    facts: [...paymentFacts(payment, wording), payFact(payment, wording)],
    table: null,
    remarks: [],
  };
}

function tableOf(own: MailWords, table: Omit<MailTable, 'payLabel'>): MailTable {
  return { ...table, payLabel: own.pay };
}

function actionContent(action: MailAction, wording: Wording): Content {
  const { words, own, methods } = wording;
  const amount = wording.amount(action.amount, action.currency);
  const texts = own.paymentAction;
  const until = wording.instant(action.waitsUntil, action.timezone);
  return {
    subject: fill(texts.subject, { amount }),
    paragraphs: [fill(texts.lead, { amount }), texts.how],
    facts: [
      { name: 'amount', label: words.amount, value: amount },
      {
        name: 'paymentMethod',
        label: own.paymentMethod,
        value: action.method === null ? null : methodText(action.method, methods),
      },
      { name: 'waitsUntil', label: texts.until, value: until },
      { name: 'actionAddress', label: texts.page, value: action.actionAddress },
    ],
    table: null,
    remarks: [],
  };
}

function overdueContent(about: OfKind<'customerOverdue'>, wording: Wording): Content {
  const { status, invoices } = about;
  const { words, own } = wording;
  const amount = totalsOf(invoices, wording.amount);
  const rows = invoices.map((invoice) => [
    invoice.invoiceNumber,
    wording.date(invoice.dueDate),
    wording.amount(invoice.outstandingBalance, invoice.currency),
  ]);
  const standing = [
    ...(status.startsWith('Suspended') ? [own.suspended] : []),
    ...(status.startsWith('InActive') ? [own.inactive] : []),
  ];
  return {
    subject: fill(own.customerOverdue.subject, { amount }),
    paragraphs: [own.customerOverdue.lead],
    facts: [{ name: 'amount', label: own.openAmount, value: amount }],
    table: tableOf(own, {
      columns: [words.invoice, words.dueDate, own.openAmount],
      rows,
      payAddresses: invoices.map(({ payAddress }) => payAddress),
    }),
    remarks: [...standing, own.crossed],
  };
}

/* The sum of invoices, by currency. */

/**
 * Currencies are never added to each other.
 *
 * @param format writes an amount
 * @example totalsOf(invoices, amount) // '$20.00, €5.00'
 */
function totalsOf(
  invoices: readonly Pick<MailInvoice, 'currency' | 'outstandingBalance'>[],
  format: (amount: Decimal, currency: string) => string,
): string {
  const totals = new Map<string, Decimal>();
  for (const { currency, outstandingBalance } of invoices) {
    totals.set(currency, add(totals.get(currency) ?? '0', outstandingBalance));
  }
  return [...totals].map(([currency, total]) => format(total, currency)).join(', ');
}

/* The content of mails about accounts: a new password, another e-mail address, a sign-up to confirm. */

type PasswordReset = Extract<MailSubject, { readonly kind: 'passwordReset' }>;
type SignupConfirm = Extract<MailSubject, { readonly kind: 'signupConfirm' }>;

/**
 * The user name, and the address of the page that takes the password.
 *
 * @param sender the tenant's name
 * @example resetContent(subject, { own, sender: 'Demo' }).subject // 'Your password at Demo'
 */
function resetContent(
  { username, resetAddress }: PasswordReset,
  { own, sender }: { readonly own: MailWords; readonly sender: string },
) {
  const { subject, lead } = own.passwordReset;
  return {
    subject: fill(subject, { sender }),
    paragraphs: [fill(lead, { sender }), own.resetHow],
    facts: [
      { name: 'username', label: own.username, value: username },
      { name: 'resetAddress', label: own.resetAddress, value: resetAddress },
    ],
    table: null,
    remarks: [own.resetIgnored],
  };
}

/**
 * What an address is told that is no longer that of an account.
 *
 * @example changedContent({ own, sender: 'Demo' }).subject // 'Your e-mail address at Demo'
 */
function changedContent({ own, sender }: { readonly own: MailWords; readonly sender: string }) {
  const { subject, lead } = own.contactChanged;
  return {
    subject: fill(subject, { sender }),
    paragraphs: [fill(lead, { sender }), own.changedNow],
    facts: [],
    table: null,
    remarks: [own.changedByOther],
  };
}

/**
 * The address of the page whose button makes an order that charges nothing today.
 *
 * @param sender the tenant's name
 * @example confirmContent(subject, { own, sender: 'Demo' }).subject
 *   // 'Please confirm your order at Demo'
 */
function confirmContent(
  { confirmAddress }: SignupConfirm,
  { own, sender }: { readonly own: MailWords; readonly sender: string },
) {
  const { subject, lead } = own.signupConfirm;
  return {
    subject: fill(subject, { sender }),
    paragraphs: [fill(lead, { sender }), own.confirmHow],
    facts: [{ name: 'confirmAddress', label: own.resetAddress, value: confirmAddress }],
    table: null,
    remarks: [own.confirmIgnored],
  };
}

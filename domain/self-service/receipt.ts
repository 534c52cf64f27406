/** The receipt of a payment in the customer's language and formats, for HTML and PDF to lay out. */
import { documentLocaleOf, formatsOf, type Formats } from '../invoices/formats.ts';
import { paperOf, type InvoicePage, type Labelled } from '../invoices/page.ts';
import {
  footOf,
  recipientOf,
  senderOf,
  type SourceCustomer,
  type SourceSender,
} from '../invoices/page-parties.ts';
import { fill } from '../text/fill.ts';
import { languageOf, type MessagesByLanguage } from '../text/language.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import { compare, type Decimal } from '../money/money.ts';
import type { PaymentMethodType } from '../payments/allocation.ts';
import { methodText } from '../text/method.ts';
import type { InvoiceWords, MethodWords, ReceiptWords } from '../text/messages.ts';

/** A payment; its amount is the sum of all that it was used for. */
export interface ReceiptPayment {
  readonly id: number;
  readonly effectiveDate: IsoDate;
  readonly currency: string;
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  readonly unapplied: Decimal;
  readonly goneBack: Decimal;
  readonly otherDebts: Decimal;
  /** Of invoices beyond those that are named. */
  readonly furtherInvoices: Decimal;
  readonly methodType: PaymentMethodType | null;
  readonly method: string | null;
  readonly invoices: readonly {
    readonly id: number;
    readonly invoiceNumber: string;
    readonly invoiceDate: IsoDate;
    readonly amount: Decimal;
  }[];
}

export interface ReceiptSource {
  readonly payment: ReceiptPayment;
  readonly customer: SourceCustomer;
  readonly sender: SourceSender;
}

export interface ReceiptRow extends Labelled {
  /** Null: it is no invoice. */
  readonly invoiceId: number | null;
}

type Shared = 'language' | 'locale' | 'paper' | 'sender' | 'recipient' | 'recipientLabel';

export interface ReceiptPage extends Pick<InvoicePage, Shared | 'title' | 'facts' | 'foot'> {
  readonly words: Pick<InvoiceWords, 'page'>;
  readonly number: string;
  readonly paidOn: IsoDate;
  /** A mark, as a paid invoice has it. */
  readonly stamp: { readonly kind: 'paid'; readonly text: string };
  /** The headings of the rows. */
  readonly columns: readonly [what: string, amount: string];
  readonly rows: readonly ReceiptRow[];
  readonly total: Labelled;
}

/**
 * The receipt of a Paid payment. Pure: the same source gives the same page.
 *
 * @example receiptPage(source, messages).title // 'Quittung 4711' for a customer with locale de_DE
 */
export function receiptPage(
  { payment, customer, sender }: ReceiptSource,
  messages: MessagesByLanguage,
): ReceiptPage {
  const locale = documentLocaleOf({ customer, sender });
  const language = languageOf(locale);
  const { invoice: words, receipt: own, method: methods } = messages[language];
  const formats = formatsOf(locale, payment.currency);
  const wording = { words, formats };
  const number = String(payment.id);
  return {
    language,
    locale,
    paper: paperOf(locale),
    words: { page: words.page },
    title: fill(own.receipt, { number }),
    number,
    paidOn: payment.effectiveDate,
    recipientLabel: own.receivedFrom,
    sender: senderOf(sender, wording),
    recipient: recipientOf(customer, wording),
    stamp: { kind: 'paid', text: words.paid },
    facts: receiptFacts(payment, { own, methods, formats }),
    columns: [own.usedFor, own.amount],
    rows: receiptRows(payment, { own, formats }),
    total: { label: own.total, value: formats.amount(payment.amount) },
    // Nobody is asked to pay any more.
    foot: footOf(sender, { words, isCreditNote: true }),
  };
}

export interface ReceiptWording {
  readonly own: ReceiptWords;
  readonly methods: MethodWords;
  readonly formats: Formats;
}

/** @example receiptFacts(payment, wording)[1] // { label: 'Payment date', value: 'January 15, 2027' } */
export function receiptFacts(
  { id, effectiveDate, ...payment }: ReceiptPayment,
  { own, methods, formats }: ReceiptWording,
): Labelled[] {
  const method = paidBy(payment, methods);
  return [
    { label: own.number, value: String(id) },
    { label: own.date, value: formats.date(effectiveDate) },
    ...(method === null ? [] : [{ label: own.method, value: method }]),
  ];
}

/**
 * How it was paid; null if nobody knows.
 *
 * @example paidBy({ method: null, methodType: 'ACH' }, messages.en.method) // 'Bank account'
 */
export function paidBy(
  { method, methodType }: Pick<ReceiptPayment, 'method' | 'methodType'>,
  methods: MethodWords,
): string | null {
  const stored = method ?? methodType;
  return stored === null ? null : methodText(stored, methods);
}

const otherUses = ['furtherInvoices', 'otherDebts', 'surcharge', 'unapplied', 'goneBack'] as const;

/**
 * What the payment was used for; the amounts sum to its own.
 *
 * @example receiptRows(payment, wording)
 *   // [{ label: 'Invoice 1002 of January 15, 2027', value: '$29.34', invoiceId: 12 }]
 */
export function receiptRows(
  { invoices, ...payment }: ReceiptPayment,
  { own, formats }: Pick<ReceiptWording, 'own' | 'formats'>,
): ReceiptRow[] {
  const others = otherUses
    .filter((name) => compare(payment[name], '0') !== 0)
    .map((name) => ({
      label: own[name],
      value: formats.amount(payment[name]),
      invoiceId: null,
    }));
  const paid = invoices.map(({ id, invoiceNumber: number, invoiceDate, amount }) => ({
    label: fill(own.invoice, { number, date: formats.date(invoiceDate) }),
    value: formats.amount(amount),
    invoiceId: id,
  }));
  return [...paid, ...others];
}

/** @example receiptNameOf(page) // 'receipt-4711.pdf' */
export const receiptNameOf = ({ number }: Pick<ReceiptPage, 'number'>): string =>
  `receipt-${number}.pdf`;

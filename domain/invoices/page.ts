/**
 * The document of an invoice in the customer's language and formats, for HTML and PDF to lay out.
 */
import type { InvoiceStatus } from './happened.ts';
import { compare, type Decimal } from '../money/money.ts';
import { daysFromTo, type IsoDate } from '../calendar/calendar.ts';
import { invoiceLines, type PageLine, type SourceLine, type SourceTier } from './page-lines.ts';
import { type DocumentKind, namesOf } from './document-kind.ts';
import { documentLocaleOf, formatsOf, type Formats } from './formats.ts';
import {
  footOf,
  recipientOf,
  senderOf,
  type FootPart,
  type Party,
  type SourceCustomer,
  type SourceSender,
} from './page-parties.ts';
import { summaryRows, type Settlement, type SummaryRow } from './page-summary.ts';
import { taxBases, taxedCharges, taxRows, type SourceTax, type TaxRow } from './page-taxes.ts';
import type { InvoiceWords } from '../text/messages.ts';
import { fill } from '../text/fill.ts';
import { languageOf, type Language, type MessagesByLanguage } from '../text/language.ts';

/** The source data of an invoice's document. */
export interface InvoiceSource {
  readonly invoice: {
    readonly invoiceNumber: string;
    readonly status: InvoiceStatus;
    readonly invoiceDate: IsoDate;
    readonly dueDate: IsoDate;
    readonly billingStartDate: IsoDate | null;
    readonly billingEndDate: IsoDate | null;
    readonly currency: string;
    readonly previousBalance: Decimal;
    readonly paymentsAndAdjustments: Decimal;
    readonly outstandingBalance: Decimal;
    readonly currentAmountDue: Decimal;
    readonly totalDue: Decimal;
    readonly lines: readonly SourceLine[];
    readonly notes: string | null;
    readonly purchaseOrder: string | null;
    /** Of a cancelled invoice, if its cancellation has a document. */
    readonly cancellationNumber?: string | null;
    readonly dateCancelled?: IsoDate | null;
  };
  readonly customer: SourceCustomer;
  readonly sender: SourceSender;
  /** The tiers of the invoice's charges, by id. */
  readonly tiers: ReadonlyMap<number, SourceTier>;
  /** The ids of the charges that are discounts. */
  readonly discounts: ReadonlySet<number>;
  readonly taxes: readonly SourceTax[];
  /** In order; of a credit note, the invoices that its amount was applied to. */
  readonly settlements: readonly Settlement[];
  /** What is left of a credit note's amount; null for an invoice. */
  readonly creditLeft: Decimal | null;
  /** The invoice of which a credit note gives back; absent if it gives back of none. */
  readonly creditNoteOf?: NamedInvoice | null;
  /** The invoice that a cancellation cancels; absent of any other document. */
  readonly cancels?: NamedInvoice;
}

/** Another invoice, as a document names it. */
export interface NamedInvoice {
  readonly invoiceNumber: string;
  readonly invoiceDate: IsoDate;
}

export interface Labelled {
  readonly label: string;
  readonly value: string;
}

export type Stamp = 'paid' | 'cancelled' | 'carriedOver';

export interface InvoicePage {
  /** The language of its words, for `lang`. */
  readonly language: Language;
  /** The locale of its figures; it also selects the national form of Han characters. */
  readonly locale: string;
  readonly paper: 'a4' | 'letter';
  readonly words: InvoiceWords;
  /** `Invoice 1001`; a negative invoice is a credit note: `Credit note 1001`. */
  readonly title: string;
  readonly kind: DocumentKind;
  /** Above the recipient: `Bill to`. */
  readonly recipientLabel: string;
  readonly invoiceNumber: string;
  readonly invoiceDate: IsoDate;
  readonly sender: Party & { readonly logo: string | null };
  readonly recipient: Party;
  /** A visible mark for the status; null while the invoice is Outstanding. */
  readonly stamp: { readonly kind: Stamp; readonly text: string } | null;
  readonly facts: readonly Labelled[];
  readonly lines: readonly PageLine[];
  /** The taxes by rate; none without such taxes. */
  readonly taxes: readonly TaxRow[];
  readonly summary: readonly SummaryRow[];
  /** Paragraphs. */
  readonly notes: readonly string[];
  readonly foot: readonly FootPart[];
}

const letterCountries = new Set(['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'VE', 'CR', 'GT', 'PA', 'PR']);
const stamps: Readonly<Partial<Record<InvoiceStatus, Stamp>>> = {
  Paid: 'paid',
  Cancelled: 'cancelled',
  CarriedOver: 'carriedOver',
};

/**
 * The document of an invoice. Pure: the same source gives the same page.
 *
 * @example invoicePage(source, messages).title // 'Rechnung 1001' for a customer with locale de_DE
 */
export function invoicePage(source: InvoiceSource, messages: MessagesByLanguage): InvoicePage {
  const { invoice, customer, sender, tiers, discounts, settlements, creditLeft } = source;
  const locale = documentLocaleOf({ customer, sender });
  const language = languageOf(locale);
  const { invoice: words, method: methods } = messages[language];
  const formats = formatsOf(locale, invoice.currency);
  const kind = kindOf(source);
  const wording = { words, formats, kind, isCreditNote: kind !== 'invoice' };
  const taxed = taxedCharges(invoice.lines, source.taxes);
  const bases = taxBases(taxed);
  return {
    language,
    locale,
    paper: paperOf(locale),
    words,
    title: `${namesOf(words, kind).title} ${invoice.invoiceNumber}`,
    kind,
    recipientLabel: kind === 'invoice' ? words.billTo : words.creditTo,
    invoiceNumber: invoice.invoiceNumber,
    invoiceDate: invoice.invoiceDate,
    sender: senderOf(sender, wording),
    recipient: recipientOf(customer, wording),
    stamp: kind === 'cancellation' ? null : stampOf(invoice.status, wording),
    facts: factsOf(source, wording),
    lines: invoiceLines(invoice.lines, { words, formats, tiers, discounts, bases }),
    taxes: taxRows(taxed, formats),
    summary: summaryRows(invoice, { words, methods, formats, settlements, creditLeft, kind }),
    notes: paragraphs(invoice.notes),
    foot: footOf(sender, wording),
  };
}

/**
 * The paper that is usual where a locale is.
 *
 * @param locale as `localeOf` gives it
 * @example paperOf('en-US') // 'letter'
 */
export function paperOf(locale: string): InvoicePage['paper'] {
  return letterCountries.has(new Intl.Locale(locale).region ?? '') ? 'letter' : 'a4';
}

function kindOf({ invoice, cancels }: InvoiceSource): DocumentKind {
  if (cancels !== undefined) return 'cancellation';
  return compare(invoice.currentAmountDue, '0') < 0 ? 'creditNote' : 'invoice';
}

interface Wording {
  readonly words: InvoiceWords;
  readonly formats: Formats;
  readonly kind: DocumentKind;
}

/** A settled credit note was not paid: its amount was credited. */
function stampOf(status: InvoiceStatus, { words, kind }: Wording): InvoicePage['stamp'] {
  const stamp = stamps[status];
  if (stamp === undefined) return null;
  const isCredited = stamp === 'paid' && kind === 'creditNote';
  return { kind: stamp, text: isCredited ? words.credited : words[stamp] };
}

function factsOf(source: InvoiceSource, { words, formats, kind }: Wording): Labelled[] {
  const { invoice, customer, creditNoteOf = null, cancels = null } = source;
  const { billingStartDate: from, billingEndDate: to } = invoice;
  const named = ({ invoiceNumber: number, invoiceDate }: NamedInvoice): string =>
    fill(words.invoiceOf, { number, date: formats.date(invoiceDate) });
  const names = namesOf(words, kind);
  const facts = [
    { label: names.number, value: invoice.invoiceNumber },
    { label: names.date, value: formats.date(invoice.invoiceDate) },
  ];
  if (creditNoteOf !== null) facts.push({ label: words.forInvoice, value: named(creditNoteOf) });
  if (cancels !== null) facts.push({ label: words.cancels, value: named(cancels) });
  // Neither a credit note nor a cancellation is ever due.
  if (kind === 'invoice') {
    facts.push({ label: words.dueDate, value: formats.date(invoice.dueDate) });
    facts.push({ label: words.paymentTerms, value: termsOf(invoice, { words, formats }) });
  }
  const cancelled = cancelledBy(source);
  if (cancelled !== null) facts.push({ label: words.cancelledBy, value: named(cancelled) });
  if (from !== null && to !== null) {
    facts.push({ label: words.period, value: formats.period(from, to) });
  }
  if (customer.extCustomerRef !== null) {
    facts.push({ label: words.customerReference, value: customer.extCustomerRef });
  }
  if (invoice.purchaseOrder !== null) {
    facts.push({ label: words.purchaseOrder, value: invoice.purchaseOrder });
  }
  return facts;
}

/** Its cancellation, which only the invoice's own document names. */
function cancelledBy({ invoice, cancels }: InvoiceSource): NamedInvoice | null {
  const { cancellationNumber: invoiceNumber, dateCancelled: invoiceDate } = invoice;
  if (cancels !== undefined || invoiceNumber == null || invoiceDate == null) return null;
  return { invoiceNumber, invoiceDate };
}

/** The terms according to the dates, because those of customer and tenant may change later. */
function termsOf(
  { invoiceDate, dueDate }: Pick<InvoiceSource['invoice'], 'invoiceDate' | 'dueDate'>,
  { words, formats }: Pick<Wording, 'words' | 'formats'>,
): string {
  const days = daysFromTo(invoiceDate, dueDate) - 1;
  if (days <= 0) return words.dueOnReceipt;
  if (days === 1) return words.dueWithinOneDay;
  return fill(words.dueWithinDays, { days: formats.number(String(days)) });
}

function paragraphs(notes: string | null): string[] {
  return (notes ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

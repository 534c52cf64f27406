/** The sums of an invoice's document: what was due when it was made, what was paid since, what is due. */
import type { IsoDate } from '../calendar/calendar.ts';
import { add, negate, type Decimal } from '../money/money.ts';
import type { Formats } from './formats.ts';
import { methodText } from '../text/method.ts';
import type { InvoiceWords, MethodWords } from '../text/messages.ts';
import { fill } from '../text/fill.ts';
import { type DocumentKind, namesOf } from './document-kind.ts';

/** Money that an invoice was settled with, or an invoice that a credit note's amount settled. */
export interface Settlement {
  readonly date: IsoDate;
  readonly kind: 'Payment' | 'Credit';
  /** `Visa - *****1111`, or the type of a method without details. */
  readonly method: string | null;
  /** The invoice that a credit note credits; null on an invoice. */
  readonly invoiceNumber: string | null;
  /** The credit note of the invoice that left the credit; absent if another one did. */
  readonly noteNumber?: string | null;
  readonly amount: Decimal;
}

export interface SummarySource {
  readonly previousBalance: Decimal;
  readonly paymentsAndAdjustments: Decimal;
  readonly currentAmountDue: Decimal;
  readonly totalDue: Decimal;
  readonly outstandingBalance: Decimal;
}

export interface SummaryRow {
  readonly label: string;
  readonly value: string;
  readonly isTotal: boolean;
}

export interface SummaryWording {
  readonly words: InvoiceWords;
  readonly methods: MethodWords;
  readonly formats: Formats;
  readonly settlements: readonly Settlement[];
  /** What a credit note leaves; null on an invoice. */
  readonly creditLeft: Decimal | null;
  readonly kind: DocumentKind;
}

/** The sums are on one page; older settlements are added up. */
const SETTLEMENTS_SHOWN_MAX = 12;

/**
 * The rows of the sums. The first four are frozen when the invoice is made; the others live.
 *
 * @example summaryRows(invoice, wording).at(-1)
 *   // { label: 'Still due of this invoice', value: '$28.95', isTotal: true }
 */
export function summaryRows(invoice: SummarySource, wording: SummaryWording): SummaryRow[] {
  const { words, formats, settlements, creditLeft, kind } = wording;
  const row = (label: string, amount: Decimal, isTotal = false) => ({
    label,
    value: formats.amount(amount),
    isTotal,
  });
  const { amount: own } = namesOf(words, kind);
  // It has no part in the balance of its customer.
  if (kind === 'cancellation') return [row(own, invoice.currentAmountDue, true)];
  const isCreditNote = creditLeft !== null;
  const earlier = settlements.slice(0, -SETTLEMENTS_SHOWN_MAX);
  const sign = (amount: Decimal) => (isCreditNote ? amount : negate(amount));
  return [
    row(words.previousBalance, invoice.previousBalance),
    row(words.paymentsAndAdjustments, invoice.paymentsAndAdjustments),
    row(own, invoice.currentAmountDue),
    row(words.totalDue, invoice.totalDue),
    ...(earlier.length > 0 ? [row(words.earlierSettlements, sign(sumOf(earlier)))] : []),
    ...settlements
      .slice(-SETTLEMENTS_SHOWN_MAX)
      .map((each) => row(labelOf(each, wording), sign(each.amount))),
    isCreditNote
      ? row(words.creditLeft, creditLeft, true)
      : row(words.stillDue, invoice.outstandingBalance, true),
  ];
}

function sumOf(settlements: readonly Settlement[]): Decimal {
  return settlements.reduce<Decimal>((sum, { amount }) => add(sum, amount), '0');
}

function labelOf(
  { date, kind, method, invoiceNumber, noteNumber = null }: Settlement,
  { words, methods, formats }: Pick<SummaryWording, 'words' | 'methods' | 'formats'>,
): string {
  const at = { date: formats.date(date), number: invoiceNumber ?? noteNumber ?? '' };
  if (invoiceNumber !== null) return fill(words.creditedTo, at);
  if (noteNumber !== null) return fill(words.creditNoteOn, at);
  const label = fill(kind === 'Credit' ? words.creditOn : words.paymentOn, at);
  return method === null ? label : `${label} · ${methodText(method, methods)}`;
}

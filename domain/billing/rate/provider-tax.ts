/**
 * The taxes of an invoice by a tax provider: what it is asked, the charges of its answer, and the
 * credits that it is told.
 */
import assert from 'node:assert';
import type { IsoDate } from '../../calendar/calendar.ts';
import { add, compare, formatAmount, sum, type Decimal } from '../../money/money.ts';
import type {
  CreditLine,
  LineTax,
  TaxAnswer,
  TaxDocument,
  TaxedAddress,
} from '../../tax/documents.ts';
import { categoryAt } from '../../tax/rates.ts';
import {
  givesBack,
  planChargeOf,
  taxCodeOf,
  type CreditCharge,
  type InvoiceCharge,
  type RateTaxCharge,
} from '../charges.ts';
import { isTaxed, withPlanTaxes, type Taxing } from './tax.ts';
import type { DraftInvoice } from './total.ts';

export interface TaxParties {
  readonly customerId: number;
  readonly invoiceDate: IsoDate;
  readonly shipFrom: TaxedAddress;
  readonly shipTo: TaxedAddress;
}

/**
 * One period or window of an order line with its tiers and discounts, or a charge made by hand, which
 * is one line of the document.
 */
interface TaxedPart {
  /** The index of its line on the invoice. */
  readonly line: number;
  readonly taxCode: string;
  readonly priceCode: string | null;
  readonly charges: readonly InvoiceCharge[];
}

/**
 * Taxes invoices by the answers of a provider. An invoice whose document has no answer yet bears no
 * such tax, and says so. Credits are not asked about, because they carry back the tax of their
 * invoices: an invoice of nothing else with a tax code is answered. One without any tax code is none
 * of the provider's.
 *
 * @param answerTo the stored answer to exactly this document
 * @example byProvider(parties, () => null)([[fee]], 'USD').asked // { document, credits: [], isAnswered: false }
 */
export function byProvider(
  parties: TaxParties,
  answerTo: (document: TaxDocument) => TaxAnswer | null,
): Taxing {
  return (rated, currency) => {
    const lines = rated.map((charges) => withPlanTaxes(charges, currency));
    const parts = lines.flatMap(partsOf);
    const credits = creditsOf(lines.flat(), { currency, linesBefore: parts.length });
    if (parts.length === 0 && credits.length === 0) return { lines, asked: null };
    const document = documentOf(parts, parties, currency);
    if (parts.length === 0) return { lines, asked: { document, credits, isAnswered: true } };
    const answer = answerTo(document);
    if (answer === null) return { lines, asked: { document, credits, isAnswered: false } };
    const answered = { parts, answer, currency };
    return {
      lines: lines.map((charges, line) => [...charges, ...taxesOf(line, answered)]),
      asked: { document, credits, isAnswered: true },
    };
  };
}

/** A made invoice as its provider records it. */
export interface TaxToRecord {
  readonly document: TaxDocument;
  readonly credits: readonly CreditLine[];
  /** What the record should come to: the sent amounts without tax, and their taxes. */
  readonly total: Decimal;
  readonly tax: Decimal;
}

/**
 * What a provider is to record of an invoice; null if none taxes it.
 *
 * @example // 36.00 with taxes of 1.44 and 1.62, and a credit of -10.00 with -0.85
 *   taxToRecord(invoice) // { total: '26.00', tax: '2.21', document, credits }
 */
export function taxToRecord({ asked, lines, currency }: DraftInvoice): TaxToRecord | null {
  if (asked === null) return null;
  const { document, credits } = asked;
  const taxes = lines.flatMap(({ charges }) =>
    charges.flatMap(({ charge }) => ('rate' in charge ? charge.amount : [])),
  );
  const sent = [...document.lines, ...credits];
  return {
    document,
    credits,
    total: formatAmount(currency, sum(sent.map(({ amount }) => amount))),
    tax: formatAmount(currency, sum([...taxes, ...credits.map(({ taxAmount }) => taxAmount)])),
  };
}

/**
 * What a provider is to record of the charges of an invoice that were credited without a later
 * invoice; null if none has a tax code.
 *
 * @example // 21.00 and their tax of 1.87 go back
 *   taxReturn(credits, { currency: 'USD', ...parties }) // { total: '-21.00', tax: '-1.87', ... }
 */
export function taxReturn(
  charges: readonly CreditCharge[],
  asked: TaxParties & Pick<TaxDocument, 'currency'>,
): TaxToRecord | null {
  const { currency } = asked;
  const credits = creditsOf(charges, { currency, linesBefore: 0 });
  if (credits.length === 0) return null;
  return {
    document: { ...asked, lines: [] },
    credits,
    total: formatAmount(currency, sum(credits.map(({ amount }) => amount))),
    tax: formatAmount(currency, sum(credits.map(({ taxAmount }) => taxAmount))),
  };
}

/** One line for each tax code, in the order of their first credits, numbered on from the others. */
function creditsOf(
  charges: readonly InvoiceCharge[],
  { currency, linesBefore }: { readonly currency: string; readonly linesBefore: number },
): readonly CreditLine[] {
  const byCode = new Map<string, { amount: Decimal; taxAmount: Decimal }>();
  for (const charge of charges) {
    const { taxCode, isTax } = carriedBack(charge);
    if (taxCode === null) continue;
    const { amount, taxAmount } = byCode.get(taxCode) ?? { amount: '0', taxAmount: '0' };
    byCode.set(
      taxCode,
      isTax
        ? { amount, taxAmount: add(taxAmount, charge.amount) }
        : { amount: add(amount, charge.amount), taxAmount },
    );
  }
  return [...byCode]
    .filter(([, sums]) => compare(sums.amount, '0') !== 0 || compare(sums.taxAmount, '0') !== 0)
    .map(([taxCode, { amount, taxAmount }], index) => ({
      number: String(linesBefore + index + 1),
      amount: formatAmount(currency, amount),
      taxAmount: formatAmount(currency, taxAmount),
      taxCode,
    }));
}

/** The tax code of what a charge gives back of earlier invoices; null if it gives back nothing. */
function carriedBack(charge: InvoiceCharge): {
  readonly taxCode: string | null;
  readonly isTax: boolean;
} {
  if (charge.kind === 'credit') return charge.credits;
  return { taxCode: givesBack(charge) ? taxCodeOf(charge) : null, isTax: false };
}

/** The parts of a line that have a tax code, in the order of their first charges. */
function partsOf(charges: readonly InvoiceCharge[], line: number): TaxedPart[] {
  const parts = new Map<object, { readonly charges: InvoiceCharge[] } & TaxedPart>();
  for (const charge of charges) {
    const taxCode = taxCodeOf(charge);
    if (taxCode === null || !isTaxed(charge.kind) || givesBack(charge)) continue;
    const what = partOf(charge);
    const part = parts.get(what);
    if (part !== undefined) part.charges.push(charge);
    else parts.set(what, { line, taxCode, priceCode: priceCodeOf(charge), charges: [charge] });
  }
  return [...parts.values()];
}

function priceCodeOf(charge: InvoiceCharge): string | null {
  return charge.kind === 'manual' ? charge.priceCode : (planChargeOf(charge)?.priceCode ?? null);
}

function partOf(charge: InvoiceCharge): object {
  if (charge.kind === 'manual') return charge;
  if (charge.kind === 'discount') return charge.discounts;
  if ('window' in charge) return charge.window;
  assert('due' in charge, `a charge of kind ${charge.kind} has no tax code`);
  return charge.due;
}

function documentOf(
  parts: readonly TaxedPart[],
  parties: TaxParties,
  currency: string,
): TaxDocument {
  const lines = parts.map(({ taxCode, priceCode, charges }, index) => ({
    number: String(index + 1),
    amount: formatAmount(currency, sum(charges.map(({ amount }) => amount))),
    taxCode,
    priceCode,
  }));
  return { ...parties, currency, lines };
}

interface AnsweredParts {
  readonly parts: readonly TaxedPart[];
  readonly answer: TaxAnswer;
  readonly currency: string;
}

/** The taxes of a line of the invoice: one charge for each code and rate of a jurisdiction. */
function taxesOf(line: number, { parts, answer, currency }: AnsweredParts): RateTaxCharge[] {
  const byRate = new Map<string, RateTaxCharge>();
  for (const [index, part] of parts.entries()) {
    if (part.line !== line) continue;
    const answered = answer[index];
    assert(answered?.number === String(index + 1), 'an answer has the lines of its document');
    for (const tax of answered.taxes) {
      const key = JSON.stringify([part.taxCode, tax.jurisdiction, tax.name, tax.percent]);
      const before = byRate.get(key);
      byRate.set(key, {
        kind: 'tax',
        rate: rateOf(tax, part.taxCode),
        base: [...(before?.base ?? []), ...part.charges],
        amount: formatAmount(currency, add(before?.amount ?? '0', tax.amount)),
      });
    }
  }
  return [...byRate.values()];
}

function rateOf({ name, percent, jurisdiction }: LineTax, taxCode: string): RateTaxCharge['rate'] {
  const category = categoryAt(percent);
  return { percent, taxCode, name, category, exemptionReason: null, jurisdiction };
}

/**
 * Invoices lack their taxes, because the provider was not asked about them; nothing is stored.
 *
 * @example new UnansweredTaxes(unanswered(drafts))
 */
export class UnansweredTaxes extends Error {
  readonly documents: readonly TaxDocument[];

  constructor(documents: readonly TaxDocument[]) {
    super(`${documents.length} invoices lack the answer of the tax provider`);
    this.name = 'UnansweredTaxes';
    this.documents = documents;
  }
}

/**
 * Throws UnansweredTaxes if one of them lacks its taxes.
 *
 * @example refuseUntaxed([]) // nothing
 */
export function refuseUntaxed(invoices: readonly DraftInvoice[]): void {
  const questions = unanswered(invoices);
  if (questions.length > 0) throw new UnansweredTaxes(questions);
}

/**
 * What the provider has to be asked before these invoices may be made.
 *
 * @example unanswered(drafts) // the documents of those that have no answer yet
 */
export function unanswered(invoices: readonly DraftInvoice[]): TaxDocument[] {
  return invoices.flatMap(({ asked }) =>
    asked === null || asked.isAnswered ? [] : [asked.document],
  );
}

/** The documents of AvaTax's interface: what is sent, and the parts of its answers that are read. */
import { z } from 'zod';
import { formatDecimal, parseDecimal, type Decimal } from '../../../domain/money/money.ts';
import type { TaxAnswer, TaxDocument, TaxedAddress } from '../../../domain/tax/documents.ts';
import {
  TaxProviderError,
  type AddressMistake,
  type RecordedDocument,
  type RecordName,
} from '../tax-provider.ts';

/** A charge made by hand may have a longer priceCode. */
const ITEM_CODE_LENGTH_MAX = 50;
const CREDIT_REASON = 'Credit for unused days, with the tax of its invoice';

/** An estimate, which AvaTax does not store. */
export function salesOrder(document: TaxDocument, companyCode: string) {
  return { ...transaction(document, companyCode), type: 'SalesOrder' };
}

/** Codes are unique within a type, and a call that names none means a SalesInvoice. */
export function typeOf({ returnOf }: RecordName): 'SalesInvoice' | 'ReturnInvoice' {
  return returnOf === null ? 'SalesInvoice' : 'ReturnInvoice';
}

/** A committed record. */
export function recordOf(document: RecordedDocument, companyCode: string) {
  const { lines, ...sent } = transaction(document, companyCode);
  const credits = document.credits.map(({ number, amount, taxAmount, taxCode }) => ({
    number,
    quantity: 1,
    amount: Number(amount),
    taxCode,
    taxOverride: { type: 'TaxAmount', taxAmount: Number(taxAmount), reason: CREDIT_REASON },
  }));
  return {
    createTransactionModel: {
      ...sent,
      lines: [...lines, ...credits],
      type: typeOf(document),
      code: document.code,
      referenceCode: document.returnOf ?? undefined,
      commit: true,
    },
    adjustmentReason: 'Other',
    adjustmentDescription: 'A repeated call',
  };
}

function transaction(document: TaxDocument, companyCode: string) {
  const { customerId, invoiceDate, currency, shipFrom, shipTo } = document;
  return {
    companyCode,
    customerCode: String(customerId),
    date: invoiceDate,
    currencyCode: currency,
    addresses: { shipFrom: location(shipFrom), shipTo: location(shipTo) },
    lines: document.lines.map(({ number, amount, taxCode, priceCode }) => ({
      number,
      quantity: 1,
      amount: Number(amount),
      taxCode,
      itemCode: priceCode?.slice(0, ITEM_CODE_LENGTH_MAX),
    })),
  };
}

/** An address without the fields that it does not have. */
export function location({ street1, street2, city, state, zip, countryCode }: TaxedAddress) {
  return {
    line1: street1 ?? undefined,
    line2: street2 ?? undefined,
    city: city ?? undefined,
    region: state ?? undefined,
    postalCode: zip ?? undefined,
    country: countryCode ?? undefined,
  };
}

const lineDetail = z.object({
  country: z.string().default(''),
  jurisCode: z.string().default(''),
  jurisName: z.string().default(''),
  taxName: z.string().optional(),
  rate: z.number(),
  tax: z.number(),
});
const calculated = z.object({
  totalTax: z.number(),
  lines: z.array(z.object({ lineNumber: z.string(), details: z.array(lineDetail).default([]) })),
});

/** Throws TaxProviderError if the answer is not of this document, or does not add up. */
export function taxAnswer(answer: unknown, { lines }: TaxDocument): TaxAnswer {
  const { totalTax, lines: answered } = checked(calculated, answer);
  const byNumber = new Map(answered.map((line) => [line.lineNumber, line.details]));
  const taxes = lines.map(({ number }) => {
    const details = byNumber.get(number);
    if (details === undefined) throw invalid();
    return { number, taxes: details.map(lineTax) };
  });
  const total = taxes.flatMap((line) => line.taxes.map(({ amount }) => parseDecimal(amount)));
  const difference =
    parseDecimal(decimalOf(totalTax)) - total.reduce((sum, each) => sum + each, 0n);
  if (byNumber.size !== lines.length || difference !== 0n) throw invalid();
  return taxes;
}

function lineTax({
  country,
  jurisCode,
  jurisName,
  taxName,
  rate,
  tax,
}: z.infer<typeof lineDetail>) {
  return {
    name: taxName ?? jurisName,
    jurisdiction: [country, jurisCode].filter((part) => part !== '').join('/'),
    percent: decimalOf(rate * 100),
    amount: decimalOf(tax),
  };
}

const recorded = z.object({ code: z.string(), totalAmount: z.number(), totalTax: z.number() });

/** Throws TaxProviderError if the record has another code. */
export function taxRecord(answer: unknown, code: string) {
  const record = checked(recorded, answer);
  if (record.code !== code) throw invalid();
  return { total: decimalOf(record.totalAmount), tax: decimalOf(record.totalTax) };
}

const resolution = z.object({
  messages: z
    .array(
      z.object({
        summary: z.string().optional(),
        details: z.string().optional(),
        refersTo: z.string().optional(),
        severity: z.string().optional(),
      }),
    )
    .default([]),
});

/** AvaTax's names of our fields: `Address.Line0`, `Address.PostalCode`. */
const fields: readonly (readonly [RegExp, AddressMistake['field']])[] = [
  [/line[01]?$/i, 'street1'],
  [/line2$/i, 'street2'],
  [/city$/i, 'city'],
  [/region$/i, 'state'],
  [/postalcode$/i, 'zip'],
  [/country$/i, 'countryCode'],
];

/** The mistakes that an answer to an address names; warnings are none. */
export function addressMistakes(answer: unknown): readonly AddressMistake[] {
  const { messages } = checked(resolution, answer);
  return messages
    .filter(({ severity }) => severity === 'Error' || severity === 'Exception')
    .map(({ summary, details, refersTo = '' }) => ({
      field: fields.find(([name]) => name.test(refersTo))?.[1] ?? null,
      text: details ?? summary ?? 'the tax provider does not know the address',
    }));
}

function checked<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const { data } = schema.safeParse(answer);
  if (data === undefined) throw invalid();
  return data;
}

function invalid(): TaxProviderError {
  return new TaxProviderError('silent', 'answer_invalid');
}

/**
 * A number of JSON with at most 6 decimals, beyond which the binary fraction is not the sender's.
 *
 * @example decimalOf(0.08875 * 100) // '8.875'
 */
function decimalOf(number: number): Decimal {
  const text = number.toFixed(6);
  if (!/^-?\d{1,15}\.\d{6}$/.test(text)) throw invalid();
  return formatDecimal(parseDecimal(text));
}

/** The caller's input for a credit note, and the invoice with a negative total that it makes. */
import { type IsoDate, maxDate, minDate } from '../calendar/calendar.ts';
import type { CreditCharge } from '../billing/charges.ts';
import { creditedOf } from '../billing/credit/dependents.ts';
import {
  invalid,
  type NamedCharge,
  type NoteRequest,
  type NotableCharge,
  type NotedCharge,
} from '../billing/credit/note.ts';
import { type DraftInvoice, type DraftLine, draftCharge, sumOf } from '../billing/rate/total.ts';
import { DomainError } from '../errors.ts';
import { compare, exactAmount, formatAmount, negate, sum, type Decimal } from '../money/money.ts';

export interface CreditNoteInput {
  readonly reason?: string | null | undefined;
  readonly amount?: Decimal | null | undefined;
  readonly invoiceLineItemCharges?: readonly NamedInput[] | null | undefined;
}

interface NamedInput {
  readonly id: number;
  readonly quantity?: Decimal | null | undefined;
  readonly amount?: Decimal | null | undefined;
}

/**
 * What is asked to go back. Throws field.required and field.invalid, whose paths begin with
 * `creditNote`.
 *
 * @example noteRequestOf({ reason: 'Line was down' }, 'USD') // { of: 'all' }
 */
export function noteRequestOf(
  { reason, amount = null, invoiceLineItemCharges }: CreditNoteInput,
  currency: string,
): NoteRequest {
  if (!reason?.trim()) {
    throw new DomainError('field.required', 'reason is required', { path: 'creditNote/reason' });
  }
  const named = invoiceLineItemCharges ?? [];
  if (amount !== null) {
    if (named.length > 0) {
      throw invalid('amount', 'amount and invoiceLineItemCharges exclude each other', amount);
    }
    return { of: 'amount', amount: readAmount('amount', amount, currency) };
  }
  if (named.length === 0) return { of: 'all' };
  return { of: 'charges', charges: named.map((each, index) => readNamed(each, index, currency)) };
}

function readNamed(
  { id, quantity = null, amount = null }: NamedInput,
  index: number,
  currency: string,
): NamedCharge {
  const path = `invoiceLineItemCharges/invoiceLineItemCharge[${index + 1}]`;
  if (quantity !== null && amount !== null) {
    throw invalid(`${path}/amount`, 'quantity and amount exclude each other', amount);
  }
  if (quantity !== null && compare(quantity, '0') <= 0) {
    throw invalid(`${path}/quantity`, 'quantity must be above 0', quantity);
  }
  return {
    id,
    quantity,
    amount: amount === null ? null : readAmount(`${path}/amount`, amount, currency),
  };
}

function readAmount(path: string, amount: Decimal, currency: string): Decimal {
  if (compare(amount, '0') <= 0) throw invalid(path, 'amount must be above 0', amount);
  const exact = exactAmount(currency, amount);
  if (exact !== null) return exact;
  throw invalid(path, `amount has more decimals than ${currency}`, amount);
}

/** A line of the invoice that is credited, as the note repeats it. */
export type CreditedLine = Pick<DraftLine, 'order' | 'invoiceText' | 'purchaseOrder'> & {
  /** With the days of what each bills. */
  readonly charges: readonly (NotableCharge & {
    readonly from: IsoDate | null;
    readonly to: IsoDate | null;
  })[];
};

export interface NoteOf {
  readonly id: number;
  readonly customerId: number;
  readonly currency: string;
  readonly lines: readonly CreditedLine[];
}

/** The note without what a tax provider records of it: the charges of the invoice, reversed. */
export function draftNote(
  { id: creditNoteOf, customerId, currency, lines }: NoteOf,
  noted: readonly NotedCharge[],
  today: IsoDate,
): DraftInvoice {
  const byCharge = new Map(noted.map((each) => [each.charge.id, each]));
  const drafted = lines
    .map(({ charges, ...line }) => ({
      ...line,
      charges: charges.flatMap((charge) => {
        const back = byCharge.get(charge.id);
        return back === undefined ? [] : creditOf(charge, back, currency);
      }),
    }))
    .filter(({ charges }) => charges.length > 0)
    .map(({ charges, ...line }, index) => {
      const shown = charges.map((charge, at) => draftCharge(charge, at + 1, today));
      const total = sum(charges.map(({ amount }) => amount));
      return {
        ...line,
        ...spanOf(shown),
        position: index + 1,
        lineAmountTotal: formatAmount(currency, total),
        charges: shown,
      };
    });
  return {
    customerId,
    currency,
    currentAmountDue: sumOf(drafted, currency),
    invoiceDate: today,
    dueDate: today,
    ...spanOf(drafted),
    billingPeriod: null,
    isAutoPay: false,
    creditNoteOf,
    lines: drafted,
    asked: null,
  };
}

type Days = Pick<DraftLine, 'billingStartDate' | 'billingEndDate'>;

/** Of the parts that have days; null if none has. */
function spanOf(parts: readonly Days[]): Days {
  const starts = parts.flatMap(({ billingStartDate: day }) => day ?? []);
  const ends = parts.flatMap(({ billingEndDate: day }) => day ?? []);
  return {
    billingStartDate: starts.length === 0 ? null : starts.reduce(minDate),
    billingEndDate: ends.length === 0 ? null : ends.reduce(maxDate),
  };
}

function creditOf(
  charge: CreditedLine['charges'][number],
  { amount, quantity }: NotedCharge,
  currency: string,
): CreditCharge {
  const isCounted = quantity !== null;
  return {
    kind: 'credit',
    credits: creditedOf(charge),
    from: charge.from,
    to: charge.to,
    amount: formatAmount(currency, negate(amount)),
    note: {
      isPercent: isCounted && charge.isPercent,
      unitPrice: isCounted ? charge.unitPrice : null,
      quantity: isCounted ? negate(quantity) : null,
      unitOfMeasure: isCounted ? charge.unitOfMeasure : null,
    },
  };
}

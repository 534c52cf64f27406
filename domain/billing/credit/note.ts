/** What a credit note gives back of the charges of an invoice. */
import { DomainError } from '../../errors.ts';
import { add, compare, negate, shareOf, signOf, sum, type Decimal } from '../../money/money.ts';
import {
  followingBase,
  reduceDependents,
  type InvoicedCharge,
  type InvoicedLine,
} from './dependents.ts';
import { reduce, stoodOf, sumStanding } from './standing.ts';

/** A charge of the invoice with what notes have given back of its quantity. */
export interface NotableCharge extends InvoicedCharge {
  readonly unitOfMeasure: string | null;
  readonly quantityCredited: Decimal;
}

export interface NotableLine extends InvoicedLine {
  readonly charges: readonly NotableCharge[];
}

/** A charge that the caller names: whole, by a quantity, or by an amount before discounts and taxes. */
export interface NamedCharge {
  readonly id: number;
  readonly quantity: Decimal | null;
  readonly amount: Decimal | null;
}

/** What is asked to go back. */
export type NoteRequest =
  | { readonly of: 'all' }
  /** Taxes included. */
  | { readonly of: 'amount'; readonly amount: Decimal }
  | { readonly of: 'charges'; readonly charges: readonly NamedCharge[] };

/** An invoice of which a note gives back. */
export interface NotableInvoice {
  readonly currency: string;
  readonly lines: readonly NotableLine[];
  /** What notes to come will give back, once gateways have refunded as much. */
  readonly reserved: Decimal;
}

/** What goes back of a charge. */
export interface NotedCharge {
  readonly charge: NotableCharge;
  /** With the sign of the charge. */
  readonly amount: Decimal;
  /** Null unless it goes back by a quantity, or whole at once. */
  readonly quantity: Decimal | null;
}

/**
 * What stands of an invoice besides what is reserved; zero or less if nothing does.
 *
 * @example standsOfInvoice({ lines: [line], reserved: '20.00', currency: 'USD' }) // '53.44' of 73.44
 */
export function standsOfInvoice({ lines, reserved }: NotableInvoice): Decimal {
  return add(sum(lines.flatMap((line) => line.charges.map(stoodOf))), negate(reserved));
}

/**
 * What goes back of each charge, in their order; together more than nothing, and no more than stands.
 * Throws creditNote.tooHigh and creditNote.nothingLeft, and field.invalid for a charge that cannot be
 * named; paths are within `creditNote`.
 *
 * @example // 29.95 less 3.00, taxed with 8.875 percent; 10.00 of the fee
 *   notedCharges({ lines: [line], reserved: '0', currency: 'USD' },
 *     { of: 'charges', charges: [{ id: 5013, quantity: null, amount: '10.00' }] })
 *   // 10.00 of the fee, -1.00 of its discount, 0.80 of its tax
 */
export function notedCharges(
  invoice: NotableInvoice,
  request: NoteRequest,
): readonly NotedCharge[] {
  const { currency } = invoice;
  const lines = besidesReserved(invoice);
  const charges = lines.flatMap((line) => line.charges);
  const stood = sum(charges.map(stoodOf));
  if (compare(stood, '0') <= 0) throw nothingLeft();
  const noted = notedBy(lines, request, currency).filter(({ amount }) => signOf(amount) !== 0);
  const total = sum(noted.map(({ amount }) => amount));
  if (compare(total, '0') <= 0) throw nothingLeft();
  if (compare(total, stood) > 0) {
    throw tooHigh('it comes to more than stands of the invoice', stood);
  }
  return noted;
}

/** The charges as the notes to come, which give back by amounts, will leave them. */
function besidesReserved({ lines, reserved, currency }: NotableInvoice): readonly NotableLine[] {
  const charges = lines.flatMap((line) => line.charges);
  const stood = sum(charges.map(stoodOf));
  const amount = compare(reserved, stood) < 0 ? reserved : stood;
  if (compare(amount, '0') <= 0) return lines;
  const shares = new Map(
    sharedOut(charges, amount, currency).map(({ charge, amount: share }) => [charge, share]),
  );
  return lines.map((line) => ({
    ...line,
    charges: line.charges.map((charge) => {
      const share = shares.get(charge) ?? '0';
      const [credited, noted] = [add(charge.credited, share), add(charge.noted, share)];
      return { ...charge, credited, noted };
    }),
  }));
}

function notedBy(
  lines: readonly NotableLine[],
  request: NoteRequest,
  currency: string,
): readonly NotedCharge[] {
  const charges = lines.flatMap((line) => line.charges);
  switch (request.of) {
    case 'all':
      return charges.map((charge) => ({
        charge,
        amount: stoodOf(charge),
        quantity: atOnce(charge),
      }));
    case 'amount':
      return sharedOut(charges, request.amount, currency);
    case 'charges': {
      const named = namedIn(charges, request.charges, currency);
      return lines.flatMap((line) => ofLine(line, named, currency));
    }
  }
}

/** The quantity of a charge of which nothing was given back before. */
const atOnce = ({ credited, quantity }: NotableCharge): Decimal | null =>
  signOf(credited) === 0 ? quantity : null;

/**
 * Each charge gives its share by what stands of it. Cents that are left over are the largest
 * charge's, as far as it stands.
 */
function sharedOut(
  charges: readonly NotableCharge[],
  amount: Decimal,
  currency: string,
): NotedCharge[] {
  const whole = sum(charges.map(stoodOf));
  if (compare(amount, whole) > 0) {
    throw tooHigh('amount is more than stands of the invoice', whole, 'amount', amount);
  }
  const shares = new Map(
    charges.map((charge) => [charge, shareOf(stoodOf(charge), { part: amount, whole, currency })]),
  );
  let left = add(amount, negate(sum(shares.values())));
  const bySize = charges.toSorted((one, other) => compare(stoodOf(other), stoodOf(one)));
  for (const charge of bySize) {
    const share = shares.get(charge) ?? '0';
    const room = add(stoodOf(charge), negate(share));
    const more = compare(left, '0') > 0 && compare(left, room) > 0 ? room : left;
    if (compare(stoodOf(charge), '0') <= 0 || signOf(left) === 0) break;
    shares.set(charge, add(share, more));
    left = add(left, negate(more));
  }
  return charges.map((charge) => ({ charge, amount: shares.get(charge) ?? '0', quantity: null }));
}

interface Named {
  readonly amount: Decimal;
  readonly quantity: Decimal | null;
}

/** What goes back of the named charges themselves. */
function namedIn(
  charges: readonly NotableCharge[],
  names: readonly NamedCharge[],
  currency: string,
): ReadonlyMap<NotableCharge, Named> {
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  const named = new Map<NotableCharge, Named>();
  for (const [index, name] of names.entries()) {
    const path = `invoiceLineItemCharges/invoiceLineItemCharge[${index + 1}]`;
    const charge = byId.get(name.id);
    if (charge === undefined)
      throw invalid(path, 'the invoice has no charge with this id', name.id);
    if (named.has(charge)) throw invalid(path, 'the charge is named twice', name.id);
    if (!isNameable(charge)) {
      throw invalid(path, 'a tax, a discount or a charge of zero or less cannot be named', name.id);
    }
    named.set(charge, namedOf(charge, name, { path, currency }));
  }
  return named;
}

/** A fixed charge with isTax is no tax. */
function isNameable({ kind, isPercent, amount }: NotableCharge): boolean {
  if (kind === 'discount' || kind === 'usageSubTotal' || kind === 'credit') return false;
  return !(kind === 'tax' && isPercent) && compare(amount, '0') > 0;
}

function namedOf(
  charge: NotableCharge,
  { quantity, amount }: NamedCharge,
  { path, currency }: { readonly path: string; readonly currency: string },
): Named {
  const stood = stoodOf(charge);
  if (amount !== null) {
    if (compare(amount, stood) > 0) {
      throw tooHigh('amount is more than stands of the charge', stood, `${path}/amount`, amount);
    }
    return { amount, quantity: null };
  }
  if (quantity === null) return { amount: stood, quantity: atOnce(charge) };
  const at = `${path}/quantity`;
  if (charge.quantity === null || compare(charge.quantity, '0') <= 0) {
    throw invalid(at, 'the charge has no quantity', quantity);
  }
  const left = add(charge.quantity, negate(charge.quantityCredited));
  if (compare(quantity, left) > 0) {
    throw tooHigh('quantity is more than stands of the charge', left, at, quantity);
  }
  // The last of it is whatever stands.
  if (compare(quantity, left) === 0) return { amount: stood, quantity };
  const own = shareOfQuantity(charge, quantity, currency);
  if (compare(own, stood) > 0) {
    throw tooHigh('quantity costs more than stands of the charge', stood, at, quantity);
  }
  return { amount: own, quantity };
}

/** amount x quantity / billed quantity. */
function shareOfQuantity({ amount, quantity }: NotableCharge, part: Decimal, currency: string) {
  return shareOf(amount, { part, whole: quantity ?? '1', currency });
}

/** The named charges of a line, and what follows them: discounts, and every tax. */
function ofLine(
  line: NotableLine,
  named: ReadonlyMap<NotableCharge, Named>,
  currency: string,
): NotedCharge[] {
  const standing = new Map<InvoicedCharge, Decimal>();
  for (const charge of line.charges) {
    const own = named.get(charge);
    if (own !== undefined) reduce(standing, charge, add(stoodOf(charge), negate(own.amount)));
  }
  if (standing.size === 0) return [];
  // A percentage of other charges stands, unless it is a tax.
  reduceDependents(line, standing, followingBase(currency, { percentages: false }));
  return line.charges.map((charge) => {
    const amount = add(stoodOf(charge), negate(sumStanding([charge], standing)));
    const quantity = named.get(charge)?.quantity ?? null;
    const isWhole = compare(amount, charge.amount) === 0;
    return { charge, amount, quantity: named.has(charge) || !isWhole ? quantity : atOnce(charge) };
  });
}

const nothingLeft = (): DomainError =>
  new DomainError('creditNote.nothingLeft', 'nothing that could be credited stands of it');

function tooHigh(message: string, stands: Decimal, path?: string, value?: Decimal): DomainError {
  return new DomainError('creditNote.tooHigh', `${message}: ${stands}`, {
    ...(path !== undefined && { path: `creditNote/${path}` }),
    ...(value !== undefined && { value }),
  });
}

/** The path is within the credit note. */
export const invalid = (path: string, message: string, value: string | number): DomainError =>
  new DomainError('field.invalid', message, { path: `creditNote/${path}`, value: String(value) });

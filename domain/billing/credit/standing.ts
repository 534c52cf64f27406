/** What stands of billed charges of which a part goes back. */
import { add, compare, negate, shareOf, signOf, sum, type Decimal } from '../../money/money.ts';

interface Billed {
  readonly amount: Decimal;
  /** What was given back of it before, with its sign. */
  readonly credited: Decimal;
}

/** What stands of the charges of which less is to stand than before. */
export type Standing<Charge extends Billed> = Map<Charge, Decimal>;

/** What stood of a charge before. @example stoodOf({ amount: '25.00', credited: '10.00' }) // '15' */
export function stoodOf({ amount, credited }: Billed): Decimal {
  return signOf(credited) === 0 ? amount : add(amount, negate(credited));
}

/**
 * What stands is no more than what stood of the charge, and never less than nothing.
 *
 * @example reduce(standing, fee, '16.42') // of 29.95
 */
export function reduce<Charge extends Billed>(
  standing: Standing<Charge>,
  charge: Charge,
  stands: Decimal,
): void {
  const stood = stoodOf(charge);
  const left = within(stood, stands);
  if (compare(left, stood) !== 0) standing.set(charge, left);
}

/** @example within('-5.00', '-7.00') // '-5.00'; within('5.00', '-1.00') is '0' */
export function within(amount: Decimal, stands: Decimal): Decimal {
  const sign = compare(amount, '0');
  if (compare(stands, '0') !== sign) return '0';
  return compare(stands, amount) === sign ? amount : stands;
}

/** @example sumStanding([fee, discount], standing) // '14.78' */
export function sumStanding<Charge extends Billed>(
  charges: readonly Charge[],
  standing: Standing<Charge>,
): Decimal {
  return sum(charges.map((charge) => standing.get(charge) ?? stoodOf(charge)));
}

/**
 * What stands of an amount if as large a part of it goes back as of its base.
 *
 * @example inProportion('2.20', [fee], new Map([[fee, '10.00']]), 'USD') // '0.71', of a fee of 31.00
 */
export function inProportion<Charge extends Billed>(
  amount: Decimal,
  base: readonly Charge[],
  standing: Standing<Charge>,
  currency: string,
): Decimal {
  const signed = base.map((each) => [each.amount, sumStanding([each], standing)] as const);
  const isNothing = signOf(sum(signed.map(([billed]) => billed))) === 0;
  // A discount of the whole fee leaves no base: then both count by their sizes.
  const sizes = isNothing ? signed.map(([billed, left]) => [size(billed), size(left)]) : signed;
  const whole = sum(sizes.map(([billed = '0']) => billed));
  if (signOf(whole) === 0) return amount;
  const part = sum(sizes.map(([billed = '0', left = '0']) => add(billed, negate(left))));
  const [above, share] = signOf(whole) < 0 ? [negate(whole), negate(part)] : [whole, part];
  return add(amount, negate(shareOf(amount, { part: share, whole: above, currency })));
}

function size(amount: Decimal): Decimal {
  return signOf(amount) < 0 ? negate(amount) : amount;
}

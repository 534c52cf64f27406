/** A whole plan as an order of it, in a quantity, for quotes by parameters and for pages. */
import { isPercentage } from '../billing/kinds.ts';
import { DomainError, type DomainErrorCode } from '../errors.ts';
import type { Charge, Plan } from '../plans/plan.ts';
import { compare, multiply, parseDecimal, type Decimal } from '../money/money.ts';
import { isAdded, nothingTaken, type TakenOver } from './lines.ts';
import type { OrderLineInput } from './input.ts';

/**
 * A line for each charge but penalties, as in an order without lines; those that follow the quantity
 * have it times their standardQuantity. Throws quantity.outOfRange.
 *
 * @param taken what the order takes over from the one that it replaces
 * @example // a base fee that does not follow it, and seats
 *   wholePlan(team, '8') // [{ priceCode: 'BASE', quantity: '1' }, { priceCode: 'SEAT', quantity: '8' }]
 */
export function wholePlan(
  plan: Plan,
  quantity: Decimal,
  taken: TakenOver = nothingTaken,
): readonly OrderLineInput[] {
  return plan.charges
    .filter((charge) => isAdded(charge, taken))
    .map((charge) => ({ priceCode: charge.priceCode, quantity: quantityOf(charge, quantity) }));
}

function quantityOf(charge: Charge, quantity: Decimal): Decimal {
  const { standardQuantity } = charge;
  if (!follows(charge)) return standardQuantity;
  const product = multiply(quantity, standardQuantity);
  if (product !== null) return product;
  throw outOfRange(quantity, `${quantity} times ${standardQuantity} has more than 6 decimals`);
}

function follows({ chargeType, isPenalty, followsQuantity }: Charge): boolean {
  return chargeType === 'RecurringCharge' && !isPenalty && followsQuantity;
}

/**
 * The charges of which a quantity orders units. It multiplies no percentage, and no standardQuantity
 * of 0.
 *
 * @example countedCharges(team) // [seat], without the base fee
 */
export function countedCharges({ charges }: Pick<Plan, 'charges'>): readonly Charge[] {
  return charges.filter(
    (charge) =>
      follows(charge) && !isPercentage(charge) && compare(charge.standardQuantity, '0') !== 0,
  );
}

/** What a page takes of a plan. */
export interface PageQuantity {
  readonly quantity: Decimal;
  /** What the order that is changed has may stay. */
  readonly kept?: Decimal | null;
  readonly taken?: TakenOver;
}

/**
 * The same for a page, where people order whole units, unless each charge that is counted may have
 * parts of one, and no less than a charge's least quantity. Throws quantity.outOfRange.
 *
 * @example pagePlan(team, { quantity: '1.5' }) // throws
 */
export function pagePlan(
  plan: Plan,
  { quantity, kept = null, taken = nothingTaken }: PageQuantity,
): readonly OrderLineInput[] {
  const isKept = kept !== null && compare(kept, quantity) === 0;
  if (!isKept) refuseUncounted(countedCharges(plan), quantity);
  return wholePlan(plan, quantity, taken);
}

const MILLIONTHS = 1_000_000n;

function refuseUncounted(counted: readonly Charge[], quantity: Decimal): void {
  const isWhole = parseDecimal(quantity) % MILLIONTHS === 0n;
  const whole = counted.find(({ decimals }) => !decimals);
  if (!isWhole && whole !== undefined) {
    throw outOfRange(quantity, `${whole.priceCode} is ordered in whole units`);
  }
  for (const { priceCode, minQuantity, standardQuantity } of counted) {
    const least = minQuantity ?? standardQuantity;
    const product = multiply(quantity, standardQuantity);
    if (product !== null && compare(product, least) < 0) {
      throw outOfRange(quantity, `at least ${least} of ${priceCode}`);
    }
  }
}

const outOfRange = (quantity: Decimal, message: string): DomainError =>
  new DomainError('quantity.outOfRange', message, { path: 'quantity', value: quantity });

/** The parameters of what an order's elements are made of. */
const parameters: Partial<Readonly<Record<DomainErrorCode, string>>> = {
  'quantity.outOfRange': 'quantity',
  'order.priceTooHigh': 'quantity',
  'order.unitPriceMissing': 'contractCode',
  'order.priceMissing': 'contractCode',
  'plan.retired': 'contractCode',
  'order.tooManyPeriods': 'startDate',
};

/**
 * Runs the pricing; its errors name parameters in place of elements of an order.
 *
 * @example inParameters(() => proposeOrder(input, basis)) // an error names contractCode, not a line
 */
export function inParameters<Result>(pricing: () => Result): Result {
  try {
    return pricing();
  } catch (error) {
    const path = error instanceof DomainError ? parameters[error.code] : undefined;
    if (!(error instanceof DomainError) || path === undefined) throw error;
    const { code, message, value } = error;
    throw new DomainError(code, message, value === null ? { path } : { path, value });
  }
}

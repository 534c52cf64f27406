/** A whole plan as an order of it, for a quote by parameters. */
import { DomainError, type DomainErrorCode } from '../errors.ts';
import type { Charge, Plan } from '../plans/plan.ts';
import { multiply, type Decimal } from '../money/money.ts';
import { isAdded, nothingTaken, type TakenOver } from './lines.ts';
import type { OrderLineInput } from './input.ts';

/**
 * A line for each charge but penalties, as in an order without lines; recurring charges have the
 * quantity times their standardQuantity. Throws quantity.outOfRange.
 *
 * @param taken what the order takes over from the one that it replaces
 * @example wholePlan(gold, '2') // [{ priceCode: 'SETUP', quantity: '1' }, { priceCode: 'FEE', quantity: '2' }]
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

function quantityOf(
  { chargeType, standardQuantity, isPenalty }: Charge,
  quantity: Decimal,
): Decimal {
  if (chargeType !== 'RecurringCharge' || isPenalty) return standardQuantity;
  const product = multiply(quantity, standardQuantity);
  if (product !== null) return product;
  const message = `${quantity} times ${standardQuantity} has more than 6 decimals`;
  throw new DomainError('quantity.outOfRange', message, { path: 'quantity', value: quantity });
}

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

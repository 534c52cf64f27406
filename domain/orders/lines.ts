/** Builds the lines of an order from the requested lines and the plan. */
import { isPercentage, isTaxPercentage } from '../billing/kinds.ts';
import { DomainError } from '../errors.ts';
import type { Charge, Plan } from '../plans/plan.ts';
import {
  add,
  compare,
  formatDecimal,
  negate,
  parseDecimal,
  sum,
  type Decimal,
} from '../money/money.ts';
import { refuseTooManyLines } from '../billing/due/limits.ts';
import { highestPricedQuantity, percentTier, priceQuantity } from '../billing/rate/pricing.ts';

const linesPath = 'subscriptionOrder/orderLineItems';

/**
 * The highest total cost of an order's lines for one whole period. A thousand such periods, the
 * most that are billed at once, still fit into the 16 digits of the books before the point.
 */
export const periodPriceMax: Decimal = '1000000000000';

/** A requested line; it names the charge by price code or by id. */
export interface RequestedLine {
  readonly priceCode: string | null;
  readonly chargeId: number | null;
  readonly position: number | null;
  readonly quantity: Decimal | null;
  readonly unitPrice: Decimal | null;
  readonly invoiceText: string | null;
  readonly isActive: boolean | null;
}

/** The request for a charge that the caller did not name. */
const standardLine: RequestedLine = {
  priceCode: null,
  chargeId: null,
  position: null,
  quantity: null,
  unitPrice: null,
  invoiceText: null,
  isActive: null,
};

export interface OrderLine {
  readonly position: number;
  readonly charge: Charge;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal | null;
  readonly invoiceText: string | null;
  readonly isActive: boolean;
}

/** What an order that replaces another takes over, or leaves out, by priceCode. */
export interface TakenOver {
  /** One-time charges that were billed before: they are added only if the caller names them. */
  readonly billedOnce: ReadonlySet<string>;
  /** Penalties that the order before has lines for. */
  readonly penalties: ReadonlySet<string>;
  /** Days of the order were billed elsewhere: so was what is due once, unless the caller names it. */
  readonly namesOnce?: boolean;
}

/** Of an order that replaces none. */
export const nothingTaken: TakenOver = { billedOnce: new Set(), penalties: new Set() };

/**
 * The lines of a new order. Without requested lines they are all charges of the plan at their
 * standard quantity; otherwise missing mandatory charges are added. Neither adds penalties, which
 * follow from the customer's ageing; a requested penalty is on the order.
 *
 * @example orderLinesFor(gold, [], 'USD') // a line each for GOLD-SETUP and GOLD-FEE
 */
export function orderLinesFor(
  plan: Plan,
  requested: readonly RequestedLine[],
  currency: string,
  taken: TakenOver = nothingTaken,
): readonly OrderLine[] {
  const asked = requested.map((line, index) => {
    const path = `${linesPath}/orderLineItem[${index + 1}]`;
    return { line, path, charge: chargeOf(plan, line, path) };
  });
  const named = new Set(asked.map(({ charge }) => charge));
  const isLeft = onceElsewhere(named, taken);
  const added = plan.charges
    .filter((charge) => requested.length === 0 || charge.isMandatory)
    .filter((charge) => !named.has(charge) && isAdded(charge, taken) && !isLeft(charge))
    .map((charge) => ({ line: standardLine, path: linesPath, charge }));
  const all = [...asked, ...added];
  refuseTooManyLines(all.length);
  const freePosition = positionsBeside(requested);
  const price = priceSoFar(currency);
  return all.map(({ line, path, charge }) => {
    const orderLine = {
      position: line.position ?? freePosition(),
      charge,
      quantity: line.quantity ?? charge.standardQuantity,
      unitPrice: line.unitPrice,
      invoiceText: line.invoiceText,
      isActive: line.isActive ?? true,
    };
    checkOrderLine(orderLine, currency, path);
    refuseBeyondBooks(price.with(orderLine), orderLine, path);
    return orderLine;
  });
}

/** A tax in percent of what is due once comes along with what is named. */
function onceElsewhere(
  named: ReadonlySet<Charge>,
  { namesOnce = false }: TakenOver,
): (charge: Charge) => boolean {
  const isOnce = ({ chargeType, isPenalty }: Charge): boolean =>
    chargeType === 'OneTimeCharge' && !isPenalty;
  const namesSome = [...named].some(isOnce);
  return (charge) => namesOnce && isOnce(charge) && !(namesSome && isTaxPercentage(charge));
}

/**
 * Whether an order has a charge by itself.
 *
 * @example isAdded(setup, { billedOnce: new Set(['GOLD-SETUP']), penalties: new Set() }) // false
 */
export function isAdded(charge: Charge, { billedOnce, penalties }: TakenOver): boolean {
  if (charge.isPenalty) return penalties.has(charge.priceCode);
  // A change gives back a tax by its base, so the new order bears it on its own.
  if (isTaxPercentage(charge)) return true;
  return charge.chargeType !== 'OneTimeCharge' || !billedOnce.has(charge.priceCode);
}

/**
 * Refuses a quantity or a price that the charge does not allow. The path is that of the line in the
 * request.
 */
export function checkOrderLine(line: OrderLine, currency: string, path: string): void {
  const { charge, unitPrice } = line;
  checkQuantity(line, path);
  if (charge.pricingType !== 'UserEnteredPricing') {
    if (unitPrice !== null) {
      const message = `the plan fixes the price of ${charge.priceCode}`;
      throw new DomainError('field.invalid', message, {
        path: `${path}/unitPrice`,
        value: unitPrice,
      });
    }
    if (!charge.tiers.some((tier) => tier.currency === currency)) {
      const message = `${charge.priceCode} has no price in ${currency}`;
      throw new DomainError('order.priceMissing', message, { path, value: currency });
    }
  } else if (unitPrice === null && charge.chargeType !== 'UsageCharge') {
    const message = `${charge.priceCode} needs a unitPrice`;
    throw new DomainError('order.unitPriceMissing', message, { path: `${path}/unitPrice` });
  }
  const highest = highestPricedQuantity(charge, currency);
  if (highest !== null && compare(line.quantity, highest) > 0) {
    throw outOfRange(line, path, `${charge.priceCode} has prices up to ${highest} only`);
  }
}

/** Sums the cost of an order's lines for one whole period, including percentages. */
function priceSoFar(currency: string): { readonly with: (line: OrderLine) => Decimal } {
  let plain: Decimal = '0';
  const percents = { percent: '0', tax: '0' };
  return {
    with(line) {
      if (isPercentage(line.charge)) {
        const sort = line.charge.isTax ? 'tax' : 'percent';
        const { percent } = percentTier(line.charge, line.quantity, currency);
        percents[sort] = add(percents[sort], percent);
      } else plain = add(plain, priceOfPeriod(line, currency));
      return raisedBy(percents.tax, raisedBy(percents.percent, plain));
    },
  };
}

function raisedBy(percent: Decimal, amount: Decimal): Decimal {
  const onTop = (parseDecimal(amount) * parseDecimal(percent)) / HUNDRED_IN_MILLIONTHS;
  return formatDecimal(parseDecimal(amount) + onTop);
}

const HUNDRED_IN_MILLIONTHS = 100_000_000n;

function priceOfPeriod({ charge, quantity, unitPrice }: OrderLine, currency: string): Decimal {
  // The cost of usage is not known in advance.
  if (charge.chargeType === 'UsageCharge') return '0';
  const whole = { numerator: 1, denominator: 1 };
  const parts = priceQuantity({ charge, quantity, unitPrice, currency, ...whole });
  const amount = sum(parts.map((part) => part.amount));
  return compare(amount, '0') < 0 ? negate(amount) : amount;
}

function refuseBeyondBooks(price: Decimal, line: OrderLine, path: string): void {
  if (compare(price, periodPriceMax) <= 0) return;
  const message = `the lines of an order cost at most ${periodPriceMax} for one period`;
  const element = line.unitPrice === null ? 'quantity' : 'unitPrice';
  throw new DomainError('order.priceTooHigh', message, {
    path: `${path}/${element}`,
    value: line[element],
  });
}

function checkQuantity(line: OrderLine, path: string): void {
  const { quantity } = line;
  const { chargeType, priceCode, minQuantity, maxQuantity } = line.charge;
  if (compare(quantity, '0') < 0) throw outOfRange(line, path, 'a quantity is not negative');
  // Its quantity is the units included, not those that are ordered.
  if (chargeType === 'UsageCharge') return;
  if (minQuantity !== null && compare(quantity, minQuantity) < 0) {
    throw outOfRange(line, path, `at least ${minQuantity} of ${priceCode}`);
  }
  if (maxQuantity !== null && compare(quantity, maxQuantity) > 0) {
    throw outOfRange(line, path, `at most ${maxQuantity} of ${priceCode}`);
  }
}

function outOfRange({ quantity }: OrderLine, path: string, message: string): DomainError {
  return new DomainError('quantity.outOfRange', message, {
    path: `${path}/quantity`,
    value: quantity,
  });
}

function chargeOf(plan: Plan, line: RequestedLine, path: string): Charge {
  const { priceCode, chargeId } = line;
  if (priceCode === null && chargeId === null) {
    const message = 'a line names its charge by priceCode or by contractCharge';
    throw new DomainError('field.required', message, { path: `${path}/priceCode` });
  }
  const charge = plan.charges.find(
    (candidate) =>
      (priceCode === null || candidate.priceCode === priceCode) &&
      (chargeId === null || candidate.id === chargeId),
  );
  if (charge !== undefined) return charge;
  throw new DomainError('priceCode.unknown', `${plan.contractCode} has no such charge`, {
    path: priceCode === null ? `${path}/contractCharge/@id` : `${path}/priceCode`,
    value: priceCode ?? String(chargeId),
    id: chargeId,
  });
}

/** Yields the lowest positions that no line requests. */
function positionsBeside(requested: readonly RequestedLine[]): () => number {
  const given = new Set<number>();
  for (const [index, { position }] of requested.entries()) {
    if (position === null) continue;
    if (given.has(position)) {
      throw new DomainError('field.invalid', 'two lines have the same position', {
        path: `${linesPath}/orderLineItem[${index + 1}]/position`,
        value: String(position),
      });
    }
    given.add(position);
  }
  let last = 0;
  return () => {
    do last += 1;
    while (given.has(last));
    return last;
  };
}

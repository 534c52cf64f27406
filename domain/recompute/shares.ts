/**
 * What percentages, discounts and taxes are taken of. Their bases are shown nowhere: they follow
 * from the rules, and are the same for what is billed and for what a change leaves standing.
 */
import { dayAfter, later } from './days.ts';
import { groupOf } from './fees.ts';
import { sumOf } from './figures.ts';
import type { BilledLine, Charge, Reading } from './reading.ts';

/** What a charge comes to: as billed, or as a change leaves it. */
export type AmountOf = (charge: Charge) => bigint;

/**
 * The charges that a percentage of a plan is of: those of its line on the invoice, without taxes,
 * discounts and other percentages; an isTax percentage sees the latter two. Several periods of one
 * percentage share the line by the days on which things were due.
 *
 * @example baseOf(reading, line, care).map(({ priceCode }) => priceCode) // ['FEE']
 */
export function baseOf(reading: Reading, line: BilledLine, percentage: Charge): Charge[] {
  const kinds = ['period', 'oneTime', 'usage', 'penalty'];
  if (percentage.kind === 'planTax') kinds.push('percent', 'discount');
  const rivals = line.charges
    .filter(
      ({ contractChargeId, orderLineItemId }) =>
        contractChargeId === percentage.contractChargeId &&
        orderLineItemId === percentage.orderLineItemId,
    )
    .toSorted((a, b) => (dueOn(reading, line, a) < dueOn(reading, line, b) ? -1 : 1));
  return line.charges.filter((charge) => {
    if (!kinds.includes(charge.kind)) return false;
    const due = dueOn(reading, line, charge);
    const last = rivals.findLast((rival) => dueOn(reading, line, rival) <= due);
    return (last ?? rivals[0])?.id === percentage.id;
  });
}

/** The day on which a charge was due by itself. */
function dueOn(reading: Reading, line: BilledLine, charge: Charge): string {
  const { billingStartDate: from, billingEndDate: to, of } = charge;
  if (from === null || to === null) return '';
  const discounted = charge.kind === 'discount' ? discountedBy(line, charge)[0] : undefined;
  if (discounted) return dueOn(reading, line, discounted);
  if (of?.chargeType === 'UsageCharge') {
    return later(to, 1 + reading.shown.usageGraceDays, 'Days');
  }
  return of?.isPrepaid || of?.chargeType === 'OneTimeCharge' ? from : dayAfter(to);
}

/**
 * Charges above zero of these kinds are discounted; those of a usage window count together.
 *
 * @example isDiscountable(fee) // true
 */
export function isDiscountable({ kind, minor }: Charge): boolean {
  return kind === 'usage' || (minor > 0n && ['period', 'oneTime', 'percent'].includes(kind));
}

/**
 * The charges that a discount is of: those of its order line and days.
 *
 * @example discountedBy(line, discount).map(({ priceCode }) => priceCode) // ['FEE']
 */
export function discountedBy(line: BilledLine, discount: Charge): Charge[] {
  const group = groupOf(discount);
  return line.charges.filter((charge) => isDiscountable(charge) && groupOf(charge) === group);
}

/**
 * A charge is taxed by the codes of its plan, if it is neither a tax nor given back.
 *
 * @example taxedBy(line, 'STANDARD').map(({ priceCode }) => priceCode) // ['FEE', 'DISCOUNT']
 */
export function taxedBy(line: BilledLine, taxCode: string): Charge[] {
  const isTaxed = ({ kind, of }: Charge): boolean =>
    ['period', 'oneTime', 'usage', 'percent', 'penalty'].includes(kind) &&
    (of?.taxCodes.includes(taxCode) ?? false);
  return line.charges.filter((charge) =>
    charge.kind === 'discount' ? discountedBy(line, charge).some(isTaxed) : isTaxed(charge),
  );
}

/** @example sumBy(charges, ({ minor }) => minor) // 2695n */
export function sumBy(charges: readonly Charge[], amountOf: AmountOf): bigint {
  return sumOf(charges.map(amountOf));
}

/**
 * What a credit is of: the line item and priceCode, a tax by its name.
 *
 * @example keyOf(charge) // 'GOLD-FEE 28 '
 */
export const keyOf = ({ priceCode, orderLineItemId, invoiceText }: KeyOf): string =>
  [priceCode, orderLineItemId, orderLineItemId === null ? invoiceText : ''].join(' ');

type KeyOf = Pick<Charge, 'priceCode' | 'orderLineItemId' | 'invoiceText'>;

/** The rating stage that taxes an order's charges on an invoice, after all other amounts are known. */
import assert from 'node:assert';
import { sum } from '../money/money.ts';
import type { TaxRate } from '../tax/rates.ts';
import { isPriced, planChargeOf } from './charges.ts';
import type { InvoiceCharge, RatedCharge, RateTaxCharge } from './charges.ts';
import type { ChargeKind } from './kinds.ts';
import { percentOf, withPercentages } from './percent.ts';

/**
 * An isTax percentage applies to all charges that are not taxes, including percentages. Each rate
 * then makes one charge, of the sum of the charges with its code and of their discounts; no rate is
 * taken of another tax.
 *
 * @param rates those that hold for the customer's address
 * @example // 40.00, a discount of -4.00, rates of 5 and 9.975 percent
 *   tax(charges, 'CAD', rates) // 40.00, -4.00, 1.80, 3.59
 */
export function tax(
  charges: readonly RatedCharge[],
  currency: string,
  rates: readonly TaxRate[],
): readonly InvoiceCharge[] {
  const priced = withPercentages(charges, 'tax', currency);
  assert(priced.every(isPriced), 'after the last pricing stage every charge has its amount');
  if (rates.length === 0) return priced;
  const taxed = priced.filter(({ kind }) => isTaxed(kind));
  return [...priced, ...rates.flatMap((rate) => taxOf(taxed, rate, currency))];
}

function taxOf(
  charges: readonly InvoiceCharge[],
  { country: _country, state: _state, ...rate }: TaxRate,
  currency: string,
): readonly RateTaxCharge[] {
  const base = charges.filter((charge) => {
    const of = planChargeOf(charge);
    return of !== null && !of.isTax && of.taxCodes.includes(rate.taxCode);
  });
  if (base.length === 0) return [];
  const amount = percentOf(rate.percent, sum(base.map((charge) => charge.amount)), currency);
  return [{ kind: 'tax', rate, base, amount }];
}

/** Whether rates apply to charges of a kind. */
function isTaxed(kind: ChargeKind): boolean {
  switch (kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
    case 'usage':
    case 'discount':
      return true;
    case 'usageSubTotal':
    case 'credit':
    case 'tax':
    case 'manual':
      return false;
  }
}

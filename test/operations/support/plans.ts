/** Plans with as little content as a test needs. */
import type { PlanFile } from '../../support/tenants.ts';

/** A plan of one recurring charge with the plan's own code as its price code. */
export function recurring(
  contractCode: string,
  price: number,
  charge: Readonly<Record<string, unknown>> = {},
  plan: Readonly<Record<string, unknown>> = {},
): PlanFile {
  const fixed = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', price };
  return {
    contractCode,
    name: `Plan ${contractCode}`,
    billingPeriod: 'Monthly',
    ...plan,
    charges: [{ priceCode: contractCode, ...fixed, ...charge }],
  };
}

export const prepaid = { isPrepaid: true };
export const prorated = { isPrepaid: true, isProrated: true };

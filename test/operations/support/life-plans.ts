/** The plans, coupons and rates of random lives of orders. */
import { demoPlan, type PlanFile } from '../../support/tenants.ts';
import { prepaid, prorated, recurring } from './plans.ts';

export const plans = [
  demoPlan('GOLD'),
  demoPlan('METERED'),
  demoPlan('SEATS'),
  recurring('PRE', 31, prepaid),
  recurring('RATA', 31, { ...prorated, taxCodes: ['STANDARD'] }),
  recurring('LATER', 31, { isProrated: true }),
  recurring('TRY', 7, prorated, { billingPeriod: 'Weekly', trial: { value: 9, units: 'Days' } }),
  recurring('TRYWHOLE', 7, prepaid, {
    billingPeriod: 'Weekly',
    trial: { value: 3, units: 'Days' },
  }),
  recurring('WEEK', 7, prorated, { billingPeriod: 'Weekly' }),
  withShares(recurring('CARED', 31, prorated)),
  {
    contractCode: 'CALLS',
    name: 'Calls by the week',
    billingPeriod: 'Weekly',
    charges: [
      {
        priceCode: 'CALL',
        chargeType: 'UsageCharge',
        pricingType: 'FixedPricing',
        price: 0.13,
        taxCodes: ['STANDARD'],
      },
    ],
  },
];

export const coupons = [
  { code: 'THREE', percent: 10, periods: 3 },
  { code: 'ALL', percent: 100, periods: 1 },
  { code: 'FIVE', amount: 5 },
  { code: 'MUCH', amount: 60, periods: 2 },
  { code: 'ONCE', amount: 12.34, once: true },
  { code: 'HALF', percent: 50, once: true },
  { code: 'FEW', percent: 20, maxRedemptions: 2 },
  { code: 'OWN', amount: 4, periods: 2, oncePerCustomer: true },
];
export const rates = [
  { country: 'US', percent: 5, taxCode: 'STANDARD', name: 'Country' },
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'State' },
];

/**
 * With percentages of its other charges, a tax, a penalty that is never billed, and a charge on
 * invoices of its own.
 */
function withShares(plan: PlanFile): PlanFile {
  const charge = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
  const share = (priceCode: string, percent: number) => ({
    priceCode,
    ...charge,
    tiers: [{ unitsFrom: 0, percent }],
  });
  const charges = [
    ...plan.charges,
    { ...share('CARE', 7.5), ...prorated, taxCodes: ['STANDARD'] },
    share('REPORT', 3),
    { ...share('VAT', 19), isTax: true, isPrepaid: true },
    { ...charge, priceCode: 'LATE', isPenalty: true, price: 5 },
    { ...charge, priceCode: 'ROUTER', ...prorated, price: 8, isSeparateInvoice: true },
  ];
  return { ...plan, charges };
}

/** With another price of its first charge. */
export function pricedAt(plan: PlanFile, price: number): PlanFile {
  const charges = plan.charges.map((charge, index) =>
    index === 0 && typeof charge['price'] === 'number' ? { ...charge, price } : charge,
  );
  return { ...plan, charges };
}

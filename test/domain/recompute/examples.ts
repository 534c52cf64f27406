/**
 * The worked examples of the rules, as documents: prices, coupons, taxes, changes, usage. The figures
 * are those that the rules give, none is computed here.
 */
import type { World } from './documents.ts';

const gold = [
  { priceCode: 'SETUP', price: '49.00', chargeType: 'OneTimeCharge' },
  { priceCode: 'FEE', price: '29.95', taxCodes: ['STANDARD'] },
];
const rate = { country: 'US', state: 'NY', percent: '8.875', taxCode: 'STANDARD', name: 'NY' };
const welcome = { percent: '10', periods: 3 };
const first = '2027-01-15 2027-02-14';
const usage = { chargeType: 'UsageCharge', isPrepaid: false, isProrated: false };
const minutes = [['100', '0.10'] as const, ['1000', '0.08'] as const, [null, '0.05'] as const];
const change = {
  orders: [
    { orderStatus: 'Superseded', endDate: '2027-01-31', nextOrderId: 200 },
    { startDate: '2027-02-01', previousOrderId: 100, quantity: '2' },
  ],
};

/** A line of usage and its window of January. */
const ofUsage = (
  charge: Partial<World['charges'][number]>,
  charges: readonly string[],
  activities: readonly object[],
): World => ({
  charges: [{ priceCode: 'USE', ...usage, ...charge }],
  invoices: [
    { on: '2027-02-15', of: { 100: charges.map((text) => text.replace(' ', ` ${first} `)) } },
  ],
  activities: activities.map((each) => ({ priceCode: 'USE', ...each })),
});

export const examples: Readonly<Record<string, World>> = {
  'a stub of 14 of 31 days': {
    charges: [{ priceCode: 'LINE', price: '12.00' }],
    plan: { billingAlignment: 'DayOfMonth', alignmentDay: 1 },
    orders: [{ startDate: '2027-01-18' }],
    invoices: [
      { on: '2027-01-18', of: { 100: ['LINE 2027-01-18 2027-01-31 5.42'] } },
      { on: '2027-02-01', of: { 100: ['LINE 2027-02-01 2027-02-28 12.00'] } },
    ],
  },
  'a setup and a fee with 10 percent off, and tax of the fee': {
    charges: gold,
    coupon: welcome,
    shown: { rates: [rate] },
    invoices: [
      {
        on: '2027-01-15',
        of: {
          100: [
            'SETUP 2027-01-15 2027-01-15 49.00',
            'DISCOUNT(SETUP) 2027-01-15 2027-01-15 10% -4.90',
            `FEE ${first} 29.95`,
            `DISCOUNT(FEE) ${first} 10% -3.00`,
            'TAX(NY) 8.875% 2.39',
          ],
        },
      },
    ],
  },
  'support of 10 percent, which sees no discount': {
    charges: [
      { priceCode: 'FEE', price: '100.00' },
      { priceCode: 'CARE', percent: '10' },
    ],
    coupon: { percent: '10' },
    invoices: [
      {
        on: '2027-01-15',
        of: {
          100: [
            `FEE ${first} 100.00`,
            `DISCOUNT(FEE) ${first} 10% -10.00`,
            `CARE ${first} 10% 10.00`,
            `DISCOUNT(CARE) ${first} 10% -1.00`,
          ],
        },
      },
    ],
  },
  'two rates of one charge after its discount': {
    charges: [{ priceCode: 'FEE', price: '40.00', taxCodes: ['STANDARD'] }],
    coupon: { percent: '10' },
    shown: {
      rates: [
        { ...rate, name: 'GST', percent: '5' },
        { ...rate, name: 'QST', percent: '9.975' },
      ],
    },
    invoices: [
      {
        on: '2027-01-15',
        of: {
          100: [
            `FEE ${first} 40.00`,
            `DISCOUNT(FEE) ${first} 10% -4.00`,
            'TAX(GST) 5% 1.80',
            'TAX(QST) 9.975% 3.59',
          ],
        },
      },
    ],
  },
  'an amount per period over a setup and a fee': {
    charges: gold,
    coupon: { amount: '5.00' },
    invoices: [
      {
        on: '2027-01-15',
        of: {
          100: [
            'SETUP 2027-01-15 2027-01-15 49.00',
            'DISCOUNT(SETUP) 2027-01-15 2027-01-15 -3.10',
            `FEE ${first} 29.95`,
            `DISCOUNT(FEE) ${first} -1.90`,
          ],
        },
      },
    ],
  },
  'an amount for once over three elapsed periods': {
    charges: [{ priceCode: 'FEE', price: '31.00' }],
    coupon: { amount: '5.00', isOnce: true },
    invoices: [
      {
        on: '2027-03-15',
        of: {
          100: [first, '2027-02-15 2027-03-14', '2027-03-15 2027-04-14'].flatMap((days, index) => [
            `FEE ${days} 31.00`,
            `DISCOUNT(FEE) ${days} ${['-1.67', '-1.67', '-1.66'][index]}`,
          ]),
        },
      },
    ],
  },
  'an amount whose period a fee and usage share on different days': {
    charges: [
      { priceCode: 'FEE', price: '3.00' },
      { priceCode: 'USE', price: '0.10', ...usage },
    ],
    coupon: { amount: '5.00' },
    invoices: [
      { on: '2027-01-15', of: { 100: [`FEE ${first} 3.00`, `DISCOUNT(FEE) ${first} -3.00`] } },
      {
        on: '2027-02-15',
        of: {
          100: [
            'FEE 2027-02-15 2027-03-14 3.00',
            'DISCOUNT(FEE) 2027-02-15 2027-03-14 -3.00',
            `USE ${first} 15.00`,
            `USE= ${first} 15.00`,
            `DISCOUNT(USE) ${first} -2.00`,
          ],
        },
      },
    ],
    activities: [{ priceCode: 'USE', quantity: '150', invoiceNumber: '1002' }],
  },
  'a change to quantity 2 after 17 of 31 days': {
    charges: gold.slice(1),
    coupon: welcome,
    shown: {
      rates: [rate],
      coupons: new Map([
        [100, { code: 'W', percent: '10', amount: null, isOnce: false, periods: 3 }],
      ]),
    },
    ...change,
    invoices: [
      {
        on: '2027-01-15',
        of: {
          100: [`FEE ${first} 29.95`, `DISCOUNT(FEE) ${first} 10% -3.00`, 'TAX(NY) 8.875% 2.39'],
        },
      },
      {
        on: '2027-02-01',
        of: {
          100: [
            'FEE~ 2027-02-01 2027-02-14 -13.53',
            'DISCOUNT(FEE)~ 2027-02-01 2027-02-14 1.36',
            'TAX(NY)~ 2027-02-01 2027-02-14 -1.08',
          ],
          200: ['FEE 2027-02-01 2027-02-14 27.05', 'TAX(NY) 8.875% 2.40'],
        },
      },
      { on: '2027-02-15', of: { 200: ['FEE 2027-02-15 2027-03-14 59.90', 'TAX(NY) 8.875% 5.32'] } },
    ],
  },
  'a change that takes back 0.86 of an amount per period': {
    charges: gold,
    shown: {
      coupons: new Map([
        [100, { code: 'F', percent: null, amount: '5', isOnce: false, periods: null }],
      ]),
    },
    ...change,
    invoices: [
      {
        on: '2027-01-15',
        of: {
          100: [
            'SETUP 2027-01-15 2027-01-15 49.00',
            'DISCOUNT(SETUP) 2027-01-15 2027-01-15 -3.10',
            `FEE ${first} 29.95`,
            `DISCOUNT(FEE) ${first} -1.90`,
          ],
        },
      },
      {
        on: '2027-02-01',
        of: {
          100: ['FEE~ 2027-02-01 2027-02-14 -13.53', 'DISCOUNT(FEE)~ 2027-02-01 2027-02-14 0.86'],
          200: ['FEE 2027-02-01 2027-02-14 27.05'],
        },
      },
    ],
  },
  'a tax of the plan that is not prorated, in a change to the same': {
    charges: [
      { priceCode: 'FEE', price: '31.00' },
      { priceCode: 'VAT', percent: '10', isTax: true, isProrated: false },
    ],
    orders: [
      { orderStatus: 'Superseded', endDate: '2027-01-31', nextOrderId: 200 },
      { startDate: '2027-02-01', previousOrderId: 100 },
    ],
    invoices: [
      { on: '2027-01-15', of: { 100: [`FEE ${first} 31.00`, `VAT ${first} 10% 3.10`] } },
      {
        on: '2027-02-01',
        of: {
          100: ['FEE~ 2027-02-01 2027-02-14 -14.00', 'VAT~ 2027-02-01 2027-02-14 -1.40'],
          200: ['FEE 2027-02-01 2027-02-14 14.00', 'VAT 2027-02-01 2027-02-14 10% 1.40'],
        },
      },
    ],
  },
  'parts of a period, which sum up to its price': {
    charges: [{ priceCode: 'FEE', price: '29.95' }],
    orders: [{ endDate: '2027-02-14', isAutoRenew: false }],
    invoices: [
      { on: '2027-01-15', of: { 100: ['FEE 2027-01-15 2027-01-20 5.80'] } },
      { on: '2027-01-20', of: { 100: ['FEE 2027-01-21 2027-01-30 9.66'] } },
      { on: '2027-01-30', of: { 100: ['FEE 2027-01-31 2027-02-06 6.76'] } },
      { on: '2027-02-06', of: { 100: ['FEE 2027-02-07 2027-02-14 7.73'] } },
    ],
  },
  'a pause, whose days between are not served': {
    charges: [{ priceCode: 'FEE', price: '31.00', isPrepaid: false }],
    shown: {
      pauses: new Map([[100, [{ suspendedOn: '2027-01-20', resumedOn: '2027-01-31' }]]]),
    },
    invoices: [{ on: '2027-02-15', of: { 100: [`FEE ${first} 21.00`] } }],
  },
  'minutes in tiers': ofUsage(
    { pricingType: 'TieredPricing', tiers: minutes },
    ['USE.1 10.00', 'USE.2 6.40', 'USE= 16.40'],
    [{ quantity: '70' }, { quantity: '110' }],
  ),
  'included units': ofUsage(
    { price: '0.40', standardQuantity: '25' },
    ['USE 14.00', 'USE= 14.00'],
    [{ quantity: '60' }],
  ),
  volume: ofUsage(
    {
      pricingType: 'VolumePricing',
      tiers: [
        ['50', '1.20'],
        [null, '0.90'],
      ],
    },
    ['USE.2 67.50', 'USE= 67.50'],
    [{ quantity: '40' }, { quantity: '35' }],
  ),
  bulk: ofUsage(
    {
      pricingType: 'BulkPricing',
      tiers: [
        ['50', '20.00'],
        [null, '30.00'],
      ],
    },
    ['USE.2 30.00', 'USE= 30.00'],
    [{ quantity: '75' }],
  ),
  'a percentage of amounts': ofUsage(
    { percent: '2.5' },
    ['USE 2.5% 5.00', 'USE= 5.00'],
    [{ amount: '120.00' }, { amount: '80.00' }],
  ),
  'amounts that were sent beside units': ofUsage(
    { pricingType: 'TieredPricing', tiers: minutes },
    ['USE.1 10.00', 'USE 7.00', 'USE= 17.00'],
    [{ quantity: '100' }, { quantity: '5', amount: '7.00' }],
  ),
  'prices of records': ofUsage(
    { pricingType: 'UserEnteredPricing' },
    ['USE 10.00', 'USE 9.00', 'USE= 19.00'],
    [
      { quantity: '4', unitPrice: '2.50' },
      { quantity: '3', unitPrice: '3.00' },
    ],
  ),
  'a correction of a billed record beside new units': {
    charges: [{ priceCode: 'USE', ...usage, pricingType: 'TieredPricing', tiers: minutes }],
    invoices: [
      { on: '2027-02-15', of: { 100: [`USE.1 ${first} 5.00`, `USE= ${first} 5.00`] } },
      {
        on: '2027-03-15',
        of: {
          100: [
            'USE.1 2027-02-15 2027-03-14 3.00',
            'USE~ 2027-02-15 2027-03-14 -2.00',
            'USE= 2027-02-15 2027-03-14 1.00',
          ],
        },
      },
    ],
    activities: [
      { priceCode: 'USE', quantity: '50', amount: '5.00', isAmountSupplied: false },
      {
        priceCode: 'USE',
        quantity: '-20',
        amount: '-2.00',
        correctsExtRefId: 'R1',
        invoiceNumber: '1002',
      },
      { priceCode: 'USE', quantity: '30', invoiceNumber: '1002', chargeDate: '2027-02-20' },
    ],
  },
  'a router on an invoice of its own': {
    charges: [
      { priceCode: 'FEE', price: '29.95' },
      { priceCode: 'CARE', percent: '10' },
      { priceCode: 'ROUTER', price: '80.00', chargeType: 'OneTimeCharge', isSeparateInvoice: true },
    ],
    invoices: [
      { on: '2027-01-15', of: { 100: [`FEE ${first} 29.95`, `CARE ${first} 10% 3.00`] } },
      { on: '2027-01-15', of: { 100: ['ROUTER 2027-01-15 2027-01-15 80.00'] } },
    ],
  },
  'a correction with its share of discount and tax beside 30 new units': {
    charges: [{ priceCode: 'USE', price: '0.50', ...usage, taxCodes: ['STANDARD'] }],
    coupon: { percent: '50' },
    shown: { rates: [rate] },
    invoices: [
      {
        on: '2027-02-15',
        of: {
          100: [
            `USE ${first} 25.00`,
            `USE= ${first} 25.00`,
            `DISCOUNT(USE) ${first} 50% -12.50`,
            'TAX(NY) 8.875% 1.11',
          ],
        },
      },
      {
        on: '2027-03-15',
        of: {
          100: [
            'USE 2027-02-15 2027-03-14 15.00',
            'USE~ 2027-02-15 2027-03-14 -25.00',
            'USE= 2027-02-15 2027-03-14 -10.00',
            'DISCOUNT(USE) 2027-02-15 2027-03-14 50% -7.50',
            'DISCOUNT(USE)~ 2027-02-15 2027-03-14 12.50',
            'TAX(NY) 8.875% 0.67',
            'TAX(NY)~ 2027-02-15 2027-03-14 -1.11',
          ],
        },
      },
    ],
    activities: [
      { priceCode: 'USE', quantity: '50', amount: '25.00', isAmountSupplied: false },
      {
        priceCode: 'USE',
        quantity: '-50',
        amount: '-25.00',
        correctsExtRefId: 'R1',
        invoiceNumber: '1002',
      },
      { priceCode: 'USE', quantity: '30', invoiceNumber: '1002', chargeDate: '2027-02-20' },
    ],
  },
};

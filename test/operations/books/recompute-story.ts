/** Books with one of each subject that the second calculator computes. */
import { upload } from '../support/uploads.ts';
import { openBooks, type Books, type SharedDatabase } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { demoPlan } from '../../support/tenants.ts';

const share = (priceCode: string, percent: number) => ({
  priceCode,
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  tiers: [{ unitsFrom: 0, percent }],
});
const once = { chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };

const fee = recurring('FEE', 31, { ...prorated, taxCodes: ['STANDARD'] });
const plans = [
  demoPlan('METERED'),
  {
    ...fee,
    charges: [
      ...fee.charges,
      { ...share('CARE', 7.5), ...prorated, taxCodes: ['STANDARD'] },
      { ...share('VAT', 19), ...prepaid, isTax: true },
    ],
  },
  {
    ...recurring('SEATS', 10, prepaid),
    charges: [
      {
        priceCode: 'SEATS',
        chargeType: 'RecurringCharge',
        pricingType: 'TieredPricing',
        ...prepaid,
        tiers: [
          { unitsFrom: 0, unitsTo: 5, price: 8 },
          { unitsFrom: 5, price: 6 },
        ],
      },
      { priceCode: 'SETUP', ...once, price: 49 },
      { priceCode: 'ROUTER', ...once, price: 80, isSeparateInvoice: true },
    ],
  },
  recurring('LATER', 31, { isProrated: true }),
];

const coupons = [
  { code: 'TEN', percent: 10, periods: 3 },
  { code: 'FIVE', amount: 5 },
  { code: 'ONCE', percent: 10, once: true },
];
const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];

/**
 * 2027-01-15: FEE with TEN in NY, changed to two of it on 2027-02-01; seven SEATS with FIVE, whose
 * router is on an invoice of its own; METERED, 130 minutes in January, of which 20 are corrected in
 * February; LATER in arrears, paused from 2027-01-20 to 31; FEE with ONCE, billed in two months.
 */
export async function storyOfSubjects(db: SharedDatabase): Promise<Books> {
  const file = { coupons, tax: { type: 'table', rates } };
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  const address = { countryCode: 'US', state: 'NY' };
  const now = { generateInvoice: true };
  const taxed = await books.customer({ address });
  const first = await books.order(
    { customerId: taxed, contractCode: 'FEE', couponCode: 'TEN' },
    now,
  );
  const seats = [
    { priceCode: 'SEATS', quantity: '7' },
    { priceCode: 'SETUP' },
    { priceCode: 'ROUTER' },
  ];
  await books.order(
    {
      customerId: await books.customer(),
      contractCode: 'SEATS',
      couponCode: 'FIVE',
      orderLineItems: seats,
    },
    now,
  );
  const metered = await books.order(
    { customerId: await books.customer(), contractCode: 'METERED' },
    now,
  );
  const paused = await books.order({ customerId: await books.customer(), contractCode: 'LATER' });
  const third = await books.customer();
  await books.order({ customerId: third, contractCode: 'FEE', couponCode: 'ONCE' }, now);
  await books.advance('2027-01-20');
  await books.suspend(paused);
  await upload(books, [
    {
      orderId: metered,
      priceCode: 'MINUTES',
      quantity: '130',
      chargeDate: '2027-01-18',
      extRefId: 'A',
    },
  ]);
  await books.advance('2027-01-31');
  await books.activate(paused);
  await books.advance('2027-02-01');
  await books.change(
    first,
    {
      contractCode: 'FEE',
      orderLineItems: [{ priceCode: 'FEE', quantity: '2' }, { priceCode: 'CARE' }],
    },
    { bills: true },
  );
  await upload(books, [{ correctsExtRefId: 'A', quantity: '-20', extRefId: 'B' }]);
  await books.advance('2027-03-01');
  return books;
}

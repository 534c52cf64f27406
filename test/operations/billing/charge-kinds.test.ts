/** The kind of a charge, and the base of a percentage. */
import test from 'ava';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

test('a charge has the kind of what it bills', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
  const plan = {
    ...recurring('P', 31, prorated),
    charges: [
      { priceCode: 'P', ...fee, price: 31 },
      { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge', price: 49 },
      { priceCode: 'VAT', ...fee, isTax: true, price: 2 },
    ],
  };
  const books = await openBooks(db, { today: '2027-01-15', plans: [plan] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.manualInvoice(customerId, {
    invoiceLineItems: [{ invoiceLineItemCharges: [{ priceCode: 'WORK', amount: '7' }] }],
  });
  const kinds = () =>
    books.read((tx) =>
      tx.query<{ text: string }>(
        `select price_code || ' ' || kind as text from invoice_charge order by id`,
      ),
    );
  t.deepEqual(
    (await kinds()).map((row) => row.text),
    ['P period', 'SETUP oneTime', 'VAT tax', 'WORK manual'],
  );
  t.deepEqual((await books.audit()).faults, []);
});

test('a percentage names the charges that it is one of', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
  const share = (priceCode: string, percent: number) => ({
    priceCode,
    ...fee,
    tiers: [{ unitsFrom: 0, percent }],
  });
  const plan = recurring('P', 31, prorated);
  const charges = [
    ...plan.charges,
    { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge', price: 49 },
    { ...share('CARE', 10), ...prorated },
    { ...share('REPORT', 3) },
    { ...share('VAT', 19), isTax: true, isPrepaid: true },
  ];
  const books = await openBooks(db, { today: '2027-01-15', plans: [{ ...plan, charges }] });
  const customerId = await books.customer();
  // Some months at once: several periods of each percentage share the other charges.
  const startDate = '2026-11-01';
  await books.order({ customerId, contractCode: 'P', startDate }, { generateInvoice: true });
  const bases = () =>
    books.read((tx) =>
      tx.query<{ text: string }>(
        `select price_code || ' ' || position || ' of ' || base_positions::text as text
         from invoice_charge where is_percent order by position`,
      ),
    );
  const found = (await bases()).map((row) => row.text);
  // Three fees (1 to 3), the setup (4), three CARE (5 to 7), two REPORT (8, 9), three VAT.
  t.deepEqual(found.slice(0, 5), [
    'CARE 5 of {1,4}',
    'CARE 6 of {2}',
    'CARE 7 of {3}',
    'REPORT 8 of {1,2,4}',
    'REPORT 9 of {3}',
  ]);
  t.is(found.length, 8);
  t.deepEqual((await books.audit()).faults, []);
});

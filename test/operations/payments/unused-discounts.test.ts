/** Credits for the unused days of discounted and taxed orders, from the rows of their invoices. */
import test from 'ava';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { sharedDatabase } from '../support/books.ts';
import { recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const rate = {
  country: 'US',
  state: 'NY',
  percent: 8.875,
  taxCode: 'STANDARD',
  name: 'NY sales tax',
};
const file = {
  settings: { creditUnusedOnCancel: true },
  tax: { type: 'table', rates: [rate] },
  coupons: [
    { code: 'TEN', percent: 10 },
    { code: 'FIVE', amount: 5 },
    { code: 'FREE', percent: 100 },
  ],
};
const newYork = { countryCode: 'US', state: 'NY' };
const now = { generateInvoice: true };
const byDays = { isPrepaid: true, isProrated: true, taxCodes: ['STANDARD'] };
const setup = { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
const fee = recurring('FEE', 29.95, byDays);
const gold = { ...fee, contractCode: 'GOLD', charges: [...fee.charges, { ...setup, price: 49 }] };

async function credited({ read }: PaymentBooks): Promise<string[]> {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', c.price_code, round(r.amount, 2), 'from', r.unused_from,
                'to ' || r.unused_to) as text
       from charge_credit r
       join invoice_charge c on c.tenant_id = r.tenant_id and c.id = r.invoice_charge_id
       order by c.position`,
    ),
  );
  return rows.map(({ text }) => text);
}

test('a cancelled order is credited net of its discount in percent, with its tax', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans: [fee], file });
  const customerId = await books.customer({ address: newYork });
  const id = await books.order({ customerId, contractCode: 'FEE', couponCode: 'TEN' }, now);
  await books.advance('2027-01-31');
  await books.put(id, { orderStatus: 'Canceled' });
  // 17 of 31 days are used: 16.42, -1.64 and 8.875 percent of 14.78 stand.
  t.deepEqual(await credited(books), [
    'FEE 13.53 from 2027-02-01 to 2027-02-14',
    'DISCOUNT -1.36 from 2027-02-01 to 2027-02-14',
    'TAX 1.08 from 2027-02-01',
  ]);
  t.deepEqual(await books.payments(), ['#1 Credit Paid 13.25']);
  t.deepEqual(await books.balances(), ['16.09 USD']);
  t.deepEqual(await books.faults(), []);
});

test('the discount of a fixed amount goes by days, but not that of a one-time charge', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans: [gold], file });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD', couponCode: 'FIVE' }, now);
  await books.advance('2027-01-31');
  await books.put(id, { orderStatus: 'Canceled' });
  // 1.90 x 17/31 = 1.04 of the fee's stands.
  t.deepEqual(await credited(books), [
    'FEE 13.53 from 2027-02-01 to 2027-02-14',
    'DISCOUNT -0.86 from 2027-02-01 to 2027-02-14',
  ]);
  t.deepEqual(await books.payments(), ['#1 Credit Paid 12.67']);
  t.deepEqual(await books.faults(), []);
});

test('of an order that a coupon pays for, nothing is credited', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans: [fee], file });
  const customerId = await books.customer({ address: newYork });
  const id = await books.order({ customerId, contractCode: 'FEE', couponCode: 'FREE' }, now);
  await books.advance('2027-01-31');
  await books.put(id, { orderStatus: 'Canceled' });
  t.deepEqual(await credited(books), []);
  t.deepEqual(await books.payments(), []);
  t.deepEqual(await books.faults(), []);
});

test('each invoice of an order is credited with its own discounts and tax', async (t) => {
  const line = { ...fee.charges[0], priceCode: 'LINE', price: 62, isSeparateInvoice: true };
  const plan = { ...fee, charges: [...fee.charges, line] };
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans: [plan], file });
  const customerId = await books.customer({ address: newYork });
  const id = await books.order({ customerId, contractCode: 'FEE', couponCode: 'TEN' }, now);
  await books.advance('2027-01-31');
  await books.put(id, { orderStatus: 'Canceled' });
  // Of 62.00, -6.20 and 4.95: 34.00, -3.40 and 8.875 percent of 30.60, 2.72.
  t.deepEqual((await credited(books)).toSorted(), [
    'DISCOUNT -1.36 from 2027-02-01 to 2027-02-14',
    'DISCOUNT -2.80 from 2027-02-01 to 2027-02-14',
    'FEE 13.53 from 2027-02-01 to 2027-02-14',
    'LINE 28.00 from 2027-02-01 to 2027-02-14',
    'TAX 1.08 from 2027-02-01',
    'TAX 2.23 from 2027-02-01',
  ]);
  t.deepEqual(await books.payments(), ['#1 Credit Paid 40.68']);
  t.deepEqual(await books.faults(), []);
});

/** What applying makes of the coupons of a tenant file: rows, one for each version. */
import test from 'ava';
import { bench, monthlyPlan, smallest, spoiled, type Bench, type Draft } from './support.ts';

const welcome = { code: 'WELCOME', percent: '10.50', periods: '3', plans: ['B', 'A'] };
const five = { code: 'FIVE', amount: '5.00', once: 'true', startDate: '2027-01-01' };
const shop: Draft = {
  ...smallest,
  plans: [monthlyPlan('A'), monthlyPlan('B')],
  coupons: [welcome, five],
};

function rows({ in: inLabel }: Bench): Promise<unknown[]> {
  return inLabel('tiny', (tx) =>
    tx.query(
      `select concat_ws(' ', code, version, is_newest, percent::float8 || '%', amount::float8,
         currency, is_once, periods, plans::text, start_date, end_date) as row
       from coupon order by code, version`,
    ),
  ).then((found) => found.map(({ row }) => row));
}

test("the coupons of a file are rows, an amount without a currency is in the tenant's", async (t) => {
  const tried = await bench(t);
  t.deepEqual((await tried.changes(shop)).slice(-2), [
    'coupon WELCOME: version 1',
    'coupon FIVE: version 1',
  ]);
  t.deepEqual(await rows(tried), ['FIVE 1 t 5 EUR t 2027-01-01', 'WELCOME 1 t 10.5% f 3 {A,B}']);
});

test('a file with the same coupons changes nothing, in whatever words it says them', async (t) => {
  const { changes } = await bench(t);
  await changes(shop);
  t.deepEqual(await changes(shop), []);
  const others = [
    { ...five, amount: '5', currency: 'EUR' },
    { ...welcome, percent: '10.5', plans: ['A', 'B'], once: 'false' },
  ];
  t.deepEqual(await changes({ ...shop, coupons: others }), []);
});

test('a changed coupon is a new version, the others keep their rows', async (t) => {
  const tried = await bench(t);
  await tried.changes(shop);
  t.deepEqual(await tried.changes(spoiled(shop, { 'coupons[1].endDate': '2027-12-31' })), [
    'coupon FIVE: version 2',
  ]);
  t.deepEqual(await rows(tried), [
    'FIVE 1 f 5 EUR t 2027-01-01',
    'FIVE 2 t 5 EUR t 2027-01-01 2027-12-31',
    'WELCOME 1 t 10.5% f 3 {A,B}',
  ]);
  t.deepEqual(await tried.changes(shop), ['coupon FIVE: version 3']);
});

test('a coupon gone from the file has no newest version; it comes back as it was, or anew', async (t) => {
  const tried = await bench(t);
  await tried.changes(shop);
  const without = { ...shop, coupons: [] };
  t.deepEqual(await tried.changes(without), ['coupon FIVE: removed', 'coupon WELCOME: removed']);
  t.deepEqual(await tried.changes(without), []);
  t.deepEqual(await rows(tried), ['FIVE 1 f 5 EUR t 2027-01-01', 'WELCOME 1 f 10.5% f 3 {A,B}']);
  t.deepEqual(await tried.changes(spoiled(shop, { 'coupons[1].amount': '6' })), [
    'coupon WELCOME: version 1 again',
    'coupon FIVE: version 2',
  ]);
  t.deepEqual(await rows(tried), [
    'FIVE 1 f 5 EUR t 2027-01-01',
    'FIVE 2 t 6 EUR t 2027-01-01',
    'WELCOME 1 t 10.5% f 3 {A,B}',
  ]);
});

test("an amount in the tenant's currency is another coupon once the currency is another", async (t) => {
  const { changes } = await bench(t);
  await changes(shop);
  t.deepEqual(await changes({ ...shop, currency: 'USD' }), [
    'currency: changed',
    'plan A: version 2',
    'plan B: version 2',
    'coupon FIVE: version 2',
  ]);
});

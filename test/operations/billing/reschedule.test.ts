/** One place decides the day on which an order bills, for runs, changes and releases. */

import test from 'ava';
import { billOn } from '../../../domain/billing/due/dates.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const today = '2027-03-10';

for (const [rule, before, next, expected] of [
  ['an order that never has anything due bills on no day', '2027-03-10', null, null],
  ['a charge that is due later is billed on its day', '2027-03-10', '2027-03-20', '2027-03-20'],
  [
    'a charge that a change makes due waits for the next run',
    '2027-03-20',
    '2027-03-05',
    '2027-03-11',
  ],
  ['a charge that is due today also waits for the next run', null, '2027-03-10', '2027-03-11'],
  [
    'a change does not delay what a missed run should have billed',
    '2027-03-08',
    '2027-03-05',
    '2027-03-08',
  ],
  ['a change does not delay what the run of today bills', '2027-03-10', '2027-03-10', '2027-03-10'],
  ['after a release, overdue charges wait for the next run', null, '2027-03-05', '2027-03-11'],
] as const) {
  test(rule, (t) => t.is(billOn(before, { next, today }), expected));
}

async function heldOverRenewal(): Promise<
  Books & { readonly orderId: number; readonly customerId: number }
> {
  const plans = [recurring('P', 31, prorated)];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.work(({ tx }) =>
    tx.query(
      `update customer set billing_held_at = '2027-02-01T05:00:00Z', billing_held_code = 'test'
       where id = $1`,
      [customerId],
    ),
  );
  return { ...books, orderId, customerId };
}

test('the next run bills a released customer, whose orders then match the rules', async (t) => {
  const books = await heldOverRenewal();
  await books.advance('2027-02-20');
  t.is(await books.orderNow(books.orderId), 'Active next 2027-02-15 bills 2027-02-15');
  await books.customerAction(books.customerId, 'activate');
  t.is(await books.orderNow(books.orderId), 'Active next 2027-02-15 bills 2027-02-21');
  t.deepEqual((await books.audit()).faults, []);
  await books.advance('2027-02-21');
  t.is(await books.orderNow(books.orderId), 'Active next 2027-03-15 bills 2027-03-15');
  t.is((await books.invoices()).length, 2);
});

test('a release does not change what is due later', async (t) => {
  const books = await heldOverRenewal();
  await books.advance('2027-02-10');
  await books.customerAction(books.customerId, 'activate');
  t.is(await books.orderNow(books.orderId), 'Active next 2027-02-15 bills 2027-02-15');
  t.deepEqual((await books.audit()).faults, []);
});

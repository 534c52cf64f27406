/** One place decides the day on which an order bills, for runs, changes and releases. */

import test from 'ava';
import { billOn } from '../../../domain/orders/dates.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import type { Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const today = '2027-03-10';

for (const [rule, before, next, expected] of [
  ['an order of which nothing is ever due bills on no day', '2027-03-10', null, null],
  ['what is due later bills on its day', '2027-03-10', '2027-03-20', '2027-03-20'],
  ['what a change makes due waits for the next run', '2027-03-20', '2027-03-05', '2027-03-11'],
  ['what is due today waits for the next run too', null, '2027-03-10', '2027-03-11'],
  ['a change puts off nothing that a run owes', '2027-03-08', '2027-03-05', '2027-03-08'],
  ['nor what the run of today bills', '2027-03-10', '2027-03-10', '2027-03-10'],
  ['a release puts off what was due: no run was to bill it', null, '2027-03-05', '2027-03-11'],
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

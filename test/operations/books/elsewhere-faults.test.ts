/** Breaks books of an order that moved in, and expects the audit to report it. */
import test from 'ava';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();
const plans = [recurring('M31', 31, prorated), recurring('A31', 31, { isProrated: true })];

test('a day that is billed here and elsewhere is found', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const moved = { customerId, startDate: '2026-10-15', billedThrough: '2027-01-20' };
  await books.order({ ...moved, contractCode: 'M31' });
  await books.order({ ...moved, contractCode: 'A31' });
  await books.advance('2027-02-15');
  t.deepEqual((await books.audit()).faults, []);
  await corrupt(books, [
    `update subscription_order set billed_through = '2027-02-14',
       arrears_billed_through = '2027-01-15' where ${own}`,
  ]);
  const { faults } = await books.audit();
  t.deepEqual(
    besideLedger(faults)
      .filter(({ check }) => check === 'billedThrough.days')
      .map(({ object, detail }) => `${object}: ${detail}`),
    [
      'order 1001: line 1 is billed for 2027-01-21 to 2027-02-14, but elsewhere to 2027-02-14',
      'order 1002: line 1 is billed for 2027-01-15 to 2027-02-14, but elsewhere to 2027-01-15',
    ],
  );
});

/** Breaks change orders, and expects the audit to report it. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { corrupt, own, unguarded } from './corrupt.ts';

const db = await sharedDatabase();

/** 1001 was replaced by 1003 on 2027-01-10; 1002 will be replaced by 1004 on 2027-01-20. */
async function story(): Promise<Books> {
  const plans = [recurring('P', 31, prorated)];
  const books = await openBooks(db, { today: '2027-01-01', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P' };
  const [first, second] = [await books.order(order), await books.order(order)];
  await books.advance('2027-01-10');
  await books.change(first, order, { bills: true });
  await books.change(second, order, { effectiveDate: '2027-01-20' });
  return books;
}

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a successor that begins on another day',
    [`update subscription_order set ended_on = '2027-01-08' where ${own} and order_number = 1001`],
    ['change.pair: order 1001: ends on 2027-01-08, but order 1003 begins on 2027-01-10'],
  ],
  [
    'no successor',
    [`update subscription_order set previous_order_id = null where ${own} and order_number = 1003`],
    ['change.pair: order 1001: is Superseded by no order'],
  ],
  [
    'a pending change without its day',
    [`update subscription_order set change_on = null where ${own} and order_number = 1002`],
    [
      'change.pair: order 1002: has no day on which order 1004 replaces it',
      'order.dates: order 1002: transitionOn 2027-01-20, should be null',
    ],
  ],
  [
    'a change whose day has come',
    [
      `update subscription_order set change_on = '2027-01-09', transition_on = '2027-01-09'
       where ${own} and order_number = 1002`,
      `update subscription_order set start_date = '2027-01-09' where ${own} and order_number = 1004`,
    ],
    ['change.due: order 1002: should have been replaced on 2027-01-09'],
  ],
  [
    'a credit of another amount',
    unguarded(`update charge_credit set amount = 20 where ${own}`),
    ['change.credit', 'credit.sum'],
  ],
  [
    'a credit that is missing',
    unguarded(`update charge_credit set voided_at = now() where ${own}`),
    ['change.credit'],
  ],
];

for (const [rule, statements, found] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    t.deepEqual((await books.audit()).faults, []);
    await corrupt(books, statements);
    const faults = (await books.audit()).faults.map(
      ({ check, object, detail }) => `${check}: ${object}: ${detail}`,
    );
    for (const each of found) {
      t.true(
        faults.some((fault) => fault.startsWith(each)),
        `${each} in ${JSON.stringify(faults)}`,
      );
    }
  });
}

/** The audit finds customers that stand elsewhere than the thresholds say, in both directions. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openDunningBooks, type DunningBooks } from '../support/dunning-books.ts';

const db = await sharedDatabase();

/** One customer, Overdue1 since 20 January, next Overdue2 on 4 February; today is 25 January. */
async function overdue(): Promise<{ books: DunningBooks; customerId: number }> {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-25');
  return { books, customerId };
}

const breaks: readonly [rule: string, statement: string, found: readonly string[]][] = [
  [
    'a customer that stands too high',
    `update customer set status = 'Suspended1'`,
    [
      'dunning.status: is Suspended1, and its oldest open invoice was due on 2027-01-05',
      'dunning.transition: is Suspended1, but its newest transition led to Overdue1',
    ],
  ],
  [
    'a customer that stands too low, and no run would raise it in time',
    `with it as (update dunning set next_step_on = '2027-03-01' returning customer_id),
       gone as (delete from customer_transition returning 1)
     update customer set status = 'Active' from it where id = it.customer_id`,
    ['dunning.status: is Active, and its oldest open invoice was due on 2027-01-05'],
  ],
  [
    'a customer that stands too low, and whose step is put off from day to day',
    `with it as (update dunning set next_step_on = '2027-01-26' returning customer_id),
       gone as (delete from customer_transition returning 1)
     update customer set status = 'Active' from it where id = it.customer_id`,
    ['dunning.status: is Active, and its oldest open invoice was due on 2027-01-05'],
  ],
  [
    'a status that no threshold has',
    `with t as (update customer_transition set new_status = 'Overdue3')
     update customer set status = 'Overdue3'`,
    ['dunning.status: is Overdue3, and its oldest open invoice was due on 2027-01-05'],
  ],
  [
    'an overdue customer without a dunning',
    `update dunning set closed_on = '2027-01-10', next_step_on = null`,
    ['dunning.missing: owes something that is overdue since 2027-01-06, but has no open dunning'],
  ],
  [
    'a step that no run took',
    `update dunning set next_step_on = '2027-01-24'`,
    ['dunning.overdue: should have changed its status by age on 2027-01-24'],
  ],
  [
    'an open dunning although nothing is overdue',
    `update invoice set due_date = '2027-02-05'`,
    [
      'dunning.status: is Overdue1, and its oldest open invoice was due on 2027-02-05',
      'dunning.open: has an open dunning since 2027-01-06, but nothing is overdue, and no retry remains',
    ],
  ],
];

for (const [rule, statement, found] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const { books } = await overdue();
    t.deepEqual(await books.faults(), []);
    await books.work(async ({ tx }) => tx.query(statement));
    const own = (await books.faults()).filter(({ check }) => check.startsWith('dunning.'));
    const faults = own.map(({ check, detail }) => `${check}: ${detail}`);
    t.deepEqual(faults, [...found]);
  });
}

test('a step that the workflow took before the run of its day is no fault', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-19');
  books.jump('2027-01-20');
  books.later(2 * 60_000);
  await books.wake(customerId, 1);
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-02-04');
  t.deepEqual(await books.faults(), []);
  await books.age();
  t.deepEqual(await books.faults(), []);
});

/** PostgreSQL's generated column and the rule give an order the same next day of action. */
import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { nextActionOn } from '../../../domain/billing/due/dates.ts';
import { fc } from '../../support/random.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { recurring } from '../support/plans.ts';

const db = await sharedDatabase();

test('the column next_action_on is what the rule says of the row’s dates', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31)] });
  const id = await books.order({ customerId: await books.customer(), contractCode: 'P' });
  const day = fc.option(fc.integer({ min: -40, max: 40 }), { freq: 3 });
  const dates = fc.tuple(day, day).map(([bills, changes]) => ({
    billOn: bills === null ? null : addDays('2027-01-15', bills),
    transitionOn: changes === null ? null : addDays('2027-01-15', changes),
  }));
  await books.work(async ({ tx }) => {
    for (const { billOn, transitionOn } of fc.sample(dates, 100)) {
      const [row] = await tx.query<{ next: string | null }>(
        `update subscription_order set bill_on = $2, transition_on = $3 where id = $1
         returning next_action_on as next`,
        [id, billOn, transitionOn],
      );
      t.is(row?.next, nextActionOn({ billOn, transitionOn }), `${billOn} ${transitionOn}`);
    }
  });
});

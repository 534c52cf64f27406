/** Declined automatic payments on the test clock: the retries, and the dunning that waits for them. */

import test from 'ava';
import { all, done, text } from '../../../cli/rest.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { sharedSystem } from '../../support/system.ts';
import { tell, type Story } from './story.ts';

const system = await sharedSystem();
const plans = [recurring('FEE', 31, prepaid)];
const thresholds = [
  { daysOverdue: 15, status: 'Overdue1' },
  { daysOverdue: 30, status: 'Overdue2' },
];
const bad = { cardNumber: '4000000000000002' };
const good = { cardNumber: '4111111111111111' };
const once = { fields: { isAutoPay: 'true', endDate: '2027-01-31', isAutoRenew: 'false' } };

async function begin(): Promise<Story> {
  const story = await tell(system, { plans, file: { dunning: { thresholds } } });
  await story.customer('ADA');
  await story.card('ADA', 1, bad);
  await story.order('ADA', 'FEE', once);
  return story;
}

/** `open since 2027-01-02` */
async function dunningOf(story: Story): Promise<string> {
  const [row] = await inTenant(system.dependencies.db, story.tenantId, (tx) =>
    tx.query<{ text: string }>(
      `select case when closed_on is null then 'open since ' || opened_on
                   else 'closed on ' || closed_on end as text from dunning`,
    ),
  );
  return row?.text ?? 'none';
}

async function transitions(story: Story): Promise<string[]> {
  const path = '/rest/customers/transitions?startDate=2027-01-01&endDate=2028-12-31';
  const list = await done(story.target, 'GET', path);
  const of = ['dateTransitioned', 'previousStatus', 'newStatus'];
  return all(list, 'customerTransition')
    .map((each) => of.map((name) => text(each, name)).join(' '))
    .toReversed();
}

test('four retries are declined, then only ageing goes on', async (t) => {
  const story = await begin();
  // Billed and declined on 2 January; retried 1, 3, 5 and 7 days later.
  await story.moveClock('2027-01-08');
  t.is(await dunningOf(story), 'open since 2027-01-02');
  await story.isClean(t);
  await story.moveClock('2027-01-20');
  const days = ['2027-01-02', '2027-01-03', '2027-01-05', '2027-01-07', '2027-01-09'];
  t.deepEqual(
    await story.payments(),
    days.map((day) => `${day} Declined 31.00 card_declined`),
  );
  t.is(await dunningOf(story), 'closed on 2027-01-09');
  await story.isClean(t);
  // Due on 1 February: overdue on the 2nd, 15 days on the 16th, 30 days on 3 March.
  await story.moveClock('2027-03-10');
  t.is(await dunningOf(story), 'open since 2027-02-02');
  t.deepEqual(await transitions(story), [
    '2027-02-16 Active Overdue1',
    '2027-03-03 Overdue1 Overdue2',
  ]);
  t.is((await story.payments()).length, 5);
  await story.isClean(t);
});

test('a retry with a new card is paid, and the dunning is closed', async (t) => {
  const story = await begin();
  await story.moveClock('2027-01-04');
  await story.card('ADA', 1, good);
  t.is(await dunningOf(story), 'open since 2027-01-02');
  await story.moveClock('2027-04-01');
  t.deepEqual(await story.payments(), [
    '2027-01-02 Declined 31.00 card_declined',
    '2027-01-03 Declined 31.00 card_declined',
    '2027-01-05 Paid 31.00',
  ]);
  t.is(await dunningOf(story), 'closed on 2027-01-05');
  t.deepEqual(await transitions(story), []);
  await story.isClean(t);
});

test('retries on each of 40 days that all decline hold back no step', async (t) => {
  const retryDays = Array.from({ length: 40 }, (_, index) => index + 1);
  const early = [5, 7].map((days, index) => ({ daysOverdue: days, status: `Overdue${index + 1}` }));
  const story = await tell(system, { plans, file: { dunning: { thresholds: early, retryDays } } });
  await story.customer('ADA');
  await story.card('ADA', 1, bad);
  await story.order('ADA', 'FEE', once);
  // Declined on 2 January, retried up to 11 February; due on 1 February, so both steps are of days
  // of retries.
  await story.moveClock('2027-02-20');
  t.is((await story.payments()).length, 41);
  t.deepEqual(await transitions(story), [
    '2027-02-06 Active Overdue1',
    '2027-02-08 Overdue1 Overdue2',
  ]);
  await story.isClean(t);
});

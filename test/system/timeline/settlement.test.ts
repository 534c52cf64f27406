/**
 * Bank debits that take days, or are returned, on the test clock; they come first at their instant.
 */

import test from 'ava';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { sharedSystem } from '../../support/system.ts';
import { tell } from './story.ts';

const system = await sharedSystem();
const plans = [recurring('FEE', 31, prepaid)];
const auto = { fields: { isAutoPay: 'true' } };
const takesDays = '000222222226';
const comesBack = '000333333335';

test('a debit that takes days is Paid two days later at 00:00, and the clock does not wait for it', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.account('ADA', 1, takesDays);
  await story.order('ADA', 'FEE', auto);
  // Billed and charged on the 2nd.
  await story.moveClock('2027-01-03');
  t.deepEqual(await story.payments(), ['2027-01-02 Pending 31.00']);
  await story.isClean(t);
  await story.moveClock('2027-01-04');
  t.deepEqual(await story.payments(), ['2027-01-02 Paid 31.00']);
  await story.advance(
    t,
    '2027-01-05',
    '1001 on 2027-01-02 due 2027-02-01 Paid 31.00: FEE 2027-01-01 2027-01-31 31.00',
  );
  await story.isClean(t);
});

test('a debit that is returned is Paid at once, and its invoice is open again two days later', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.account('ADA', 1, comesBack);
  await story.order('ADA', 'FEE', auto);
  await story.moveClock('2027-01-03');
  t.deepEqual(await story.payments(), ['2027-01-02 Paid 31.00']);
  await story.isClean(t);
  await story.advance(
    t,
    '2027-01-04',
    '1001 on 2027-01-02 due 2027-02-01 Outstanding 31.00: FEE 2027-01-01 2027-01-31 31.00',
  );
  t.deepEqual(await story.payments(), ['2027-01-02 Canceled 31.00 insufficient_funds']);
  // Autopay never pays it again, and no retry begins.
  await story.moveClock('2027-01-20');
  t.is((await story.payments()).length, 1);
  await story.isClean(t);
});

test('one advance over some days gives the same result as several', async (t) => {
  const lives = [['2027-03-10'], ['2027-01-03', '2027-02-02', '2027-02-03', '2027-03-10']].map(
    async (stops) => {
      const story = await tell(system, { plans });
      for (const ref of ['ADA', 'BOB']) await story.customer(ref);
      await story.account('ADA', 1, takesDays);
      await story.account('BOB', 1, comesBack);
      for (const ref of ['ADA', 'BOB']) await story.order(ref, 'FEE', auto);
      for (const stop of stops) await story.moveClock(stop);
      await story.isClean(t);
      return (await story.payments()).toSorted();
    },
  );
  const [whole, split] = await Promise.all(lives);
  t.deepEqual(split, whole);
  t.deepEqual(whole, [
    '2027-01-02 Canceled 31.00 insufficient_funds',
    '2027-01-02 Paid 31.00',
    '2027-02-01 Canceled 31.00 insufficient_funds',
    '2027-02-01 Paid 31.00',
    '2027-03-01 Canceled 31.00 insufficient_funds',
    '2027-03-01 Paid 31.00',
  ]);
});

/** A year of ageing on the test clock: days, suspension and return, by the interface and its workflows. */

import test from 'ava';
import { all, done, text } from '../../../cli/rest.ts';
import { prorated, recurring } from '../../operations/support/plans.ts';
import { sharedSystem } from '../../support/system.ts';
import { tell, type Story } from './story.ts';

const system = await sharedSystem();
const plans = [recurring('FEE', 31, prorated)];
const thresholds = [
  { daysOverdue: 15, status: 'Overdue1' },
  { daysOverdue: 30, status: 'Overdue2' },
  { daysOverdue: 45, status: 'Overdue3' },
  { daysOverdue: 60, status: 'Suspended1' },
  { daysOverdue: 120, status: 'InActive1' },
];
const file = { dunning: { thresholds } };

/** `2027-02-15 Active to Overdue1`, the oldest first. */
async function transitions(story: Story): Promise<string[]> {
  const path = '/rest/customers/transitions?startDate=2027-01-01&endDate=2028-12-31';
  const list = await done(story.target, 'GET', path);
  return all(list, 'customerTransition')
    .map((each) => {
      const [on, from, to] = ['dateTransitioned', 'previousStatus', 'newStatus'].map((name) =>
        text(each, name),
      );
      return `${on} ${from} to ${to}`;
    })
    .toReversed();
}

const ageing = [
  '2027-02-16 Active to Overdue1',
  '2027-03-03 Overdue1 to Overdue2',
  '2027-03-18 Overdue2 to Overdue3',
  '2027-04-02 Overdue3 to Suspended1',
  '2027-06-01 Suspended1 to InActive1',
];

test('a year without a payment: each threshold on its day, no invoice after the suspension', async (t) => {
  const story = await tell(system, { plans, file });
  await story.customer('ADA');
  await story.order('ADA', 'FEE');
  const began = performance.now();
  await story.moveClock('2028-01-01');
  t.log(`a year in ${Math.round(performance.now() - began)} ms`);
  // Billed on 2 January, due on 1 February; 15, 30, 45, 60 and 120 days later.
  t.deepEqual(await transitions(story), ageing);
  t.is((await story.invoices()).length, 4);
  await story.isClean(t);
});

test('an advance in steps ends as one advance does', async (t) => {
  const story = await tell(system, { plans, file });
  await story.customer('ADA');
  await story.order('ADA', 'FEE');
  for (const day of ['2027-02-02', '2027-02-15', '2027-02-16', '2027-03-30', '2027-05-31']) {
    await story.moveClock(day);
  }
  await story.moveClock('2028-01-01');
  t.deepEqual(await transitions(story), ageing);
  await story.isClean(t);
});

test('a customer that pays comes back at once, is billed again, and ages again', async (t) => {
  const story = await tell(system, { plans, file });
  await story.customer('ADA');
  await story.card('ADA', 1, { cardNumber: '4111111111111111' });
  const id = await story.order('ADA', 'FEE');
  await story.moveClock('2027-04-20');
  t.is(await story.orderNow(id), 'Active');
  const body =
    '<processPayment><amount>124.00</amount><paymentMethodDTO type="Cash"><cashPaymentMethod/>' +
    '</paymentMethodDTO></processPayment>';
  await done(story.target, 'POST', '/rest/payments?extCustomerRef=ADA', body);
  t.deepEqual(await transitions(story), [...ageing.slice(0, 4), '2027-04-20 Suspended1 to Active']);
  await story.moveClock('2027-07-01');
  // April was billed before the suspension; May's invoice is due on 31 May.
  t.true((await story.invoices()).some((line) => line.includes('on 2027-05-01 due 2027-05-31')));
  t.deepEqual((await transitions(story)).slice(5), [
    '2027-06-15 Active to Overdue1',
    '2027-06-30 Overdue1 to Overdue2',
  ]);
  await story.isClean(t);
});

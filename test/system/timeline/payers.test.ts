/**
 * Automatic payments that wait for their payer, on the test clock: GOLD from 15 January 2027 for a
 * customer in New York, whose first method always asks. 49.00 + 29.95 + 2.66 tax = 81.61.
 */
import test, { type ExecutionContext } from 'ava';
import { all, done, text } from '../../../cli/rest.ts';
import { demoPlan } from '../../support/tenants.ts';
import { sharedSystem } from '../../support/system.ts';
import { tell, type Story } from './story.ts';

const system = await sharedSystem();
const asking = { cardNumber: '4000002760003184' };
const good = { cardNumber: '4242424242424242' };
const newYork = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];

async function gold(second?: {
  readonly cardNumber: string;
}): Promise<Story & { readonly orderId: string }> {
  const story = await tell(system, {
    plans: [demoPlan('GOLD')],
    file: { gateway: { type: 'sandbox', actionDays: 3 }, tax: { type: 'table', rates: newYork } },
  });
  const body =
    '<customer><extCustomerRef>ADA</extCustomerRef><billingContact><firstName>Ada</firstName>' +
    '<lastName>ADA</lastName><address><state>NY</state><countryCode>US</countryCode></address></billingContact></customer>';
  await done(story.target, 'POST', '/rest/customers', body);
  await story.card('ADA', 1, asking);
  if (second !== undefined) await story.card('ADA', 2, second);
  const fields = { isAutoPay: 'true', startDate: '2027-01-15' };
  const orderId = await story.order('ADA', 'GOLD', { fields });
  return { ...story, orderId };
}

/** `2027-01-15 ActionRequired 81.61`, by the day on which it was made. */
async function payments(t: ExecutionContext, story: Story, ...expected: string[]): Promise<void> {
  t.deepEqual(await story.payments(), expected);
}

test('without an answer: declined at 00:00 of 01-18, retried on 01-19, 01-23 and 01-25', async (t) => {
  const story = await gold();
  await story.moveClock('2027-01-16');
  await payments(t, story, '2027-01-15 ActionRequired 81.61');
  const [payment] = all(await done(story.target, 'GET', '/rest/payments'), 'payment');
  t.is(text(payment ?? {}, 'payerAction', 'isPayerPresent'), 'false');
  t.is(text(payment ?? {}, 'payerAction', 'waitsUntil'), '2027-01-18T05:00:00Z');
  await story.isClean(t);
  await story.moveClock('2027-01-17');
  await payments(t, story, '2027-01-15 ActionRequired 81.61');
  await story.moveClock('2027-01-18');
  await payments(t, story, '2027-01-15 Declined 81.61 authentication_required');
  await story.isClean(t);
  await story.moveClock('2027-01-19');
  await story.moveClock('2027-02-10');
  const days = ['2027-01-15', '2027-01-19', '2027-01-23'];
  const declined = days.map((day) => `${day} Declined 81.61 authentication_required`);
  // Each waits for three days: from 01-23 until 01-26, when no day of the schedule is left.
  await payments(t, story, ...declined);
  await story.isClean(t);
});

test('without an answer the next method is charged at 00:00 of 01-18', async (t) => {
  const story = await gold(good);
  await story.moveClock('2027-01-18');
  await payments(
    t,
    story,
    '2027-01-15 Declined 81.61 authentication_required',
    '2027-01-15 Paid 81.61',
  );
  await story.isClean(t);
});

test('the timeline of the order says what waits, and what comes next', async (t) => {
  const story = await gold();
  await story.moveClock('2027-01-16');
  const timeline = await done(story.target, 'GET', `/rest/order/${story.orderId}/timeline`);
  const lines = all(timeline, 'entry').map((entry) =>
    ['date', 'state', 'text'].map((name) => text(entry, name)).join(' '),
  );
  const [payment] = all(await done(story.target, 'GET', '/rest/payments'), 'payment');
  const id = text(payment ?? {}, '@id');
  t.true(lines.includes(`2027-01-15 happened payment ${id} of 81.61 USD waits for the payer`));
  t.true(
    lines.includes(`2027-01-18 next payment ${id} is declined unless the payer confirms`),
    lines.join('\n'),
  );
});

test('deleted, it is Canceled, and nothing is tried again', async (t) => {
  const story = await gold(good);
  await story.moveClock('2027-01-16');
  const [payment] = all(await done(story.target, 'GET', '/rest/payments'), 'payment');
  const id = text(payment ?? {}, '@id');
  const answer = await done(story.target, 'DELETE', `/rest/payment/${id}`);
  t.is(text(answer, 'status'), 'Canceled');
  await story.moveClock('2027-02-10');
  await payments(t, story, '2027-01-15 Canceled 81.61');
  await story.isClean(t);
});

/** The life of payment plans on the test clock: what is paid on which day, however it is advanced. */

import test from 'ava';
import { done, text } from '../../../cli/rest.ts';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { sharedSystem } from '../../support/system.ts';
import { tell, type Story } from './story.ts';
import { costly, fc, runs } from '../../support/random.ts';

const system = await sharedSystem();
const plans = [recurring('FEE', 31, prepaid)];
const good = { cardNumber: '4111111111111111' };
const declined = { cardNumber: '4000000000000002' };
const closed = '000111111116';
const auto = { fields: { isAutoPay: 'true' } };

type Elements = Readonly<Record<string, string>>;

const monthly: Elements = {
  chargeAmount: '20.00',
  startDate: '2027-01-31',
  totalNumberOfInstallments: '3',
  frequencyValue: '1',
  frequencyUnits: 'Months',
};

const xml = (elements: Elements): string =>
  `<paymentPlan>${Object.entries(elements)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</paymentPlan>`;

const planPath = (ref: string): string => `/rest/customers/paymentPlan?extCustomerRef=${ref}`;

const plan = (story: Story, ref: string, elements: Elements = monthly) =>
  done(story.target, 'POST', planPath(ref), xml(elements));

/** `enabled, 2 to come, next 2027-02-28`. */
async function planNow(story: Story, ref: string): Promise<string> {
  const now = await done(story.target, 'GET', planPath(ref));
  const of = (name: string): string => text(now, name);
  const next = of('nextPaymentDate') === '' ? '' : `, next ${of('nextPaymentDate')}`;
  const state = of('isEnabled') === 'true' ? 'enabled' : 'ended';
  return `${state}, ${of('remainingInstallments')} to come${next}`;
}

test('installments from 31 January take the last day of shorter months; autopay resumes after them', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.card('ADA', 1, good);
  await story.order('ADA', 'FEE', auto);
  await plan(story, 'ADA');
  await story.moveClock('2027-02-28');
  t.deepEqual(await story.payments(), ['2027-01-31 Paid 20.00', '2027-02-28 Paid 20.00']);
  t.is(await planNow(story, 'ADA'), 'enabled, 1 to come, next 2027-03-31');
  await story.moveClock('2027-04-02');
  // Three invoices of 31.00 less three installments of 20.00, and the invoice of 1 April.
  const payments = await story.payments();
  t.deepEqual(payments.slice(2), [
    '2027-03-31 Paid 20.00',
    '2027-04-01 Paid 2.00',
    '2027-04-01 Paid 31.00',
    '2027-04-01 Paid 31.00',
  ]);
  t.is(await planNow(story, 'ADA'), 'ended, 0 to come');
  await story.isClean(t);
});

test('a declined installment is tried again on the retry days, and the plan ends after the last', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.card('ADA', 1, declined);
  await story.order('ADA', 'FEE');
  await plan(story, 'ADA', { ...monthly, totalNumberOfInstallments: '1' });
  await story.moveClock('2027-02-06');
  t.is(await planNow(story, 'ADA'), 'enabled, 0 to come, next 2027-02-07');
  await story.moveClock('2027-02-10');
  t.deepEqual(await story.payments(), [
    '2027-01-31 Declined 20.00 card_declined',
    '2027-02-01 Declined 20.00 card_declined',
    '2027-02-03 Declined 20.00 card_declined',
    '2027-02-05 Declined 20.00 card_declined',
    '2027-02-07 Declined 20.00 card_declined',
  ]);
  t.is(await planNow(story, 'ADA'), 'ended, 0 to come');
  await story.isClean(t);
});

test('a closed account is not tried again; by days of the month a card is', async (t) => {
  const file = { dunning: { retryDaysOfMonth: [1, 15] } };
  const story = await tell(system, { plans, file });
  for (const ref of ['ADA', 'BOB']) await story.customer(ref);
  await story.account('ADA', 1, closed);
  await story.card('BOB', 1, declined);
  for (const ref of ['ADA', 'BOB']) {
    await story.order(ref, 'FEE', {
      fields: { isAutoPay: 'true', endDate: '2027-01-31', isAutoRenew: 'false' },
    });
  }
  await story.moveClock('2027-05-01');
  const days = ['2027-01-02', '2027-01-15', '2027-02-01', '2027-02-15', '2027-03-01', '2027-03-15'];
  t.deepEqual((await story.payments()).toSorted(), [
    '2027-01-02 Declined 31.00 account_closed',
    ...[...days, '2027-04-01'].map((day) => `${day} Declined 31.00 card_declined`),
  ]);
  await story.isClean(t);
});

const LAST_DAY = 100;
const day = (after: number): string => addDays('2027-01-01', after);

interface Wanted {
  readonly starts: number;
  readonly total: number;
  readonly value: number;
  readonly units: string;
  readonly isCapped: boolean;
  readonly card: keyof typeof cards;
}

const cards = {
  good,
  declined,
  // Passes at its third attempt.
  passing: { cardNumber: '4000000000000119' },
} as const;

const wanted: fc.Arbitrary<Wanted> = fc.record({
  starts: fc.integer({ min: 0, max: 40 }),
  total: fc.integer({ min: 1, max: 4 }),
  value: fc.integer({ min: 1, max: 3 }),
  units: fc.constantFrom('Days', 'Weeks', 'Months'),
  isCapped: fc.boolean(),
  card: fc.constantFrom('good', 'declined', 'passing'),
});

async function live(lives: readonly Wanted[], stops: readonly number[]): Promise<string[]> {
  const story = await tell(system, { plans });
  for (const [index, each] of lives.entries()) {
    const ref = `C-${index}`;
    await story.customer(ref);
    await story.card(ref, 1, cards[each.card]);
    await story.order(ref, 'FEE', auto);
    await plan(story, ref, {
      chargeAmount: '25.00',
      startDate: day(each.starts),
      totalNumberOfInstallments: String(each.total),
      frequencyValue: String(each.value),
      frequencyUnits: each.units,
      chargeOnlyIfBalanceOwed: String(each.isCapped),
    });
  }
  for (const stop of stops) await story.moveClock(day(stop));
  const report = await system.audit(story.label);
  if (!report.clean) throw new Error(JSON.stringify(report));
  const plansNow = await Promise.all(lives.map((_, index) => planNow(story, `C-${index}`)));
  return [...(await story.payments()).toSorted(), ...plansNow];
}

test('splitting an advance in any way gives the same payments and plans', async (t) => {
  const property = fc.asyncProperty(
    fc.array(wanted, { minLength: 1, maxLength: 3 }),
    fc.uniqueArray(fc.integer({ min: 1, max: LAST_DAY - 1 }), { minLength: 1, maxLength: 5 }),
    async (lives, splits) => {
      const stops = [...splits.toSorted((a, b) => a - b), LAST_DAY];
      const [whole, split] = [await live(lives, [LAST_DAY]), await live(lives, stops)];
      t.deepEqual(split, whole);
      t.true(whole.length > lives.length);
    },
  );
  await fc.assert(property, { ...costly, numRuns: runs(1, 8) });
});

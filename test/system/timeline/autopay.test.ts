/** Autopay on the test clock: on which day, by which card, and only once. */

import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { prepaid, prorated, recurring } from '../../operations/support/plans.ts';
import { sharedSystem } from '../../support/system.ts';
import { tell } from './story.ts';
import { costly, fc, runs } from '../../support/random.ts';

const system = await sharedSystem();
const plans = [
  recurring('FEE', 31, prepaid),
  recurring('WEEK', 7, prorated, { billingPeriod: 'Weekly' }),
  recurring('LATER', 31, { isProrated: true }),
];
const good = { cardNumber: '4111111111111111' };
const declined = { cardNumber: '4000000000000002' };
const noFunds = { cardNumber: '4000000000009995' };
const byDueDate = { settings: { autopayOn: 'dueDate' } };
const auto = { fields: { isAutoPay: 'true' } };

test('autopay pays invoices on their date, for the orders with isAutoPay', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.customer('BOB');
  await story.card('ADA', 1, good);
  await story.card('BOB', 1, good);
  await story.order('ADA', 'FEE', auto);
  await story.order('BOB', 'FEE');
  await story.advance(
    t,
    '2027-02-15',
    '1001 on 2027-01-02 due 2027-02-01 Paid 31.00: FEE 2027-01-01 2027-01-31 31.00',
    '1002 on 2027-01-02 due 2027-02-01 Outstanding 31.00: FEE 2027-01-01 2027-01-31 31.00',
    '1003 on 2027-02-01 due 2027-03-03 Paid 31.00: FEE 2027-02-01 2027-02-28 31.00',
    '1004 on 2027-02-01 due 2027-03-03 Outstanding 31.00: FEE 2027-02-01 2027-02-28 31.00',
  );
  t.deepEqual(await story.payments(), ['2027-01-02 Paid 31.00', '2027-02-01 Paid 31.00']);
  await story.isClean(t);
});

test("autopay pays on the due date if the tenant's file says so", async (t) => {
  const story = await tell(system, { plans, file: byDueDate });
  await story.customer('ADA');
  await story.card('ADA', 1, good);
  await story.order('ADA', 'FEE', auto);
  await story.moveClock('2027-01-31');
  t.deepEqual(await story.payments(), []);
  await story.moveClock('2027-02-01');
  t.deepEqual(await story.payments(), ['2027-02-01 Paid 31.00']);
  await story.moveClock('2027-03-02');
  t.is((await story.payments()).length, 1);
  await story.advance(
    t,
    '2027-03-03',
    '1001 on 2027-01-02 due 2027-02-01 Paid 31.00: FEE 2027-01-01 2027-01-31 31.00',
    '1002 on 2027-02-01 due 2027-03-03 Paid 31.00: FEE 2027-02-01 2027-02-28 31.00',
    '1003 on 2027-03-01 due 2027-03-31 Outstanding 31.00: FEE 2027-03-01 2027-03-31 31.00',
  );
  t.deepEqual(await story.payments(), ['2027-02-01 Paid 31.00', '2027-03-03 Paid 31.00']);
  await story.isClean(t);
});

test('autopay uses the second card if the first declines, and the third if both do', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.card('ADA', 1, declined);
  await story.card('ADA', 2, noFunds);
  await story.card('ADA', 3, good);
  await story.order('ADA', 'FEE', auto);
  await story.advance(
    t,
    '2027-01-15',
    '1001 on 2027-01-02 due 2027-02-01 Paid 31.00: FEE 2027-01-01 2027-01-31 31.00',
  );
  const first = [
    '2027-01-02 Declined 31.00 card_declined',
    '2027-01-02 Declined 31.00 insufficient_funds',
    '2027-01-02 Paid 31.00',
  ];
  t.deepEqual(await story.payments(), first);
  // A card that replaces one on file is the one that is charged.
  await story.card('ADA', 2, good);
  await story.moveClock('2027-02-15');
  t.deepEqual(await story.payments(), [
    ...first,
    '2027-02-01 Declined 31.00 card_declined',
    '2027-02-01 Paid 31.00',
  ]);
  await story.isClean(t);
});

test('an invoice that all cards decline stays open, and the clock continues', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.card('ADA', 1, declined);
  await story.card('ADA', 3, noFunds);
  await story.order('ADA', 'FEE', auto);
  await story.advance(
    t,
    '2027-01-20',
    '1001 on 2027-01-02 due 2027-02-01 Outstanding 31.00: FEE 2027-01-01 2027-01-31 31.00',
  );
  // On its day, and 1, 3, 5 and 7 days later.
  const days = ['2027-01-02', '2027-01-03', '2027-01-05', '2027-01-07', '2027-01-09'];
  t.deepEqual(
    await story.payments(),
    days.flatMap((day) => [
      `${day} Declined 31.00 card_declined`,
      `${day} Declined 31.00 insufficient_funds`,
    ]),
  );
  await story.isClean(t);
});

test('the last invoice of a completed order is still paid on its due date', async (t) => {
  const story = await tell(system, { plans, file: byDueDate });
  await story.customer('ADA');
  await story.card('ADA', 1, good);
  const fields = { isAutoPay: 'true', endDate: '2027-01-31', isAutoRenew: 'false' };
  const id = await story.order('ADA', 'LATER', { fields });
  await story.moveClock('2027-02-20');
  t.is(await story.orderNow(id), 'Complete until 2027-01-31');
  t.deepEqual(await story.payments(), []);
  await story.advance(
    t,
    '2027-03-10',
    // In arrears: billed on the day after its end, due 30 days later.
    '1001 on 2027-02-01 due 2027-03-03 Paid 31.00: LATER 2027-01-01 2027-01-31 31.00',
  );
  t.deepEqual(await story.payments(), ['2027-03-03 Paid 31.00']);
  await story.isClean(t);
});

test('an invoice made at once is paid on the day on which it was made', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.card('ADA', 1, good);
  await story.order('ADA', 'FEE', { ...auto, query: 'generateInvoice=true' });
  await story.moveClock('2027-01-02');
  t.deepEqual(await story.payments(), ['2027-01-01 Paid 31.00']);
  await story.isClean(t);
});

const day = (after: number) => addDays('2027-01-01', after);
const LAST_DAY = 70;

interface Wanted {
  readonly contractCode: string;
  readonly customer: string;
  readonly starts: number;
  readonly isAutoPay: boolean;
  readonly separateInvoice: string;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  contractCode: fc.constantFrom(...plans.map((plan) => plan.contractCode)),
  customer: fc.constantFrom('ADA', 'BOB', 'CY'),
  starts: fc.integer({ min: -20, max: 30 }),
  isAutoPay: fc.constantFrom(true, true, false),
  separateInvoice: fc.constantFrom('0', '0', '1'),
});

interface Lived {
  readonly invoices: readonly string[];
  readonly payments: readonly string[];
}

interface Life {
  readonly orders: readonly Wanted[];
  readonly stops: readonly number[];
  readonly file: Readonly<Record<string, unknown>>;
}

async function live({ orders, stops, file }: Life): Promise<Lived> {
  const story = await tell(system, { plans, file });
  for (const ref of ['ADA', 'BOB', 'CY']) await story.customer(ref);
  await story.card('ADA', 1, good);
  await story.card('BOB', 1, declined);
  await story.card('BOB', 2, good);
  await story.card('CY', 1, noFunds);
  for (const { contractCode, customer, starts, isAutoPay, separateInvoice } of orders) {
    const fields = { startDate: day(starts), isAutoPay: String(isAutoPay), separateInvoice };
    await story.order(customer, contractCode, { fields });
  }
  for (const stop of stops) await story.moveClock(day(stop));
  const report = await system.audit(story.label);
  if (!report.clean) throw new Error(JSON.stringify(report));
  const invoices = (await story.invoices()).map((text) => text.replace(/^\d+ /, ''));
  return { invoices: invoices.toSorted(), payments: (await story.payments()).toSorted() };
}

test('splitting an advance in any way gives the same payments', async (t) => {
  let payments = 0;
  const property = fc.asyncProperty(
    fc.array(wanted, { minLength: 2, maxLength: 5 }),
    fc.uniqueArray(fc.integer({ min: 1, max: LAST_DAY - 1 }), { minLength: 1, maxLength: 5 }),
    fc.constantFrom({}, byDueDate),
    async (orders, splits, file) => {
      const stops = [...splits.toSorted((a, b) => a - b), LAST_DAY];
      const [whole, split] = await Promise.all([
        live({ orders, stops: [LAST_DAY], file }),
        live({ orders, stops, file }),
      ]);
      t.deepEqual(split, whole);
      payments += whole.payments.length;
    },
  );
  await fc.assert(property, { ...costly, numRuns: runs(1, 10) });
  t.true(payments > 0);
});

/**
 * However a clock advance is split, the same invoices are made, and other tenants are not affected.
 */

import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { dateIn } from '../../../domain/calendar/zone.ts';
import { all, done } from '../../../cli/rest.ts';
import { recurring } from '../../operations/support/plans.ts';
import { sharedSystem } from '../../support/system.ts';
import { demoPlan } from '../../support/tenants.ts';
import { tell } from './story.ts';
import { costly, fc, runs } from '../../support/random.ts';

const system = await sharedSystem();
const plans = [
  demoPlan('GOLD'),
  demoPlan('METERED'),
  demoPlan('SEATS'),
  recurring('WEEK', 7, { isPrepaid: true, isProrated: true }, { billingPeriod: 'Weekly' }),
  recurring('LATER', 31, { isProrated: true }),
];
const day = (after: number) => addDays('2027-01-01', after);
const LAST_DAY = 75;

interface Wanted {
  readonly contractCode: string;
  readonly customer: string;
  readonly starts: number;
  /** Days until its end; 0 for none. */
  readonly term: number;
  readonly renews: boolean;
  readonly separateInvoice: string;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  contractCode: fc.constantFrom(...plans.map((plan) => plan.contractCode)),
  customer: fc.constantFrom('ADA', 'BOB'),
  starts: fc.integer({ min: -20, max: 40 }),
  term: fc.constantFrom(0, 0, 13, 28, 31, 45),
  renews: fc.boolean(),
  separateInvoice: fc.constantFrom('0', '0', '1'),
});

/** Makes the orders, advances through the days, and returns the invoices without their numbers. */
async function live(orders: readonly Wanted[], stops: readonly number[]): Promise<string[]> {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.customer('BOB');
  for (const { contractCode, customer, starts, term, renews, separateInvoice } of orders) {
    const ends = term === 0 ? {} : { endDate: day(Math.max(starts, 0) + term) };
    const dates = { startDate: day(starts), ...ends, isAutoRenew: String(renews) };
    await story.order(customer, contractCode, { fields: { ...dates, separateInvoice } });
  }
  for (const stop of stops) await story.moveClock(day(stop));
  const report = await system.audit(story.label);
  if (!report.clean) throw new Error(JSON.stringify(report));
  return (await story.invoices()).map((text) => text.replace(/^\d+ /, '')).toSorted();
}

test('splitting an advance in any way gives the same invoices, except for their numbers', async (t) => {
  const property = fc.asyncProperty(
    fc.array(wanted, { minLength: 3, maxLength: 6 }),
    fc.uniqueArray(fc.integer({ min: 1, max: LAST_DAY - 1 }), { minLength: 1, maxLength: 6 }),
    async (orders, splits) => {
      const stops = [...splits.toSorted((a, b) => a - b), LAST_DAY];
      const [whole, split] = await Promise.all([live(orders, [LAST_DAY]), live(orders, stops)]);
      t.true(whole.length > 0);
      t.deepEqual(split, whole);
    },
  );
  await fc.assert(property, { ...costly, numRuns: runs(1, 12) });
});

test("a tenant in real time is not affected by another tenant's advancing clock", async (t) => {
  // A zone in which it is about noon, so that the day does not end within the test.
  const hour = new Date().getUTCHours();
  const timezone = `Etc/GMT${hour < 12 ? '-' : '+'}${Math.abs(12 - hour)}`;
  const real = await tell(system, { plans, timezone, isInRealTime: true });
  await real.customer('ADA');
  const id = await real.order('ADA', 'GOLD', { query: 'generateInvoice=true' });
  const today = dateIn(timezone, Date.now());
  const before = await done(real.target, 'GET', `/rest/order/${id}`);
  const invoicesBefore = await real.invoices();
  t.is(invoicesBefore.length, 1);
  t.true(invoicesBefore[0]?.startsWith(`1001 on ${today} `));
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.order('ADA', 'GOLD');
  await story.moveClock('2027-05-01');
  t.is((await story.invoices()).length, 5);
  t.deepEqual(await done(real.target, 'GET', `/rest/order/${id}`), before);
  t.deepEqual(await real.invoices(), invoicesBefore);
  t.is(all(await done(real.target, 'GET', '/rest/orders'), 'subscriptionOrder').length, 1);
  await real.isClean(t);
  await story.isClean(t);
});

/** Renewals of two systems that bill in turns, a month each: alone, and with a callback for each. */
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { done, text } from '../../cli/rest.ts';
import { apiScenarios } from '../api/scenarios.ts';
import { callerOf } from '../support/caller.ts';
import { advance } from '../support/clock.ts';
import { cpuOf, cpuPer } from '../support/cpu.ts';
import { untilQuiet } from '../support/quiet.ts';
import { callbacksTo, startSink, type Sink } from '../support/sink.ts';
import type { Checkout } from './checkout.ts';
import type { Paired, Slice } from './report.ts';

/** Fewer than a worker keeps cached: beyond that, what is replayed is a matter of luck. */
const ORDERS = 300;
const LANES = 8;

export interface RenewalPairs {
  readonly other: Checkout;
  readonly own: Checkout;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export async function pairedRenewals(pairs: RenewalPairs): Promise<Paired[]> {
  return [
    await paired(pairs, { label: 'renewed', scenario: 'renewal', isSubscribed: false }),
    await paired(pairs, {
      label: 'hooked',
      scenario: 'renewal with a callback',
      isSubscribed: true,
    }),
  ];
}

interface Renewal {
  readonly label: string;
  readonly scenario: string;
  readonly isSubscribed: boolean;
}

interface Side {
  readonly checkout: Checkout;
  readonly sink: Sink;
}

async function paired(pairs: RenewalPairs, renewal: Renewal): Promise<Paired> {
  const { rounds, say } = pairs;
  const sinks: Sink[] = [];
  const begin = async (checkout: Checkout): Promise<Side> => {
    const sink = await startSink();
    sinks.push(sink);
    await populate(checkout, renewal, sink);
    return { checkout, sink };
  };
  try {
    say(`${ORDERS} orders for ${renewal.scenario}`);
    const sides = { other: await begin(pairs.other), own: await begin(pairs.own) };
    const slices = { other: [] as Slice[], own: [] as Slice[] };
    // The first month makes the statements' plans and the tables' statistics.
    for (let month = 0; month <= rounds; month += 1) {
      const order = month % 2 === 0 ? (['other', 'own'] as const) : (['own', 'other'] as const);
      for (const name of order) {
        await untilQuiet(sides.other.checkout);
        await untilQuiet(sides.own.checkout);
        const slice = await measure(sides[name], renewal, month);
        if (month > 0) slices[name].push(slice);
      }
    }
    return { scenario: renewal.scenario, unit: 'invoice', ...slices };
  } finally {
    for (const sink of sinks) await sink.close();
  }
}

/** A tenant on a test clock with orders that renew on the first of each month. */
async function populate(
  { apiUrl, applyTenant }: Checkout,
  { label, isSubscribed }: Renewal,
  sink: Sink,
): Promise<void> {
  const file = join(tmpdir(), `sundial-bench-${process.pid}-${label}.yaml`);
  await writeFile(file, tenantText(label, isSubscribed ? sink.url : null));
  try {
    await applyTenant(file);
  } finally {
    await rm(file);
  }
  const caller = callerOf(apiUrl, label);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < ORDERS) {
      const n = next;
      next += 1;
      const facts = { customers: [], contractCode: 'MONTHLY' };
      const post = apiScenarios['POST customer'](facts, n);
      const customer = await done(caller, 'POST', post.path, post.body);
      const customers = [Number(text(customer, '@id'))];
      const order = apiScenarios['POST order']({ ...facts, customers }, 0);
      await done(caller, 'POST', order.path, order.body);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function tenantText(label: string, callbackUrl: string | null): string {
  const charge =
    '{ priceCode: FEE, invoiceText: Monthly fee, chargeType: RecurringCharge, ' +
    'pricingType: FixedPricing, price: 9.95, isPrepaid: true, isProrated: true }';
  const callbacks = callbackUrl === null ? '' : callbacksTo(callbackUrl, 'invoice.created');
  return `tenant: ${label}
name: Benchmark
timezone: UTC
currency: USD
testClock: 2027-01-01T12:00:00Z
# Nothing becomes overdue, so that no dunning has something to show in some of the months.
paymentTerms: { value: 1000, units: Days }
users:
  - { username: api@bench, password: bench-secret, roles: [ROLE_API] }
dunning: { thresholds: [] }
plans:
  - contractCode: MONTHLY
    name: Monthly
    billingPeriod: Monthly
    charges:
      - ${charge}
${callbacks}`;
}

/** CPU until every workflow has seen the month, and every callback has arrived. */
async function measure({ checkout, sink }: Side, renewal: Renewal, month: number): Promise<Slice> {
  const { label, isSubscribed } = renewal;
  const caller = callerOf(checkout.apiUrl, label);
  const before = await cpuOf(checkout.pids);
  const began = performance.now();
  await advance(caller, firstOf(month + 1));
  // The first step bills two months: that of the start, and the next one.
  if (isSubscribed) await sink.until(ORDERS * (month + 2));
  const perSecond = ORDERS / ((performance.now() - began) / 1_000);
  await untilQuiet(checkout);
  const cpuMs = cpuPer(before, await cpuOf(checkout.pids), ORDERS / 1_000);
  return { perSecond, p50Ms: null, cpuMs };
}

/** The first day of a month, counted from January 2027. */
function firstOf(month: number): string {
  return new Date(Date.UTC(2027, month, 1)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

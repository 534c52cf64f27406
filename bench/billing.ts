/**
 * Measures the billing run alone: no engine, no wakes, only the operation and its rows; then the
 * same of a tenant whose callback has each invoice sent, while the worker sends them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant } from '../db/connection/tenancy.ts';
import { billAllDue } from '../operations/due/orders.ts';
import { keepEventDocuments } from '../operations/feed/event-views.ts';
import { bareWrite } from './support/bare.ts';
import { median } from './support/median.ts';
import { populate } from './support/population.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { callbacksTo, startSink } from './support/sink.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

const startDate = '2027-01-01';
/** New York's 00:00 as instants: nothing is due on the first, a renewal on each of the others. */
export const runs = [
  '2027-01-01T05:00:00Z',
  '2027-01-02T05:00:00Z',
  '2027-02-01T05:00:00Z',
  '2027-03-01T05:00:00Z',
  '2027-04-01T04:00:00Z',
  '2027-05-01T04:00:00Z',
  '2027-06-01T04:00:00Z',
  '2027-07-01T04:00:00Z',
  '2027-08-01T04:00:00Z',
  '2027-09-01T04:00:00Z',
  '2027-10-01T04:00:00Z',
];
export const LANES = 2;
/** Longer than a process caches the settings of a tenant. */
export const CACHE_EXPIRES_MS = 1_500;

/** Prints invoices per second, and milliseconds each beyond an empty run, beside the bare write. */
export const billing = benchOfSystem({ measure, report });

function report({ orders, emptyMs, renewalMs, bareMs, subscribed }: BillingFigures): string {
  const each = (renewalMs - emptyMs) / orders;
  const perSecond = (milliseconds: number): number => Math.round((orders / milliseconds) * 1000);
  return (
    `Billing run of ${orders} orders (median of ${runs.length - 1}), by itself\n` +
    `${perSecond(renewalMs)} invoices per second, ` +
    `${each.toFixed(3)} ms each beyond the empty run of ${emptyMs.toFixed(1)} ms\n` +
    `the same rows by bare SQL: ${perSecond(bareMs)} per second, of which ` +
    `${(bareMs / renewalMs).toFixed(2)} is reached\n` +
    `with a callback that gets each invoice: ${perSecond(subscribed.renewalMs)} per second, ` +
    `${(renewalMs / subscribed.renewalMs).toFixed(2)} of it; ` +
    `all are sent after ${(subscribed.sentMs / 1000).toFixed(1)} s\n`
  );
}

interface BillingFigures {
  readonly orders: number;
  /** The run with nothing due. */
  readonly emptyMs: number;
  readonly renewalMs: number;
  /** The same rows by set-based SQL. */
  readonly bareMs: number;
  readonly subscribed: Renewals;
}

/** Medians. */
interface Renewals {
  readonly renewalMs: number;
  /** Until the subscriber had all of them; the same without one. */
  readonly sentMs: number;
}

async function measure(system: BenchSystem, { orders }: Asked): Promise<BillingFigures> {
  const { db } = system;
  const sink = await startSink();
  try {
    const more = callbacksTo(sink.url, 'invoice.created');
    const tenantId = await makeTenant(system, 'bench');
    const subscribedId = await makeTenant(system, 'subscribed', { more });
    const bareId = await makeTenant(system, 'bare');
    for (const id of [tenantId, subscribedId, bareId]) {
      await populate(db, { tenantId: id, orders, startDate, billOn: '2027-01-02' });
    }
    const { emptyMs, ...own } = await renewals(system, tenantId, async () => undefined);
    const bareMs = (await bareWrite(db, bareId, '2027-01-02')) * 1000;
    const { emptyMs: _, ...subscribed } = await renewals(system, subscribedId, (run) =>
      sink.until(run * orders),
    );
    return { orders, emptyMs, renewalMs: own.renewalMs, bareMs, subscribed };
  } finally {
    await sink.close();
  }
}

/** @param sent resolves when the invoices of so many renewals were sent */
async function renewals(
  { db }: BenchSystem,
  tenantId: number,
  sent: (count: number) => Promise<void>,
): Promise<Renewals & { readonly emptyMs: number }> {
  const dependencies = { db, realNow: () => Date.now(), keepDocuments: keepEventDocuments };
  const taken: number[] = [];
  const sentAfter: number[] = [];
  for (const [index, now] of runs.entries()) {
    await inTenant(db, tenantId, (tx) => tx.query('update test_clock set now = $1', [now]));
    await sleep(CACHE_EXPIRES_MS);
    const began = performance.now();
    const options = { lanes: LANES, mayContinue: () => true, onBatch: () => undefined };
    await billAllDue(dependencies, tenantId, options);
    taken.push(performance.now() - began);
    await sent(index);
    sentAfter.push(performance.now() - began);
  }
  const [emptyMs = 0, ...renewed] = taken;
  return { emptyMs, renewalMs: median(renewed), sentMs: median(sentAfter.slice(1)) };
}

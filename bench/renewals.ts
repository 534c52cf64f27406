/**
 * Measures a renewal: until all invoices exist, and until every workflow waits for its next period.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { done } from '../cli/rest.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { bareWrite } from './support/bare.ts';
import { bareWakesPerSecond } from './support/bare-wake.ts';
import { callerOf } from './support/caller.ts';
import { untilReady } from './support/clock.ts';
import { costsOf, takeReading, type Costs } from './support/costs.ts';
import { historyOf } from './support/history.ts';
import { memoryOf } from './support/memory.ts';
import { median } from './support/median.ts';
import { populate } from './support/population.ts';
import { report, type Figures } from './support/report.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

const startDate = '2027-01-01';
const firstRunOn = '2027-01-02';
/** Days with nothing due, for the cost of a run by itself. */
const emptyDays = ['2027-01-03', '2027-01-04', '2027-01-05'];
const renewalDays = ['2027-02-01', '2027-03-01', '2027-04-01'];
const POLL_MS = 10;
const HISTORY_SAMPLES = 20;
const FOLLOWED_ONCE_MIN = 5_000;
/** As many as a worker caches. */
const BARE_WAKES_MAX = 1_000;

export const renewals = benchOfSystem({ measure, report });

async function measure(system: BenchSystem, { orders, say }: Asked): Promise<Figures> {
  const tenantId = await makeTenant(system, 'bench');
  const bareId = await makeTenant(system, 'bare');
  for (const id of [tenantId, bareId]) {
    await populate(system.db, { tenantId: id, orders, startDate, billOn: firstRunOn });
  }
  const watch = new pg.Client({ connectionString: system.ownerUrl });
  await watch.connect();
  try {
    await watch.query('create extension if not exists pg_stat_statements');
    await watch.query('vacuum analyze');
    const run = (day: string, invoices: number): Promise<Renewal> =>
      advanceTo(system, watch, { tenantId, day, invoices });
    say(`First periods of ${orders} orders: their workflows start`);
    await run(firstRunOn, orders);
    say('Runs with nothing due');
    const empty = await each(emptyDays, (day) => run(day, 0));
    const sample = await sampleOf(system, tenantId);
    const historyBefore = await historyOf(system, sample);
    // Waking this many workflows takes minutes, so one renewal is enough.
    const days = orders > FOLLOWED_ONCE_MIN ? renewalDays.slice(0, 1) : renewalDays;
    say('Renewals');
    const renewed = await each(days, (day) => run(day, orders));
    const historyAfter = await historyOf(system, sample);
    say('The same rows by set-based SQL without any engine');
    await watch.query('vacuum analyze');
    const bareSeconds = await bareWrite(system.db, bareId, firstRunOn);
    say('Workflows that do next to nothing');
    const memoryMegabytes = {
      api: await memoryOf(system.pids.api),
      worker: await memoryOf(system.pids.worker),
      postgres: await memoryOf(system.pids.postgres),
      temporal: await memoryOf(system.pids.temporal),
    };
    const bareWakes = await bareWakesPerSecond(system, Math.min(orders, BARE_WAKES_MAX));
    const emptyMs = median(empty.map((it) => it.invoicesMs));
    return {
      orders,
      invoicesMs: median(renewed.map((it) => it.invoicesMs)),
      followersMs: median(renewed.map((it) => it.readyMs - it.invoicesMs)),
      emptyRunMs: emptyMs,
      bareMs: bareSeconds * 1000,
      costs: medianCosts(renewed.map((it) => it.costs)),
      historyBytesPerPeriod: (historyAfter.bytes - historyBefore.bytes) / days.length,
      historyEventsPerPeriod: (historyAfter.events - historyBefore.events) / days.length,
      bareWakesPerSecond: bareWakes,
      memoryMegabytes,
    };
  } finally {
    await watch.end();
  }
}

interface Renewal {
  /** From the request to the last invoice committed. */
  readonly invoicesMs: number;
  /** From the request until every workflow has woken. */
  readonly readyMs: number;
  readonly costs: Costs;
}

interface RunOptions {
  readonly tenantId: number;
  readonly day: string;
  readonly invoices: number;
}

async function advanceTo(
  system: BenchSystem,
  watch: pg.Client,
  { tenantId, day, invoices }: RunOptions,
): Promise<Renewal> {
  const caller = callerOf(system.apiUrl);
  await untilReady(caller);
  const wanted = (await counted(watch, tenantId)) + invoices;
  await watch.query('checkpoint');
  const before = await takeReading(watch);
  const began = performance.now();
  await done(caller, 'POST', `/rest/testClock?advanceTo=${day}`);
  while ((await counted(watch, tenantId)) < wanted || !(await reached(watch, tenantId, day))) {
    await sleep(POLL_MS);
  }
  const invoicesMs = performance.now() - began;
  const costs = costsOf(before, await takeReading(watch), invoices);
  await untilReady(caller);
  return { invoicesMs, readyMs: performance.now() - began, costs };
}

/** From the counter, because counting rows would cost as much as the work that is measured. */
async function counted(watch: pg.Client, tenantId: number): Promise<number> {
  const { rows } = await watch.query<{ count: string }>(
    "select next - first as count from counter where tenant_id = $1 and kind = 'invoice'",
    [tenantId],
  );
  return Number(rows[0]?.count);
}

async function reached(watch: pg.Client, tenantId: number, day: string): Promise<boolean> {
  const { rows } = await watch.query<{ reached: boolean }>(
    `select c.now >= $2::date::timestamp at time zone t.timezone as reached
     from test_clock c join tenant t on t.id = c.tenant_id where c.tenant_id = $1`,
    [tenantId, day],
  );
  return rows[0]?.reached ?? false;
}

async function sampleOf({ db }: BenchSystem, tenantId: number): Promise<string[]> {
  const rows = await inTenant(db, tenantId, (tx) =>
    tx.query<{ id: number }>('select id from subscription_order order by id limit $1', [
      HISTORY_SAMPLES,
    ]),
  );
  return rows.map(({ id }) => `order/bench/${id}`);
}

async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function medianCosts(costs: readonly Costs[]): Costs {
  return {
    statements: median(costs.map((it) => it.statements)),
    commits: median(costs.map((it) => it.commits)),
    walBytes: median(costs.map((it) => it.walBytes)),
  };
}

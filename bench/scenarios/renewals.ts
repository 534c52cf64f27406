/** A renewal: until all invoices exist, and until every workflow waits for its next period. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTemporal, workflowClient } from '../../providers/temporal/connect.ts';
import type pg from 'pg';
import { done } from '../../cli/rest.ts';
import { bareWrite } from '../baselines/write.ts';
import { openOwner } from '../harness/copy.ts';
import { memoryOf, startCpu } from '../harness/processes.ts';
import { scenario } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import {
  BILLED_FIRST,
  firstOf,
  makeRenewing,
  untilReady,
  type Tenant,
} from '../harness/tenants.ts';
import { figuresOf, median } from '../harness/turns.ts';

const POLL_MS = 10;
const HISTORY_SAMPLES = 20;
/** Days with nothing due, for the cost of a run by itself. */
const emptyDays = ['2027-01-03', '2027-01-04', '2027-01-05'];
/** Waking more workflows takes minutes, so one renewal is enough. */
const RENEWED_ONCE_MIN = 5_000;

export const renewals = scenario({
  about:
    'a renewal of all orders of a tenant: until all invoices exist, and until every workflow waits for its ' +
    'next period, beside the same rows by set-based SQL; the CPU of all that',
  sizes: { orders: 2_000, months: 3 },
  brief: { orders: 6, months: 1 },
  async measure(bench, { orders, months }) {
    const system = await bench.system();
    const tenant = await makeRenewing(system, 'renewals', { orders });
    const bare = await makeRenewing(system, 'bare', { orders });
    const watch = await openOwner(bench);
    await watch.query('create extension if not exists pg_stat_statements');
    await watch.query('vacuum analyze');
    const run = (day: string, invoices: number) => renew(system, watch, { tenant, day, invoices });
    bench.say(`First periods of ${orders} orders: their workflows start`);
    await run(BILLED_FIRST, orders);
    bench.say('Runs with nothing due, and renewals');
    const empty = [];
    for (const day of emptyDays) empty.push(await run(day, 0));
    const before = await historyOf(system, watch, tenant);
    const renewed = [];
    const count = orders > RENEWED_ONCE_MIN ? 1 : months;
    for (let month = 1; month <= count; month += 1) renewed.push(await run(firstOf(month), orders));
    const after = await historyOf(system, watch, tenant);
    const memory = await memoryOf(system.pids);
    bench.say('The same rows by set-based SQL');
    await watch.query('vacuum analyze');
    const bareMs = await bareWrite(system, bare, BILLED_FIRST);
    const emptyMs = median(empty.map((it) => it.invoicesMs));
    const { invoicesMs = NaN, wakesMs = NaN, ...costs } = figuresOf(renewed, median);
    const netMs = Math.max(invoicesMs - emptyMs, Number.EPSILON);
    const perSecond = (ms: number): number => (orders * 1_000) / ms;
    const rateRow = (what: string, ms: number, share: number | string = '') => ({
      '': what,
      ms,
      'per second': perSecond(ms),
      share,
    });
    return [
      {
        title: `Renewal of ${orders} orders (medians)`,
        rows: [
          rateRow('until all invoices exist', invoicesMs, bareMs / invoicesMs),
          { '': 'of which an empty run', ms: emptyMs },
          rateRow('without it', netMs, bareMs / netMs),
          rateRow('the same rows by bare SQL', bareMs),
          rateRow('then until every workflow has woken', wakesMs),
        ],
      },
      {
        title: 'For each invoice with its wake, and the history of an order and period',
        rows: [
          {
            ...costs,
            'history bytes': (after.bytes - before.bytes) / count,
            'history events': (after.events - before.events) / count,
          },
        ],
      },
      { title: 'Memory in MB', rows: [memory] },
    ];
  },
});

interface Renewal {
  readonly tenant: Tenant;
  readonly day: string;
  readonly invoices: number;
}

async function renew(system: BenchSystem, watch: pg.Client, { tenant, day, invoices }: Renewal) {
  const { caller, id } = tenant;
  await untilReady(caller);
  const wanted = (await reached(watch, id, day)).invoices + invoices;
  await watch.query('checkpoint');
  const before = await readCosts(watch);
  const cpu = await startCpu(system.pids);
  const began = performance.now();
  await done(caller, 'POST', `/rest/testClock?advanceTo=${day}`);
  for (;;) {
    const now = await reached(watch, id, day);
    if (now.isThere && now.invoices >= wanted) break;
    await sleep(POLL_MS);
  }
  const invoicesMs = performance.now() - began;
  const after = await readCosts(watch);
  await untilReady(caller);
  const each = (name: keyof typeof after): number => (after[name] - before[name]) / invoices;
  return {
    invoicesMs,
    wakesMs: performance.now() - began - invoicesMs,
    statements: each('statements'),
    commits: each('commits'),
    'bytes of log': each('bytes'),
    ...(await cpu(invoices)),
  };
}

/** From the counter, because counting rows would cost as much as the work that is measured. */
async function reached(watch: pg.Client, tenantId: number, day: string) {
  const { rows } = await watch.query<{ isThere: boolean; invoices: string }>(
    `select c.now >= $2::date::timestamp at time zone t.timezone as "isThere",
       n.next - n.first as invoices
     from test_clock c join tenant t on t.id = c.tenant_id
     join counter n on n.tenant_id = t.id and n.kind = 'invoice' where t.id = $1`,
    [tenantId, day],
  );
  return { isThere: rows[0]?.isThere ?? false, invoices: Number(rows[0]?.invoices) };
}

/** PostgreSQL's work so far: statements of the service, commits, log written. */
async function readCosts(watch: pg.Client) {
  const { rows } = await watch.query<Record<'statements' | 'commits' | 'bytes', string>>(`
    select (select coalesce(sum(calls), 0) from pg_stat_statements s
            join pg_roles r on r.oid = s.userid where r.rolname = 'sundial_app') as statements,
           (select xact_commit from pg_stat_database where datname = current_database()) as commits,
           pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`);
  const [row] = rows;
  const of = (name: 'statements' | 'commits' | 'bytes'): number => Number(row?.[name]);
  return { statements: of('statements'), commits: of('commits'), bytes: of('bytes') };
}

/** The mean length of the histories of some workflows, all of whose runs are open. */
async function historyOf(
  { temporalAddress: address, temporalNamespace: namespace }: BenchSystem,
  watch: pg.Client,
  { id }: Tenant,
) {
  const { rows } = await watch.query<{ id: string }>(
    `select 'order/renewals/' || id as id from subscription_order where tenant_id = $1
     order by subscription_order.id limit ${HISTORY_SAMPLES}`,
    [id],
  );
  const connection = await connectTemporal({ address });
  try {
    const client = workflowClient(connection, { namespace });
    const described = await Promise.all(rows.map((row) => client.getHandle(row.id).describe()));
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      bytes: mean(described.map((it) => it.historySize ?? 0)),
      events: mean(described.map((it) => it.historyLength)),
    };
  } finally {
    await connection.close();
  }
}

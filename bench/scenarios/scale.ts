/**
 * What grows with the size of a tenant, and what with their number: renewals of ever more orders, the first
 * page of a list, runs of one tenant that workers share, a small tenant beside a large one, and many tenants
 * that share a midnight.
 */
import type pg from 'pg';
import { inTenant } from '../../db/connection/tenancy.ts';
import { inOperation } from '../../operations/context/context.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import { deliver } from '../../operations/outbox/deliver.ts';
import { enqueue, workflowIdOf } from '../../operations/outbox/enqueue.ts';
import { openEngine, type Engine } from '../../operations/outbox/engine.ts';
import { openLane } from '../client/http.ts';
import { bill, dayOf, dependenciesOf } from '../harness/billing.ts';
import { startChild } from '../harness/client.ts';
import { openOwner } from '../harness/copy.ts';
import { cpuSecondsOf } from '../harness/processes.ts';
import { scenario, type Bench } from '../harness/scenario.ts';
import { whileWorkerIsStill, type BenchSystem } from '../harness/system.ts';
import type { Row, Table } from '../harness/tables.ts';
import {
  addCustomers,
  addOrders,
  FIRST_DAY,
  makeRenewing,
  makeTenant,
  untilReady,
  type Tenant,
} from '../harness/tenants.ts';
import { median, shareOf } from '../harness/turns.ts';
import { writtenByStatements, writtenSoFar } from '../harness/wal.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const LIST_CALLS = 60;
const MEMORY_LOOK_MS = 200;
const LOOK_MS = 25;
const LIMIT_MS = 3_600_000;
const BYTES_PER_MEGABYTE = 1024 * 1024;
const MS = 1_000;
const runs: Nudge = { kind: 'billing', objectId: null };

export const scale = scenario({
  about:
    'renewals of tenants of several sizes: the CPU, the log and the memory of an invoice; the first page of ' +
    'their orders; a run that one and two workers share; a small tenant beside it; tenants that share a midnight',
  parts: ['renewals', 'workers', 'midnight'],
  sizes: {
    orders: [2_000, 20_000, 100_000],
    months: 2,
    large: 100_000,
    small: 100,
    tenants: 500,
    each: 20,
  },
  brief: { orders: [4, 8], months: 1, large: 12, small: 2, tenants: 3, each: 1 },
  async measure(bench, { orders, months, large, small, tenants, each }) {
    const system = await bench.system();
    const owner = await openOwner(bench);
    await owner.query('create extension if not exists pg_stat_statements');
    // The worker of the system would begin the runs of new tenants by itself.
    const still = (work: () => Promise<Table[]>) => whileWorkerIsStill(system, work);
    const parts = {
      renewals: () => renewalsOf(bench, owner, { orders, months }),
      workers: () => still(() => sharedRuns(bench, owner, { large, small })),
      midnight: () => still(() => midnightOf(bench, owner, { tenants, each })),
    };
    const tables: Table[] = [];
    for (const [part, measure] of Object.entries(parts)) {
      if (bench.part !== undefined && bench.part !== part) continue;
      bench.say(part);
      tables.push(...(await measure()));
    }
    await system.settled();
    return tables;
  },
});

/* Renewals, without engine and wakes, and the first page of the list of orders. */

interface Sizes {
  readonly orders: readonly number[];
  readonly months: number;
}

async function renewalsOf(bench: Bench, owner: pg.Client, { orders, months }: Sizes) {
  const system = await bench.system();
  const rows: Row[] = [];
  const lists: Row[] = [];
  let written: readonly Row[] = [];
  for (const count of orders) {
    bench.say(`${count} orders`);
    const tenant = await makeRenewing(system, `scale-${count}`, { orders: count });
    await owner.query('vacuum analyze');
    await bill(system, tenant, FIRST_DAY);
    // The first month makes the plans of statements.
    const renewed: Renewed[] = [];
    for (let month = 0; month <= months; month += 1) {
      const one = await renew(system, owner, { tenant, month, count });
      if (month > 0) renewed.push(one);
    }
    const figure = (of: (one: Renewed) => number): number => median(renewed.map(of));
    const cpu = figure(({ cpuMs }) => cpuMs);
    rows.push({
      orders: count,
      'per second': figure(({ ms }) => (count * MS) / ms),
      'CPU ms': cpu,
      'of the first size': cpu / Number(rows[0]?.['CPU ms'] ?? cpu),
      'bytes of log': figure(({ bytes }) => bytes),
      'of which images': figure(({ images }) => images),
      'MB more': figure(({ more }) => more),
    });
    written = renewed.at(-1)?.statements ?? [];
    lists.push({ orders: count, ...(await firstPageOf(tenant)) });
  }
  return [
    { title: 'Renewals, for each invoice (medians of the months)', rows },
    {
      title: `The log of the last ${orders.at(-1)} invoices by statement, for each`,
      rows: written,
    },
    { title: 'The first page of /orders, as a whole call', rows: lists },
  ];
}

interface Renewal {
  readonly tenant: Tenant;
  readonly month: number;
  readonly count: number;
}

interface Renewed {
  readonly ms: number;
  readonly cpuMs: number;
  readonly bytes: number;
  readonly images: number;
  /** Megabytes of this process. */
  readonly more: number;
  readonly statements: readonly Row[];
}

async function renew(
  system: BenchSystem,
  owner: pg.Client,
  { tenant, month, count }: Renewal,
): Promise<Renewed> {
  return whileWorkerIsStill(system, async () => {
    await owner.query('checkpoint');
    await writtenByStatements(owner);
    const before = await writtenSoFar(owner);
    const base = process.memoryUsage().rss;
    let most = base;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, MEMORY_LOOK_MS);
    const { ms, cpuMs } = await bill(system, tenant, dayOf(month)).finally(() =>
      clearInterval(timer),
    );
    const after = await writtenSoFar(owner);
    const statements = await writtenByStatements(owner);
    return {
      ms,
      cpuMs: cpuMs / count,
      bytes: (after.bytes - before.bytes) / count,
      images: (after.images - before.images) / count,
      more: (most - base) / BYTES_PER_MEGABYTE,
      statements: statements.map(({ statement, bytes, images }) => ({
        statement,
        bytes: bytes / count,
        images: images / count,
      })),
    };
  });
}

async function firstPageOf({ target, caller }: Tenant): Promise<Row> {
  await untilReady(caller);
  const lane = openLane(target);
  try {
    const times: number[] = [];
    for (let call = 0; call < LIST_CALLS; call += 1) {
      const { status, ms } = await lane.send({ method: 'GET', path: '/rest/orders' });
      if (status !== 200) throw new Error(`GET /orders: ${status}`);
      times.push(ms);
    }
    // Each connection of the API plans the statement once.
    const warm = times.slice(times.length / 3);
    return { 'p50 ms': median(warm), 'p99 ms': shareOf(warm, 0.99) };
  } finally {
    lane.close();
  }
}

/* Runs in real time, in workers of their own. */

interface Workers {
  readonly engine: Engine;
  readonly pids: readonly number[];
  readonly stop: () => void;
}

async function startWorkers(bench: Bench, count: number): Promise<Workers> {
  const { ownerUrl, temporalAddress: address, temporalNamespace: namespace } = await bench.system();
  const taskQueue = `bench-${count}-${Date.now()}`;
  const engine = openEngine({ address, namespace, identity: 'bench', taskQueue });
  bench.cleanups.push(() => engine.close());
  const args = [ownerUrl, address, namespace, taskQueue];
  const children = await Promise.all(
    Array.from({ length: count }, async () => {
      const ready = Promise.withResolvers<void>();
      const child = startChild('bench/client/worker.ts', () => ready.resolve(), { args });
      bench.cleanups.push(() => child.stdin.end());
      child.once('exit', (code) => ready.reject(new Error(`a worker ended with ${code}`)));
      await ready.promise;
      return child;
    }),
  );
  return {
    engine,
    pids: children.map(({ pid = 0 }) => pid),
    stop: () => children.forEach((child) => child.stdin.end()),
  };
}

/** A tenant in real time with so many orders, of which a first period is due today. */
async function dueToday(bench: Bench, label: string, count: number): Promise<Tenant> {
  const system = await bench.system();
  const tenant = await makeTenant(system, label, { isRealTime: true });
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format();
  await addCustomers(system, tenant, count);
  await addOrders(system, tenant, { count, startDate: today, billOn: today });
  return tenant;
}

/** As if its midnight were now. */
async function begin(system: BenchSystem, engine: Engine, { id }: Tenant): Promise<void> {
  const dependencies = dependenciesOf(system);
  const workflowId = await inOperation(dependencies, id, async (context) => {
    await context.tx.query('delete from billing_run');
    await context.tx.query('delete from outbox');
    enqueue({ tx: context.tx, tenant: context.tenant }, [runs]);
    return workflowIdOf(context.tenant, runs);
  });
  await deliver(dependencies, engine, id, [workflowId]);
}

async function isOver({ db }: BenchSystem, { id }: Tenant): Promise<boolean> {
  const rows = await inTenant(
    db,
    id,
    (tx) => tx.query('select from billing_run where finished_at is not null'),
    { readOnly: true },
  );
  return rows.length > 0;
}

/** When each was over, in seconds after the begin of all. */
async function runAll(
  system: BenchSystem,
  { engine }: Workers,
  tenants: readonly Tenant[],
): Promise<readonly number[]> {
  const began = performance.now();
  const seconds = new Map<Tenant, number>();
  for (const tenant of tenants) await begin(system, engine, tenant);
  while (seconds.size < tenants.length) {
    if (performance.now() - began > LIMIT_MS) throw new Error('the runs do not end');
    for (const tenant of tenants) {
      if (seconds.has(tenant) || !(await isOver(system, tenant))) continue;
      seconds.set(tenant, (performance.now() - began) / MS);
    }
    await sleep(LOOK_MS);
  }
  return tenants.map((tenant) => seconds.get(tenant) ?? Number.NaN);
}

interface SharedSizes {
  readonly large: number;
  readonly small: number;
}

async function sharedRuns(bench: Bench, owner: pg.Client, { large, small }: SharedSizes) {
  const system = await bench.system();
  const rows: Row[] = [];
  for (const count of [1, 2]) {
    bench.say(`${count} workers, a tenant of ${large} orders and one of ${small}`);
    const one = await dueToday(bench, `scale-large-${count}`, large);
    const other = await dueToday(bench, `scale-small-${count}`, small);
    await owner.query('vacuum analyze');
    const workers = await startWorkers(bench, count);
    const pids = [...workers.pids, system.pids.postgres, system.pids.temporal];
    const before = await cpuSecondsOf(pids);
    // The large one first, so that the small one finds it at work.
    const [seconds = Number.NaN, small_ = Number.NaN] = await runAll(system, workers, [one, other]);
    const cpu = (await cpuSecondsOf(pids)) - before;
    workers.stop();
    rows.push({
      workers: count,
      'seconds of the large': seconds,
      'per second': large / seconds,
      'CPU ms': (cpu * MS) / (large + small),
      'seconds of the small': small_,
    });
  }
  const title = `The runs of a tenant of ${large} orders, and of one of ${small} begun after it`;
  return [{ title, rows }];
}

interface MidnightSizes {
  readonly tenants: number;
  readonly each: number;
}

async function midnightOf(bench: Bench, owner: pg.Client, { tenants: count, each }: MidnightSizes) {
  const system = await bench.system();
  bench.say(`${count} tenants of ${each} orders`);
  const tenants: Tenant[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    tenants.push(await dueToday(bench, `scale-midnight-${nth}`, each));
  }
  await owner.query('vacuum analyze');
  const workers = await startWorkers(bench, 1);
  const pids = [...workers.pids, system.pids.postgres, system.pids.temporal];
  const before = await cpuSecondsOf(pids);
  const seconds = await runAll(system, workers, tenants);
  const cpu = (await cpuSecondsOf(pids)) - before;
  workers.stop();
  const last = Math.max(...seconds);
  return [
    {
      title: `${count} tenants of ${each} orders that share a midnight, one worker`,
      rows: [
        {
          'p50 s': median(seconds),
          'p99 s': shareOf(seconds, 0.99),
          'the last after s': last,
          'runs per second': count / last,
          'CPU ms of a run': (cpu * MS) / count,
        },
      ],
    },
  ];
}

/**
 * What a posted order costs with all that follows, by statement, by process and in its history; the same
 * of an order with its invoice, and of a renewal with its wake.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectTemporal, workflowClient } from '../../providers/temporal/connect.ts';
import { startClient, timesOf } from '../harness/client.ts';
import { openOwner } from '../harness/copy.ts';
import { startCpu } from '../harness/processes.ts';
import { type Bench, scenario } from '../harness/scenario.ts';
import type { Row, Table } from '../harness/tables.ts';
import {
  addCustomers,
  advance,
  BILLED_FIRST,
  firstOf,
  makeRenewing,
  makeTenant,
} from '../harness/tenants.ts';

const whats = ['POST order', 'POST order with invoice'] as const;
const STATEMENTS_SHOWN = 40;
const TEXT_LENGTH = 72;
const MICROSECONDS = 1_000;
const HISTORY_SAMPLES = 10;
const LOOK_MS = 50;

export const orders = scenario({
  about:
    'what POST order, POST order with its invoice, and a renewal with its wake cost with all that follows: ' +
    'the CPU of each process, the executions, plans, time and log of each statement, and the history',
  sizes: { calls: 1_000, connections: 8, customers: 200, renewed: 300 },
  brief: { calls: 4, connections: 1, customers: 2, renewed: 2 },
  async measure(bench, { calls, connections, customers, renewed }) {
    const system = await bench.system();
    const owner = await openOwner(bench);
    await owner.query('create extension if not exists pg_stat_statements');
    await owner.query('alter system set pg_stat_statements.track_planning = on');
    await owner.query('select pg_reload_conf()');
    const tenant = await makeTenant(system, 'orders', { isRealTime: true });
    const facts = { customers: await addCustomers(system, tenant, customers) };
    const client = startClient(bench);
    const tables: Table[] = [];
    for (const what of whats) {
      const asked = { what, targets: [tenant.target], facts, connections, measureMs: 0 };
      bench.say(`${what}: a first round, in which statements are planned`);
      await client.ask({ ...asked, times: calls });
      bench.say(what);
      const price = await priceOf(bench, owner, calls, async () =>
        timesOf(await client.ask({ ...asked, times: calls }), what),
      );
      tables.push(
        ...price.tables(what),
        await historyOf(bench, owner, { what, tenantId: tenant.id }),
      );
    }
    bench.say('Renewals');
    const renewing = await makeRenewing(system, 'renewed', { orders: renewed });
    for (const day of [BILLED_FIRST, firstOf(1), firstOf(2)]) await advance(renewing, day);
    const price = await priceOf(bench, owner, renewed, async () => {
      await advance(renewing, firstOf(3));
      return {};
    });
    return [...tables, ...price.tables('renewal')];
  },
});

/** The cost of each of so many, with what follows until the system rests. */
async function priceOf(
  bench: Bench,
  owner: pg.Client,
  count: number,
  work: () => Promise<Row>,
): Promise<{ readonly tables: (what: string) => Table[] }> {
  const system = await bench.system();
  await system.settled();
  await owner.query('vacuum analyze');
  await owner.query('checkpoint');
  await owner.query('select pg_stat_statements_reset()');
  const before = await walBytes(owner);
  const cpu = await startCpu(system.pids);
  const times = await work();
  await untilDelivered(owner);
  await system.settled();
  const each = await cpu(count);
  const log = ((await walBytes(owner)) - before) / count;
  const statements = await statementsOf(owner, count);
  return {
    tables: (what) => [
      { title: `${what}: each of ${count}`, rows: [{ ...times, ...each, 'log bytes': log }] },
      { title: `${what}: statements of the service for each, in µs`, rows: statements },
    ],
  };
}

/** Those that take longest, and all of them together. */
async function statementsOf(owner: pg.Client, count: number): Promise<Row[]> {
  const { rows } = await owner.query<Record<'text' | Figure, string>>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, sum(calls) as calls, sum(plans) as plans,
       sum(total_exec_time) as executing, sum(total_plan_time) as planning, sum(wal_bytes) as log
     from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname in ('sundial_app', 'sundial_relay')
     group by 1 order by sum(total_exec_time + total_plan_time) desc`,
  );
  const figures = (row: Record<Figure, string>) => ({
    calls: Number(row.calls) / count,
    plans: Number(row.plans) / count,
    executing: (Number(row.executing) * MICROSECONDS) / count,
    planning: (Number(row.planning) * MICROSECONDS) / count,
    'log bytes': Number(row.log) / count,
  });
  const all = rows.map(figures);
  const sum = Object.fromEntries(
    Object.keys(all[0] ?? {}).map((key) => [
      key,
      all.reduce((total, row) => total + row[key as keyof typeof row], 0),
    ]),
  );
  const shown = rows.slice(0, STATEMENTS_SHOWN);
  return [
    { '': `all ${rows.length}`, ...sum },
    ...shown.map((row) => ({ '': row.text.slice(0, TEXT_LENGTH), ...figures(row) })),
  ];
}

type Figure = 'calls' | 'plans' | 'executing' | 'planning' | 'log';

/** The mean history of the newest orders. */
async function historyOf(
  bench: Bench,
  owner: pg.Client,
  { what, tenantId }: { readonly what: string; readonly tenantId: number },
): Promise<Table> {
  const { temporalAddress: address, temporalNamespace: namespace } = await bench.system();
  const { rows } = await owner.query<{ id: string }>(
    `select 'order/' || t.label || '/' || o.id as id
     from subscription_order o join tenant t on t.id = o.tenant_id
     where o.tenant_id = $1 order by o.id desc limit ${HISTORY_SAMPLES}`,
    [tenantId],
  );
  const connection = await connectTemporal({ address });
  try {
    const client = workflowClient(connection, { namespace });
    const described = await Promise.all(rows.map(({ id }) => client.getHandle(id).describe()));
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      title: `${what}: the history of its workflow`,
      rows: [
        {
          events: mean(described.map((it) => it.historyLength)),
          bytes: mean(described.map((it) => it.historySize ?? 0)),
        },
      ],
    };
  } finally {
    await connection.close();
  }
}

/** A machine that others use may look quiet while nudges are still to be delivered. */
async function untilDelivered(owner: pg.Client): Promise<void> {
  const left = async (): Promise<boolean> => {
    const { rows } = await owner.query<{ left: boolean }>(
      'select exists (select from outbox) as left',
    );
    return rows[0]?.left === true;
  };
  while (await left()) await sleep(LOOK_MS);
}

async function walBytes(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes`,
  );
  return Number(rows[0]?.bytes);
}

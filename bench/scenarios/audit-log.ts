/** The audit log: what the entry of a write costs, and its place in the chain. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Client, startClient, timesOf } from '../harness/client.ts';
import { openOwner } from '../harness/copy.ts';
import { startCpu } from '../harness/processes.ts';
import { type Bench, scenario } from '../harness/scenario.ts';
import { makeTenant, type Tenant } from '../harness/tenants.ts';
import { compared, inTurns, type Slice } from '../harness/turns.ts';

const what = 'POST customer';
const ways = ['chained', 'not chained', 'no entry'] as const;

export const auditLog = scenario({
  about:
    'POST customer with an entry in the chain of the audit log, with one that is never chained, and without any, in turns',
  // The rest is longer than the pause of the loop that chains.
  sizes: { calls: 3_000, connections: 8, rounds: 9, restMs: 7_000 },
  brief: { calls: 10, connections: 2, rounds: 1, restMs: 10 },
  async measure(bench, { calls, connections, rounds, restMs }) {
    const system = await bench.system();
    const owner = await openOwner(bench);
    const tenants = {
      chained: await makeTenant(system, 'chained', { isRealTime: true }),
      'not chained': await makeTenant(system, 'unchained', { isRealTime: true }),
      'no entry': await makeTenant(system, 'no-entry', { isRealTime: true }),
    };
    await neverChain(owner, tenants['not chained']);
    await dropEntries(owner, tenants['no entry']);
    const client = startClient(bench);
    const slices = await inTurns(ways, rounds, async (way, round) => {
      bench.say(`round ${round}: ${way}`);
      return turn(bench, { client, owner, tenant: tenants[way], calls, connections, restMs });
    });
    const { chained, 'not chained': unchained } = slices;
    return [
      compared(`${what}: its entry`, slices),
      compared(`${what}: the chain`, { chained, 'not chained': unchained }),
    ];
  },
});

interface Turn {
  readonly client: Client;
  readonly owner: pg.Client;
  readonly tenant: Tenant;
  readonly calls: number;
  readonly connections: number;
  readonly restMs: number;
}

/** As long as any other of its calls, so that each has the same share of what the system does by itself. */
async function turn(
  bench: Bench,
  { client, owner, tenant: { target }, calls, connections, restMs }: Turn,
): Promise<Slice> {
  const system = await bench.system();
  await system.settled();
  const written = await walBytes(owner);
  const cpu = await startCpu(system.pids);
  const asked = { what, targets: [target], connections, measureMs: 0, times: calls };
  const times = timesOf(await client.ask(asked), what);
  await sleep(restMs);
  const each = await cpu(calls);
  const log = ((await walBytes(owner)) - written) / calls;
  return { ...times, ...each, 'log bytes': log };
}

async function walBytes(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes`,
  );
  return Number(rows[0]?.bytes);
}

/** The loop does not see its entries. */
const neverChain = (owner: pg.Client, { id }: Tenant): Promise<unknown> =>
  owner.query(
    `alter policy relay on audit_log using (sequence is null and tenant_id <> ${Number(id)})`,
  );

const dropEntries = (owner: pg.Client, { id }: Tenant): Promise<unknown> =>
  owner.query(
    `create function no_entry() returns trigger language plpgsql as 'begin return null; end';
     create trigger no_entry before insert on audit_log for each row
       when (new.tenant_id = ${Number(id)}) execute function no_entry()`,
  );

/**
 * A hostile tenant beside a normal one: the normal one's times with and without it, in turns, so that both
 * see the same disk; ended processes, and growth of memory.
 */
import type { Facts } from '../client/calls.ts';
import type { Target } from '../client/http.ts';
import type { Measured } from '../client/main.ts';
import { startClient, type Client } from '../harness/client.ts';
import { startCpu, watchingMemory } from '../harness/processes.ts';
import { scenario } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import { addCustomers, makeTenant } from '../harness/tenants.ts';
import { shareOf } from '../harness/turns.ts';

const CUSTOMERS = 200;
const SECONDS_PER_MINUTE = 60;
const MS = 1_000;
/** Callers that take turns; this many may wait for their answers. */
const LANES = 16;
export const ORDERS_PER_SECOND = 10;
/** Attackers have machines of their own: reading their megabytes is not to delay the normal client. */
const LOWEST_PRIORITY = 19;
const SAMPLES = 15;

export const soak = scenario({
  about:
    'POST order of a tenant by itself and beside a hostile one, in turns of ten seconds; the other posts the ' +
    'largest orders, reads lists of everything and has passwords guessed',
  sizes: { minutes: 20, turnMs: 10_000, settleMs: 3_000 },
  brief: { minutes: 0.02, turnMs: 600, settleMs: 100 },
  async measure(bench, { minutes, turnMs, settleMs }) {
    const system = await bench.system();
    const normal = await shopOf(system, 'normal');
    const hostile = await shopOf(system, 'hostile');
    const client = startClient(bench);
    const attackers = startClient(bench, LOWEST_PRIORITY);
    // After a change, answers of the turn before are still under way; these calls are shown apart.
    const times = { warmMs: settleMs, measureMs: turnMs - settleMs };
    const post = () => client.ask({ ...steadyOrders(normal), ...times });
    bench.say('Warming up, without the hostile tenant');
    await post();
    await system.settled();
    const turns = Math.max(1, Math.round((minutes * SECONDS_PER_MINUTE * MS) / (2 * turnMs)));
    bench.say(`In turns of ${turnMs / MS} s, for ${minutes} min`);
    const quiet: Measured[] = [];
    const beside: Measured[] = [];
    const attacks: Measured[][] = [[], [], []];
    const cpu = await startCpu(system.pidsNow());
    const watching = {
      pids: system.pidsNow,
      everyMs: (minutes * SECONDS_PER_MINUTE * MS) / SAMPLES,
    };
    const { samples } = await watchingMemory(watching, async () => {
      for (let turn = 0; turn < turns; turn += 1) {
        quiet.push(await post());
        const attacked = attack(attackers, { hostile, normal, turnMs });
        beside.push(await post());
        for (const [at, each] of (await attacked).entries()) attacks[at]?.push(each);
      }
    });
    const cores = await cpu(2 * turns * turnMs);
    const [orders = {}, lists = {}, guesses = {}] = attacks.map(statusesOf);
    assertTaken({ 201: orders, 200: lists, 401: guesses });
    const settling = [...quiet, ...beside].flatMap((each) => each.warmLatencies);
    const ofQuiet = rowOf(quiet.flatMap((each) => each.latencies));
    const ofBeside = rowOf(beside.flatMap((each) => each.latencies));
    return [
      {
        title: `POST order of the normal tenant, ${statusText(statusesOf([...quiet, ...beside]))}`,
        rows: [
          { '': 'quiet', ...ofQuiet },
          { '': 'beside the hostile one', ...ofBeside },
          { '': `${settleMs / MS} s after each change`, ...rowOf(settling) },
          { '': 'ratio of the p99', 'p99 ms': ofBeside['p99 ms'] / ofQuiet['p99 ms'] },
        ],
      },
      {
        title: 'Answers to the hostile tenant',
        rows: [
          { orders: statusText(orders), lists: statusText(lists), guesses: statusText(guesses) },
        ],
      },
      {
        title: 'Cores that each process used, and processes that ended',
        rows: [cores, ...endedOf(system)],
      },
      { title: 'Memory in MB, at equal distances', rows: samples },
    ];
  },
});

interface Shop {
  readonly target: Target;
  readonly facts: Facts;
}

export async function shopOf(system: BenchSystem, label: string): Promise<Shop> {
  const tenant = await makeTenant(system, label, { isRealTime: true });
  const customers = await addCustomers(system, tenant, CUSTOMERS);
  const month = `${new Date().toISOString().slice(0, 'YYYY-MM'.length)}-01`;
  return { target: tenant.target, facts: { customers, month } };
}

/** Orders at a steady rate, whether or not the previous ones were answered. */
export const steadyOrders = ({ target, facts }: Shop) => ({
  what: 'POST order',
  targets: [target],
  facts,
  connections: LANES,
  perSecond: ORDERS_PER_SECOND,
});

interface Attack {
  readonly hostile: Shop;
  readonly normal: Shop;
  readonly turnMs: number;
}

/** A turn of orders of 5,000 charges, of lists, and of passwords guessed from 16 addresses. */
function attack(client: Client, { hostile, normal, turnMs }: Attack): Promise<Measured[]> {
  const { target, facts } = hostile;
  const its = { targets: [target], facts, measureMs: turnMs, pauseMs: 50 };
  // Of its own users and the other tenant's, existing and invented ones.
  const targets = Array.from({ length: LANES }, (_, at) => ({
    ...(at % 2 === 0 ? normal : hostile).target,
    localAddress: `127.0.0.${at + 2}`,
  }));
  return Promise.all([
    client.ask({ ...its, what: 'the largest order', connections: 2, perSecond: 2_700 / turnMs }),
    client.ask({ ...its, what: 'the largest list', connections: 4 }),
    client.ask({ ...its, what: 'a wrong password', connections: LANES, targets }),
  ]);
}

function rowOf(latencies: readonly number[]) {
  return {
    calls: latencies.length,
    'p50 ms': shareOf(latencies, 0.5),
    'p99 ms': shareOf(latencies, 0.99),
    'most ms': latencies.reduce((most, ms) => Math.max(most, ms), 0),
  };
}

type Statuses = Readonly<Record<string, number>>;

function statusesOf(measured: readonly Measured[]): Statuses {
  const sums: Record<string, number> = {};
  for (const [status, count] of measured.flatMap((each) => Object.entries(each.statuses))) {
    sums[status] = (sums[status] ?? 0) + count;
  }
  return sums;
}

const statusText = (statuses: Statuses): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');

/** Beside a load that was refused altogether the figures would mean nothing. */
function assertTaken(taken: Readonly<Record<string, Statuses>>): void {
  for (const [status, statuses] of Object.entries(taken)) {
    if (!statuses[status]) throw new Error(`no ${status} among ${statusText(statuses)}`);
  }
}

const endedOf = ({ deaths }: BenchSystem) => deaths.map((line) => ({ ENDED: line }));

/** Measures the interface: calls per second and their times, each beside a bare handler's. */
import { startChild, target } from './api/children.ts';
import type { Child } from './api/children.ts';
import type { Assignment, Measured } from './api/client.ts';
import { fill } from './api/fill.ts';
import type { Target } from './api/http.ts';
import { reportApi } from './api/report.ts';
import type { ApiFigures, Row } from './api/report.ts';
import { bareScenarios, type apiScenarios, type Facts } from './api/scenarios.ts';
import { startSecondApi } from './api/second-api.ts';
import { memoryOf } from './support/memory.ts';
import { untilQuiet } from './support/quiet.ts';
import { runBench } from './support/run.ts';
import type { BenchSystem } from './support/system.ts';

export interface ApiBenchOptions {
  readonly customers: number;
  readonly json: boolean;
}

const connectionCounts = [1, 8, 16];
const WARM_MS = 1_000;
const MEASURE_MS = 4_000;

/** The baseline of each call: one indexed read, or one insert. */
const floors: Readonly<Record<keyof typeof apiScenarios, keyof typeof bareScenarios>> = {
  'GET customer': 'bare read',
  'list of 50 customers': 'bare read',
  'POST customer': 'bare insert',
  'POST order': 'bare insert',
  'POST order with invoice': 'bare insert',
};

export function api({ customers, json }: ApiBenchOptions): Promise<void> {
  return runBench({
    json,
    measure: (system, say) => measure(system, customers, say),
    report: reportApi,
  });
}

async function measure(
  system: BenchSystem,
  customers: number,
  say: (line: string) => void,
): Promise<ApiFigures> {
  say(`Filling the tenant with ${customers} customers and orders`);
  const filled = await fill(system.db, system.ownerUrl, customers);
  const bare = await startChild('bare-server.ts', [system.ownerUrl, String(filled.tenantId)]);
  const client = await startChild('client.ts', []);
  try {
    const { port } = JSON.parse(await bare.nextLine()) as { readonly port: number };
    client.say({ facts: { customers: filled.customers, contractCode: 'MONTHLY' } });
    const apiTarget = target(Number(new URL(system.apiUrl).port));
    const ask = async (scenario: string, at: Target, connections: number): Promise<Measured> => {
      // The workflows of posted orders would disturb the measurement.
      await untilQuiet(system);
      client.say({
        scenario,
        target: at,
        connections,
        warmMs: WARM_MS,
        measureMs: MEASURE_MS,
      } satisfies Assignment);
      return JSON.parse(await client.nextLine()) as Measured;
    };
    const megabytes = [await memoryOf(system.pids.api)];
    const rows: Row[] = [];
    for (const connections of connectionCounts) {
      const floor = new Map<string, Measured>();
      for (const name of Object.keys(bareScenarios)) {
        floor.set(name, await ask(name, target(port), connections));
      }
      for (const [name, against] of Object.entries(floors)) {
        say(`${name}, ${connections} at once`);
        const measured = await ask(name, apiTarget, connections);
        rows.push({ name, connections, ...measured, ...ratios(measured, floor, against) });
        megabytes.push(await memoryOf(system.pids.api));
      }
      for (const [name, measured] of floor) {
        rows.push({ name, connections, ...measured, ofBare: null, ofUnfenced: null });
      }
    }
    say('GET customer by two API processes, 8 at once each');
    await untilQuiet(system);
    const facts = { customers: filled.customers, contractCode: 'MONTHLY' };
    const shared = await measureTwo(system, { client, facts, at: apiTarget });
    return { customers, rows, apiMegabytes: megabytes, twoApisPerSecond: shared };
  } finally {
    client.end();
    bare.end();
  }
}

const SHARED_CONNECTIONS = 8;

/** The load on both processes together; a second client calls the second process. */
async function measureTwo(
  system: BenchSystem,
  {
    client: first,
    facts,
    at,
  }: { readonly client: Child; readonly facts: Facts; readonly at: Target },
): Promise<number> {
  const api = await startSecondApi(system);
  const second = await startChild('client.ts', []);
  try {
    second.say({ facts });
    const assignment = { scenario: 'GET customer', connections: SHARED_CONNECTIONS };
    const asked = [
      { client: first, target: at },
      { client: second, target: { ...at, port: api.port } },
    ].map(async ({ client, target: where }) => {
      client.say({
        ...assignment,
        target: where,
        warmMs: WARM_MS,
        measureMs: MEASURE_MS,
      } satisfies Assignment);
      return JSON.parse(await client.nextLine()) as Measured;
    });
    return (await Promise.all(asked)).reduce((sum, { perSecond }) => sum + perSecond, 0);
  } finally {
    second.end();
    await api.stop();
  }
}

function ratios(measured: Measured, floor: ReadonlyMap<string, Measured>, against: string) {
  const rate = (name: string): number => floor.get(name)?.perSecond ?? NaN;
  return {
    ofBare: measured.perSecond / rate(against),
    ofUnfenced: measured.perSecond / rate(`${against}, no fence`),
  };
}

/** Measures the interface: calls per second and their times, each beside a bare handler's. */
import { startChild, startClient, target, type CallClient } from './api/children.ts';
import type { Measured } from './api/client.ts';
import { fill } from './api/fill.ts';
import type { Target } from './api/http.ts';
import { reportApi, type ApiFigures, type Row } from './api/report.ts';
import { bareScenarios, type apiScenarios } from './api/scenarios.ts';
import { startSecondApi } from './api/second-api.ts';
import { memoryOf } from './support/memory.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import type { BenchSystem } from './support/system.ts';

const connectionCounts = [1, 8, 16];
const WARM_MS = 1_000;
const MEASURE_MS = 4_000;
const times = { warmMs: WARM_MS, measureMs: MEASURE_MS };

/** The baseline of each call: one indexed read, or one insert. */
const floors: Readonly<Record<keyof typeof apiScenarios, keyof typeof bareScenarios>> = {
  'GET customer': 'bare read',
  'list of 50 customers': 'bare read',
  'POST customer': 'bare insert',
  'POST order': 'bare insert',
  'POST order with invoice': 'bare insert',
};

export const api = benchOfSystem({ measure, report: reportApi });

async function measure(
  system: BenchSystem,
  { customers = 100_000, say }: Asked,
): Promise<ApiFigures> {
  say(`Filling the tenant with ${customers} customers and orders`);
  const filled = await fill(system, customers);
  const bare = await startChild('bare-server.ts', [system.ownerUrl, String(filled.tenantId)]);
  const client = await startClient(filled.customers);
  try {
    const { port } = JSON.parse(await bare.nextLine()) as { readonly port: number };
    const apiTarget = target(Number(new URL(system.apiUrl).port));
    const ask = async (scenario: string, at: Target, connections: number): Promise<Measured> => {
      // The workflows of posted orders would disturb the measurement.
      await untilQuiet(system);
      return client.ask({ scenario, target: at, connections, ...times });
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
    const { customers: known } = filled;
    const shared = await measureTwo(system, { client, customers: known, at: apiTarget });
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
    customers,
    at,
  }: { readonly client: CallClient; readonly customers: readonly number[]; readonly at: Target },
): Promise<number> {
  const api = await startSecondApi(system);
  const second = await startClient(customers);
  try {
    const assignment = { scenario: 'GET customer', connections: SHARED_CONNECTIONS, ...times };
    const asked = [
      { client: first, target: at },
      { client: second, target: { ...at, port: api.port } },
    ].map(({ client, target: where }) => client.ask({ ...assignment, target: where }));
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

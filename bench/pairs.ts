/**
 * This checkout beside another one on one machine: their calls and renewals alternate, so what else
 * the machine does affects both alike.
 */
import { join } from 'node:path';
import { done, text } from '../cli/rest.ts';
import { startClient, target, type CallClient } from './api/children.ts';
import { apiScenarios } from './api/scenarios.ts';
import { pairedRenewals } from './pairs/renewals.ts';
import { startCheckout, type Checkout } from './pairs/checkout.ts';
import { reportPairs, type Paired, type PairsFigures, type Slice } from './pairs/report.ts';
import { callerOf } from './support/caller.ts';
import { cpuOf, cpuPer } from './support/cpu.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOf, type Asked } from './support/run.ts';
import { interruption } from './support/system.ts';

const CUSTOMERS = 200;
const noFacts = { customers: [], contractCode: '' };
const ROUNDS = 8;
/** Medians of eight months vary by a tenth, of 24 by a hundredth. */
const MONTHS = 24;
const WARM_MS = 200;
const MEASURE_MS = 1_000;
const here = join(import.meta.dirname, '..');
const tenantFile = join(import.meta.dirname, 'api/tenant.yaml');

export const pairs = benchOf({ measure: compare, report: reportPairs });

async function compare({ against = here, connections, say }: Asked): Promise<PairsFigures> {
  const interrupted = interruption();
  const cleanups: (() => Promise<void>)[] = [];
  const begin = async (root: string): Promise<Side> => {
    say(`Starting ${root}`);
    const checkout = await startCheckout(root, cleanups);
    await checkout.applyTenant(tenantFile);
    return { checkout, customers: await postCustomers(checkout) };
  };
  async function alternated(): Promise<PairsFigures> {
    const client = await startClient([]);
    cleanups.push(async () => client.end());
    const other = await begin(against);
    const own = await begin(here);
    const paired: Paired[] = [];
    for (const scenario of Object.keys(apiScenarios)) {
      say(`${scenario}, ${connections} at once`);
      paired.push(await alternate({ client, other, own, scenario, connections }));
    }
    const both = { other: other.checkout, own: own.checkout };
    paired.push(...(await pairedRenewals({ ...both, rounds: MONTHS, say })));
    return { against, connections, pairs: paired };
  }
  try {
    return await Promise.race([alternated(), interrupted]);
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

interface Side {
  readonly checkout: Checkout;
  readonly customers: readonly number[];
}

interface Alternated {
  readonly client: CallClient;
  readonly other: Side;
  readonly own: Side;
  readonly scenario: string;
  readonly connections: number;
}

/** Rounds of a slice each, whose order changes from round to round. */
async function alternate(it: Alternated): Promise<Paired> {
  const { other, own, scenario } = it;
  const slices = { other: [] as Slice[], own: [] as Slice[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['other', 'own'] as const) : (['own', 'other'] as const);
    for (const side of order) slices[side].push(await measure(it, { other, own }[side]));
  }
  return { scenario, unit: 'call', ...slices };
}

/** Its CPU includes what follows the calls, such as the workflows of posted orders. */
async function measure(it: Alternated, { checkout, customers }: Side): Promise<Slice> {
  const { client, scenario, connections } = it;
  await untilQuiet(it.other.checkout);
  await untilQuiet(it.own.checkout);
  const before = await cpuOf(checkout.pids);
  client.know(customers);
  const measured = await client.ask({
    scenario,
    target: target(Number(new URL(checkout.apiUrl).port)),
    connections,
    warmMs: WARM_MS,
    measureMs: MEASURE_MS,
  });
  if (measured.failed > 0) throw new Error(`${measured.failed} calls of ${scenario} failed`);
  await untilQuiet(checkout);
  const after = await cpuOf(checkout.pids);
  // The calls of the warm-up cost CPU, too.
  const calls = (measured.requests * (WARM_MS + MEASURE_MS)) / MEASURE_MS;
  const cpuMs = cpuPer(before, after, calls / 1_000);
  return { perSecond: measured.perSecond, p50Ms: measured.p50Ms, cpuMs };
}

async function postCustomers({ apiUrl }: Checkout): Promise<number[]> {
  const caller = callerOf(apiUrl);
  const ids: number[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const { path, body } = apiScenarios['POST customer'](noFacts, n);
    const customer = await done(caller, 'POST', path, body);
    ids.push(Number(text(customer, '@id')));
  }
  return ids;
}

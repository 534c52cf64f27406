/**
 * This checkout beside another one on one machine: their calls and renewals alternate, so what else
 * the machine does affects both alike.
 */
import { join } from 'node:path';
import { done, text } from '../../cli/rest.ts';
import { customerDocument, interfaceCalls, orderDocument } from '../client/calls.ts';
import { startCheckout } from '../harness/checkout.ts';
import { callSlice, startClient } from '../harness/client.ts';
import { startCpu } from '../harness/processes.ts';
import { scenario, type Bench } from '../harness/scenario.ts';
import { startSink } from '../harness/sink.ts';
import type { Side } from '../harness/system.ts';
import type { Table } from '../harness/tables.ts';
import { advance, applyTenant, firstOf, type TenantAccess } from '../harness/tenants.ts';
import { compared, inTurns, type Slice } from '../harness/turns.ts';

const CUSTOMERS_AT_ONCE = 8;
const names = ['here', 'there'] as const;
type Name = (typeof names)[number];
export type Sides = Readonly<Record<Name, Side>>;

const defaults = {
  connections: 8,
  customers: 200,
  rounds: 8,
  warmMs: 200,
  measureMs: 1_000,
  // Fewer than a worker keeps cached: beyond that, what is replayed is a matter of luck.
  orders: 300,
  // Medians of eight months vary by a tenth, of 24 by a hundredth.
  months: 24,
};
export type PairsSizes = Readonly<typeof defaults>;

export const pairs = scenario({
  about:
    'calls of the interface of this checkout and of another one, such as an older commit, a second each in ' +
    'turns, then renewals with and without a callback, a month each: the ratio of their rates, and of the ' +
    'CPU of a call or an invoice in each process',
  sizes: defaults,
  brief: { customers: 5, rounds: 1, warmMs: 20, measureMs: 60, orders: 4, months: 1 },
  async measure(bench, asked) {
    const here = join(import.meta.dirname, '../..');
    const start = (root: string) => {
      bench.say(`Starting ${root}`);
      return startCheckout(root, bench.cleanups);
    };
    const there = await start(bench.against ?? here);
    return comparedSides(bench, { here: await start(here), there }, asked);
  },
});

/** Who is first changes from turn to turn; a turn begins when both have finished their work. */
export async function comparedSides(
  bench: Pick<Bench, 'say' | 'cleanups'>,
  sides: Sides,
  asked: PairsSizes,
): Promise<Table[]> {
  const settled = async (): Promise<void> => {
    for (const name of names) await sides[name].settled();
  };
  const tables = [];
  const client = startClient(bench);
  const { connections, warmMs, measureMs } = asked;
  const accesses = await forEach(async (name) => {
    const access = await applyTenant(sides[name], `pairs-${name}`, { isRealTime: true });
    return { access, customers: await postCustomers(access, asked.customers) };
  });
  for (const what of Object.keys(interfaceCalls)) {
    bench.say(`${what}, ${connections} at once`);
    const slices = await inTurns(names, asked.rounds, async (name) => {
      await settled();
      const { access, customers } = accesses[name];
      const its = { what, targets: [access.target], facts: { customers }, connections };
      return callSlice(client, sides[name], { ...its, warmMs, measureMs });
    });
    tables.push(compared(`${what}, ${connections} at once`, slices));
  }
  for (const what of ['renewal', 'renewal with a callback'] as const) {
    bench.say(`${asked.orders} orders for each ${what}`);
    const renewing = await forEach((name) =>
      makeRenewing(bench, { side: sides[name], name, what }, asked),
    );
    const slices = await inTurns(names, asked.months, async (name, month) => {
      await settled();
      return renewing[name](month);
    });
    tables.push(compared(`${what} of ${asked.orders} orders`, slices));
  }
  return tables;
}

async function forEach<Made>(make: (name: Name) => Promise<Made>): Promise<Record<Name, Made>> {
  return { there: await make('there'), here: await make('here') };
}

async function postCustomers({ caller }: TenantAccess, count: number): Promise<number[]> {
  const ids: number[] = [];
  const left = Array.from({ length: count }, (_, n) => n).values();
  const lane = async (): Promise<void> => {
    for (const n of left) {
      const customer = await done(caller, 'POST', '/rest/customers', customerDocument(n));
      ids.push(Number(text(customer, '@id')));
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS_AT_ONCE }, lane));
  return ids;
}

interface Renewing {
  readonly side: Side;
  readonly name: Name;
  readonly what: 'renewal' | 'renewal with a callback';
}

/** A tenant on a test clock whose orders renew on the first of each month; returns what measures a month. */
async function makeRenewing(
  bench: Pick<Bench, 'cleanups'>,
  { side, name, what }: Renewing,
  { orders }: PairsSizes,
): Promise<(month: number) => Promise<Slice>> {
  const sink = what === 'renewal' ? undefined : await startSink(bench);
  const callbacks = sink?.callbacks('invoice.created') ?? '';
  const access = await applyTenant(side, `${sink ? 'hooked' : 'renewed'}-${name}`, {
    // No dunning has something to show in some of the months.
    more: `dunning: { thresholds: [] }\n${callbacks}`,
  });
  for (const customer of await postCustomers(access, orders)) {
    await done(access.caller, 'POST', '/rest/orders', orderDocument(customer));
  }
  return async (month) => {
    const cpu = await startCpu(side.pids);
    const began = performance.now();
    // The first step bills two months: that of the start, and the next one.
    await advance(access, firstOf(month + 1));
    await sink?.until(orders * (month + 2));
    const perSecond = orders / ((performance.now() - began) / 1_000);
    await side.settled();
    return { 'per second': perSecond, ...(await cpu(orders)) };
  };
}

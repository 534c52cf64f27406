/**
 * A flood of one tenant beside the orders of another: usage, an import, renewals. The times without and
 * beside it come in turns, so that both see the same disk.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { done } from '../../cli/rest.ts';
import type { Measured } from '../client/main.ts';
import { startClient } from '../harness/client.ts';
import { scenario } from '../harness/scenario.ts';
import {
  BILLED_FIRST,
  advance,
  firstOf,
  makeRenewing,
  makeTenant,
  untilReady,
} from '../harness/tenants.ts';
import { shareOf } from '../harness/turns.ts';
import { carry, customers as customersFile, send } from './import-files.ts';
import { shopOf, steadyOrders } from './soak.ts';
import { usageTenant } from './usage-records.ts';

const MS = 1_000;
const UPLOADS_AT_ONCE = 8;
/** As that of a hostile tenant: its machine is another one. */
const LOWEST_PRIORITY = 19;

/** Begins a flood that lasts for a turn at least; resolves with what waits until all of it is over. */
type Flood = (round: number) => Promise<() => Promise<unknown>>;

export const floods = scenario({
  about:
    'POST order of a tenant by itself and beside a flood of another, in turns: uploads of usage, an import of ' +
    'customers, renewals of all orders',
  sizes: { rounds: 4, turnMs: 10_000, settleMs: 2_000, customers: 40_000, orders: 20_000 },
  brief: { rounds: 1, turnMs: 600, settleMs: 100, customers: 20, orders: 6 },
  async measure(bench, { rounds, turnMs, settleMs, customers, orders }) {
    const system = await bench.system();
    const normal = await shopOf(system, 'flooded');
    const using = await usageTenant(system, 'flood-usage', {
      orders: 1_000,
      contractCode: 'YEARLY',
    });
    const renewing = await makeRenewing(system, 'flood-renewals', { orders });
    const client = startClient(bench);
    const flooding = startClient(bench, LOWEST_PRIORITY);
    const all: Readonly<Record<string, Flood>> = {
      'uploads of usage': async () => {
        const uploads = flooding.ask({
          what: 'POST activities',
          targets: [using.target],
          facts: { customerCount: 1_000 },
          connections: UPLOADS_AT_ONCE,
          measureMs: turnMs,
        });
        return Promise.resolve(() => uploads);
      },
      'an import': async (round) => {
        const { caller } = await makeTenant(system, `flood-import-${round}`, { isRealTime: true });
        const { id } = await send(caller, 'Customer', customersFile(customers));
        const ended = carry(caller, id);
        return () => ended;
      },
      renewals: async (round) => {
        await done(renewing.caller, 'POST', `/rest/testClock?advanceTo=${firstOf(round + 1)}`);
        return () => untilReady(renewing.caller);
      },
    };
    const times = { warmMs: settleMs, measureMs: turnMs - settleMs };
    const post = (): Promise<Measured> => client.ask({ ...steadyOrders(normal), ...times });
    bench.say(`First periods of ${orders} orders, and a turn that counts nothing`);
    await advance(renewing, BILLED_FIRST);
    await post();
    const rows = [];
    for (const [name, flood] of Object.entries(all)) {
      bench.say(`Beside ${name}, in turns of ${turnMs / MS} s`);
      const turns: Turns = { quiet: [], beside: [] };
      for (let round = 0; round < rounds; round += 1) {
        await system.settled();
        turns.quiet.push(await post());
        const over = await flood(round);
        turns.beside.push(await post());
        await over();
        await sleep(settleMs);
      }
      rows.push({ '': name, ...figuresOf(turns) });
    }
    return [{ title: 'POST order of another tenant, ten a second', rows }];
  },
});

interface Turns {
  readonly quiet: Measured[];
  readonly beside: Measured[];
}

function figuresOf({ quiet, beside }: Turns) {
  const [alone, flooded] = [quiet, beside].map((each) =>
    each.flatMap(({ latencies }) => latencies),
  );
  const of = (latencies: readonly number[] = [], share: number): number =>
    shareOf(latencies, share);
  const statuses = new Set([...quiet, ...beside].flatMap((each) => Object.keys(each.statuses)));
  return {
    'quiet p50 ms': of(alone, 0.5),
    'quiet p99 ms': of(alone, 0.99),
    'beside p50 ms': of(flooded, 0.5),
    'beside p99 ms': of(flooded, 0.99),
    'ratio of the p99': of(flooded, 0.99) / of(alone, 0.99),
    answers: [...statuses].join(', '),
  };
}

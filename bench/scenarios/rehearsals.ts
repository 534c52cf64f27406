/** The rehearsal of a billing run beside the run itself, month by month. */
import { rehearse } from '../../operations/rehearsals/rehearse.ts';
import { bill, dayOf, dependenciesOf } from '../harness/billing.ts';
import { cpuSecondsOf } from '../harness/processes.ts';
import { scenario } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import { FIRST_DAY, makeRenewing, type Tenant } from '../harness/tenants.ts';
import { figuresOf, median, type Slice } from '../harness/turns.ts';

const limits = { ratio: '3', amount: '1000', amounts: {} };
const BYTES_PER_MEGABYTE = 1024 * 1024;

export const rehearsals = scenario({
  about:
    'rehearsals of billing runs of all orders of a tenant beside these runs: how many orders a second, their ' +
    'CPU, and the memory that a rehearsal takes',
  sizes: { orders: 2_000, months: 5 },
  brief: { orders: 6, months: 1 },
  async measure(bench, { orders, months }) {
    const system = await bench.system();
    const tenant = await makeRenewing(system, 'rehearsed', { orders });
    await bill(system, tenant, FIRST_DAY);
    const [rehearsed, billed]: [Slice[], Slice[]] = [[], []];
    for (let month = 0; month <= months; month += 1) {
      // The first one makes the plans of statements, and has no period to compare with.
      const rehearsal = await rehearsalOf(system, tenant, { day: dayOf(month), orders });
      const { ms, cpuMs } = await bill(system, tenant, dayOf(month));
      if (month === 0) continue;
      rehearsed.push(rehearsal);
      billed.push({ 'per second': (orders / ms) * 1_000, 'CPU ms': cpuMs / orders });
    }
    return [
      {
        title: `Rehearsals of ${orders} orders, and the runs (medians of ${months} months)`,
        rows: [
          { '': 'rehearsal', ...figuresOf(rehearsed, median) },
          { '': 'run', ...figuresOf(billed, median) },
        ],
      },
    ];
  },
});

async function rehearsalOf(
  system: BenchSystem,
  { id }: Tenant,
  { day, orders }: { readonly day: string; readonly orders: number },
): Promise<Slice> {
  await system.settled();
  const pids = [process.pid, system.pids.postgres];
  const before = await cpuSecondsOf(pids);
  const heap = process.memoryUsage().rss;
  let most = heap;
  const began = performance.now();
  const { figures } = await rehearse(dependenciesOf(system), id, {
    day,
    limits,
    onProgress: () => {
      most = Math.max(most, process.memoryUsage().rss);
    },
  });
  const ms = performance.now() - began;
  if (figures.run.invoices !== orders) {
    throw new Error(`${figures.run.invoices} invoices were rehearsed, not ${orders}`);
  }
  return {
    'per second': (orders / ms) * 1_000,
    'CPU ms': (((await cpuSecondsOf(pids)) - before) * 1_000) / orders,
    'MB more': (most - heap) / BYTES_PER_MEGABYTE,
  };
}

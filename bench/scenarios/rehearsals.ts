/** The rehearsal of a billing run beside the run itself, month by month. */
import type { Compared, OutlierLimits } from '../../domain/billing/rehearsed.ts';
import { keepRehearsal } from '../../operations/rehearsals/keep.ts';
import { openSpool } from '../../providers/spool.ts';
import { bill, dayOf, dependenciesOf } from '../harness/billing.ts';
import { cpuSecondsOf } from '../harness/processes.ts';
import { scenario } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import { FIRST_DAY, makeRenewing, type Tenant } from '../harness/tenants.ts';
import { figuresOf, median, type Slice } from '../harness/turns.ts';

const usual = { ratio: '3', amount: '1000', amounts: {} };
/** Beyond them is what is billed as in the month before. */
const none = { ratio: '1', amount: '0', amounts: {} };
const BYTES_PER_MEGABYTE = 1024 * 1024;

export const rehearsals = scenario({
  about:
    'rehearsals of billing runs of all orders of a tenant beside these runs, without outliers and with all of ' +
    'them: how many orders a second, their CPU, and the memory that a rehearsal takes',
  sizes: { orders: 2_000, months: 5 },
  brief: { orders: 6, months: 1 },
  async measure(bench, { orders, months }) {
    const system = await bench.system();
    const tenant = await makeRenewing(system, 'rehearsed', { orders });
    await bill(system, tenant, FIRST_DAY);
    const [rehearsed, beyond, billed]: [Slice[], Slice[], Slice[]] = [[], [], []];
    for (let month = 0; month <= months; month += 1) {
      // The first one makes the plans of statements, and has no period to compare with.
      const asked = { day: dayOf(month), orders };
      const rehearsal = await rehearsalOf(system, tenant, { ...asked, limits: usual });
      const all = await rehearsalOf(system, tenant, { ...asked, limits: none });
      const { ms, cpuMs } = await bill(system, tenant, dayOf(month));
      if (month === 0) continue;
      rehearsed.push(rehearsal);
      beyond.push(all);
      billed.push({ 'per second': (orders / ms) * 1_000, 'CPU ms': cpuMs / orders });
    }
    return [
      {
        title: `Rehearsals of ${orders} orders, and the runs (medians of ${months} months)`,
        rows: [
          { '': 'rehearsal', ...figuresOf(rehearsed, median) },
          { '': 'all outliers', ...figuresOf(beyond, median) },
          { '': 'run', ...figuresOf(billed, median) },
        ],
      },
    ];
  },
});

interface Asked {
  readonly day: string;
  readonly orders: number;
  readonly limits: OutlierLimits;
}

async function rehearsalOf(
  system: BenchSystem,
  { id }: Tenant,
  { day, orders, limits }: Asked,
): Promise<Slice> {
  await system.settled();
  const pids = [process.pid, system.pids.postgres];
  const before = await cpuSecondsOf(pids);
  const heap = process.memoryUsage().rss;
  let most = heap;
  const began = performance.now();
  const outliers = await openSpool<Compared>();
  const { figures } = await keepRehearsal(dependenciesOf(system), id, {
    day,
    limits,
    operator: 'bench',
    outliers,
    onCompared: async () => {
      most = Math.max(most, process.memoryUsage().rss);
    },
  });
  most = Math.max(most, process.memoryUsage().rss);
  const ms = performance.now() - began;
  await outliers.close();
  const expected = limits === none ? orders : 0;
  if (figures.run.invoices !== orders || figures.outliers !== expected) {
    throw new Error(`${figures.run.invoices} invoices, ${figures.outliers} outliers`);
  }
  return {
    'per second': (orders / ms) * 1_000,
    'CPU ms': (((await cpuSecondsOf(pids)) - before) * 1_000) / orders,
    'MB more': (most - heap) / BYTES_PER_MEGABYTE,
  };
}

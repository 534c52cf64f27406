/**
 * Renewals that take the prices of a newer plan version beside plain ones, a month each in turns; and
 * the run that dates them before.
 */
import { inTenant } from '../../db/connection/tenancy.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import { dateAllMoves } from '../../operations/due/prices.ts';
import { billedInTurns, dayOf, dependenciesOf } from '../harness/billing.ts';
import { scenario } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import { applyTenant, assertNumber, makeRenewing, type Tenant } from '../harness/tenants.ts';
import { compared, median } from '../harness/turns.ts';

const LABEL = 'price-moves';
const morePlans = '    existingOrders: nextPeriod\n';

export const priceMoves = scenario({
  about:
    'billing runs in which each order takes the prices of a newer version beside plain ones, a month each in ' +
    'turns: the ratio of their rates and of their CPU; and how many orders a second are dated before',
  sizes: { orders: 2_000, months: 6 },
  brief: { orders: 6, months: 1 },
  async measure(bench, { orders, months }) {
    const system = await bench.system();
    const moving = await makeRenewing(system, LABEL, { orders, morePlans });
    const plain = await makeRenewing(system, 'price-plain', { orders });
    const dated: number[] = [];
    bench.say(`Months of ${orders} orders, which move with each`);
    const slices = await billedInTurns(
      system,
      { moving, plain },
      {
        orders,
        months,
        isWorkerStill: true,
        async beforeMonth(name, month) {
          if (name !== 'moving' || month === 0) return;
          dated.push(await publish(system, moving, month));
        },
      },
    );
    const sql = 'select sum(jsonb_array_length(earlier_prices))::int from subscription_order';
    await assertNumber(system, moving, { sql, number: orders * months });
    return [
      compared(`Renewals of ${orders} orders`, slices),
      {
        title: 'The run that dates them',
        rows: [{ 'per second': (orders / median(dated)) * 1_000 }],
      },
    ];
  },
});

/** A version whose prices begin with the month; returns the milliseconds until its orders are dated. */
async function publish(system: BenchSystem, { id }: Tenant, month: number): Promise<number> {
  await applyTenant(system, LABEL, { charge: `, notes: Version ${month}`, morePlans });
  const today = dayOf(month - 1);
  await inTenant(system.db, id, async (tx) => {
    await tx.query('update plan set moves_from = $1 where moves_from is not null', [dayOf(month)]);
    await tx.query(
      'update plan set moves_dated_on = $1 where is_newest and moves_dated_on is not null',
      [today],
    );
  });
  const dependencies = dependenciesOf(system);
  const tenant = await tenantInfo(dependencies, id);
  const began = performance.now();
  const hooks = { lanes: 2, mayContinue: () => true, dispatch: () => undefined };
  await dateAllMoves({ dependencies, tenant, today, ...hooks });
  return performance.now() - began;
}

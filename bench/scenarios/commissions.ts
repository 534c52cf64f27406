/**
 * What commissions cost: months of orders that pay themselves, of a tenant whose orders have a sales
 * agent each, and of one that has none, in turns.
 */
import { inTenant } from '../../db/connection/tenancy.ts';
import { startCpu } from '../harness/processes.ts';
import { scenario } from '../harness/scenario.ts';
import { dayOf } from '../harness/billing.ts';
import { advance, assertNumber, makeRenewing, payThemselves } from '../harness/tenants.ts';
import { compared, inTurns } from '../harness/turns.ts';

const more = `commissionPlans:
  - planName: Standard resale
    commissionCode: STD
    plans: [MONTHLY]
    charges:
      - { code: STD-REC, commissionAmount: 10, commissionType: Percent, chargeType: RecurringCharge }
salesAgents:
  - { code: AGENT-1, commissionPlan: STD }
`;
const names = ['with an agent on each', 'without agents'] as const;

export const commissions = scenario({
  about:
    'months of orders that pay themselves, of a tenant with a sales agent on each order and of one without, ' +
    'in turns: invoices that are billed and paid per second, the CPU of one',
  sizes: { orders: 2_000, months: 3 },
  brief: { orders: 4, months: 1 },
  async measure(bench, { orders, months }) {
    const system = await bench.system();
    bench.say(
      `2 tenants with ${orders} orders that pay themselves, one of them with an agent on each`,
    );
    const tenants = {
      'with an agent on each': await makeRenewing(system, 'commissions', { orders, more }),
      'without agents': await makeRenewing(system, 'commissions-none', { orders, more }),
    };
    for (const name of names) await payThemselves(system, tenants[name]);
    const { 'with an agent on each': linked } = tenants;
    await inTenant(system.db, linked.id, (tx) =>
      tx.query(
        `insert into order_agent (tenant_id, order_id, customer_id, sales_agent_id,
           commission_plan_id, joining_date, first_id, created_at)
         select o.tenant_id, o.id, o.customer_id, s.id, s.commission_plan_id, o.start_date, 1, now()
         from subscription_order o join sales_agent s on s.tenant_id = o.tenant_id`,
      ),
    );
    const slices = await inTurns(names, months, async (name, month) => {
      bench.say(`${name}, month ${month}`);
      await system.settled();
      const cpu = await startCpu(system.pids);
      const ms = await advance(tenants[name], dayOf(month));
      return { 'per second': (orders * 1_000) / ms, ...(await cpu(orders)) };
    });
    const number = orders * (months + 1);
    const paid = `select count(*) from invoice where status = 'Paid'`;
    for (const name of names) await assertNumber(system, tenants[name], { sql: paid, number });
    const earned = 'select count(*) from commission where amount = 3.00';
    await assertNumber(system, linked, { sql: earned, number });
    return [compared(`Months of ${orders} orders that pay themselves`, slices)];
  },
});

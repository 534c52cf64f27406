/**
 * Measures what commissions cost: months of orders that pay themselves, of a tenant whose orders have
 * a sales agent each, and of one that has none, in turns.
 */
import { inTenant } from '../db/connection/tenancy.ts';
import { callerOf } from './support/caller.ts';
import { advance } from './support/clock.ts';
import { reportCommissions, type CommissionFigures, type PaidMonth } from './commissions/report.ts';
import { cpuOf, cpuPer } from './support/cpu.ts';
import { populate } from './support/population.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

const startDate = '2027-01-01';
/** The first month makes the statements' plans, and is not measured. */
const days = ['2027-01-02', '2027-02-01', '2027-03-01', '2027-04-01'];

interface Shop {
  readonly label: string;
  readonly tenantId: number;
  readonly hasAgents: boolean;
}

export const commissions = benchOfSystem({ measure, report: reportCommissions });

async function measure(system: BenchSystem, { orders, say }: Asked): Promise<CommissionFigures> {
  say(`2 tenants with ${orders} orders that pay themselves, one of them with an agent on each`);
  const shops: Shop[] = [];
  for (const [label, hasAgents] of [
    ['plain', false],
    ['agents', true],
  ] as const) {
    const tenantId = await makeTenant(system, label, { file: 'commissions/tenant.yaml' });
    await populate(system.db, { tenantId, orders, startDate, billOn: days[0] ?? startDate });
    await payThemselves(system, tenantId);
    if (hasAgents) await linkAgents(system, tenantId);
    shops.push({ label, tenantId, hasAgents });
  }
  const months: PaidMonth[] = [];
  for (const [index, day] of days.entries()) {
    for (const shop of index % 2 === 0 ? shops : shops.toReversed()) {
      say(`${shop.label}, ${day}`);
      await untilQuiet(system);
      const before = await cpuOf(system.pids);
      const ms = await advance(callerOf(system.apiUrl, shop.label), day);
      const cpu = cpuPer(before, await cpuOf(system.pids), orders);
      await assertPaid(system, shop, orders * (index + 1));
      if (index > 0)
        months.push({ hasAgents: shop.hasAgents, perSecond: (orders * 1_000) / ms, cpu });
    }
  }
  return { orders, months };
}

/** Every customer has the sandbox's good token on file, and orders with autopay. */
async function payThemselves({ db }: BenchSystem, tenantId: number): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `insert into payment_method (tenant_id, customer_id, type, autopay_preference, gateway,
         token, created_at, updated_at)
       select tenant_id, id, 'Token', 1, 'sandbox', 'tok_ok', now(), now() from customer`,
    );
    await tx.query('update subscription_order set is_auto_pay = true');
  });
}

async function linkAgents({ db }: BenchSystem, tenantId: number): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `insert into order_agent (tenant_id, order_id, customer_id, sales_agent_id,
         commission_plan_id, joining_date, first_id, created_at)
       select o.tenant_id, o.id, o.customer_id, s.id, s.commission_plan_id, o.start_date, 1, now()
       from subscription_order o join sales_agent s on s.tenant_id = o.tenant_id`,
    );
  });
}

/** Figures of payments or commissions that were not made would be worthless. */
async function assertPaid(
  { db }: BenchSystem,
  { tenantId, hasAgents }: Shop,
  wanted: number,
): Promise<void> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ paid: number; earned: number }>(
      `select (select count(*) from invoice where status = 'Paid') as paid,
              (select count(*) from commission where amount = 3.00) as earned`,
    ),
  );
  if (row?.paid !== wanted) throw new Error(`${row?.paid} of ${wanted} invoices paid themselves`);
  const earned = hasAgents ? wanted : 0;
  if (row.earned !== earned) throw new Error(`${row.earned} commissions instead of ${earned}`);
}

/** Measures ageing: 20,000 overdue customers over one threshold in one instant. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant } from '../db/connection/tenancy.ts';
import type { Database } from '../db/connection/database.ts';
import { tenantInfo } from '../operations/context/context.ts';
import { ageAll, openAllDebts } from '../operations/due/due.ts';
import { populate } from './support/population.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

const LANES = 2;
/** Longer than a process caches the settings of a tenant. */
const CACHE_EXPIRES_MS = 1_500;
const more = `dunning:
  thresholds:
    - { daysOverdue: 15, status: Overdue1 }
    - { daysOverdue: 30, status: Suspended1 }
`;
const BYTES_PER_MEGABYTE = 1024 * 1024;

/** New York's 00:00; every invoice was due on 5 January, and each customer has an order. */
const instants = [
  { what: 'opens', today: '2027-01-06', now: '2027-01-06T05:00:00Z' },
  { what: 'Overdue1', today: '2027-01-20', now: '2027-01-20T05:00:00Z' },
  { what: 'nothing due', today: '2027-01-21', now: '2027-01-21T05:00:00Z' },
  { what: 'Suspended1', today: '2027-02-04', now: '2027-02-04T05:00:00Z' },
] as const;

/** Prints customers per second until all stand at their status, transitions and events included. */
export const dunning = benchOfSystem({ measure, report });

interface DunningFigures {
  readonly customers: number;
  readonly steps: readonly StepFigures[];
}

interface StepFigures {
  readonly what: string;
  readonly ms: number;
  readonly perSecond: number;
  /** The memory of this process afterwards. */
  readonly megabytes: number;
}

function report({ customers, steps }: DunningFigures): string {
  const lines = steps.map(({ what, ms, perSecond, megabytes }) => {
    return `${what.padEnd(12)} ${String(ms).padStart(7)} ms ${String(perSecond).padStart(7)} per second, ${megabytes} MB`;
  });
  return `Ageing of ${customers} overdue customers in one instant\n${lines.join('\n')}\n`;
}

async function measure(
  system: BenchSystem,
  { customers = 20_000 }: Asked,
): Promise<DunningFigures> {
  const { db } = system;
  const tenantId = await makeTenant(system, 'dunning', { more });
  const orders = { orders: customers, startDate: '2027-01-01', billOn: '2027-03-01' };
  await populate(db, { tenantId, ...orders });
  await owe(db, tenantId);
  const dependencies = { db, realNow: () => Date.now() };
  const steps: StepFigures[] = [];
  for (const { what, today, now } of instants) {
    await inTenant(db, tenantId, (tx) => tx.query('update test_clock set now = $1', [now]));
    await sleep(CACHE_EXPIRES_MS);
    const tenant = await tenantInfo(dependencies, tenantId);
    const hooks = { lanes: LANES, mayContinue: () => true, dispatch: () => undefined };
    const began = performance.now();
    await openAllDebts({ dependencies, tenant, today, ...hooks });
    await ageAll({ dependencies, tenant, today, ...hooks });
    const ms = Math.round(performance.now() - began);
    const megabytes = Math.round(process.memoryUsage().rss / BYTES_PER_MEGABYTE);
    steps.push({ what, ms, perSecond: Math.round((customers / ms) * 1_000), megabytes });
  }
  return { customers, steps };
}

/** An invoice of each customer, as a run would have made it. */
async function owe(db: Database, tenantId: number): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `with taken as (
         update counter set next = next + (select count(*) from customer) where kind = 'invoice'
         returning next - (select count(*) from customer) as first)
       insert into invoice (tenant_id, invoice_number, status, customer_id, currency, invoice_date,
         due_date, previous_balance, payments_and_adjustments, current_amount_due, total_due,
         outstanding_balance, created_at, updated_at)
       select $1, taken.first + row_number() over (order by c.id) - 1, 'Outstanding', c.id, 'USD',
         '2027-01-01', '2027-01-05', 0, 0, 10, 10, 10, k.now, k.now
       from customer c, taken, test_clock k`,
      [tenantId],
    );
  });
}

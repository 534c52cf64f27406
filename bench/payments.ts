/** Measures payments: POST of a payment until it is final, and renewals with autopay. */
import { startClient, target } from './api/children.ts';
import type { Measured } from './api/client.ts';
import { fill } from './api/fill.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { callerOf } from './support/caller.ts';
import { advance } from './support/clock.ts';
import { populate } from './support/population.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

interface PostRow extends Measured {
  readonly connections: number;
  /**
   * Means, in milliseconds: of the charge, and from the engine's start to the record without the
   * charge.
   */
  readonly gatewayMs: number;
  readonly engineMs: number;
}

interface PaymentFigures {
  readonly posts: readonly PostRow[];
  readonly orders: number;
  /** Until every invoice is made and every workflow has woken: without autopay, and with it. */
  readonly plainMs: number;
  readonly paidMs: number;
}

const label = 'paying';
const CUSTOMERS = 1_000;
const connectionCounts = [1, 8, 16];
const WARM_MS = 2_000;
const MEASURE_MS = 6_000;
const startDate = '2027-01-01';
const days = { first: '2027-01-02', plain: '2027-02-01', paid: '2027-03-01' };

export const payments = benchOfSystem({ measure, report });

async function measure(system: BenchSystem, { orders, say }: Asked): Promise<PaymentFigures> {
  const posts = await measurePosts(system, say);
  say(`${orders} orders and their first periods`);
  const tenantId = await makeTenant(system, label);
  await populate(system.db, { tenantId, orders, startDate, billOn: days.first });
  const caller = callerOf(system.apiUrl, label);
  await advance(caller, days.first);
  say('A renewal without autopay, then one with it');
  const plainMs = await advance(caller, days.plain);
  await payThemselves(system, tenantId);
  const paidMs = await advance(caller, days.paid);
  await assertPaid(system, tenantId, orders);
  return { posts, orders, plainMs, paidMs };
}

async function measurePosts(system: BenchSystem, say: Asked['say']): Promise<PostRow[]> {
  const filled = await fill(system, CUSTOMERS);
  const client = await startClient(filled.customers);
  try {
    const at = target(Number(new URL(system.apiUrl).port));
    const scenario = 'POST payment';
    const rows: PostRow[] = [];
    for (const connections of connectionCounts) {
      say(`${scenario}, ${connections} at once`);
      await untilQuiet(system);
      const before = await newestPayment(system, filled.tenantId);
      const times = { warmMs: WARM_MS, measureMs: MEASURE_MS };
      const measured = await client.ask({ scenario, target: at, connections, ...times });
      const shares = await sharesSince(system, filled.tenantId, before);
      rows.push({ connections, ...measured, ...shares });
    }
    return rows;
  } finally {
    client.end();
  }
}

async function newestPayment({ db }: BenchSystem, tenantId: number): Promise<number> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ id: number }>('select coalesce(max(id), 0) as id from payment'),
  );
  return row?.id ?? 0;
}

async function sharesSince({ db }: BenchSystem, tenantId: number, after: number) {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ gateway: number; total: number }>(
      `select avg(r.response_time_ms)::float8 as gateway,
              avg(extract(epoch from p.updated_at - p.created_at) * 1000)::float8 as total
       from payment p join processor_result r on r.tenant_id = p.tenant_id and r.payment_id = p.id
       where p.id > $1 and p.status = 'Paid'`,
      [after],
    ),
  );
  const { gateway = 0, total = 0 } = row ?? {};
  return { gatewayMs: gateway, engineMs: total - gateway };
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

/** Figures of payments that were not made would be worthless. */
async function assertPaid({ db }: BenchSystem, tenantId: number, orders: number): Promise<void> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ paid: number }>(
      `select count(*) as paid from payment where status = 'Paid' and is_processed_by_billing_run`,
    ),
  );
  if (row?.paid !== orders) throw new Error(`${row?.paid} of ${orders} invoices paid themselves`);
}

function report({ posts, orders, plainMs, paidMs }: PaymentFigures): string {
  const lines = posts.map(({ connections, perSecond, p50Ms, p99Ms, gatewayMs, engineMs, failed }) =>
    [
      String(connections).padStart(7),
      perSecond.toFixed(0).padStart(7),
      p50Ms.toFixed(1).padStart(8),
      p99Ms.toFixed(1).padStart(8),
      gatewayMs.toFixed(1).padStart(9),
      engineMs.toFixed(1).padStart(8),
      Math.max(p50Ms - gatewayMs - engineMs, 0)
        .toFixed(1)
        .padStart(10),
      String(failed).padStart(8),
    ].join(''),
  );
  const rate = (ms: number): string => `${Math.round(orders / (ms / 1000))} per second`;
  return [
    'POST payment, until it is final; of which, in ms: the charge at the gateway, the engine with',
    'the reservation, the rest (vault, write, record and answer)',
    'at once  per s  p50 ms  p99 ms  gateway  engine  the rest  failed',
    ...lines,
    `Renewal of ${orders} orders`,
    `until all workflows have woken      ${rate(plainMs)}`,
    `until all are paid by themselves   ${rate(paidMs)}, ${(plainMs / paidMs).toFixed(2)} of that`,
    '',
  ].join('\n');
}

/**
 * Measures what coupons and taxes cost: the billing run of orders with a percent coupon and two
 * rates beside plain ones, and quotes beside GET customer. The two of a pair take turns, so what
 * else the machine does affects both alike.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/connection/database.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { billAllDue } from '../operations/due/orders.ts';
import { keepEventDocuments } from '../operations/feed/event-views.ts';
import { startClient, target } from './api/children.ts';
import { CACHE_EXPIRES_MS, LANES, runs } from './billing.ts';
import { reportPrices, type Paired, type PricesFigures, type Slice } from './prices/report.ts';
import { cpuSecondsOf } from './support/cpu.ts';
import { populate } from './support/population.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

const CALL_ROUNDS = 10;
const WARM_MS = 300;
const MEASURE_MS = 1_000;

export const prices = benchOfSystem({ measure, report: reportPrices });

async function measure(
  system: BenchSystem,
  { orders, connections, say }: Asked,
): Promise<PricesFigures> {
  const pricedId = await makeTenant(system, 'bench', { file: 'prices/tenant.yaml' });
  const plainId = await makeTenant(system, 'plain');
  for (const tenantId of [pricedId, plainId]) {
    await populate(system.db, {
      tenantId,
      orders,
      startDate: '2027-01-01',
      billOn: '2027-01-02',
    });
  }
  await discountAndTax(system, pricedId);
  say(`Quotes and GET customer, ${connections} at once`);
  const quotes = await quotesBesideCustomers(system, pricedId, connections);
  say(`Renewals of ${orders} orders each`);
  const renewals = await pricedBesidePlain(system, { pricedId, plainId, orders });
  return { orders, connections, quotes, renewals };
}

/** Every order has the coupon, and every customer an address at which both rates hold. */
function discountAndTax({ db }: BenchSystem, tenantId: number): Promise<unknown> {
  return inTenant(db, tenantId, async (tx) => {
    await tx.query('update subscription_order set coupon_id = (select id from coupon)');
    await tx.query(
      `insert into contact (tenant_id, customer_id, kind, first_name, last_name, email_primary,
         street1, city, state, zip, country, country_code)
       select tenant_id, id, 'billing', 'Customer', substr(name, 10), 'mail@example.com',
         '1 Main St', 'Albany', 'NY', '12207', 'United States', 'US' from customer`,
    );
  });
}

async function quotesBesideCustomers(
  system: BenchSystem,
  tenantId: number,
  connections: number,
): Promise<Paired> {
  const ids = await inTenant(system.db, tenantId, (tx) =>
    tx.query<{ id: number }>('select id from customer order by id'),
  );
  const client = await startClient(ids.map(({ id }) => id));
  const at = target(Number(new URL(system.apiUrl).port));
  const times = { warmMs: WARM_MS, measureMs: MEASURE_MS };
  const slice = async (scenario: string): Promise<Slice> => {
    await untilQuiet(system);
    const before = await cpuSecondsOf([system.pids.api, system.pids.postgres]);
    const measured = await client.ask({ scenario, target: at, connections, ...times });
    const cpu = (await cpuSecondsOf([system.pids.api, system.pids.postgres])) - before;
    if (measured.failed > 0) throw new Error(`${measured.failed} calls of ${scenario} failed`);
    // The calls of the warm-up cost CPU, too.
    const calls = (measured.requests * (WARM_MS + MEASURE_MS)) / MEASURE_MS;
    return { perSecond: measured.perSecond, cpuMs: (cpu * 1_000) / calls };
  };
  try {
    // The first round makes the statements' plans.
    return await inTurns(
      Array.from({ length: CALL_ROUNDS + 1 }, () => ({
        priced: () => slice('GET quote'),
        plain: () => slice('GET customer'),
      })),
    );
  } finally {
    client.end();
  }
}

interface Renewals {
  readonly pricedId: number;
  readonly plainId: number;
  readonly orders: number;
}

/** A month each in turns. */
async function pricedBesidePlain(
  system: BenchSystem,
  { pricedId, plainId, orders }: Renewals,
): Promise<Paired> {
  const { db, pids } = system;
  const dependencies = { db, realNow: () => Date.now(), keepDocuments: keepEventDocuments };
  const slice = async (tenantId: number, now: string): Promise<Slice> => {
    await inTenant(db, tenantId, (tx) => tx.query('update test_clock set now = $1', [now]));
    await sleep(CACHE_EXPIRES_MS);
    await untilQuiet(system);
    const options = { lanes: LANES, mayContinue: () => true, onBatch: () => undefined };
    const before = await cpuSecondsOf([process.pid, pids.postgres]);
    const began = performance.now();
    await billAllDue(dependencies, tenantId, options);
    const seconds = (performance.now() - began) / 1_000;
    const cpu = (await cpuSecondsOf([process.pid, pids.postgres])) - before;
    return { perSecond: orders / seconds, cpuMs: (cpu * 1_000) / orders };
  };
  // Nothing is due in the first; the second makes the statements' plans.
  const [empty = '', ...due] = runs;
  for (const tenantId of [pricedId, plainId]) await slice(tenantId, empty);
  const paired = await inTurns(
    due.map((now) => ({
      priced: () => slice(pricedId, now),
      plain: () => slice(plainId, now),
    })),
  );
  // A fee, its discount and two taxes; or the fee alone.
  await refuseOtherCharges(db, { tenantId: pricedId, wanted: due.length * orders * 4 });
  await refuseOtherCharges(db, { tenantId: plainId, wanted: due.length * orders });
  return paired;
}

interface ChargeCount {
  readonly tenantId: number;
  readonly wanted: number;
}

/** A run that bills less, or other charges, is no measurement. */
async function refuseOtherCharges(db: Database, { tenantId, wanted }: ChargeCount): Promise<void> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ charges: number }>('select count(*) as charges from invoice_charge'),
  );
  if (row?.charges !== wanted) {
    throw new Error(`${row?.charges} charges were billed instead of ${wanted}`);
  }
}

interface Turn {
  readonly priced: () => Promise<Slice>;
  readonly plain: () => Promise<Slice>;
}

/** Who is first changes from turn to turn. The first turn is not measured. */
async function inTurns(turns: readonly Turn[]): Promise<Paired> {
  const slices = { priced: [] as Slice[], plain: [] as Slice[] };
  for (const [index, turn] of turns.entries()) {
    const order = index % 2 === 0 ? (['priced', 'plain'] as const) : (['plain', 'priced'] as const);
    for (const name of order) {
      const slice = await turn[name]();
      if (index > 0) slices[name].push(slice);
    }
  }
  return slices;
}

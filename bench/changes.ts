/**
 * Measures change orders: a call that changes an order and bills it beside one that makes an order
 * and bills it, in turns; then the billing run that carries out pending changes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant } from '../db/connection/tenancy.ts';
import { inOperation } from '../operations/context/context.ts';
import { billAllDue } from '../operations/due/orders.ts';
import { keepEventDocuments } from '../operations/feed/event-views.ts';
import { changeOrder } from '../operations/orders/change.ts';
import { startClient, target } from './api/children.ts';
import { CACHE_EXPIRES_MS, LANES } from './billing.ts';
import { reportChanges, type CallSlice, type ChangesFigures } from './changes/report.ts';
import { populate } from './support/population.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

const ROUNDS = 8;
const WARM_MS = 200;
const MEASURE_MS = 1_000;
/** New York's 00:00: all orders are billed; half of the month is used. */
const BILLED_AT = '2027-01-02T05:00:00Z';
const CHANGED_AT = '2027-01-16T05:00:00Z';
const effectiveDate = '2027-01-16';
const called = 'POST changeOrder with invoice';
const beside = 'POST order with invoice';

export const changes = benchOfSystem({ measure, report: reportChanges });

async function measure(
  system: BenchSystem,
  { orders, connections, say }: Asked,
): Promise<ChangesFigures> {
  const file = 'changes/tenant.yaml';
  // A call for each order, with a reserve for a fast machine.
  const callsId = await makeTenant(system, 'bench', { file });
  const pendingId = await makeTenant(system, 'pending', { file });
  const start = { startDate: '2027-01-01', billOn: '2027-01-02' };
  await populate(system.db, { tenantId: callsId, orders: orders * 5, ...start });
  await populate(system.db, { tenantId: pendingId, orders, ...start });
  for (const tenantId of [callsId, pendingId]) await billAt(system, tenantId, BILLED_AT);
  say(`${called}, and ${beside}, ${connections} at once`);
  const calls = await callsInTurns(system, callsId, connections);
  say(`A pending change of each of ${orders} orders`);
  await changeAll(system, pendingId);
  const milliseconds = await billAt(system, pendingId, CHANGED_AT);
  await refuseOthers(system, pendingId, orders);
  return { orders, connections, ...calls, changedPerSecond: (orders * 1_000) / milliseconds };
}

/** Moves the tenant's clock and bills; returns the milliseconds of the run alone. */
async function billAt(system: BenchSystem, tenantId: number, now: string): Promise<number> {
  const { db } = system;
  await inTenant(db, tenantId, (tx) => tx.query('update test_clock set now = $1', [now]));
  await sleep(CACHE_EXPIRES_MS);
  await untilQuiet(system);
  const dependencies = { db, realNow: () => Date.now(), keepDocuments: keepEventDocuments };
  const options = { lanes: LANES, mayContinue: () => true, onBatch: () => undefined };
  const began = performance.now();
  await billAllDue(dependencies, tenantId, options);
  return performance.now() - began;
}

async function callsInTurns(
  system: BenchSystem,
  tenantId: number,
  connections: number,
): Promise<Pick<ChangesFigures, 'changes' | 'orderCalls'>> {
  const rows = await inTenant(system.db, tenantId, (tx) =>
    tx.query<{ id: number; customerId: number }>(
      'select id, customer_id from subscription_order order by id',
    ),
  );
  await inTenant(system.db, tenantId, (tx) =>
    tx.query('update test_clock set now = $1', [CHANGED_AT]),
  );
  await sleep(CACHE_EXPIRES_MS);
  const customers = rows.map((row) => row.customerId);
  const client = await startClient(customers);
  const orderIds = rows.map(({ id }) => id);
  client.know(customers, orderIds);
  const at = target(Number(new URL(system.apiUrl).port));
  const ask = async (scenario: string): Promise<CallSlice> => {
    await untilQuiet(system);
    const times = { warmMs: WARM_MS, measureMs: MEASURE_MS };
    const measured = await client.ask({ scenario, target: at, connections, ...times });
    if (measured.failed > 0) throw new Error(`${measured.failed} calls of ${scenario} failed`);
    return measured;
  };
  const slices = { changes: [] as CallSlice[], orderCalls: [] as CallSlice[] };
  try {
    // The first round makes the statements' plans.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const one = await ask(called);
      const other = await ask(beside);
      if (round === 0) continue;
      slices.changes.push(one);
      slices.orderCalls.push(other);
    }
  } finally {
    client.end();
  }
  return slices;
}

/** Some at once, as callers would. */
async function changeAll({ db }: BenchSystem, tenantId: number): Promise<void> {
  const dependencies = { db, realNow: () => Date.now(), keepDocuments: keepEventDocuments };
  const rows = await inTenant(db, tenantId, (tx) =>
    tx.query<{ id: number }>('select id from subscription_order order by id'),
  );
  const input = {
    contractCode: 'MONTHLY',
    orderLineItems: [{ priceCode: 'FEE', quantity: '2' }],
  };
  const named = { path: 'currentOrderId', value: '' };
  const request = { input, effectiveDate, deletesCurrent: false, bills: false, named };
  const left = rows.values();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const { id } of left) {
        await inOperation(dependencies, tenantId, (context) =>
          changeOrder(dependencies, context, { id }, request),
        );
      }
    }),
  );
}

/** A run that changes less is no measurement. */
async function refuseOthers({ db }: BenchSystem, tenantId: number, wanted: number): Promise<void> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ credits: number }>('select count(*) as credits from charge_credit'),
  );
  if (row?.credits !== wanted) throw new Error(`${row?.credits} credits instead of ${wanted}`);
}

/**
 * Measures how long the largest calls block the event loop of the API, in CPU time of its thread.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant } from '../db/connection/tenancy.ts';
import { dateIn } from '../domain/calendar/zone.ts';
import { target } from './api/children.ts';
import { fill } from './api/fill.ts';
import { openConnection, type Connection } from './api/http.ts';
import { startSecondApi } from './api/second-api.ts';
import { holdCalls, orderOf, type HoldCall, type HoldFacts } from './holds/calls.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import type { BenchSystem } from './support/system.ts';

interface Hold {
  readonly name: string;
  readonly status: number;
  readonly heldMs: number;
  readonly wallMs: number;
}

const CUSTOMERS = 1_000;
/** This many orders of 500 lines fill the largest list of orders. */
const ORDERS = 40;
const BILLED_ORDERS = 4;
const REPEATS = 4;
/** The work after a call has ended, and the probe's output about it was read. */
const SETTLE_MS = 300;

export const holds = benchOfSystem({ measure, report });

async function measure(system: BenchSystem, { say }: Asked): Promise<readonly Hold[]> {
  const { tenantId, customers } = await fill(system, CUSTOMERS);
  const [billedId = 0, openId = 0] = customers;
  let heldMs = 0;
  const api = await startSecondApi(system, {
    execArgv: ['--import', join(import.meta.dirname, 'holds/probe.ts')],
    onLine: (line) => {
      heldMs = Math.max(heldMs, (JSON.parse(line) as { heldMs?: number }).heldMs ?? 0);
    },
  });
  const connection = await openConnection(target(api.port));
  try {
    say(`Making ${ORDERS} orders of 500 lines, of which ${BILLED_ORDERS} are billed`);
    const today = dateIn('America/New_York', Date.now());
    await prepare(connection, orderOf(billedId, today), orderOf(openId, today));
    const facts = { billedId, openId, today, ...(await idsOf(system, tenantId, openId)) };
    const found: Hold[] = [];
    for (const call of holdCalls(facts)) {
      say(call.name);
      const times: Hold[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        await sleep(SETTLE_MS);
        heldMs = 0;
        const wallMs = await timed(connection, call);
        await sleep(SETTLE_MS);
        times.push({ name: call.name, status: call.status, heldMs, wallMs });
      }
      // The first call compiles; the others show the lasting cost.
      const [, ...warm] = times;
      found.push(warm.reduce((worst, each) => (each.heldMs > worst.heldMs ? each : worst)));
    }
    return found;
  } finally {
    connection.close();
    await api.stop();
  }
}

async function prepare(connection: Connection, billed: string, open: string): Promise<void> {
  for (let count = 0; count < ORDERS; count += 1) {
    const isBilled = count < BILLED_ORDERS;
    const path = `/rest/orders${isBilled ? '?generateInvoice=true' : ''}`;
    const body = isBilled ? billed : open;
    const status = await connection.send({ method: 'POST', path, body });
    if (status !== 201) throw new Error(`an order was answered ${status}`);
  }
}

async function idsOf(
  { db }: BenchSystem,
  tenantId: number,
  openId: number,
): Promise<Pick<HoldFacts, 'orderId' | 'invoiceId'>> {
  const [ids] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ orderId: number; invoiceId: number }>(
      `select (select max(id) from subscription_order where customer_id = $1) as "orderId",
         (select max(id) from invoice) as "invoiceId"`,
      [openId],
    ),
  );
  if (!ids) throw new Error('nothing was made');
  return ids;
}

async function timed(connection: Connection, call: HoldCall): Promise<number> {
  const began = performance.now();
  const status = await connection.send(call);
  if (status !== call.status) throw new Error(`${call.name} was answered ${status}`);
  return performance.now() - began;
}

function report(found: readonly Hold[]): string {
  const width = Math.max(...found.map(({ name }) => name.length));
  const lines = found.map(
    ({ name, status, heldMs, wallMs }) =>
      `${name.padEnd(width)}  ${status}  ${heldMs.toFixed(0).padStart(6)} ms held  ` +
      `${wallMs.toFixed(0).padStart(6)} ms in all`,
  );
  return `Longest hold of the event loop by a call, CPU of the API's thread\n${lines.join('\n')}\n`;
}

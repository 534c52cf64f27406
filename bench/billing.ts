/** Measures the billing run alone: no engine, no wakes, only the operation and its rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant } from '../db/connection/tenancy.ts';
import { billAllDue } from '../operations/runs/bill-all-due.ts';
import { bareWrite } from './support/bare.ts';
import { populate } from './support/population.ts';
import { runBench } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

export interface BillingOptions {
  readonly orders: number;
  readonly json: boolean;
}

const startDate = '2027-01-01';
/** New York's 00:00 as instants: nothing is due on the first, a renewal on each of the others. */
const runs = [
  '2027-01-01T05:00:00Z',
  '2027-01-02T05:00:00Z',
  '2027-02-01T05:00:00Z',
  '2027-03-01T05:00:00Z',
  '2027-04-01T04:00:00Z',
  '2027-05-01T04:00:00Z',
  '2027-06-01T04:00:00Z',
  '2027-07-01T04:00:00Z',
  '2027-08-01T04:00:00Z',
  '2027-09-01T04:00:00Z',
  '2027-10-01T04:00:00Z',
];
const LANES = 2;
/** Longer than a process caches the settings of a tenant. */
const CACHE_EXPIRES_MS = 1_500;

/** Prints invoices per second, and milliseconds each beyond an empty run, beside the bare write. */
export function billing({ orders, json }: BillingOptions): Promise<void> {
  return runBench({ json, measure: (system) => measure(system, orders), report });
}

function report({ orders, emptyMs, renewalMs, bareMs }: BillingFigures): string {
  const each = (renewalMs - emptyMs) / orders;
  return (
    `Billing run of ${orders} orders (median of ${runs.length - 1}), by itself\n` +
    `${Math.round((orders / renewalMs) * 1000)} invoices per second, ` +
    `${each.toFixed(3)} ms each beyond the empty run of ${emptyMs.toFixed(1)} ms\n` +
    `the same rows by bare SQL: ${Math.round((orders / bareMs) * 1000)} per second, of which ` +
    `${(bareMs / renewalMs).toFixed(2)} is reached\n`
  );
}

interface BillingFigures {
  readonly orders: number;
  /** The run with nothing due. */
  readonly emptyMs: number;
  readonly renewalMs: number;
  /** The same rows by set-based SQL. */
  readonly bareMs: number;
}

async function measure(system: BenchSystem, orders: number): Promise<BillingFigures> {
  const { db } = system;
  const tenantId = await makeTenant(system, 'bench');
  const bareId = await makeTenant(system, 'bare');
  for (const id of [tenantId, bareId]) {
    await populate(db, { tenantId: id, orders, startDate, billOn: '2027-01-02' });
  }
  const dependencies = { db, realNow: () => Date.now() };
  const taken: number[] = [];
  for (const now of runs) {
    await inTenant(db, tenantId, (tx) => tx.query('update test_clock set now = $1', [now]));
    await sleep(CACHE_EXPIRES_MS);
    const began = performance.now();
    const options = { lanes: LANES, mayGoOn: () => true, onBatch: () => undefined };
    await billAllDue(dependencies, tenantId, options);
    taken.push(performance.now() - began);
  }
  const [emptyMs = 0, ...renewals] = taken;
  const renewalMs = renewals.toSorted((a, b) => a - b)[Math.floor(renewals.length / 2)] ?? 0;
  return { orders, emptyMs, renewalMs, bareMs: (await bareWrite(db, bareId, '2027-01-02')) * 1000 };
}

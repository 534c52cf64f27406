/** The billing run of a tenant in this process: no engine, no wakes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant } from '../../db/connection/tenancy.ts';
import { billAllDue } from '../../operations/due/orders.ts';
import { keepEventDocuments } from '../../operations/feed/event-views.ts';
import { CACHE_EXPIRES_MS, LANES } from '../billing.ts';
import { cpuSecondsOf } from '../support/cpu.ts';
import { untilQuiet } from '../support/quiet.ts';
import type { BenchSystem } from '../support/system.ts';

export interface Billed {
  readonly seconds: number;
  /** Of this process and PostgreSQL. */
  readonly cpuSeconds: number;
  /** Megabytes of this process at most, and before. */
  readonly memoryMb: number;
  readonly memoryBeforeMb: number;
}

const SAMPLE_MS = 20;
const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Moves the clock to an instant, and bills all that is due then. */
export async function bill(system: BenchSystem, tenantId: number, now: string): Promise<Billed> {
  const { db, pids } = system;
  const dependencies = { db, realNow: () => Date.now(), keepDocuments: keepEventDocuments };
  await inTenant(db, tenantId, (tx) => tx.query('update test_clock set now = $1', [now]));
  await sleep(CACHE_EXPIRES_MS);
  await untilQuiet(system);
  const options = { lanes: LANES, mayContinue: () => true, onBatch: () => undefined };
  const memoryBeforeMb = memoryMb();
  let peak = memoryBeforeMb;
  const sampling = setInterval(() => (peak = Math.max(peak, memoryMb())), SAMPLE_MS);
  const before = await cpuSecondsOf([process.pid, pids.postgres]);
  const began = performance.now();
  try {
    await billAllDue(dependencies, tenantId, options);
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - began) / 1_000;
  const cpuSeconds = (await cpuSecondsOf([process.pid, pids.postgres])) - before;
  return { seconds, cpuSeconds, memoryMb: Math.max(peak, memoryMb()), memoryBeforeMb };
}

const memoryMb = (): number => Math.round(process.memoryUsage.rss() / BYTES_PER_MEGABYTE);

/** A run that bills something else is no measurement. */
export async function refuseOtherUsage(
  { db }: BenchSystem,
  tenantId: number,
  windows: number,
): Promise<void> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ count: number }>('select count(*) from usage_window where invoice_id is not null'),
  );
  if (row?.count !== windows) {
    throw new Error(`${row?.count} windows were billed instead of ${windows}`);
  }
}

/** Bills all due customers of a tenant in set-based batches, several at once. */
import { inTenant } from '../db/tenancy.ts';
import { BATCH_CUSTOMERS_MAX, billCustomers, dueCustomers } from './billing.ts';
import type { BilledBatch } from './billing.ts';
import { momentOf, tenantInfo } from './services.ts';
import type { Services } from './services.ts';

/** So many are read at once; what is billed meanwhile is no longer due at the next reading. */
const DUE_CUSTOMERS_MAX = 10_000;

export interface HerdOptions {
  /** Batches under way at once. */
  readonly lanes: number;
  /** Asked before each batch. */
  readonly mayGoOn: () => boolean;
  readonly onBatch: (batch: BilledBatch) => void;
}

/**
 * Passes over the due customers, skipping those that others hold; what none of a pass could get is
 * waited for. True when nobody is left, false when it had to stop.
 */
export async function billHerd(
  services: Services,
  tenantId: number,
  options: HerdOptions,
): Promise<boolean> {
  let wait = false;
  for (;;) {
    const due = await readDue(services, tenantId);
    if (due.length === 0) return true;
    let moved = 0;
    const finished = await billAll(services, tenantId, due, {
      ...options,
      wait,
      onBatch: (batch) => {
        moved += batch.orders + batch.held.length;
        options.onBatch(batch);
      },
    });
    if (!finished) return false;
    // Locked for them and not billed by anyone else either: billing and "due" disagree.
    if (wait && moved === 0 && (await sameAreDue(services, tenantId, due))) {
      throw new Error(`customers of tenant ${tenantId} stay due after billing`);
    }
    wait = moved === 0;
  }
}

async function readDue(services: Services, tenantId: number): Promise<number[]> {
  const tenant = await tenantInfo(services, tenantId);
  return inTenant(
    services.db,
    tenantId,
    async (tx) => {
      const { today } = await momentOf(services, tenant, tx, 'none');
      return dueCustomers(tx, today, 0, DUE_CUSTOMERS_MAX);
    },
    { readOnly: true },
  );
}

async function sameAreDue(
  services: Services,
  tenantId: number,
  due: readonly number[],
): Promise<boolean> {
  const still = new Set(await readDue(services, tenantId));
  return due.every((id) => still.has(id));
}

/** Each lane takes the next batch until none is left; false when it had to stop. */
async function billAll(
  services: Services,
  tenantId: number,
  customerIds: readonly number[],
  options: HerdOptions & { readonly wait: boolean },
): Promise<boolean> {
  let next = 0;
  let failed = false;
  async function lane(): Promise<void> {
    while (next < customerIds.length && !failed && options.mayGoOn()) {
      const batch = customerIds.slice(next, next + BATCH_CUSTOMERS_MAX);
      next += batch.length;
      try {
        options.onBatch(await billCustomers(services, tenantId, batch, { wait: options.wait }));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const lanes = Array.from({ length: options.lanes }, () => lane());
  const ended = await Promise.allSettled(lanes);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return next >= customerIds.length;
}

/** Bills all due customers of a tenant in set-based batches, several at once. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { BATCH_CUSTOMERS_MAX, billCustomers, dueCustomers } from '../billing/bill-customers.ts';
import type { BilledBatch } from '../billing/batch.ts';
import { tenantTimeOf, tenantInfo } from '../context/context.ts';
import { inLanes } from '../context/lanes.ts';
import type { BillingDependencies } from '../billing/apart.ts';

/** So many are read at once; what is billed meanwhile is no longer due at the next reading. */
const DUE_CUSTOMERS_MAX = 10_000;

export interface BillAllDueOptions {
  /** Batches under way at once. */
  readonly lanes: number;
  /** Asked before each batch. */
  readonly mayGoOn: () => boolean;
  readonly onBatch: (batch: BilledBatch) => void;
}

/**
 * Passes over the due customers, skipping those that others hold; what none of a pass could get is
 * waited for. Suspects come after all others, one at a time in their own process. True when nobody
 * is left but suspects that could not be tried to the end, false when it had to stop.
 */
export async function billAllDue(
  dependencies: BillingDependencies,
  tenantId: number,
  options: BillAllDueOptions,
): Promise<boolean> {
  let wait = false;
  const postponed = new Set<number>();
  for (;;) {
    const due = (await readDue(dependencies, tenantId)).filter((id) => !postponed.has(id));
    if (due.length === 0) return true;
    let moved = 0;
    const suspects: number[] = [];
    const onBatch = (batch: BilledBatch): void => {
      moved += batch.orders + batch.held.length;
      suspects.push(...batch.suspects);
      options.onBatch(batch);
    };
    const counted = { ...options, wait, onBatch };
    if (!(await billAll(dependencies, tenantId, due, counted))) return false;
    for (const id of suspects) {
      if (!options.mayGoOn()) return false;
      const batch = await dependencies.apart?.bill(tenantId, id);
      if (batch) onBatch(batch);
      else postponed.add(id);
    }
    // Locked for them and not billed by anyone else either: billing and "due" disagree.
    if (wait && moved === 0 && (await sameAreDue(dependencies, tenantId, due, postponed))) {
      throw new Error(`customers of tenant ${tenantId} stay due after billing`);
    }
    wait = moved === 0;
  }
}

async function readDue(dependencies: BillingDependencies, tenantId: number): Promise<number[]> {
  const tenant = await tenantInfo(dependencies, tenantId);
  return inTenant(
    dependencies.db,
    tenantId,
    async (tx) => {
      const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      return dueCustomers(tx, today, 0, DUE_CUSTOMERS_MAX);
    },
    { readOnly: true },
  );
}

async function sameAreDue(
  dependencies: BillingDependencies,
  tenantId: number,
  due: readonly number[],
  postponed: ReadonlySet<number>,
): Promise<boolean> {
  const still = new Set(await readDue(dependencies, tenantId));
  return due.every((id) => still.has(id) && !postponed.has(id));
}

/** Each lane takes the next batch until none is left; false when it had to stop. */
async function billAll(
  dependencies: BillingDependencies,
  tenantId: number,
  customerIds: readonly number[],
  options: BillAllDueOptions & { readonly wait: boolean },
): Promise<boolean> {
  const { wait, lanes, mayGoOn, onBatch } = options;
  const batches: (readonly number[])[] = [];
  for (let from = 0; from < customerIds.length; from += BATCH_CUSTOMERS_MAX) {
    batches.push(customerIds.slice(from, from + BATCH_CUSTOMERS_MAX));
  }
  const bill = async (batch: readonly number[]): Promise<void> =>
    onBatch(await billCustomers(dependencies, tenantId, batch, { wait }));
  return inLanes(batches, bill, { lanes, mayGoOn });
}

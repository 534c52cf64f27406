/**
 * Follows changes of usageGraceDays once more, a while after them: then no process remembers the old
 * days, and no transaction that read them is under way. So it also finishes what an interrupted
 * command began, and dates the orders that were made before usage was billed.
 */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  movedTenants,
  unmarkUsageDays,
  usageDaysMovedAt,
} from '../../db/queries/standing/usage-days.ts';
import { inHalves, retried } from '../billing/batch.ts';
import type { Dependencies } from '../context/context.ts';
import { type Loop, startLoop } from '../context/loop.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { moveUsageDates } from '../standing/usage-days.ts';

const PASS_MS = 60_000;
/** Longer than any transaction may take that decides dates. */
const SETTLED_AFTER_SECONDS = 60;

export interface UsageDaysOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees all tenants. */
  readonly relayDb: Database;
  readonly dispatch: Dispatcher['dispatch'];
  readonly onError: (error: unknown) => void;
}

export function startUsageDays(options: UsageDaysOptions): Loop {
  return startLoop(async (signal) => {
    await usageDaysPass(options, signal).catch(options.onError);
    return PASS_MS;
  });
}

/** A failure of one tenant is reported, and does not stop the others: the next pass tries it again. */
export async function usageDaysPass(
  options: UsageDaysOptions,
  signal?: AbortSignal,
): Promise<void> {
  for (const tenantId of await movedTenants(options.relayDb.pool, SETTLED_AFTER_SECONDS)) {
    if (signal?.aborted) return;
    await moveDatesOfTenant(options, tenantId, signal).catch(options.onError);
  }
}

async function moveDatesOfTenant(
  { dependencies, dispatch, onError }: UsageDaysOptions,
  tenantId: number,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = dependencies;
  const movedAt = await inTenant(db, tenantId, usageDaysMovedAt, { readOnly: true });
  if (movedAt === null) return;
  const { isDone } = await moveUsageDates(dependencies, tenantId, {
    dispatch,
    mayContinue: () => signal?.aborted !== true,
    each: async (orderIds, work) => {
      // The audit names an order that cannot be dated; it delays no other.
      const alone = (orderId: number, cause: unknown) => {
        onError(new Error(`order ${orderId} does not follow usageGraceDays`, { cause }));
        return Promise.resolve();
      };
      await inHalves(orderIds, { work: (some) => retried(() => work(some)), alone });
    },
  });
  if (isDone) await inTenant(db, tenantId, async (tx) => unmarkUsageDays(tx, movedAt));
}

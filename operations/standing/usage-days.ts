/**
 * Lets the dates of orders follow the tenant's usageGraceDays after its file has changed them. It may
 * be repeated at any time: only orders with other dates are written.
 */
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type OwnedOrder,
  usageDaysMovedAt,
  usageOrdersAfter,
} from '../../db/queries/standing/usage-days.ts';
import {
  type Dependencies,
  keepDocuments,
  operationContextOf,
  readTenant,
} from '../context/context.ts';
import { batchesOf } from '../context/lanes.ts';
import { lockCustomers } from '../context/locks.ts';
import type { Nudge } from '../context/nudge.ts';
import { rescheduleOrders } from './reschedule-orders.ts';

/** How many orders are found at once. */
const PAGE_MAX = 10_000;
/** Of one transaction: customers wait for as long as it takes. */
export const ORDERS_AT_ONCE_MAX = 100;

export interface FollowHooks {
  /** Runs a transaction of some orders, and decides what becomes of a failure. */
  readonly each?: (orderIds: readonly number[], work: MoveSome) => Promise<void>;
  /** Receives the nudges of each transaction after its commit. */
  readonly dispatch?: (tenantId: number, nudges: readonly Nudge[]) => void;
  /** Asked before each transaction; it stops once it is false. */
  readonly mayContinue?: () => boolean;
}

export type MoveSome = (orderIds: readonly number[]) => Promise<void>;

export interface Followed {
  /** How many orders have got other dates. */
  readonly moved: number;
  /** False if it had to stop. */
  readonly isDone: boolean;
}

/** Whether the dates of a tenant's orders may not follow yet. */
export function mustMove({ db }: Dependencies, tenantId: number): Promise<boolean> {
  const read = async (tx: Parameters<typeof usageDaysMovedAt>[0]): Promise<boolean> =>
    (await usageDaysMovedAt(tx)) !== null;
  return inTenant(db, tenantId, read, { readOnly: true });
}

export async function moveUsageDates(
  dependencies: Dependencies,
  tenantId: number,
  { each = (ids, work) => work(ids), dispatch, mayContinue = () => true }: FollowHooks = {},
): Promise<Followed> {
  let moved = 0;
  for (let after: OwnedOrder = { customerId: 0, id: 0 }; ;) {
    const page = await inTenant(
      dependencies.db,
      tenantId,
      (tx) => usageOrdersAfter(tx, after, PAGE_MAX),
      { readOnly: true },
    );
    const owners = new Map(page.map(({ id, customerId }) => [id, customerId]));
    for (const batch of batchesOf([...owners.keys()], ORDERS_AT_ONCE_MAX)) {
      if (!mayContinue()) return { moved, isDone: false };
      await each(batch, async (orderIds) => {
        const customerIds = orderIds.map((id) => owners.get(id) ?? 0);
        const nudges = await moveSome(dependencies, tenantId, { orderIds, customerIds });
        moved += nudges.length;
        dispatch?.(tenantId, nudges);
      });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_MAX) return { moved, isDone: true };
    after = last;
  }
}

interface Some {
  readonly orderIds: readonly number[];
  readonly customerIds: readonly number[];
}

/** Reads the tenant itself: what a process remembers of it may be from before the change. */
function moveSome(
  dependencies: Dependencies,
  tenantId: number,
  { orderIds, customerIds }: Some,
): Promise<readonly Nudge[]> {
  return inTenant(dependencies.db, tenantId, async (tx) => {
    const tenant = await readTenant(tx);
    const context = await operationContextOf(dependencies, tenant, tx);
    tx.beforeWaiting();
    await lockCustomers(tx, [...new Set(customerIds)]);
    await rescheduleOrders(context, { orderIds }, { onlyMoved: true });
    await keepDocuments(dependencies, context);
    return context.nudges;
  });
}

/** Says which usage of an order is billed next, and on which day. */
import assert from 'node:assert';
import {
  addDays,
  periodAt,
  periodIndexOf,
  type IsoDate,
  type Schedule,
} from '../../domain/calendar/calendar.ts';
import type { UsageWindow } from '../../domain/billing/due/due-charges.ts';
import { walkOrder } from '../../domain/billing/due/walks.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import { loadOrders } from '../../db/queries/billing/load.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { planVersions } from '../plans/versions.ts';
import { billableOn } from '../../domain/billing/order-to-rate.ts';
import { billsUsage, withWindows } from '../standing/windows.ts';

export interface UsageStep {
  /** `2027-01`, or its days: `2027-01-15 to 2027-02-14` */
  readonly period: string;
  readonly on: IsoDate;
}

export interface UsageAsked {
  readonly id: number;
  readonly planId: number;
  readonly customerStatus: CustomerStatus;
}

export interface UsageDay {
  readonly today: IsoDate;
  /** The tenant's. */
  readonly usageGraceDays: number;
}

/** Whether the order may have usage: its plan has a usage charge, and a process reads it once. */
export async function mayUse(
  db: Database,
  tx: Tx,
  { planId }: Pick<UsageAsked, 'planId'>,
): Promise<boolean> {
  const plan = (await planVersions(db, tx, [planId])).get(planId);
  return plan !== undefined && billsUsage(plan);
}

/** The first of its open windows; null if it has none, or bills none now. */
export async function nextUsage(
  db: Database,
  tx: Tx,
  { id, planId, customerStatus }: UsageAsked,
  { today, usageGraceDays }: UsageDay,
): Promise<UsageStep | null> {
  const own = (await planVersions(db, tx, [planId])).get(planId);
  assert(own, `order ${id} has a plan`);
  if (!billsUsage(own)) return null;
  const basis = { customerStatus, today, usageGraceDays };
  const loaded = await loadOrders(tx, [id]);
  const plans = await planVersions(db, tx, loaded.flatMap(planIdsOf));
  const [row] = await withWindows(tx, loaded, { plans, basisOf: () => basis });
  if (row === undefined) return null;
  const order = billableOn(row, plans, basis);
  const first = walkOrder(order, today)
    .walks.flatMap((walk) => ('next' in walk ? (walk.next()?.window ?? []) : []))
    .reduce<UsageWindow | null>(
      (one, other) => (one === null || other.dueOn < one.dueOn ? other : one),
      null,
    );
  if (first === null) return null;
  const { dueOn } = first;
  // What waits, as after a rollback, has the bill day of its order.
  const on = dueOn <= today ? (row.billOn ?? dueOn) : dueOn;
  return { period: periodText(first, order.schedule), on };
}

/** @example periodText(january, schedule) // '2027-01' */
export function periodText(
  { from, to }: Pick<UsageWindow, 'from' | 'to'>,
  schedule: Schedule,
): string {
  const { start, end } = periodAt(schedule, periodIndexOf(schedule, to));
  const month = start.slice(0, 7);
  const isMonth = start.endsWith('-01') && end.startsWith(month) && addDays(end, 1).endsWith('-01');
  return isMonth ? month : `${from} to ${to}`;
}

/** Finds usage that no run will bill, or that was not billed on its day, from the windows themselves. */
import assert from 'node:assert';
import { addDays } from '../../domain/calendar/calendar.ts';
import { isUsage } from '../../domain/billing/kinds.ts';
import { lineDays, orderWindow, walkOrder } from '../../domain/billing/walks.ts';
import type { BillableOrder } from '../../domain/billing/billable-order.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import type { BillableLine } from '../../domain/standing/line.ts';
import type { OrderRow } from '../../db/queries/billing/load.ts';
import {
  passedWindows,
  unbilledWindows,
  type LineUsage,
} from '../../db/queries/billing/unbilled-usage.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { billableOn, type BillableBasis } from '../../domain/billing/order-to-rate.ts';
import { billsUsage } from '../standing/windows.ts';
import type { Fault } from './report.ts';

export interface UsageAudit {
  readonly plans: ReadonlyMap<number, Plan>;
  readonly basisOf: (row: OrderRow) => BillableBasis;
  /** Whether the order is to be billed, or to change, by now. */
  readonly isDue: (row: OrderRow) => boolean;
  readonly isBilling: boolean;
  readonly today: IsoDate;
}

/**
 * The open windows of some orders that have records to bill: their order must have a bill day in time,
 * also after its end. It reads the windows, and not the pointers of lines, by which orders get their
 * dates. Orders that bill nothing now, as in a pause, are left out, and inactive lines.
 */
export async function usageFaults(
  tx: Tx,
  rows: readonly OrderRow[],
  { plans, basisOf, isDue, isBilling, today }: UsageAudit,
): Promise<Fault[]> {
  const billing = new Map<number, BillingLine>();
  for (const row of rows) {
    const plan = plans.get(row.planId);
    assert(plan, `order ${row.id} has a plan`);
    if (!billsUsage(plan) || (isDue(row) && isBilling)) continue;
    const order = billableOn(row, plan, basisOf(row));
    for (const line of usageLines(order, today)) billing.set(line.id, { row, order, line });
  }
  if (billing.size === 0) return [];
  const windows = await unbilledWindows(tx, [...billing.values()].map(usageOf));
  return windows.flatMap(({ lineId, periodIndex }) => {
    const its = billing.get(lineId);
    assert(its, 'a window of a line that was asked for');
    const { row, order, line } = its;
    const dueOn = orderWindow(order, line, periodIndex)?.dueOn ?? null;
    const fault = faultOf(row, dueOn, { isDue: isDue(row), today });
    if (fault === null) return [];
    const detail = `line ${line.position}, usage of period ${periodIndex} ${fault}`;
    return [{ check: 'usage.due', object: `order ${row.orderNumber}`, detail }];
  });
}

/**
 * The windows of open orders that closed without records before their last day: what is used until
 * then comes to later windows, and is billed late.
 */
export async function passedFaults(
  tx: Tx,
  rows: readonly OrderRow[],
  { plans, basisOf }: Pick<UsageAudit, 'plans' | 'basisOf'>,
): Promise<Fault[]> {
  const open = new Map<number, BillingLine>();
  for (const row of rows) {
    const plan = plans.get(row.planId);
    assert(plan, `order ${row.id} has a plan`);
    if (!billsUsage(plan) || !openStatuses.has(row.status)) continue;
    const order = billableOn(row, plan, basisOf(row));
    for (const line of order.lines)
      if (isUsage(line.charge)) open.set(line.id, { row, order, line });
  }
  if (open.size === 0) return [];
  const passed = await passedWindows(tx, [...open.keys()]);
  return passed.flatMap(({ lineId, periodIndex, closedOn }) => {
    const its = open.get(lineId);
    assert(its, 'a window of a line that was asked for');
    const window = orderWindow(its.order, its.line, periodIndex);
    if (window === null || window.to < closedOn) return [];
    const days = `${window.from} to ${window.to}`;
    const detail = `line ${its.line.position}, usage of ${days} is billed by no invoice: its window was closed on ${closedOn}`;
    return [{ check: 'usage.due', object: `order ${its.row.orderNumber}`, detail }];
  });
}

const openStatuses: ReadonlySet<OrderRow['status']> = new Set([
  'Active',
  'Provisioning',
  'Suspended',
]);

interface BillingLine {
  readonly row: OrderRow;
  readonly order: BillableOrder;
  readonly line: BillableLine;
}

function usageLines(order: BillableOrder, today: IsoDate): readonly BillableLine[] {
  if (order.awaitsChange) return [];
  return walkOrder(order, today).walks.flatMap((walk) => ('next' in walk ? [walk.line] : []));
}

function usageOf({ order, line }: BillingLine): LineUsage {
  const until = order.status === 'Superseded' ? null : lineDays(order, line).end;
  return { lineId: line.id, until };
}

interface Standing {
  readonly isDue: boolean;
  readonly today: IsoDate;
}

function faultOf(row: OrderRow, dueOn: IsoDate | null, { isDue, today }: Standing): string | null {
  const { nextBillableDate: next, billOn } = row;
  if (dueOn === null) return 'has records outside of its days';
  if (isDue)
    return dueOn <= today ? `should have been billed on ${billOn}, due since ${dueOn}` : null;
  if (next === null || billOn === null) return `is due on ${dueOn}, but the order has no bill day`;
  // What becomes due within a day, as after a rollback, is billed at the next 00:00.
  if (next <= dueOn && (dueOn > today || billOn <= addDays(today, 1))) return null;
  return `is due on ${dueOn}, but the order bills on ${billOn}`;
}

/** Reads the usage windows that the dates and the billing of orders depend on. */
import assert from 'node:assert';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import { lineDays } from '../../domain/billing/due/walks.ts';
import { isUsage } from '../../domain/billing/kinds.ts';
import { type IsoDate, periodIndexOf } from '../../domain/calendar/calendar.ts';
import {
  type BillableBasis,
  type BillableOrder,
  type OrderToRate,
  billableOn,
} from '../../domain/billing/order-to-rate.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import type { WindowRow } from '../../db/queries/billing/load.ts';
import { type WindowChoice, readWindows } from '../../db/queries/billing/usage-windows.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

export interface WindowsOf {
  readonly plans: ReadonlyMap<number, Plan>;
  /** What the order's dates depend on; null leaves its usage out. */
  readonly basisOf: (row: OrderToRate) => BillableBasis | null;
}

/** The orders with the windows of their usage lines. Orders without such lines need no statement. */
export async function withWindows<Row extends OrderToRate>(
  tx: Tx,
  rows: readonly Row[],
  { plans, basisOf }: WindowsOf,
): Promise<readonly Row[]> {
  const choices = rows.flatMap((row) => {
    const basis = mayBillUsage(row, plans) ? basisOf(row) : null;
    if (basis === null) return [];
    return windowChoices(billableOn(row, plans, basis), basis.today);
  });
  if (choices.length === 0) return rows;
  const windows = await readWindows(tx, choices);
  const chosen = new Set(choices.map(({ lineId }) => lineId));
  return rows.map((row) =>
    replaceWindows(row, (id) => (chosen.has(id) ? (windows.get(id) ?? []) : undefined)),
  );
}

const usagePlans = new WeakMap<Plan, boolean>();

/** Whether a plan has a usage charge. */
export function billsUsage(plan: Plan): boolean {
  const known = usagePlans.get(plan);
  if (known !== undefined) return known;
  const bills = plan.charges.some(isUsage);
  usagePlans.set(plan, bills);
  return bills;
}

/** Whether an order has, or had, a plan version with a usage charge. */
export function mayBillUsage(row: OrderToRate, plans: ReadonlyMap<number, Plan>): boolean {
  return planIdsOf(row).some((id) => {
    const plan = plans.get(id);
    assert(plan, `order ${row.id} names plan ${id}, which does not exist`);
    return billsUsage(plan);
  });
}

/** The windows of an order's usage lines that are due by a day, or that its end makes due. */
export function windowChoices(order: BillableOrder, day: IsoDate): readonly WindowChoice[] {
  return order.lines.flatMap((line): WindowChoice[] => {
    if (!isUsage(line.charge)) return [];
    const { start, end } = lineDays(order, line);
    if (end !== null && end < start) return [];
    const last = end === null ? null : periodIndexOf(order.schedule, end);
    const upTo = periodIndexOf(order.schedule, day);
    return [{ lineId: line.id, from: line.nextPeriodIndex, upTo, last }];
  });
}

/** @param windowsOf undefined for a line that keeps what it has */
export function replaceWindows<Row extends OrderToRate>(
  row: Row,
  windowsOf: (lineId: number) => readonly WindowRow[] | undefined,
): Row {
  const isUsed = row.lines.some(({ id }) => windowsOf(id) !== undefined);
  if (!isUsed) return row;
  const lines = row.lines.map((line) => {
    const windows = windowsOf(line.id);
    return windows === undefined ? line : { ...line, windows };
  });
  return { ...row, lines };
}

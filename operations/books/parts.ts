/** Recomputes what the parts of periods cost together, and compares it with what was billed. */
import assert from 'node:assert';
import { standingAt } from '../../domain/billing/parts.ts';
import { daysWithout } from '../../domain/billing/served-days.ts';
import { daysFromTo, periodAt } from '../../domain/calendar/calendar.ts';
import type { Schedule } from '../../domain/calendar/schedule.ts';
import { compare, formatAmount, roundedAmount } from '../../domain/money/money.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { loadOrders, type OrderRow } from '../../db/queries/billing/load.ts';
import { ordersWithParts, partsOfOrders, type PeriodPart } from '../../db/queries/billing/parts.ts';
import { planVersions } from '../plans/versions.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import type { Fault } from './report.ts';

const ORDERS_AT_ONCE = 200;

/**
 * The parts of one period sum up to the price of their days, tier by tier. In batches, so that its
 * memory does not grow with the orders.
 */
export async function auditParts(tx: Tx, db: Database): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (let after = 0; ;) {
    const ids = await ordersWithParts(tx, { after, limit: ORDERS_AT_ONCE });
    const last = ids.at(-1);
    if (last === undefined) return faults;
    after = last;
    faults.push(...(await faultsOf(tx, db, ids)));
  }
}

async function faultsOf(tx: Tx, db: Database, ids: readonly number[]): Promise<readonly Fault[]> {
  const [rows, parts] = await Promise.all([loadOrders(tx, ids), partsOfOrders(tx, ids)]);
  const planIds = rows.map((row) => row.planId);
  const plans = await planVersions(db, tx, planIds);
  const partsOf = Map.groupBy(parts, ({ orderId }) => orderId);
  return rows.flatMap((row) => {
    const plan = plans.get(row.planId);
    assert(plan, `order ${row.id} has a plan`);
    const schedule = scheduleOfOrder(row, plan);
    const periods = Map.groupBy(
      partsOf.get(row.id) ?? [],
      ({ lineId, periodIndex }) => `${lineId} ${periodIndex}`,
    );
    return [...periods.values()].flatMap((period) => faultsOfPeriod(row, schedule, period));
  });
}

function faultsOfPeriod(
  { orderNumber, currency }: OrderRow,
  schedule: Schedule,
  period: readonly PeriodPart[],
): readonly Fault[] {
  const standing = period.filter(({ isVoided }) => !isVoided);
  const [first] = standing;
  const last = standing.at(-1);
  // What was rolled back is billed with what stands, and only then do they sum up.
  const isOpen = period.some((part) => part.isVoided && daysWithout(part, standing).length > 0);
  if (first === undefined || last === undefined || isOpen) return [];
  const { start, end } = periodAt(schedule, first.periodIndex);
  const prices = standing.flatMap(({ cost }) => cost?.parts ?? []);
  const faults = prices.flatMap((price) => {
    const { days, amount } = standingAt(price, standing);
    const { unitPrice, quantity } = price;
    const share = { numerator: days, denominator: daysFromTo(start, end), currency };
    const right = roundedAmount({ price: unitPrice, quantity, ...share });
    if (compare(amount, right) === 0) return [];
    return [
      `line ${first.linePosition} is billed ${formatAmount(currency, amount)} for ${days} days of ` +
        `period ${first.periodIndex}, ${first.from} to ${last.to}, which cost ${right}`,
    ];
  });
  const object = `order ${orderNumber}`;
  return [...new Set(faults)].map((detail) => ({ check: 'period.parts', object, detail }));
}

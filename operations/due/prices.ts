/**
 * Dates the running orders that take the prices of their plan's newest version, in batches of customers,
 * at the first 00:00 after the version, or its existingOrders, was applied. Billing moves them on their
 * day.
 */
import assert from 'node:assert';
import { customersToDate, noteDated, ordersToDate } from '../../db/queries/due/price-moves.ts';
import { type DatedOrder, dateOrders } from '../../db/queries/standing/advance.ts';
import { type OrderRow, loadOrders } from '../../db/queries/billing/load.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { isOnAgenda } from '../../db/queries/due/agenda.ts';
import { type OrderDates, reschedule } from '../../domain/billing/due/dates.ts';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import { termsOfOrder } from '../../domain/billing/order-to-rate.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { nextTransitionOn } from '../../domain/standing/status.ts';
import type { OperationContext } from '../context/context.ts';
import { batchesOf } from '../context/lanes.ts';
import { lockCustomers } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { planVersions } from '../plans/versions.ts';
import { inBatches, type Alone, type BatchSlice } from './in-batches.ts';
import type { Emptied } from './slice.ts';

const BATCH_CUSTOMERS_MAX = 200;
/** A customer may have many. */
const ORDERS_AT_ONCE_MAX = 500;

/**
 * A customer whose orders cannot be dated delays no other: billing finds their day by itself. A test
 * clock does not move without it.
 */
export async function dateAllMoves(slice: BatchSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  const isDue = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => isOnAgenda(tx, 'prices', today),
    { readOnly: true },
  );
  if (!isDue) return true;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the prices of customer ${customerId} cannot be dated`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  const part = { batchMax: BATCH_CUSTOMERS_MAX, work: dateMoves, alone };
  if (!(await inBatches(slice, customersToDate, part))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteDated(tx, today));
  return true;
}

async function dateMoves(
  context: OperationContext,
  customerIds: readonly number[],
  options: { readonly wait: boolean },
): Promise<{ readonly skipped: readonly number[] }> {
  const { db, tx, tenant, time } = context;
  const locked = await lockCustomers(tx, customerIds, options);
  const customers = new Map(locked.map((customer) => [customer.id, customer]));
  const skipped = customerIds.filter((id) => !customers.has(id));
  const ids = await ordersToDate(tx, [...customers.keys()], time.today);
  for (const some of batchesOf(ids, ORDERS_AT_ONCE_MAX)) {
    const rows = await loadOrders(tx, some);
    const plans = await planVersions(db, tx, rows.flatMap(planIdsOf));
    const { usageGraceDays } = tenant.settings;
    const dated = rows.flatMap((row) => {
      const customer = customers.get(row.customerId);
      assert(customer, `the customer of order ${row.id} is locked`);
      const basis = { customerStatus: customer.status, today: time.today, usageGraceDays };
      return datedBy(row, reschedule(row, plans, basis), time.today);
    });
    dateOrders(tx, dated, time.now);
    // Their workflows show the day, and wait for it.
    enqueue(
      context,
      dated.map(({ id: objectId }) => ({ kind: 'order', objectId })),
    );
  }
  return { skipped };
}

/** None if the order has its date. What it does today is for the run, which gives it its next dates. */
function datedBy(row: OrderRow, dates: OrderDates, today: IsoDate): readonly DatedOrder[] {
  const { priceChangeOn } = dates;
  const turn = nextTransitionOn(termsOfOrder(row));
  const transitionOn = turn !== null && turn <= today ? turn : dates.transitionOn;
  const isSame = priceChangeOn === row.priceChangeOn && transitionOn === row.transitionOn;
  return isSame ? [] : [{ id: row.id, priceChangeOn, transitionOn }];
}

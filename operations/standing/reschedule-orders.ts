/** Updates the next dates of changed orders and wakes their workflows. */
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { refuseTooMuchDue } from '../../domain/billing/due/limits.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import { billOn, reschedule } from '../../domain/billing/due/dates.ts';
import { type OrderRow, loadOrders, loadSuccessors } from '../../db/queries/billing/load.ts';
import { writeChanges } from '../../db/queries/standing/changes.ts';
import { carriedOut, orderChangeOf } from '../../domain/billing/credit/changes.ts';
import {
  type OrderUpdate,
  datesOf,
  liveOrdersOf,
  updateOrders,
} from '../../db/queries/standing/advance.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  type BillableBasis,
  type OrderToRate,
  billableOn,
} from '../../domain/billing/order-to-rate.ts';
import { withWindows } from './windows.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { planVersions } from '../plans/versions.ts';
import { batchesOf } from '../context/lanes.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { SubscriptionOrder } from '../../db/entities/orders.ts';

/** Selects the orders: those of some customers that still bill or change, or certain ones. */
export type OrderChoice =
  | {
      readonly customerIds: readonly number[];
      /** The customers whose service has just been resumed: also what ended in the pause. */
      readonly resumed?: readonly number[];
    }
  | { readonly orderIds: readonly number[] };

export interface RescheduleOptions {
  /** Refuses a change that makes more due than is billed at once. */
  readonly isLimited?: boolean;
  /** The orders that the caller has changed: order.updated is raised also for the same status. */
  readonly updated?: ReadonlySet<number>;
  /** The caller has moved them from Draft to Active or Provisioning, which is mailed. */
  readonly hasLeftDraft?: boolean;
  /** The run of today is still to come, and bills what is due. */
  readonly isBeforeRun?: boolean;
  /** Orders that have their dates already are not written, and their workflows are not woken. */
  readonly onlyMoved?: boolean;
}

/** Each order may have 500 lines; other calls get a turn between two reads. */
const ORDERS_AT_ONCE = 20;

/** This transaction must have locked the customers and written their pauses. */
export async function rescheduleOrders(
  context: OperationContext,
  choice: OrderChoice,
  options: RescheduleOptions = {},
): Promise<void> {
  const ids = 'orderIds' in choice ? choice.orderIds : await liveOrdersOf(context.tx, choice);
  for (const some of batchesOf(ids, ORDERS_AT_ONCE)) {
    const written = await rescheduleSome(context, some, options);
    enqueue(
      context,
      written.map((objectId) => ({ kind: 'order', objectId })),
    );
  }
}

async function rescheduleSome(
  context: OperationContext,
  orderIds: readonly number[],
  {
    isLimited = false,
    updated = new Set(),
    hasLeftDraft = false,
    isBeforeRun = false,
    onlyMoved = false,
  }: RescheduleOptions,
): Promise<readonly number[]> {
  const { db, tx, tenant, time } = context;
  const stored = await loadOrders(tx, orderIds);
  const customers = await customersOf(
    tx,
    stored.map((row) => row.customerId),
  );
  const free = stored.filter((row) => customers.get(row.customerId)?.isHeld === false);
  const changed = await carryOut(context, free);
  const others = stored.filter(({ id }) => !changed.has(id));
  const rows = [...others, ...changed.values()].map((row) =>
    isBeforeRun && row.billOn === null ? { ...row, billOn: time.today } : row,
  );
  const plans = await planVersions(db, tx, rows.flatMap(planIdsOf));
  const { usageGraceDays } = tenant.settings;
  const basisOf = (row: OrderToRate): BillableBasis | null => {
    const status = customers.get(row.customerId)?.status;
    return status ? { customerStatus: status, today: time.today, usageGraceDays } : null;
  };
  const dated = (await withWindows(tx, rows, { plans, basisOf })).map((row): Dated => {
    const basis = basisOf(row);
    assert(basis, `order ${row.id} has a customer`);
    const { today } = time;
    if (isLimited) refuseTooMuchDue(billableOn(row, plans, basis), today);
    return { row, update: { id: row.id, ...reschedule(row, plans, basis) } };
  });
  const written = onlyMoved
    ? dated.filter((each) => changed.has(each.row.id) || isMoved(each))
    : dated;
  updateOrders(
    tx,
    written.map(({ update }) => update),
    time.now,
  );
  // New dates alone are no update.
  const told = written.filter(
    ({ row: { id, status }, update }) =>
      updated.has(id) || changed.has(id) || update.status !== status,
  );
  raise(
    context,
    told.map(({ row: { id: objectId, customerId } }) => ({
      type: 'order.updated',
      customerId,
      objectId,
      ...(hasLeftDraft ? { detail: { leftDraft: true } } : {}),
    })),
  );
  return written.map(({ row }) => row.id);
}

interface Dated {
  readonly row: OrderToRate;
  readonly update: OrderUpdate;
}

function isMoved({ row, update }: Dated): boolean {
  return !isDeepStrictEqual(datesOf(row), datesOf(update));
}

/** Carries out the changes whose day has come; the rows of their orders as they leave them. */
async function carryOut(
  { db, tx, time: { today } }: OperationContext,
  rows: readonly OrderRow[],
): Promise<ReadonlyMap<number, OrderToRate>> {
  const changing = rows.filter(({ changeOn }) => changeOn !== null);
  const after = new Map<number, OrderToRate>();
  if (changing.length === 0) return after;
  const successors = await loadSuccessors(
    tx,
    changing.map(({ id }) => id),
  );
  const all = [...changing, ...successors.values()];
  const plans = await planVersions(db, tx, all.flatMap(planIdsOf));
  for (const current of changing) {
    const next = successors.get(current.id);
    const done = next && carriedOut({ current, next }, { plans, today });
    if (!done) continue;
    const pair = [done.current, done.next];
    writeChanges(tx, pair.map(orderChangeOf), done.lines);
    // What was due for today's run is not delayed.
    const { transitionOn: due } = current;
    const billed = due !== null && due <= today ? { billOn: due } : {};
    for (const row of pair) after.set(row.id, { ...row, ...billed });
  }
  return after;
}

const releasedOrders = given(SubscriptionOrder, ['id', 'billOn']);

/**
 * Releases a held customer's orders: the next 00:00, or generateInvoice, bills those that are
 * overdue. The caller must have locked the customer, and must wake the orders' workflows.
 */
export async function releaseOrders(
  { tx, time: { now, today } }: OperationContext,
  customerId: number,
): Promise<void> {
  const overdue = await tx.query<{ id: number; next: IsoDate | null }>(
    `select id, next_billable_date as next from subscription_order
     where customer_id = $1 and bill_on <= $2 order by id`,
    [customerId, today],
    'overdue-orders',
  );
  const released = overdue.map(({ id, next }) => ({ id, billOn: billOn(null, { next, today }) }));
  tx.send(
    `update subscription_order o
     set bill_on = r."billOn", updated_at = $3, version = o.version + 1
     from ${releasedOrders.recordset}
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, releasedOrders.json(released), now],
    'release-orders',
  );
}

interface StandingCustomer {
  readonly status: CustomerStatus;
  /** It is held from billing, and its changes with it. */
  readonly isHeld: boolean;
}

async function customersOf(
  tx: Tx,
  customerIds: readonly number[],
): Promise<ReadonlyMap<number, StandingCustomer>> {
  const rows = await tx.query<StandingCustomer & { readonly id: number }>(
    `select id, status, billing_held_at is not null as is_held from customer where id = any($1)`,
    [[...new Set(customerIds)]],
    'statuses-of-customers',
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Opens a customer's orders for rating: changes whose day has come, then each in its status of the day. */
import assert from 'node:assert';
import type { BillableOrder } from '../../domain/billing/billable-order.ts';
import type { CorrectedLines } from '../../domain/billing/corrected.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { Terms } from '../../domain/calendar/terms.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import type { OrderStatus } from '../../domain/standing/status.ts';
import { firstChargeOn } from '../../domain/billing/due.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';
import type { LineChange } from '../../db/queries/standing/changes.ts';
import { awaitsChange, billableOn } from '../standing/billable.ts';
import { carriedOut } from '../standing/changes.ts';
import { planOf, type RatingBasis } from './basis.ts';

/** The fields of a customer that billing needs. */
export interface BilledCustomer {
  readonly id: number;
  readonly status: CustomerStatus;
  readonly paymentTerms: Terms | null;
}

export interface RateCustomerInput {
  readonly customer: BilledCustomer;
  readonly rows: readonly RatedOrder[];
  readonly basis: RatingBasis;
  readonly tenantTerms: Terms;
  readonly usageGraceDays: number;
  readonly today: IsoDate;
  /** Some orders of the customer were not read; nothing that is due after this day is billed. */
  readonly restOn?: IsoDate | null;
  /** Also bills orders that would wait for the next day's run. */
  readonly atOnce?: boolean;
  /**
   * A new order whose next due date is also billed, even in the future, its usage apart: it has no
   * records yet, and a window that is closed takes none.
   */
  readonly forcedOrderId?: number | undefined;
  /** What was billed of the usage that its windows correct, once these were read. */
  readonly corrected?: CorrectedLines;
}

/** An order in its status of the day, and the day up to which it bills; null if nothing is due. */
export interface OpenedOrder {
  readonly row: RatedOrder;
  readonly order: BillableOrder;
  readonly upTo: IsoDate | null;
  /** Its stored status. */
  readonly before: OrderStatus;
  /** A change has been carried out: more of its row differs than status and dates. */
  readonly isChanged: boolean;
}

export interface OpenedOrders {
  /** An order comes after the one that it replaces. */
  readonly orders: readonly OpenedOrder[];
  readonly lines: readonly LineChange[];
}

export function openOrders(input: RateCustomerInput): OpenedOrders {
  const { rows, lines, befores } = afterChanges(input);
  const orders = rows.map((row): OpenedOrder => {
    const before = befores.get(row.id);
    const isChanged = before !== undefined;
    const { today, usageGraceDays } = input;
    const view = { customerStatus: input.customer.status, today, usageGraceDays };
    const order = billableOn(row, planOf(input.basis, row), view);
    const upTo = upToOf(input, row, order, isChanged);
    return { row, order, upTo, before: before ?? row.status, isChanged };
  });
  return { orders, lines };
}

interface AfterChanges {
  readonly rows: readonly RatedOrder[];
  readonly lines: readonly LineChange[];
  /** The statuses before their change, by order. */
  readonly befores: ReadonlyMap<number, OrderStatus>;
}

function afterChanges({ rows, basis, today }: RateCustomerInput): AfterChanges {
  const changed = new Map<number, RatedOrder>();
  const befores = new Map<number, OrderStatus>();
  const lines: LineChange[] = [];
  for (const current of rows) {
    if (current.changeOn === null) continue;
    const next = basis.successors.get(current.id);
    assert(next, `order ${current.id} has the day of a change, and no order that replaces it`);
    const pair = carriedOut({ current, next }, { plans: basis.plans, today });
    if (pair === null) continue;
    for (const row of [pair.current, pair.next]) changed.set(row.id, row);
    befores.set(current.id, current.status);
    befores.set(next.id, next.status);
    lines.push(...pair.lines);
  }
  // An order that waits for its change is not rated by itself.
  const others = rows.filter((row) => !changed.has(row.id) && !awaitsChange(row));
  if (changed.size === 0) return { rows: others, lines, befores };
  const all = [...others, ...changed.values()];
  return { rows: all.toSorted((one, other) => one.id - other.id), lines, befores };
}

function upToOf(
  input: RateCustomerInput,
  row: RatedOrder,
  order: BillableOrder,
  isDueNow: boolean,
): IsoDate | null {
  const { today, atOnce, forcedOrderId, restOn } = input;
  const within = (day: IsoDate): IsoDate => (restOn && restOn < day ? restOn : day);
  if (row.id === forcedOrderId) return within(lastOf(today, firstChargeOn(order, today)));
  if (isDueNow) return within(today);
  const mayBillOn = atOnce ? row.nextBillableDate : row.billOn;
  return mayBillOn !== null && mayBillOn <= today ? within(today) : null;
}

function lastOf(today: IsoDate, next: IsoDate | null): IsoDate {
  return next !== null && next > today ? next : today;
}

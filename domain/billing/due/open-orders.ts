/** Opens a customer's orders for rating: changes whose day has come, then each in its status of the day. */
import assert from 'node:assert';
import {
  type BillableOrder,
  type OrderToRate,
  awaitsChange,
  billableOn,
} from '../order-to-rate.ts';
import type { CorrectedLines } from '../credit/corrected.ts';
import type { IsoDate } from '../../calendar/calendar.ts';
import type { Terms } from '../../calendar/terms.ts';
import type { CustomerStatus } from '../../customers/status.ts';
import type { OrderStatus } from '../../standing/status.ts';
import { firstChargeOn } from './due.ts';
import { newPricesOn, withNewPrices } from './new-prices.ts';
import { type LineChange, carriedOut } from '../credit/changes.ts';
import type { InvoicedLine } from '../credit/dependents.ts';
import type { TaxingOf } from '../rate/tax.ts';
import type { Coupon } from '../../discounts/coupon.ts';
import type { Plan } from '../../plans/plan.ts';

/** The fields of a customer that billing needs. */
export interface BilledCustomer {
  readonly id: number;
  readonly status: CustomerStatus;
  readonly paymentTerms: Terms | null;
  /** For the lines of orders that have none. */
  readonly purchaseOrder: string | null;
}

/** What rating rests on beside orders: plans, coupons, the rates of their customers. */
export interface RatingBasis {
  readonly plans: ReadonlyMap<number, Plan>;
  readonly coupons: ReadonlyMap<number, Coupon>;
  readonly taxingOf: TaxingOf;
  /** The orders that replace others, by the replaced one. */
  readonly successors: ReadonlyMap<number, OrderToRate>;
  /** What was billed for unused days of orders that are replaced, by the order. */
  readonly unused: ReadonlyMap<number, readonly InvoicedLine[]>;
}

export interface RateCustomerInput {
  readonly customer: BilledCustomer;
  readonly rows: readonly OrderToRate[];
  readonly basis: RatingBasis;
  readonly tenantTerms: Terms;
  readonly usageGraceDays: number;
  readonly today: IsoDate;
  /** Some orders of the customer were not read; nothing that is due after this day is billed. */
  readonly restOn?: IsoDate | null;
  /** Also bills orders that would wait for the next day's run. */
  readonly atOnce?: boolean;
  /** The one of these orders that is stored together with the invoices. */
  readonly newOrderId?: number | undefined;
  /**
   * Also bills the next due date of that order, even in the future, its usage apart: it has no
   * records yet, and a window that is closed takes none.
   */
  readonly isForced?: boolean;
  /** What was billed of the usage that its windows correct, once these were read. */
  readonly corrected?: CorrectedLines;
}

/** An order in its status of the day, and the day up to which it bills; null if nothing is due. */
export interface OpenedOrder {
  readonly row: OrderToRate;
  readonly order: BillableOrder;
  readonly upTo: IsoDate | null;
  /** Its stored status. */
  readonly before: OrderStatus;
  /** A change has been carried out: more of its row differs than status and dates. */
  readonly isChanged: boolean;
  /** Its row has other prices than the stored one. */
  readonly hasNewPrices: boolean;
}

export interface OpenedOrders {
  /** An order comes after the one that it replaces. */
  readonly orders: readonly OpenedOrder[];
  readonly lines: readonly LineChange[];
}

/** @example openOrders(input).orders[0]?.upTo // '2027-01-15', or null if it bills nothing */
export function openOrders(input: RateCustomerInput): OpenedOrders {
  const { rows, lines, befores } = afterChanges(input);
  const orders = rows.map((row): OpenedOrder => {
    const before = befores.get(row.id);
    const isChanged = before !== undefined;
    const opened = atItsPrices(input, row);
    const upTo = upToOf(input, row, opened.order, isChanged);
    return { ...opened, upTo, before: before ?? row.status, isChanged };
  });
  return { orders, lines };
}

/** The order with the prices of the day: those that begin by today are its own from now on. */
function atItsPrices(
  { basis: { plans }, customer, today, usageGraceDays }: RateCustomerInput,
  row: OrderToRate,
): Pick<OpenedOrder, 'row' | 'order' | 'hasNewPrices'> {
  const view = { customerStatus: customer.status, today, usageGraceDays };
  const order = billableOn(row, plans, view);
  const on = newPricesOn(row, order, plans);
  if (on === null || on > today) return { row, order, hasNewPrices: false };
  const moved = withNewPrices(row, plans, on);
  return { row: moved, order: billableOn(moved, plans, view), hasNewPrices: true };
}

interface AfterChanges {
  readonly rows: readonly OrderToRate[];
  readonly lines: readonly LineChange[];
  /** The statuses before their change, by order. */
  readonly befores: ReadonlyMap<number, OrderStatus>;
}

function afterChanges({ rows, basis, today }: RateCustomerInput): AfterChanges {
  const changed = new Map<number, OrderToRate>();
  const befores = new Map<number, OrderStatus>();
  const lines: LineChange[] = [];
  for (const current of rows) {
    if (current.changeOn == null) continue;
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
  row: OrderToRate,
  order: BillableOrder,
  isDueNow: boolean,
): IsoDate | null {
  const { today, atOnce, newOrderId, isForced = false, restOn } = input;
  const within = (day: IsoDate): IsoDate => (restOn && restOn < day ? restOn : day);
  if (isForced && row.id === newOrderId) return within(lastOf(today, firstChargeOn(order, today)));
  if (isDueNow) return within(today);
  const mayBillOn = atOnce ? row.nextBillableDate : row.billOn;
  return mayBillOn !== null && mayBillOn <= today ? within(today) : null;
}

/** The plan of an order that is rated on the basis. @example planOf({ plans }, gold).planName */
export function planOf({ plans }: Pick<RatingBasis, 'plans'>, row: OrderToRate): Plan {
  const plan = plans.get(row.planId);
  assert(plan, `order ${row.id} names plan ${row.planId}, which does not exist`);
  return plan;
}

function lastOf(today: IsoDate, next: IsoDate | null): IsoDate {
  return next !== null && next > today ? next : today;
}

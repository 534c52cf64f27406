/** Rates a customer's orders on a day: their status, their charges, their next day of action. */
import assert from 'node:assert';
import { sliceOf, type DueSlice } from './due.ts';
import type { DraftInvoice } from './total.ts';
import type { InvoicedOrder } from './group.ts';
import { orderChangeOf, type LineChange, type OrderChange } from './changes.ts';
import { datesOf, type OrderDates } from './dates.ts';
import { termsOf } from '../calendar/terms.ts';
import { draftInvoices, type OrderDue } from './draft.ts';
import type { Coupon } from '../discounts/coupon.ts';
import type { CouponUses } from '../discounts/uses.ts';
import type { DueOrder } from './due-charges.ts';
import type { BillableOrder } from './billable-order.ts';
import type { IsoDate } from '../calendar/date.ts';
import type { OrderStatus } from '../standing/status.ts';
import { RATED_CHARGES_MAX } from './limits.ts';
import { creditsDue, sharedUses, type SharedUses } from './change-credits.ts';
import {
  openOrders,
  type OpenedOrder,
  type RateCustomerInput,
  planOf,
  type RatingBasis,
} from './open-orders.ts';
import type { OrderToRate } from './order-to-rate.ts';

/** An order after its due charges, up to one transaction's limit, were billed. */
export interface OrderBilling {
  readonly row: OrderToRate;
  readonly order: BillableOrder;
  readonly due: DueOrder;
  readonly dates: OrderDates;
}

export interface StoredOrderBilling extends OrderBilling {
  /** The status before it. */
  readonly before: OrderStatus;
  /** What a change makes of it beyond its dates; null for any other order. */
  readonly change: OrderChange | null;
}

export interface CustomerBilling {
  readonly customerId: number;
  readonly orders: readonly StoredOrderBilling[];
  /** The order that is stored together with the invoices; null if none of the rated ones is. */
  readonly newOrder: OrderBilling | null;
  readonly invoices: readonly DraftInvoice[];
  /** What changes make of lines of orders. */
  readonly changedLines: readonly LineChange[];
  readonly ratedCount: number;
  /** More is due: the next transaction continues. */
  readonly hasMore: boolean;
}

const nothingDue: DueOrder = {
  charges: [],
  windows: [],
  nextPeriodIndex: new Map(),
  nextBillableDate: null,
};

/**
 * Rates the orders of one customer up to today: changes, status and term, then the credits of
 * changes and the due charges, the oldest first and up to one transaction's limit, then the invoices
 * by the grouping rules. Throws DomainError if one of them cannot be rated.
 *
 * @example rateCustomer({ rows: [gold], today: '2027-02-15', ... }).invoices // that of the second month
 */
export function rateCustomer(input: RateCustomerInput): CustomerBilling {
  const { basis, corrected } = input;
  const { orders: opened, lines: changedLines } = openOrders(input);
  const billing = opened.filter(({ upTo }) => upTo !== null);
  const credits = creditsDue(billing, basis);
  const creditCount = [...credits.values()].reduce((count, each) => count + each.length, 0);
  const slice = dueSlice(input, billing, creditCount);
  const dueOf = new Map(billing.map((each, index) => [each, slice.dues[index] ?? nothingDue]));
  const usesOf = sharedUses(opened, credits);
  const orders = opened.map((each) =>
    orderBilling(each, {
      due: dueOf.get(each),
      uses: usesOf.get(each.row.id)?.usesAfter ?? each.row.couponUses,
      isCredited: credits.has(each),
      today: input.today,
    }),
  );
  const invoices = draftInvoices({
    customer: { id: input.customer.id, paymentTerms: input.customer.paymentTerms },
    tenantTerms: input.tenantTerms,
    today: input.today,
    orders: billing.flatMap((each): OrderDue[] => {
      const { charges, windows } = dueOf.get(each) ?? nothingDue;
      const back = credits.get(each) ?? [];
      if (charges.length + windows.length + back.length === 0) return [];
      const { row, order } = each;
      const invoiced = invoicedOrder(row, order, basis, usesOf.get(row.id));
      const own = back.length === 0 ? {} : asSuccessor(row, opened, basis);
      const what = { due: { charges, windows }, credits: back, ...(corrected && { corrected }) };
      return [{ order: { ...invoiced, ...own }, ...what }];
    }),
    taxing: basis.taxingOf(input.customer.id, input.today),
  });
  return {
    customerId: input.customer.id,
    orders: orders.filter(({ row }) => row.id !== input.newOrderId),
    newOrder: orders.find(({ row }) => row.id === input.newOrderId) ?? null,
    invoices,
    changedLines,
    ratedCount: slice.ratedCount + creditCount,
    hasMore: slice.hasMore,
  };
}

/** All that was billed, the new order last. @example billedOrders(billing).length // 2 */
export function billedOrders({ orders, newOrder }: CustomerBilling): readonly OrderBilling[] {
  return newOrder === null ? orders : [...orders, newOrder];
}

/** What one transaction bills of the opened orders, the oldest first. @example dueSlice(input, opened, 0).hasMore */
export function dueSlice(
  { basis, today, newOrderId, isForced = false }: SliceInput,
  opened: readonly OpenedOrder[],
  creditCount: number,
): DueSlice {
  return sliceOf(
    opened.map(({ row, order, upTo }) => ({
      order,
      upTo: upTo ?? today,
      ...(isForced && row.id === newOrderId && { usageUpTo: today }),
      sharesAmounts: (couponOf(basis, row)?.amount ?? null) !== null,
    })),
    Math.max(1, RATED_CHARGES_MAX - creditCount),
  );
}

type SliceInput = Pick<RateCustomerInput, 'basis' | 'today' | 'newOrderId' | 'isForced'>;

interface Billed {
  readonly due: DueOrder | undefined;
  /** Before this rating's discounts. */
  readonly uses: CouponUses;
  /** The credit that its change owes is billed. */
  readonly isCredited: boolean;
  readonly today: IsoDate;
}

function orderBilling(
  { row, order, before, isChanged }: OpenedOrder,
  { due, uses, isCredited, today }: Billed,
): StoredOrderBilling {
  const next = due === undefined ? row.nextBillableDate : due.nextBillableDate;
  const changed = isCredited ? { ...row, creditFrom: null } : row;
  return {
    row: uses === row.couponUses ? row : { ...row, couponUses: { ...uses, givenBack: '0' } },
    order,
    due: due ?? nothingDue,
    dates: datesOf(order, row.billOn, { next, today }),
    before,
    change: isChanged || isCredited ? orderChangeOf(changed) : null,
  };
}

/** An order with what its invoices show and group by. @example invoicedOrder(gold, billable, basis).plan.planName */
export function invoicedOrder(
  row: OrderToRate,
  order: BillableOrder,
  basis: Pick<RatingBasis, 'plans' | 'coupons'>,
  { uses, sharedBy, periodsSharedBy }: Omit<SharedUses, 'usesAfter'> = {
    uses: row.couponUses,
    sharedBy: row.id,
    periodsSharedBy: row.id,
  },
): InvoicedOrder {
  const coupon = couponOf(basis, row);
  const { firstPeriod, couponPeriodsBefore } = row;
  return {
    ...order,
    separateInvoice: row.separateInvoice,
    jobCode: row.jobCode,
    dueTerms: termsOf(row.dueDateValue, row.dueDateUnits),
    isAutoPay: row.isAutoPay,
    orderNumber: row.orderNumber ?? null,
    invoiceText: row.invoiceText,
    plan: planOf(basis, row),
    coupon: coupon && {
      coupon,
      firstPeriod,
      countsFrom: firstPeriod - couponPeriodsBefore,
      sharedBy,
      periodsSharedBy,
      uses,
    },
    invoicedWith: row.id,
  };
}

/** The notes of the orders that an invoice bills, in their order. @example notesOf(draft, orders) // 'Thank you' */
export function notesOf(invoice: DraftInvoice, orders: readonly OrderBilling[]): string | null {
  const included = new Set(invoice.lines.map((line) => line.order?.id));
  const notes = orders
    .filter(({ row }) => included.has(row.id) && row.invoiceNotes !== null)
    .map(({ row }) => row.invoiceNotes);
  return notes.length === 0 ? null : notes.join('\n');
}

/**
 * The orders of which one pays an invoice: those that go on, or else any.
 *
 * @example payersOf(draft, orders) // the order that replaces another, without that one
 */
export function payersOf(
  invoice: DraftInvoice,
  orders: readonly OrderBilling[],
): readonly number[] {
  const ids = invoice.lines.flatMap(({ order }) => order?.id ?? []);
  const replaced = new Set(
    orders.flatMap(({ order }) => (order.status === 'Superseded' ? [order.id] : [])),
  );
  const others = replaced.size === 0 ? ids : ids.filter((id) => !replaced.has(id));
  return others.length === 0 ? ids : others;
}

/** A credit goes with the invoice of the order that replaces its own. */
function asSuccessor(
  { id }: OrderToRate,
  orders: readonly OpenedOrder[],
  { successors }: RatingBasis,
): Partial<InvoicedOrder> {
  const next = orders.find(({ row }) => row.previousOrderId === id)?.row ?? successors.get(id);
  if (next === undefined) return {};
  return {
    separateInvoice: next.separateInvoice,
    jobCode: next.jobCode,
    dueTerms: termsOf(next.dueDateValue, next.dueDateUnits),
    isAutoPay: next.isAutoPay,
    invoicedWith: next.id,
  };
}

function couponOf({ coupons }: Pick<RatingBasis, 'coupons'>, row: OrderToRate): Coupon | null {
  if (row.couponId === null) return null;
  const coupon = coupons.get(row.couponId);
  assert(coupon, `order ${row.id} names coupon ${row.couponId}, which does not exist`);
  return coupon;
}

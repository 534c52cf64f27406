/** Rates a customer's orders on a day: their status, their charges, their next day of action. */
import assert from 'node:assert';
import { sliceOf, type DueSlice } from '../../domain/billing/due.ts';
import type { DraftInvoice } from '../../domain/billing/total.ts';
import type { InvoicedOrder } from '../../domain/billing/group.ts';
import { termsOf } from '../../domain/calendar/terms.ts';
import { draftInvoices, type OrderDue } from '../../domain/billing/draft.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import type { CouponUses } from '../../domain/discounts/uses.ts';
import type { DueOrder } from '../../domain/billing/due-charges.ts';
import type { BillableOrder } from '../../domain/billing/billable-order.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { OrderStatus } from '../../domain/standing/status.ts';
import { RATED_CHARGES_MAX } from '../../domain/billing/limits.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';
import type { OrderUpdate } from '../../db/queries/standing/advance.ts';
import type { LineChange, OrderChange } from '../../db/queries/standing/changes.ts';
import { updateOf } from '../standing/reschedule.ts';
import { planOf, type RatingBasis } from './basis.ts';
import { creditsDue, sharedUses, type SharedUses } from './credits.ts';
import { openOrders, type OpenedOrder, type RateCustomerInput } from './open-orders.ts';

/** An order after its due charges, up to one transaction's limit, were billed. */
export interface OrderBilling {
  readonly row: RatedOrder;
  readonly order: BillableOrder;
  readonly due: DueOrder;
  readonly update: OrderUpdate;
  /** The stored status. */
  readonly before: OrderStatus;
  /** What a change makes of its row beyond that; null for any other order. */
  readonly change: OrderChange | null;
}

export interface CustomerBilling {
  readonly customerId: number;
  readonly orders: readonly OrderBilling[];
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
    orders,
    invoices,
    changedLines,
    ratedCount: slice.ratedCount + creditCount,
    hasMore: slice.hasMore,
  };
}

/** What one transaction bills of the opened orders, the oldest first. */
export function dueSlice(
  { basis, today, forcedOrderId }: Pick<RateCustomerInput, 'basis' | 'today' | 'forcedOrderId'>,
  opened: readonly OpenedOrder[],
  creditCount: number,
): DueSlice {
  return sliceOf(
    opened.map(({ row, order, upTo }) => ({
      order,
      upTo: upTo ?? today,
      ...(row.id === forcedOrderId && { usageUpTo: today }),
      sharesAmounts: (couponOf(basis, row)?.amount ?? null) !== null,
    })),
    Math.max(1, RATED_CHARGES_MAX - creditCount),
  );
}

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
): OrderBilling {
  const next = due === undefined ? row.nextBillableDate : due.nextBillableDate;
  const { id, previousOrderId, endedOn, changeOn } = row;
  const creditFrom = isCredited ? null : row.creditFrom;
  return {
    row: uses === row.couponUses ? row : { ...row, couponUses: { ...uses, givenBack: '0' } },
    order,
    due: due ?? nothingDue,
    update: updateOf(row, order, { next, today }),
    before,
    change: isChanged || isCredited ? { id, previousOrderId, endedOn, changeOn, creditFrom } : null,
  };
}

/** An order with what its invoices show and group by. */
export function invoicedOrder(
  row: RatedOrder,
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
    orderNumber: row.orderNumber,
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

/** A credit goes with the invoice of the order that replaces its own. */
function asSuccessor(
  { id }: RatedOrder,
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

function couponOf({ coupons }: Pick<RatingBasis, 'coupons'>, row: RatedOrder): Coupon | null {
  if (row.couponId === null) return null;
  const coupon = coupons.get(row.couponId);
  assert(coupon, `order ${row.id} names coupon ${row.couponId}, which does not exist`);
  return coupon;
}

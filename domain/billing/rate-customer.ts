/** Rates a customer's orders on a day: their status, their charges, their next day of action. */
import assert from 'node:assert';
import { isSameSchedule } from '../calendar/calendar.ts';
import { termsOf } from '../calendar/terms.ts';
import type { Coupon } from '../discounts/coupon.ts';
import { type CouponUses, type GivenBack, usesWithout } from '../discounts/uses.ts';
import type { OrderStatus } from '../standing/status.ts';
import { billsFrom } from '../standing/trial.ts';
import { type Metadata, metadataOfOrders } from '../text/metadata.ts';
import type { BillableOrder, OrderToRate } from './order-to-rate.ts';
import { type LineChange, type OrderChange, orderChangeOf } from './credit/changes.ts';
import type { CreditCharge } from './charges.ts';
import { creditCharges, creditDueOn } from './credit/unused.ts';
import { type OrderDates, datesOf } from './due/dates.ts';
import { type OrderDue, draftInvoices } from './rate/draft.ts';
import type { DueOrder } from './due/due-charges.ts';
import { type DueSlice, applyDue, sliceOf } from './due/due.ts';
import { newPricesOn } from './due/new-prices.ts';
import type { InvoicedOrder } from './rate/group.ts';
import { RATED_CHARGES_MAX } from './due/limits.ts';
import {
  type OpenedOrder,
  type RateCustomerInput,
  type RatingBasis,
  openOrders,
  planOf,
} from './due/open-orders.ts';
import type { DraftInvoice } from './rate/total.ts';

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
  /** It has taken other prices. */
  readonly hasNewPrices: boolean;
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
    orderBilling(each, input, {
      due: dueOf.get(each),
      uses: usesOf.get(each.row.id)?.usesAfter ?? each.row.couponUses,
      isCredited: credits.has(each),
    }),
  );
  const invoices = draftInvoices({
    customer: input.customer,
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
}

function orderBilling(
  { row, order, before, isChanged, hasNewPrices }: OpenedOrder,
  { basis: { plans }, today }: RateCustomerInput,
  { due, uses, isCredited }: Billed,
): StoredOrderBilling {
  const next = due === undefined ? row.nextBillableDate : due.nextBillableDate;
  const changed = isCredited ? { ...row, creditFrom: null } : row;
  const priceChangeOn = row.move
    ? newPricesOn(row, due === undefined ? order : applyDue(order, due), plans)
    : null;
  return {
    row: uses === row.couponUses ? row : { ...row, couponUses: { ...uses, givenBack: '0' } },
    order,
    due: due ?? nothingDue,
    dates: datesOf(order, row.billOn, {
      next,
      today,
      priceChangeOn,
      transitionOn: row.transitionOn,
    }),
    before,
    change: isChanged || isCredited ? orderChangeOf(changed) : null,
    hasNewPrices,
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
    purchaseOrder: row.purchaseOrder,
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

/** What an invoice takes of the metadata of its orders. @example metadataFor(draft, orders) // { crm: 'A-1' } */
export function metadataFor(
  invoice: DraftInvoice,
  orders: readonly OrderBilling[],
): Metadata | null {
  const having = orders.filter(({ row }) => row.metadata != null);
  if (having.length === 0) return null;
  const included = new Set(invoice.lines.map((line) => line.order?.id));
  return metadataOfOrders(having.map(({ row }) => row).filter(({ id }) => included.has(id)));
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

/* The credits of orders that were replaced, and what they give back of coupons that go on. */

/** The credits that are billed now, by order; none may be left of a credit that was due. */
type Credits = ReadonlyMap<OpenedOrder, readonly CreditCharge[]>;

/** @example creditsDue(opened, basis).get(replaced) // the credit of its unused days */
function creditsDue(orders: readonly OpenedOrder[], basis: RatingBasis): Credits {
  const credits = new Map<OpenedOrder, readonly CreditCharge[]>();
  for (const opened of orders) {
    const { order, upTo } = opened;
    const unusedFrom = creditDueOn(order);
    if (unusedFrom === null || upTo === null || unusedFrom > upTo) continue;
    const { schedule, pauses, currency } = order;
    const from = billsFrom(order);
    // In a trial nothing is used either.
    const isWhole = unusedFrom <= from;
    const view = { unusedFrom: isWhole ? from : unusedFrom, isWhole, schedule, pauses, currency };
    credits.set(opened, creditCharges(basis.unused.get(order.id) ?? [], view));
  }
  return credits;
}

/** What an order has used of its coupon, and with which others it uses it up. */
interface SharedUses {
  readonly uses: CouponUses;
  /** Afterwards, but for what this rating takes: what a change gives back is free for all of them. */
  readonly usesAfter: CouponUses;
  /** The first of them in this rating, by its id. */
  readonly sharedBy: number;
  /** The first of those of them that have the same periods. */
  readonly periodsSharedBy: number;
}

/**
 * The coupon uses of orders in one rating: orders of a chain with the same coupon use it up
 * together, and what their credits give back is free again. By order; one whose uses are its own
 * may be left out.
 *
 * @example sharedUses(opened, credits).get(gold.id)?.sharedBy
 */
function sharedUses(
  orders: readonly OpenedOrder[],
  credits: Credits,
): ReadonlyMap<number, SharedUses> {
  const isShared = orders.some(({ row }) => row.couponId !== null && row.previousOrderId !== null);
  if (!isShared) return new Map();
  const rootOf = new Map<number, number>();
  const periodsRootOf = new Map<number, number>();
  const byId = new Map(orders.map((opened) => [opened.row.id, opened]));
  for (const { row, order } of orders) {
    const { id, couponId, previousOrderId } = row;
    const before = previousOrderId === null ? undefined : byId.get(previousOrderId);
    const goesOn = couponId !== null && before?.row.couponId === couponId;
    rootOf.set(id, goesOn ? (rootOf.get(before.row.id) ?? id) : id);
    const isKept = goesOn && isSameSchedule(before.order.schedule, order.schedule);
    periodsRootOf.set(id, isKept ? (periodsRootOf.get(before.row.id) ?? id) : id);
  }
  const given = new Map<number, GivenBack[]>();
  for (const [{ row }, charges] of credits) {
    const root = rootOf.get(row.id) ?? row.id;
    const back = charges.flatMap(({ credits: { discount }, amount }) =>
      discount?.couponId === row.couponId ? [{ periodIndex: discount.periodIndex, amount }] : [],
    );
    given.set(root, [...(given.get(root) ?? []), ...back]);
  }
  return new Map(
    orders.map((opened) => {
      const { id, couponUses } = opened.row;
      const sharedBy = rootOf.get(id) ?? id;
      const back = given.get(sharedBy) ?? [];
      const usesAfter = back.length === 0 ? couponUses : usesWithout(couponUses, back);
      // What is given back is for the order that goes on, not for the last charges of this one.
      const uses = credits.has(opened) ? couponUses : usesAfter;
      return [id, { uses, usesAfter, sharedBy, periodsSharedBy: periodsRootOf.get(id) ?? id }];
    }),
  );
}

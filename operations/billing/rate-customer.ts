/** Rates a customer's orders on a day: their status, their charges, their next day of action. */
import assert from 'node:assert';
import { sliceOf } from '../../domain/billing/due.ts';
import type { DraftInvoice } from '../../domain/billing/total.ts';
import type { InvoicedOrder } from '../../domain/billing/group.ts';
import { firstIndex } from '../../domain/calendar/calendar.ts';
import { termsOf } from '../../domain/calendar/terms.ts';
import { draftInvoices } from '../../domain/billing/draft.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import type {
  BillableOrder,
  CustomerStatus,
  DueOrder,
  IsoDate,
  Plan,
  Terms,
} from '../../domain/model.ts';
import { RATED_CHARGES_MAX } from '../../domain/billing/limits.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';
import type { OrderUpdate } from '../../db/queries/standing/advance.ts';
import { billableOn } from '../standing/billable.ts';
import { updateOf } from '../standing/reschedule.ts';
import type { RatingBasis } from './basis.ts';

/** The fields of a customer that billing needs. */
export interface BilledCustomer {
  readonly id: number;
  readonly status: CustomerStatus;
  readonly paymentTerms: Terms | null;
}

/** An order after its due charges, up to one transaction's limit, were billed. */
export interface OrderBilling {
  readonly row: RatedOrder;
  readonly order: BillableOrder;
  readonly due: DueOrder;
  readonly update: OrderUpdate;
}

export interface CustomerBilling {
  readonly customerId: number;
  readonly orders: readonly OrderBilling[];
  readonly invoices: readonly DraftInvoice[];
  readonly ratedCount: number;
  /** More is due: the next transaction continues. */
  readonly hasMore: boolean;
}

export interface RateCustomerInput {
  readonly customer: BilledCustomer;
  readonly rows: readonly RatedOrder[];
  readonly basis: RatingBasis;
  readonly tenantTerms: Terms;
  readonly today: IsoDate;
  /** Some orders of the customer were not read; nothing that is due after this day is billed. */
  readonly restOn?: IsoDate | null;
  /** Also bills orders that would wait for the next day's run. */
  readonly atOnce?: boolean;
  /** An order whose next due date is also billed, even in the future. */
  readonly forcedOrderId?: number | undefined;
}

const nothingDue: DueOrder = { charges: [], nextPeriodIndex: new Map(), nextBillableDate: null };

/**
 * Rates the orders of one customer up to today: status and term, then the due charges, the oldest
 * first and up to one transaction's limit, then the invoices by the grouping rules. Throws
 * DomainError if one of them cannot be rated.
 */
export function rateCustomer(input: RateCustomerInput): CustomerBilling {
  const opened = input.rows.map((row) => openOrder(input, row));
  const billing = opened.filter(({ upTo }) => upTo !== null);
  const { dues, ratedCount, hasMore } = sliceOf(
    billing.map(({ row, order, upTo }) => ({
      order,
      upTo: upTo ?? input.today,
      sharesAmounts: (couponOf(input.basis, row)?.amount ?? null) !== null,
    })),
    RATED_CHARGES_MAX,
  );
  const dueOf = new Map(billing.map((each, index) => [each, dues[index] ?? nothingDue]));
  const orders = opened.map((each) => orderBilling(each, dueOf.get(each), input.today));
  const invoices = draftInvoices({
    customer: { id: input.customer.id, paymentTerms: input.customer.paymentTerms },
    tenantTerms: input.tenantTerms,
    today: input.today,
    orders: orders
      .filter(({ due }) => due.charges.length > 0)
      .map(({ row, order, due }) => ({
        order: invoicedOrder(row, order, input.basis),
        due,
      })),
    rates: input.basis.ratesOf(input.customer.id),
  });
  return {
    customerId: input.customer.id,
    orders,
    invoices,
    ratedCount,
    hasMore,
  };
}

/** An order in its status of the day, and the day up to which it bills; null if nothing is due. */
interface OpenedOrder {
  readonly row: RatedOrder;
  readonly order: BillableOrder;
  readonly upTo: IsoDate | null;
}

function openOrder(input: RateCustomerInput, row: RatedOrder): OpenedOrder {
  const { today, atOnce, forcedOrderId, restOn } = input;
  const within = (day: IsoDate): IsoDate => (restOn && restOn < day ? restOn : day);
  const order = billableOn(row, planOf(input.basis, row), input.customer.status, today);
  if (row.id === forcedOrderId) {
    return { row, order, upTo: within(lastOf(today, row.next_billable_date)) };
  }
  const mayBillOn = atOnce ? row.next_billable_date : row.bill_on;
  return { row, order, upTo: mayBillOn !== null && mayBillOn <= today ? within(today) : null };
}

function orderBilling(
  { row, order }: OpenedOrder,
  due: DueOrder | undefined,
  today: IsoDate,
): OrderBilling {
  const next = due === undefined ? row.next_billable_date : due.nextBillableDate;
  return {
    row,
    order,
    due: due ?? nothingDue,
    update: updateOf(row, order, { next, today }),
  };
}

/** An order with what its invoices show and group by. */
export function invoicedOrder(
  row: RatedOrder,
  order: BillableOrder,
  basis: Pick<RatingBasis, 'plans' | 'coupons'>,
): InvoicedOrder {
  const coupon = couponOf(basis, row);
  return {
    ...order,
    separateInvoice: row.separate_invoice,
    jobCode: row.job_code,
    dueTerms: termsOf(row.due_date_value, row.due_date_units),
    isAutoPay: row.is_auto_pay,
    orderNumber: row.order_number,
    invoiceText: row.invoice_text,
    plan: planOf(basis, row),
    coupon: coupon && {
      coupon,
      firstPeriod: firstIndex(order.schedule, order.startDate),
      uses: row.coupon_uses,
    },
  };
}

function planOf({ plans }: Pick<RatingBasis, 'plans'>, row: RatedOrder): Plan {
  const plan = plans.get(row.plan_id);
  assert(plan, `order ${row.id} names plan ${row.plan_id}, which does not exist`);
  return plan;
}

function couponOf({ coupons }: Pick<RatingBasis, 'coupons'>, row: RatedOrder): Coupon | null {
  if (row.coupon_id === null) return null;
  const coupon = coupons.get(row.coupon_id);
  assert(coupon, `order ${row.id} names coupon ${row.coupon_id}, which does not exist`);
  return coupon;
}

function lastOf(today: IsoDate, next: IsoDate | null): IsoDate {
  return next !== null && next > today ? next : today;
}

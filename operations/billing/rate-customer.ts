/** What a customer's orders come to on a day: their status, what they bill, when they act next. */
import assert from 'node:assert';
import { firstDueOn, sliceOf } from '../../domain/billing/due.ts';
import { addDays } from '../../domain/calendar/calendar.ts';
import type { DraftInvoice } from '../../domain/billing/total.ts';
import { draftInvoices } from '../../domain/billing/draft.ts';
import type {
  BillableOrder,
  CustomerStatus,
  DueOrder,
  IsoDate,
  Plan,
  Terms,
} from '../../domain/model.ts';
import { RATED_CHARGES_MAX } from '../../domain/billing/limits.ts';
import { nextTransitionOn, statusOn, type OrderTerms } from '../../domain/orders/status.ts';
import type { OrderRow } from '../../db/queries/billing/load.ts';
import type { OrderUpdate } from '../../db/queries/orders/advance.ts';
import { termsOf } from '../plans/versions.ts';

/** The customer as billing sees it. */
export interface BilledCustomer {
  readonly id: number;
  readonly status: CustomerStatus;
  readonly paymentTerms: Terms | null;
}

/** An order after what was due of it, or as much as one transaction bills, was billed. */
export interface OrderBilling {
  readonly row: OrderRow;
  readonly order: BillableOrder;
  readonly due: DueOrder;
  readonly update: OrderUpdate;
}

export interface CustomerBilling {
  readonly customerId: number;
  readonly orders: readonly OrderBilling[];
  readonly invoices: readonly DraftInvoice[];
  readonly ratedCount: number;
  /** More is due than was taken: the next transaction goes on. */
  readonly goesOn: boolean;
}

export interface RateCustomerInput {
  readonly customer: BilledCustomer;
  readonly rows: readonly OrderRow[];
  readonly plans: ReadonlyMap<number, Plan>;
  readonly tenantTerms: Terms;
  readonly today: IsoDate;
  /** Not all orders of the customer are here; nothing is billed that was due after this day. */
  readonly restOn?: IsoDate | null;
  /** Bills what is due, also of orders that would wait for the next day's run. */
  readonly atOnce?: boolean;
  /** An order of which the next due date is billed too, though it lies in the future. */
  readonly forcedOrderId?: number | undefined;
}

const nothingDue: DueOrder = { charges: [], nextPeriodIndex: new Map(), nextBillableDate: null };

/**
 * Settles the orders of one customer up to today: status and term, then what is due of them, the
 * oldest first and at most as much as one transaction bills, then the invoices by the grouping
 * rules. Throws DomainError when one of them cannot be rated.
 */
export function rateCustomer(input: RateCustomerInput): CustomerBilling {
  const opened = input.rows.map((row) => openOrder(input, row));
  const billing = opened.filter(({ upTo }) => upTo !== null);
  const { dues, ratedCount, goesOn } = sliceOf(
    billing.map(({ order, upTo }) => ({ order, upTo: upTo ?? input.today })),
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
        order: groupable(row, order, planOf(input.plans, row)),
        due,
      })),
  });
  return {
    customerId: input.customer.id,
    orders,
    invoices,
    ratedCount,
    goesOn,
  };
}

/** An order in its status of the day, and the day up to which it bills; null: nothing yet. */
interface OpenedOrder {
  readonly row: OrderRow;
  readonly order: BillableOrder;
  readonly upTo: IsoDate | null;
}

function openOrder(input: RateCustomerInput, row: OrderRow): OpenedOrder {
  const { today, atOnce, forcedOrderId, restOn } = input;
  const within = (day: IsoDate): IsoDate => (restOn && restOn < day ? restOn : day);
  const order = billableOn(row, planOf(input.plans, row), input.customer.status, today);
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
    update: {
      id: row.id,
      status: order.status,
      end_date: order.endDate,
      next_billable_date: next,
      bill_on: due === undefined ? row.bill_on : billOn(next, row.bill_on, today),
      transition_on: nextTransitionOn({ ...termsOfRow(row), ...statusOf(order) }),
    },
  };
}

/**
 * When the order bills next and may be billed, seen afresh after a change made by someone: what is
 * due already waits for the next day's run, so that orders changed one after the other share it.
 */
export function reschedule(
  row: OrderRow,
  plan: Plan,
  customerStatus: CustomerStatus,
  today: IsoDate,
): OrderUpdate {
  const order = billableOn(row, plan, customerStatus, today);
  const next = firstDueOn(order, today);
  return {
    id: row.id,
    status: order.status,
    end_date: order.endDate,
    next_billable_date: next,
    bill_on: billOn(next, row.bill_on, today),
    transition_on: nextTransitionOn({ ...termsOfRow(row), ...statusOf(order) }),
  };
}

function billOn(next: IsoDate | null, before: IsoDate | null, today: IsoDate): IsoDate | null {
  if (next === null || next > today) return next;
  // Due for today's run already: a change does not put it off.
  if (before !== null && before <= today) return before;
  return addDays(today, 1);
}

/** The order as the rules see it, in the status that it has on that day. */
export function billableOn(
  row: OrderRow,
  plan: Plan,
  customerStatus: CustomerStatus,
  today: IsoDate,
): BillableOrder {
  const standing = statusOn(termsOfRow(row), today);
  const charges = new Map(plan.charges.map((charge) => [charge.id, charge]));
  return {
    id: row.id,
    status: standing.status,
    currency: row.currency,
    schedule: {
      billingPeriod: plan.billingPeriod,
      anchor: row.anchor,
      alignmentDay: plan.alignmentDay,
    },
    startDate: row.start_date,
    endDate: standing.endDate,
    isAutoRenew: row.is_auto_renew,
    endedOn: row.ended_on,
    billsNothingMore: row.bills_nothing_more,
    pauses: row.pauses,
    customerSuspended: isSuspending(customerStatus),
    lines: row.lines.map((line) => {
      const charge = charges.get(line.charge_id);
      assert(charge, `order line ${line.id} names a charge of another plan`);
      return {
        id: line.id,
        position: line.position,
        charge,
        quantity: line.quantity,
        unitPrice: line.unit_price,
        invoiceText: line.invoice_text,
        isActive: line.is_active,
        nextPeriodIndex: line.next_period_index,
        billed: line.billed,
      };
    }),
  };
}

function termsOfRow(row: OrderRow): OrderTerms {
  return {
    status: row.status,
    startDate: row.start_date,
    endDate: row.end_date,
    isAutoRenew: row.is_auto_renew,
    termStart: row.term_start,
    termFirstEnd: row.term_first_end,
  };
}

/** Whether billing of a customer's orders rests while the customer has this status. */
export function isSuspending(status: CustomerStatus): boolean {
  return status.startsWith('Suspended') || status.startsWith('InActive');
}

function statusOf({ status, endDate }: BillableOrder): Pick<OrderTerms, 'status' | 'endDate'> {
  return { status, endDate };
}

function groupable(row: OrderRow, order: BillableOrder, plan: Plan) {
  return {
    ...order,
    separateInvoice: row.separate_invoice,
    jobCode: row.job_code,
    dueTerms: termsOf(row.due_date_value, row.due_date_units),
    isAutoPay: row.is_auto_pay,
    orderNumber: row.order_number,
    invoiceText: row.invoice_text,
    plan,
  };
}

function planOf(plans: ReadonlyMap<number, Plan>, row: OrderRow): Plan {
  const plan = plans.get(row.plan_id);
  assert(plan, `order ${row.id} names plan ${row.plan_id}, which is not there`);
  return plan;
}

function lastOf(today: IsoDate, next: IsoDate | null): IsoDate {
  return next !== null && next > today ? next : today;
}

/** Makes a subscription order, and where asked for its first invoice, or nothing at all. */
import { firstIndex, scheduleOf } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type {
  CustomerStatus,
  IsoDate,
  OrderStatus,
  Plan,
  ServicePause,
} from '../../domain/model.ts';
import { refuseTooManyLines, refuseTooMuchDue } from '../../domain/billing/limits.ts';
import { orderLinesFor, type OrderLine } from '../../domain/orders/lines.ts';
import { breaksOfCustomer, type OrderRow } from '../../db/queries/billing/load.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import type { OrderUpdate } from '../../db/queries/orders/advance.ts';
import { insertOrder, insertOrderLines } from '../../db/queries/orders/write.ts';
import type { OrderInsert, OrderLineInsert } from '../../db/queries/orders/write.ts';
import { generateInvoices } from '../billing/generate.ts';
import { billableOn, isSuspending } from '../billing/billable.ts';
import { reschedule } from '../billing/reschedule.ts';
import { lockCustomer, type LockedCustomer } from '../context/locks.ts';
import type { OrderInput } from './input.ts';
import {
  checkProposal,
  dueUnits,
  invalid,
  planForOrder,
  requestedLine,
  startingStatus,
} from './terms.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';

export interface CreateOptions {
  /** The query's extCustomerRef, in place of the body's customer. */
  readonly extCustomerRef?: string | undefined;
  /** Bills everything due of the customer at once. */
  readonly generateInvoice: boolean;
  /** Also bills this order's next due date, even if it is in the future. */
  readonly forceInvoiceGeneration: boolean;
}

/**
 * Creates an order in the given transaction and returns its id. Throws customer.unknown (the
 * parent), and for a mistake in the body an error that names the element.
 */
export async function createOrder(
  dependencies: Dependencies,
  context: OperationContext,
  input: OrderInput,
  options: CreateOptions,
): Promise<number> {
  const { tx, time } = context;
  refuseTooManyLines(input.orderLineItems?.length ?? 0);
  const customer = await parentOf(context, input, options.extCustomerRef);
  const startDate = input.startDate ?? time.today;
  const [plan, pauses, ids] = await Promise.all([
    planForOrder(
      dependencies,
      tx,
      { contractCode: input.contractCode, contractOfferingId: input.contractOfferingId },
      { startDate, today: time.today },
    ),
    breaksOfCustomer(tx, customer.id),
    takeIds(tx, IDS_AHEAD),
  ]);
  const currency = input.currency ?? customer.currency;
  const order = orderRow(input, { customer, plan, startDate, currency, today: time.today });
  const lines = orderLinesFor(plan, (input.orderLineItems ?? []).map(requestedLine), currency);
  const bills = options.generateInvoice || options.forceInvoiceGeneration;
  if (bills) refuseIfItCannotBill(order.status, customer);
  ids.push(...(await takeIds(tx, Math.max(0, 1 + lines.length - IDS_AHEAD))));
  const [orderId = 0, ...lineIds] = ids;
  const lineRows = lineInserts(orderId, plan, startDate, lines, lineIds);
  const row = rowOf({ ...order, id: orderId }, lineRows, pauses, {
    plan,
    customerStatus: customer.status,
    today: time.today,
  });
  // Send these last and together: the counter of order numbers stays locked until commit.
  const insert = (): void => {
    insertOrder(tx, orderId, { ...order, ...datesOf(row) }, time.now);
    insertOrderLines(tx, lineRows, time.now);
    enqueue(context, [{ kind: 'order', objectId: orderId }]);
  };
  if (bills) {
    const isForced = options.forceInvoiceGeneration;
    await generateInvoices(dependencies, context, customer.id, { isForced, made: { row, insert } });
  } else {
    insert();
  }
  return orderId;
}

/**
 * Usually enough for an order and its lines: ids may have gaps, and a second request costs a round
 * trip.
 */
const IDS_AHEAD = 8;

/** The new order with its dates, as if read back; it sorts after all others by number. */
function rowOf(
  order: OrderTermsInsert & { readonly id: number },
  lines: readonly OrderLineInsert[],
  pauses: readonly ServicePause[],
  { plan, customerStatus, today }: RescheduleBasis,
): OrderRow {
  const row: OrderRow = {
    ...order,
    order_number: Number.MAX_SAFE_INTEGER,
    separate_invoice: order.separate_invoice as OrderRow['separate_invoice'],
    ended_on: null,
    bills_nothing_more: false,
    next_billable_date: null,
    bill_on: null,
    transition_on: null,
    version: 1,
    lines: lines.map((line) => ({ ...line, billed: [] })),
    pauses: [...pauses],
  };
  refuseTooMuchDue(billableOn(row, plan, customerStatus, today), today);
  return { ...row, ...reschedule(row, plan, customerStatus, today) };
}

function datesOf(row: OrderRow): OrderDates {
  const { status, end_date, next_billable_date, bill_on, transition_on } = row;
  return { status, end_date, next_billable_date, bill_on, transition_on };
}

interface RescheduleBasis {
  readonly plan: Plan;
  readonly customerStatus: CustomerStatus;
  readonly today: IsoDate;
}

type OrderDates = Omit<OrderUpdate, 'id'>;
/** Its dates of action come from its lines. */
type OrderTermsInsert = Omit<OrderInsert, 'next_billable_date' | 'bill_on' | 'transition_on'>;

/** Throws where generateInvoice has nothing that it may bill. */
export function refuseIfItCannotBill(
  status: OrderStatus,
  customer: Pick<LockedCustomer, 'status'>,
): void {
  if (status === 'Draft' || status === 'Suspended') {
    throw new DomainError('order.notBillable', `a ${status} order is not billed`);
  }
  if (isSuspending(customer.status)) {
    throw new DomainError('order.notBillable', `a customer in ${customer.status} is not billed`);
  }
}

async function parentOf(
  { tx }: OperationContext,
  input: OrderInput,
  extCustomerRef: string | undefined,
): Promise<LockedCustomer> {
  const { customerId } = input;
  if (extCustomerRef === undefined && !customerId) {
    throw new DomainError(
      'field.required',
      'customer, or extCustomerRef in the query, is missing',
      {
        path: 'subscriptionOrder/customer',
      },
    );
  }
  const customer = await lockCustomer(
    tx,
    extCustomerRef === undefined ? { id: customerId ?? 0 } : { extCustomerRef },
  );
  if (customerId && customerId !== customer.id) {
    const message = 'customer/@id and extCustomerRef name different ones';
    throw invalid('customer/@id', message, `${customerId}`);
  }
  if (customer.status.startsWith('InActive')) {
    throw new DomainError('customer.inactive', 'an inactive customer cannot order', {
      value: customer.status,
    });
  }
  return customer;
}

interface Basis {
  readonly customer: LockedCustomer;
  readonly plan: Plan;
  readonly startDate: IsoDate;
  readonly currency: string;
  readonly today: IsoDate;
}

function orderRow(input: OrderInput, basis: Basis): OrderTermsInsert {
  const { customer, plan, startDate, currency } = basis;
  const endDate = input.endDate ?? null;
  const dueDateValue = input.dueDateValue ?? null;
  const separateInvoice = input.separateInvoice ?? 0;
  const jobCode = input.jobCode ?? null;
  checkProposal({ startDate, endDate, currency, separateInvoice, jobCode, dueDateValue });
  return {
    status: statusOf(input.orderStatus ?? 'Active', basis),
    customer_id: customer.id,
    plan_id: plan.id,
    currency,
    start_date: startDate,
    end_date: endDate,
    term_start: startDate,
    term_first_end: endDate,
    is_auto_renew: input.isAutoRenew ?? plan.isAutoRenew ?? true,
    anchor: scheduleOf(plan, startDate).anchor,
    separate_invoice: separateInvoice,
    job_code: jobCode,
    is_auto_pay: input.isAutoPay ?? false,
    due_date_value: dueDateValue,
    due_date_units: dueUnits(dueDateValue, input.dueDateUnits),
    invoice_text: input.invoiceText ?? null,
    invoice_notes: input.invoiceNotes ?? null,
    notes: input.notes ?? null,
  };
}

function statusOf(asked: OrderStatus, { startDate, today }: Basis): OrderStatus {
  if (asked === 'Draft') return 'Draft';
  if (asked === 'Active' || asked === 'Provisioning')
    return startingStatus(asked, startDate, today);
  throw invalid('orderStatus', 'a new order is Active, Provisioning or Draft', asked);
}

/** Inserts lines of an order that has billed nothing yet. */
export function insertLines(
  context: OperationContext,
  orderId: number,
  plan: Plan,
  startDate: IsoDate,
  lines: readonly OrderLine[],
  lineIds: readonly number[],
): void {
  const rows = lineInserts(orderId, plan, startDate, lines, lineIds);
  insertOrderLines(context.tx, rows, context.time.now);
}

function lineInserts(
  orderId: number,
  plan: Plan,
  startDate: IsoDate,
  lines: readonly OrderLine[],
  lineIds: readonly number[],
): OrderLineInsert[] {
  const first = firstIndex(scheduleOf(plan, startDate), startDate);
  return lines.map((line, index) => ({
    id: lineIds[index] ?? 0,
    order_id: orderId,
    position: line.position,
    charge_id: line.charge.id,
    quantity: line.quantity,
    unit_price: line.unitPrice,
    invoice_text: line.invoiceText,
    is_active: line.isActive,
    next_period_index: line.charge.chargeType === 'OneTimeCharge' ? 0 : first,
  }));
}

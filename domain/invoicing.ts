/** Which invoices the due charges of one customer make, down to every line and sum. */
import assert from 'node:assert';
import { maxDate, minDate } from './calendar.ts';
import type {
  BillableOrder,
  BillingPeriod,
  Decimal,
  DueCharge,
  DueOrder,
  InvoiceStatus,
  IsoDate,
  Plan,
  Terms,
} from './model.ts';
import { compare, formatAmount, sum } from './money.ts';
import { dueDate, firstTerms } from './terms.ts';

/** An order as invoices show and group it. */
export interface InvoicedOrder extends BillableOrder {
  readonly orderNumber: number;
  /** 0: with others, 1: an invoice of its own, 2: with others of the same jobCode. */
  readonly separateInvoice: 0 | 1 | 2;
  readonly jobCode: string | null;
  readonly dueTerms: Terms | null;
  readonly isAutoPay: boolean;
  readonly invoiceText: string | null;
  readonly plan: Plan;
}

export interface OrderDue {
  readonly order: InvoicedOrder;
  readonly due: DueOrder;
}

export interface InvoicingInput {
  readonly customer: { readonly id: number; readonly paymentTerms: Terms | null };
  readonly tenantTerms: Terms;
  /** The invoice date. */
  readonly today: IsoDate;
  readonly orders: readonly OrderDue[];
}

/** One tier's share, or the whole, of what was due. */
export interface DraftCharge {
  readonly position: number;
  /** What it bills; shared by the tiers of one period of one order line. */
  readonly due: DueCharge;
  readonly tierId: number | null;
  readonly invoiceText: string | null;
  readonly billingStartDate: IsoDate;
  readonly billingEndDate: IsoDate;
  readonly chargeDate: IsoDate;
  readonly quantity: Decimal;
  /** Never prorated; only the amount is. */
  readonly unitPrice: Decimal;
  readonly amount: Decimal;
}

export interface DraftLine {
  readonly position: number;
  readonly order: InvoicedOrder;
  readonly invoiceText: string;
  readonly billingStartDate: IsoDate;
  readonly billingEndDate: IsoDate;
  readonly lineAmountTotal: Decimal;
  readonly charges: readonly DraftCharge[];
}

export interface DraftInvoice {
  readonly customerId: number;
  readonly currency: string;
  readonly status: Extract<InvoiceStatus, 'Paid' | 'Outstanding'>;
  readonly invoiceDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly billingStartDate: IsoDate;
  readonly billingEndDate: IsoDate;
  /** Null when the plans of its orders differ. */
  readonly billingPeriod: BillingPeriod | null;
  readonly currentAmountDue: Decimal;
  readonly lines: readonly DraftLine[];
}

/**
 * The invoices of one customer, in a fixed order whatever the order of the input. Orders that owe
 * nothing are left out, and so is an invoice of nothing but one-time charges of zero: its charges
 * count as billed all the same.
 *
 * @example // two due orders in USD with separateInvoice 0, one with 1
 *   draftInvoices(input) // one invoice of two lines, one invoice of one line
 */
export function draftInvoices(input: InvoicingInput): readonly DraftInvoice[] {
  const groups = new Map<string, OrderDue[]>();
  const due = input.orders.filter(({ due: { charges } }) => charges.length > 0);
  for (const orderDue of due.toSorted((a, b) => a.order.orderNumber - b.order.orderNumber)) {
    const key = groupOf(orderDue.order);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [orderDue]);
    else group.push(orderDue);
  }
  return [...groups.values()].map((group) => draftInvoice(group, input)).filter(isWorthSending);
}

function groupOf({ currency, separateInvoice, jobCode, id }: InvoicedOrder): string {
  if (separateInvoice === 1) return `${currency} order ${id}`;
  return separateInvoice === 2 ? `${currency} job ${jobCode}` : currency;
}

function draftInvoice(group: readonly OrderDue[], input: InvoicingInput): DraftInvoice {
  const { customer, today } = input;
  const [first] = group;
  assert(first !== undefined, 'a group has an order');
  const { currency, plan } = first.order;
  const lines = group.map((orderDue, index) => draftLine(orderDue, index + 1, today));
  const total = formatAmount(currency, sum(lines.map((line) => line.lineAmountTotal)));
  return {
    customerId: customer.id,
    currency,
    status: compare(total, '0') > 0 ? 'Outstanding' : 'Paid',
    invoiceDate: today,
    dueDate: group.map(({ order }) => dueDateOf(order, input)).reduce(minDate),
    ...daysSpanned(lines),
    billingPeriod: group.every(({ order }) => isSamePlan(order.plan, plan))
      ? plan.billingPeriod
      : null,
    currentAmountDue: total,
    lines,
  };
}

/** Another version of a plan is the same plan, unless it bills by other periods. */
function isSamePlan(left: Plan, right: Plan): boolean {
  return left.contractCode === right.contractCode && left.billingPeriod === right.billingPeriod;
}

function dueDateOf(order: InvoicedOrder, input: InvoicingInput): IsoDate {
  const terms = firstTerms(order.dueTerms, order.plan.dueTerms, input.customer.paymentTerms);
  return dueDate(input.today, terms ?? input.tenantTerms);
}

function draftLine({ order, due }: OrderDue, position: number, chargeDate: IsoDate): DraftLine {
  const charges: DraftCharge[] = [];
  for (const charge of due.charges.toSorted(inInvoiceOrder)) {
    for (const { tierId, quantity, unitPrice, amount } of charge.parts) {
      charges.push({
        position: charges.length + 1,
        due: charge,
        tierId,
        invoiceText: charge.line.invoiceText ?? charge.line.charge.invoiceText,
        billingStartDate: charge.from,
        billingEndDate: charge.to,
        chargeDate,
        quantity,
        unitPrice,
        amount,
      });
    }
  }
  return {
    position,
    order,
    invoiceText: order.invoiceText ?? order.plan.invoiceText ?? order.plan.name,
    ...daysSpanned(charges),
    lineAmountTotal: formatAmount(order.currency, sum(charges.map(({ amount }) => amount))),
    charges,
  };
}

/** By the order's lines; those of one line come in the order of time, and stay so. */
function inInvoiceOrder(left: DueCharge, right: DueCharge): number {
  return left.line.position - right.line.position || left.line.id - right.line.id;
}

interface BillingDays {
  readonly billingStartDate: IsoDate;
  readonly billingEndDate: IsoDate;
}

function daysSpanned(parts: readonly BillingDays[]): BillingDays {
  return {
    billingStartDate: parts.map((part) => part.billingStartDate).reduce(minDate),
    billingEndDate: parts.map((part) => part.billingEndDate).reduce(maxDate),
  };
}

function isWorthSending({ lines }: DraftInvoice): boolean {
  return lines.some(({ charges }) =>
    charges.some(
      ({ amount, due }) =>
        due.line.charge.chargeType !== 'OneTimeCharge' || compare(amount, '0') !== 0,
    ),
  );
}

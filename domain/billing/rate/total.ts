/** The rating stage that totals an invoice: its lines, their days, its sum, its due date. */
import assert from 'node:assert';
import { maxDate, minDate, type IsoDate, type BillingPeriod } from '../../calendar/calendar.ts';
import type { Plan } from '../../plans/plan.ts';
import { formatAmount, sum, type Decimal } from '../../money/money.ts';
import { dueDate, firstTerms, type Terms } from '../../calendar/terms.ts';
import type { InvoicedOrder } from './group.ts';
import type { InvoiceCharge } from '../charges.ts';
import { shownCharge, type ShownCharge } from '../shown.ts';
import type { AskedTaxes, PricedOrder, TaxedInvoice } from './tax.ts';

export interface TotalInput {
  readonly customer: {
    readonly id: number;
    readonly paymentTerms: Terms | null;
    readonly purchaseOrder: string | null;
  };
  readonly tenantTerms: Terms;
  /** The invoice date. */
  readonly today: IsoDate;
}

export interface DraftCharge extends ShownCharge {
  readonly position: number;
  /** What it refers to. */
  readonly charge: InvoiceCharge;
  readonly chargeDate: IsoDate;
}

/** The order of a line, as invoices name it. */
export interface LineOrder {
  readonly id: number;
  /** Null for an order that is not stored yet. */
  readonly orderNumber: number | null;
  readonly contractCode: string;
}

export interface DraftLine {
  readonly position: number;
  /** Null for a line made by hand that names none. */
  readonly order: LineOrder | null;
  readonly invoiceText: string | null;
  /** Null for a line made by hand, which bills no days. */
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
  readonly lineAmountTotal: Decimal;
  /** That of its order, or else its customer's. */
  readonly purchaseOrder: string | null;
  readonly charges: readonly DraftCharge[];
}

/** An invoice before it is stored, made from orders or by hand: without ids, numbers and balances. */
export interface DraftInvoice {
  readonly customerId: number;
  readonly currency: string;
  readonly invoiceDate: IsoDate;
  readonly dueDate: IsoDate;
  /** Null for an invoice made by hand, which bills no days. */
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
  /** Null if the plans of its orders differ, and for an invoice made by hand. */
  readonly billingPeriod: BillingPeriod | null;
  readonly isAutoPay: boolean;
  /** The invoice of which it gives back, if it is a credit note. */
  readonly creditNoteOf?: number;
  /** The refund of what was paid on that. */
  readonly refundId?: number | null;
  readonly currentAmountDue: Decimal;
  readonly lines: readonly DraftLine[];
  /** What a tax provider is asked about it; null if none taxes it. */
  readonly asked: AskedTaxes | null;
}

/**
 * The invoice of some orders of one customer. Sums are sums of rounded amounts.
 *
 * @example // a fee of 31.00 for January, an installation of 49.00
 *   total({ orders: [gold], asked: null }, input)
 *   // { currentAmountDue: '80.00', billingEndDate: '2027-01-31', ... }
 */
export function total({ orders, asked }: TaxedInvoice, input: TotalInput): DraftInvoice {
  const { customer, today } = input;
  const [first] = orders;
  assert(first !== undefined, 'an invoice has an order');
  const { currency, plan } = first.order;
  const lines = orders.map((priced, index) => draftLine(priced, index + 1, input));
  return {
    customerId: customer.id,
    currency,
    currentAmountDue: sumOf(lines, currency),
    invoiceDate: today,
    dueDate: orders.map(({ order }) => dueDateOf(order, input)).reduce(minDate),
    ...daysSpanned(lines),
    billingPeriod: orders.every(({ order }) => isSamePlan(order.plan, plan))
      ? plan.billingPeriod
      : null,
    isAutoPay: orders.some(({ order }) => order.isAutoPay),
    lines,
    asked,
  };
}

/** What some lines come to. */
export function sumOf(lines: readonly DraftLine[], currency: string): Decimal {
  return formatAmount(currency, sum(lines.map((line) => line.lineAmountTotal)));
}

/** Versions of a plan with the same billing period count as the same plan. */
function isSamePlan(left: Plan, right: Plan): boolean {
  return left.contractCode === right.contractCode && left.billingPeriod === right.billingPeriod;
}

function dueDateOf(order: InvoicedOrder, input: TotalInput): IsoDate {
  const terms = firstTerms(order.dueTerms, order.plan.dueTerms, input.customer.paymentTerms);
  return dueDate(input.today, terms ?? input.tenantTerms);
}

function draftLine(
  { order, charges: priced }: PricedOrder,
  position: number,
  { customer, today }: TotalInput,
): DraftLine {
  const charges = priced.map((charge, index) => draftCharge(charge, index + 1, today));
  const { id, orderNumber, plan } = order;
  return {
    position,
    order: { id, orderNumber, contractCode: plan.contractCode },
    invoiceText: order.invoiceText ?? order.plan.invoiceText ?? order.plan.name,
    ...daysSpanned(charges),
    lineAmountTotal: formatAmount(order.currency, sum(summed(priced))),
    purchaseOrder: order.purchaseOrder ?? customer.purchaseOrder,
    charges,
  };
}

/** A charge at its position on its line. @example draftCharge(fee, 1, '2027-02-01') */
export function draftCharge(
  charge: InvoiceCharge,
  position: number,
  chargeDate: IsoDate,
): DraftCharge {
  return { ...shownCharge(charge), position, charge, chargeDate };
}

/** A subtotal repeats other amounts. */
function summed(charges: readonly InvoiceCharge[]): readonly Decimal[] {
  return charges.filter(({ kind }) => kind !== 'usageSubTotal').map(({ amount }) => amount);
}

interface BillingDays {
  readonly billingStartDate: IsoDate;
  readonly billingEndDate: IsoDate;
}

type BilledPart = { readonly [Day in keyof BillingDays]: IsoDate | null };

/** Every line has a charge of some days: taxes by rate, which have none, are of others. */
function daysSpanned(parts: readonly BilledPart[]): BillingDays {
  const starts = parts.map((part) => part.billingStartDate).filter((day) => day !== null);
  const ends = parts.map((part) => part.billingEndDate).filter((day) => day !== null);
  return { billingStartDate: starts.reduce(minDate), billingEndDate: ends.reduce(maxDate) };
}

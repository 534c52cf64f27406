/** The caller's input for an invoice that is made by hand, and the charges that it makes. */
import { DomainError } from '../errors.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { Metadata } from '../text/metadata.ts';
import {
  compare,
  exactAmount,
  fitsBooks,
  formatAmount,
  isCurrency,
  minorDigits,
  roundedAmount,
  sum,
  type Decimal,
} from '../money/money.ts';
import { dueDate, type Terms } from '../calendar/terms.ts';
import { RATED_CHARGES_MAX } from '../billing/due/limits.ts';
import {
  draftCharge,
  sumOf,
  type DraftInvoice,
  type DraftLine,
  type LineOrder,
} from '../billing/rate/total.ts';

export interface ManualChargeInput {
  readonly priceCode?: string | null | undefined;
  readonly position?: number | null | undefined;
  readonly invoiceText?: string | null | undefined;
  readonly isPercent?: boolean | null | undefined;
  readonly unitPrice?: Decimal | null | undefined;
  readonly quantity?: Decimal | null | undefined;
  readonly amount?: Decimal | null | undefined;
  /** By which it is taxed; an empty element is none. */
  readonly taxCodes?: readonly string[] | null | undefined;
}

export interface ManualLineInput {
  /** An order number of the customer. */
  readonly enterpriseSubscription?: string | null | undefined;
  readonly invoiceText?: string | null | undefined;
  readonly purchaseOrder?: string | null | undefined;
  readonly invoiceLineItemCharges?: readonly ManualChargeInput[] | null | undefined;
}

export interface ManualInvoiceInput {
  readonly dueDate?: IsoDate | null | undefined;
  readonly currency?: string | null | undefined;
  readonly isAutoPay?: boolean | null | undefined;
  readonly notes?: string | null | undefined;
  readonly metadata?: Metadata | null | undefined;
  readonly purchaseOrder?: string | null | undefined;
  readonly invoiceLineItems?: readonly ManualLineInput[] | null | undefined;
}

export interface MadeFor {
  readonly customerId: number;
  readonly currency: string;
  /** The invoice date. */
  readonly today: IsoDate;
  /** They give the due date if the input gives none. */
  readonly terms: Terms;
  /** The customer's. */
  readonly purchaseOrder: string | null;
  /** The orders that the lines name, in the order of the lines. */
  readonly orders: readonly (NamedOrder | null)[];
  /** By which a charge of a line of that order is taxed; none if the invoice is not. */
  readonly taxCodesOf: (charge: ManualChargeInput, order: NamedOrder | null) => readonly string[];
}

/** An order of the customer that a line names. */
export interface NamedOrder extends LineOrder {
  readonly planId: number;
  readonly purchaseOrder: string | null;
  readonly metadata: Metadata | null;
}

/**
 * The invoice of a caller's input. Throws field.required or field.invalid, whose path is within the
 * invoice.
 *
 * @example draftByHand(input, made).currentAmountDue // '90.00'
 */
export function draftByHand(input: ManualInvoiceInput, made: MadeFor): DraftInvoice {
  const { customerId, currency, today, terms } = made;
  const due = input.dueDate ?? dueDate(today, terms);
  refuseDueBeforeInvoice(due, today);
  const lines = (input.invoiceLineItems ?? []).map((item, index) => ({
    ...draftLine(item, index, made),
    purchaseOrder: purchaseOrderOf(item, input, made.orders[index] ?? null) ?? made.purchaseOrder,
  }));
  return {
    customerId,
    currency,
    currentAmountDue: sumOf(lines, currency),
    invoiceDate: today,
    dueDate: due,
    ...noDays,
    billingPeriod: null,
    isAutoPay: input.isAutoPay ?? false,
    lines,
    asked: null,
  };
}

/** What the body says, or else the order that the line names. */
function purchaseOrderOf(
  item: ManualLineInput,
  input: ManualInvoiceInput,
  order: NamedOrder | null,
): string | null {
  return item.purchaseOrder ?? input.purchaseOrder ?? order?.purchaseOrder ?? null;
}

const noDays = { billingStartDate: null, billingEndDate: null } as const;

function draftLine(
  item: ManualLineInput,
  index: number,
  { currency, today, orders, taxCodesOf }: MadeFor,
): Omit<DraftLine, 'purchaseOrder'> {
  const charges = pricedLine(item, index, currency);
  const order = orders[index] ?? null;
  const codes = (item.invoiceLineItemCharges ?? []).map((charge) => taxCodesOf(charge, order));
  const total = sum(charges.map(({ amount }) => amount));
  const position = index + 1;
  assertFits(total, `invoiceLineItems/invoiceLineItem[${position}]`);
  return {
    position,
    order,
    invoiceText: item.invoiceText ?? null,
    ...noDays,
    lineAmountTotal: formatAmount(currency, total),
    charges: charges.map(({ position: at, ...charge }, place) =>
      draftCharge({ kind: 'manual', ...charge, taxCodes: codes[place] ?? [] }, at, today),
    ),
  };
}

/** Refuses more than one transaction bills, before anything else is looked at. */
export function refuseTooManyCharges({ invoiceLineItems }: ManualInvoiceInput): void {
  const items = invoiceLineItems ?? [];
  const charges = items.reduce(
    (count, { invoiceLineItemCharges: each }) => count + (each?.length ?? 0),
    0,
  );
  const count = Math.max(items.length, charges);
  if (count <= RATED_CHARGES_MAX) return;
  const message = `an invoice has at most ${RATED_CHARGES_MAX} line items, and as many charges`;
  throw invalid('invoiceLineItems', message, String(count));
}

/** Refuses an unknown currency, and an invoice without content. */
export function refuseNoContent(input: ManualInvoiceInput, currency: string): void {
  if (!isCurrency(currency)) {
    throw invalid('currency/@id', 'currency/@id is not an ISO 4217 code', currency);
  }
  if ((input.invoiceLineItems ?? []).length > 0) return;
  throw new DomainError('field.required', 'an invoice has at least one invoiceLineItem', {
    path: 'invoice/invoiceLineItems',
  });
}

/**
 * Refuses a dueDate before the invoice's own date: such an invoice would be overdue, and would age its
 * customer, from the day on which it is made.
 */
function refuseDueBeforeInvoice(dueDate: IsoDate, invoiceDate: IsoDate): void {
  if (dueDate >= invoiceDate) return;
  throw invalid('dueDate', `dueDate is before the invoice date, ${invoiceDate}`, dueDate);
}

/** The amount of one charge of a line, and its input; empty elements are null. */
export interface ManualCharge {
  readonly position: number;
  readonly priceCode: string | null;
  readonly invoiceText: string | null;
  readonly isPercent: boolean;
  readonly unitPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
}

/**
 * The charges of a line in the minor units of a currency; line 0 is the first. Throws field.required
 * or field.invalid for an amount that is missing, or differs from unitPrice times quantity.
 *
 * @example pricedLine({ invoiceLineItemCharges: [{ unitPrice: '2.50', quantity: '4' }] }, 0, 'USD')
 *   // one charge with the amount 10.00
 */
export function pricedLine(
  item: ManualLineInput,
  line: number,
  currency: string,
): readonly ManualCharge[] {
  const sent = item.invoiceLineItemCharges ?? [];
  const at = (index: number) =>
    `invoiceLineItems/invoiceLineItem[${line + 1}]/invoiceLineItemCharges/` +
    `invoiceLineItemCharge[${index + 1}]`;
  const amounts = sent.map((charge, index) =>
    charge.isPercent ? null : plainAmount(charge, at(index), currency),
  );
  // A percentage is of the line's other charges, not of other percentages.
  const base = sum(amounts.filter((amount) => amount !== null));
  return sent.map((charge, index) => {
    const amount = amounts[index] ?? percentAmount(charge, base, at(index), currency);
    return {
      position: charge.position ?? index + 1,
      priceCode: charge.priceCode ?? null,
      invoiceText: charge.invoiceText ?? null,
      isPercent: charge.isPercent ?? false,
      unitPrice: charge.unitPrice ?? null,
      quantity: charge.quantity ?? (charge.unitPrice == null ? null : '1'),
      amount,
    };
  });
}

function plainAmount(charge: ManualChargeInput, path: string, currency: string): Decimal {
  const { unitPrice, amount } = charge;
  if (unitPrice == null) {
    if (amount == null) throw required(`${path}/amount`, 'amount, or unitPrice with quantity');
    return inMinorUnits(amount, `${path}/amount`, currency);
  }
  const price = unitPrice;
  const quantity = charge.quantity ?? '1';
  const worth = roundedAmount({ price, quantity, numerator: 1, denominator: 1, currency });
  return agreed(amount ?? null, worth, path);
}

function percentAmount(
  charge: ManualChargeInput,
  base: Decimal,
  path: string,
  currency: string,
): Decimal {
  const { unitPrice: percent } = charge;
  if (percent == null) throw required(`${path}/unitPrice`, 'the percentage');
  const share = { price: percent, quantity: base, numerator: 1, denominator: 100, currency };
  return agreed(charge.amount ?? null, roundedAmount(share), path);
}

/** Refuses a sum that is larger than the books can hold; the path is within the invoice. */
export function assertFits(amount: Decimal, path: string): void {
  if (fitsBooks(amount)) return;
  throw invalid(path, `comes to ${amount}, which is more than the books can hold`, amount);
}

function agreed(amount: Decimal | null, worth: Decimal, path: string): Decimal {
  assertFits(worth, `${path}/unitPrice`);
  if (amount !== null && compare(amount, worth) !== 0) {
    throw invalid(`${path}/amount`, `amount differs from the computed ${worth}`, amount);
  }
  return worth;
}

function inMinorUnits(amount: Decimal, path: string, currency: string): Decimal {
  const exact = exactAmount(currency, amount);
  if (exact !== null) return exact;
  const digits = minorDigits(currency);
  throw invalid(path, `an amount in ${currency} has at most ${digits} decimals`, amount);
}

function required(path: string, what: string): DomainError {
  return new DomainError('field.required', `${what} is missing`, { path: `invoice/${path}` });
}

/** The path is within the invoice. */
export function invalid(path: string, message: string, value: string): DomainError {
  return new DomainError('field.invalid', message, { path: `invoice/${path}`, value });
}

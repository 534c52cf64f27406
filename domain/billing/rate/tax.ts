/** The rating stage that taxes the charges of an invoice, after all other amounts are known. */
import assert from 'node:assert';
import type { IsoDate } from '../../calendar/calendar.ts';
import { sum } from '../../money/money.ts';
import type { CreditLine, TaxDocument } from '../../tax/documents.ts';
import { chargedRate, type TaxRate } from '../../tax/rates.ts';
import {
  givesBack,
  isPriced,
  taxCodesOf,
  type InvoiceCharge,
  type RatedCharge,
  type RateTaxCharge,
} from '../charges.ts';
import type { InvoicedOrder, RatedOrder } from './group.ts';
import type { ChargeKind } from '../kinds.ts';
import { percentOf, withPercentages } from './percent.ts';

/** The part of one order in an invoice, with all amounts. */
export interface PricedOrder {
  readonly order: InvoicedOrder;
  /** At least one, in the order of the invoice. */
  readonly charges: readonly InvoiceCharge[];
}

/** What a tax provider is asked about an invoice, and what it is told besides once it is made. */
export interface AskedTaxes {
  /** Without lines if there is nothing to ask. */
  readonly document: TaxDocument;
  readonly credits: readonly CreditLine[];
  /** Without an answer the invoice lacks its taxes, and must not be made. */
  readonly isAnswered: boolean;
}

export interface TaxedInvoice {
  readonly orders: readonly PricedOrder[];
  /** Null if no provider taxes it. */
  readonly asked: AskedTaxes | null;
}

/** Taxes the lines of one invoice, each by its charges, after all other amounts are known. */
export type Taxing = (lines: readonly (readonly RatedCharge[])[], currency: string) => TaxedLines;

export interface TaxedLines {
  /** The charges of each line, its taxes last. */
  readonly lines: readonly (readonly InvoiceCharge[])[];
  /** Null if no provider taxes the invoice. */
  readonly asked: AskedTaxes | null;
}

/** For invoices of one of the customers that were read, on a day from the one on that was read. */
export type TaxingOf = (customerId: number, invoiceDate: IsoDate) => Taxing;

/**
 * The orders of one invoice with their taxes, each order one line.
 *
 * @example taxedOrders([{ order, charges: [fee] }], byRates([newYork])).orders
 */
export function taxedOrders(invoice: readonly RatedOrder[], taxing: Taxing): TaxedInvoice {
  const [first] = invoice;
  assert(first !== undefined, 'an invoice has an order');
  const { lines, asked } = taxing(
    invoice.map(({ charges }) => charges),
    first.order.currency,
  );
  return {
    orders: invoice.map(({ order }, index) => ({ order, charges: lines[index] ?? [] })),
    asked,
  };
}

/**
 * By the tenant's table.
 *
 * @param rates those that hold for the customer's address
 * @example byRates([newYork])([[fee]], 'USD').lines
 */
export function byRates(rates: readonly TaxRate[]): Taxing {
  return (lines, currency) => ({
    lines: lines.map((charges) => tax(charges, currency, rates)),
    asked: null,
  });
}

/**
 * An isTax percentage applies to all charges that are not taxes, including percentages. Each rate
 * then makes one charge, of the sum of the charges with its code and of their discounts; no rate is
 * taken of another tax.
 *
 * @param rates those that hold for the customer's address
 * @example // 40.00, a discount of -4.00, rates of 5 and 9.975 percent
 *   tax(charges, 'CAD', rates) // 40.00, -4.00, 1.80, 3.59
 */
export function tax(
  charges: readonly RatedCharge[],
  currency: string,
  rates: readonly TaxRate[],
): readonly InvoiceCharge[] {
  const priced = withPlanTaxes(charges, currency);
  if (rates.length === 0) return priced;
  const taxed = priced.filter((charge) => isTaxed(charge.kind) && !givesBack(charge));
  return [...priced, ...rates.flatMap((rate) => taxOf(taxed, rate, currency))];
}

/** The charges with the amounts of the plan's isTax ones. @example withPlanTaxes(charges, 'USD') */
export function withPlanTaxes(
  charges: readonly RatedCharge[],
  currency: string,
): readonly InvoiceCharge[] {
  const priced = withPercentages(charges, 'tax', currency);
  assert(priced.every(isPriced), 'after the last pricing stage every charge has its amount');
  return priced;
}

function taxOf(
  charges: readonly InvoiceCharge[],
  rate: TaxRate,
  currency: string,
): readonly RateTaxCharge[] {
  const base = charges.filter((charge) => taxCodesOf(charge).includes(rate.taxCode));
  if (base.length === 0) return [];
  const amount = percentOf(rate.percent, sum(base.map((charge) => charge.amount)), currency);
  return [{ kind: 'tax', rate: chargedRate(rate), base, amount }];
}

/** Whether rates apply to charges of a kind. @example isTaxed('credit') // false */
export function isTaxed(kind: ChargeKind): boolean {
  switch (kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
    case 'usage':
    case 'discount':
    case 'manual':
      return true;
    case 'usageSubTotal':
    case 'credit':
    case 'tax':
      return false;
  }
}

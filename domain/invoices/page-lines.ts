/** The lines of an invoice's document: headings, charges with their tiers, subtotals. */
import { compare, type Decimal } from '../money/money.ts';
import type { Formats } from './formats.ts';
import type { TaxBase } from './page-taxes.ts';
import { agreedOrder, type ChargePreview, type LinePreview } from './preview.ts';
import type { InvoiceWords } from '../text/messages.ts';
import { fill } from '../text/fill.ts';

export interface SourceTier {
  readonly unitsFrom: Decimal;
  readonly unitsTo: Decimal | null;
}

export interface SourceCharge extends Omit<ChargePreview, 'accountingCode' | 'chargeDate'> {
  readonly id: number;
}

export interface SourceLine extends Omit<
  LinePreview,
  'position' | 'subscriptionOrderId' | 'charges'
> {
  readonly charges: readonly SourceCharge[];
}

export interface PageCharge {
  readonly description: string;
  /** The tier that priced it, the base of a percentage, or the percentage of a discount. */
  readonly detail: string | null;
  readonly period: string | null;
  readonly quantity: string | null;
  readonly unitPrice: string | null;
  readonly amount: string;
  /** A further tier of the charge before, or what its line says: it does not repeat the description. */
  readonly isContinued: boolean;
  /** Repeats the sum of the tiers above it, and is not added to sums. */
  readonly isSubtotal: boolean;
}

export interface PageLine {
  readonly title: string;
  /**
   * The order and plan, if the title does not contain them, and the purchase order, if the lines of
   * the invoice do not agree on one.
   */
  readonly reference: string | null;
  readonly period: string | null;
  readonly charges: readonly PageCharge[];
  /** Null if the line has a single charge. */
  readonly subtotal: string | null;
}

export interface LineWording {
  readonly words: InvoiceWords;
  readonly formats: Formats;
  readonly tiers: ReadonlyMap<number, SourceTier>;
  /** The ids of the charges that are discounts. */
  readonly discounts: ReadonlySet<number>;
  /** What the taxes by rate were taken of, by the ids of their charges. */
  readonly bases: ReadonlyMap<number, TaxBase>;
}

/**
 * The lines of the document in their order.
 *
 * @example invoiceLines([line], wording)[0]?.subtotal // '$78.95'
 */
export function invoiceLines(lines: readonly SourceLine[], wording: LineWording): PageLine[] {
  const isAgreed = agreedOrder(lines) !== null;
  return lines.map((line) => pageLine(isAgreed ? { ...line, purchaseOrder: null } : line, wording));
}

function pageLine(line: SourceLine, wording: LineWording): PageLine {
  const { words, formats } = wording;
  const order = line.orderNumber === null ? null : `${words.order} ${line.orderNumber}`;
  const plan = listed([order, line.contractCode]);
  const title = line.invoiceText ?? plan ?? words.charges;
  const own = line.purchaseOrder === null ? null : `${words.purchaseOrder} ${line.purchaseOrder}`;
  const [only] = line.charges;
  const isSaidByCharge =
    line.charges.length === 1 &&
    only !== undefined &&
    compare(only.amount, line.lineAmountTotal) === 0;
  return {
    title,
    reference: listed([plan === title ? null : plan, own]),
    period: periodOf(line, formats),
    charges: line.charges.map((charge, index) => {
      const shown = pageCharge(charge, line.charges[index - 1], wording);
      return isSaidByCharge && shown.description === title
        ? { ...shown, isContinued: true }
        : shown;
    }),
    subtotal: isSaidByCharge ? null : formats.amount(line.lineAmountTotal),
  };
}

/** Null if there is nothing to list. */
function listed(parts: readonly (string | null)[]): string | null {
  const given = parts.filter((part) => part !== null);
  return given.length === 0 ? null : given.join(' · ');
}

function pageCharge(
  charge: SourceCharge,
  before: SourceCharge | undefined,
  wording: LineWording,
): PageCharge {
  const { words, formats } = wording;
  const { quantity, unitPrice, unitOfMeasure, isPercent } = charge;
  const units = quantity === null ? null : formats.number(quantity);
  return {
    description: descriptionOf(charge, wording),
    detail: charge.isUsageChargeSubTotal ? words.subtotal : detailOf(charge, wording),
    period: periodOf(charge, formats),
    quantity: units === null || unitOfMeasure === null ? units : `${units} ${unitOfMeasure}`,
    unitPrice: unitPrice === null || isPercent ? null : formats.price(unitPrice),
    amount: formats.amount(charge.amount),
    isContinued: before !== undefined && isSameCharge(charge, before),
    isSubtotal: charge.isUsageChargeSubTotal,
  };
}

function descriptionOf(charge: SourceCharge, { words, discounts }: LineWording): string {
  const text = charge.invoiceText ?? charge.priceCode ?? words.charges;
  return discounts.has(charge.id) ? fill(words.discount, { code: text }) : text;
}

function detailOf(charge: SourceCharge, wording: LineWording): string | null {
  const { words, formats, tiers, discounts, bases } = wording;
  const tax = bases.get(charge.id);
  if (tax !== undefined) {
    const percent = formats.percent(tax.percent);
    return fill(words.percentOfBase, { percent, base: formats.amount(tax.base) });
  }
  if (charge.isPercent) {
    if (charge.unitPrice === null) return null;
    const pattern = discounts.has(charge.id) ? words.percentOff : words.percentOf;
    return fill(pattern, { percent: formats.percent(charge.unitPrice) });
  }
  const tier = charge.pricingTierId === null ? undefined : tiers.get(charge.pricingTierId);
  if (tier === undefined) return null;
  const isFirst = compare(tier.unitsFrom, '0') === 0;
  const from = formats.number(tier.unitsFrom);
  // An open tier from 0 is a fixed price, so it is not shown as a tier.
  if (tier.unitsTo === null) return isFirst ? null : fill(words.tierAbove, { from });
  const to = formats.number(tier.unitsTo);
  return isFirst ? fill(words.tierUpTo, { to }) : fill(words.tierBetween, { from, to });
}

/** The same charge of the same order and period, in another tier. */
function isSameCharge(charge: SourceCharge, before: SourceCharge): boolean {
  return (
    charge.contractChargeId !== null &&
    charge.contractChargeId === before.contractChargeId &&
    charge.orderLineItemId === before.orderLineItemId &&
    charge.billingStartDate === before.billingStartDate &&
    charge.billingEndDate === before.billingEndDate &&
    charge.invoiceText === before.invoiceText &&
    (charge.pricingTierId !== before.pricingTierId || charge.isUsageChargeSubTotal)
  );
}

function periodOf(
  dates: Pick<SourceCharge, 'billingStartDate' | 'billingEndDate'>,
  formats: Formats,
): string | null {
  const { billingStartDate: from, billingEndDate: to } = dates;
  return from === null || to === null ? null : formats.period(from, to);
}

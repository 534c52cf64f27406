/** What depends on billed charges of which less is to stand: percentages, discounts and taxes. */
import type { IsoDate } from '../../calendar/calendar.ts';
import {
  type Decimal,
  add,
  compare,
  formatAmount,
  negate,
  shareOf,
  sum,
} from '../../money/money.ts';
import type { CreditCharge } from '../charges.ts';
import { type ChargeKind, isDiscounted } from '../kinds.ts';
import type { StandingDays } from '../rate/pricing.ts';
import { isInBase, percentOf } from '../rate/percent.ts';
import type { Days } from '../due/served-days.ts';
import {
  type Standing as StandingOf,
  inProportion,
  reduce,
  stoodOf,
  sumStanding,
  within,
} from './standing.ts';

/** A stored charge of an invoice. */
export interface InvoicedCharge {
  readonly id: number;
  readonly position: number;
  readonly kind: ChargeKind;
  readonly isPercent: boolean;
  readonly isRecurring: boolean;
  /** It is priced by days, so unused ones are credited. */
  readonly isProrated: boolean;
  /** Of a discount. */
  readonly couponId: number | null;
  readonly priceCode: string | null;
  readonly accountingCode: string | null;
  readonly invoiceText: string | null;
  /** @see taxCodeOf */
  readonly taxCode: string | null;
  readonly orderLineId: number | null;
  /** The usage window that it bills or discounts; null if it is of none. */
  readonly windowId: number | null;
  /** What was given back of it before, with its sign. */
  readonly credited: Decimal;
  /** What of that credit notes gave back. */
  readonly noted: Decimal;
  /** Of a percentage: the positions of its base. Null also for one of before they were stored. */
  readonly basePositions: readonly number[] | null;
  readonly unitPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
  /** The billed period that it bills or discounts; null if it is of no days. */
  readonly billed: (Days & { readonly periodId: number; readonly periodIndex: number }) | null;
  /** Of a part of a period: what was billed for its earlier days at this price. Null without any. */
  readonly before: StandingDays | null;
}

/** All charges of an order on one invoice, without subtotals and what gives back of others. */
export interface InvoicedLine {
  readonly invoicedOn: IsoDate;
  /** Its taxes, without those of the plan, are a provider's, whose rates need not say their amounts. */
  readonly isProvided: boolean;
  readonly charges: readonly InvoicedCharge[];
}

/** What stands of the charges of a line. */
export type Standing = StandingOf<InvoicedCharge>;

/** How the charges that depend on others follow them. */
export interface Following {
  readonly currency: string;
  /** Whether a percentage of the plan follows its base; null if nothing of it stands. */
  readonly followsBase: (percentage: InvoicedCharge) => boolean | null;
  /** What stands of a fixed discount, whose charges come to an amount below zero. */
  readonly fixedStands: (discount: InvoicedCharge, charges: Discounted) => Decimal;
}

/** What a discount was taken of. */
export interface Discounted {
  readonly billed: Decimal;
  readonly stands: Decimal;
}

/**
 * What depends on a base follows what stands of it: fixed discounts in proportion, and percentages of
 * the plan if they are to.
 *
 * @example followingBase('USD', { percentages: true }) // as corrections of usage have it
 */
export const followingBase = (
  currency: string,
  { percentages }: { readonly percentages: boolean },
): Following => ({
  currency,
  followsBase: () => percentages,
  fixedStands: ({ amount }, { billed, stands }) =>
    shareOf(amount, { part: stands, whole: billed, currency }),
});

/** What a credit names of the charge that it gives back. @example creditedOf(fee).priceCode // 'FEE' */
export function creditedOf(
  charge: InvoicedCharge,
  discount: CreditCharge['credits']['discount'] = null,
): CreditCharge['credits'] {
  const { id: chargeId, orderLineId, priceCode, accountingCode, invoiceText, taxCode } = charge;
  const named = { orderLineId, priceCode, accountingCode, invoiceText, taxCode };
  return { chargeId, ...named, discount, isTax: charge.kind === 'tax' };
}

/** What is given back of the charges of which less is to stand than before. */
export function creditsOf(
  { charges }: InvoicedLine,
  standing: Standing,
  currency: string,
): readonly { readonly charge: InvoicedCharge; readonly amount: Decimal }[] {
  return charges.flatMap((charge) => {
    const credit = add(stoodOf(charge), negate(sumStanding([charge], standing)));
    return compare(credit, '0') === 0 ? [] : [{ charge, amount: formatAmount(currency, credit) }];
  });
}

/** Reduces what depends on charges of which less is to stand: percentages, discounts, taxes. */
export function reduceDependents(line: InvoicedLine, standing: Standing, how: Following): void {
  reducePercentages(line, 'percent', standing, how);
  reduceDiscounts(line, standing, how);
  reducePercentages(line, 'tax', standing, how);
}

function reducePercentages(
  line: InvoicedLine,
  kind: 'percent' | 'tax',
  standing: Standing,
  how: Following,
): void {
  const byPosition = new Map(line.charges.map((charge) => [charge.position, charge]));
  const percentages = line.charges.filter((charge) => charge.isPercent && charge.kind === kind);
  for (const periods of Map.groupBy(percentages, (each) => each.orderLineId).values()) {
    if (periods.some(({ basePositions }) => basePositions === null)) {
      reduceTogether(periods, line, standing, how);
      continue;
    }
    for (const charge of periods) {
      const { unitPrice: percent, basePositions } = charge;
      const follows = kind === 'tax' || how.followsBase(charge);
      if (percent === null || follows === false) continue;
      if (follows === null) {
        reduce(standing, charge, '0');
        continue;
      }
      const base = (basePositions ?? []).flatMap((position) => byPosition.get(position) ?? []);
      if (!base.some((each) => standing.has(each))) continue;
      // Taxes of the plan have order lines.
      const isProvided = line.isProvided && kind === 'tax' && charge.orderLineId === null;
      const stands = isProvided
        ? inProportion(charge.amount, base, standing, how.currency)
        : percentOf(percent, sumStanding(base, standing), how.currency);
      reduce(standing, charge, stands);
    }
  }
}

function reduceDiscounts({ charges }: InvoicedLine, standing: Standing, how: Following): void {
  const discounted = charges.filter(isInDiscount);
  const byPart = Map.groupBy(discounted, partOf);
  for (const discount of charges) {
    const { kind, isPercent, unitPrice } = discount;
    const part = partOf(discount);
    if (kind !== 'discount' || part === null) continue;
    const base = byPart.get(part) ?? [];
    if (!base.some((each) => standing.has(each))) continue;
    const left = sumStanding(base, standing);
    const stands = negate(left);
    if (isPercent) {
      reduce(standing, discount, percentOf(unitPrice ?? '0', stands, how.currency));
    } else {
      const billed = sum(base.map(({ amount }) => amount));
      const own = how.fixedStands(discount, { billed, stands: left });
      // A discount is never more than its charges, of which less may stand by a cent.
      reduce(standing, discount, within(stands, own));
    }
  }
}

/** Amounts below zero reduce what is discounted of usage only. @see withDiscounts */
function isInDiscount({ kind, amount, windowId }: InvoicedCharge): boolean {
  return isDiscounted(kind) && (windowId !== null || compare(amount, '0') > 0);
}

/** The period or usage window that a charge bills or discounts. */
function partOf({ billed, windowId }: InvoicedCharge): string | null {
  if (billed !== null) return `period ${billed.periodId}`;
  return windowId === null ? null : `window ${windowId}`;
}

/**
 * Percentages of before their bases were stored, of one order line. Its periods share the line as
 * their base, so they are reduced together.
 */
function reduceTogether(
  periods: readonly InvoicedCharge[],
  { charges }: InvoicedLine,
  standing: Standing,
  how: Following,
): void {
  const [first] = periods;
  if (first === undefined) return;
  const kind = first.kind === 'tax' ? 'tax' : 'percent';
  const base = charges.filter((charge) => isInBase(kind, charge.kind));
  const left = sumStanding(base, standing);
  const goesBack = compare(sum(base.map(({ amount }) => amount)), left);
  const billed = sum(periods.map(({ amount }) => amount));
  const credit = add(billed, negate(percentOf(first.unitPrice ?? '0', left, how.currency)));
  // Rounding by period may differ by cents from rounding once.
  if (compare(credit, '0') !== goesBack) return;
  const open = kind === 'tax' ? periods : periods.filter((each) => how.followsBase(each) !== false);
  takeNewestFirst(credit, open, standing);
}

/** Takes a credit from the newest charges first, up to the amount of each. */
function takeNewestFirst(
  credit: Decimal,
  charges: readonly InvoicedCharge[],
  standing: Standing,
): void {
  let left = credit;
  // The days of one order line do not overlap.
  for (const charge of charges.toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1))) {
    const part = within(charge.amount, left);
    reduce(standing, charge, add(charge.amount, negate(part)));
    left = add(left, negate(part));
  }
}

function startOf({ billed }: InvoicedCharge): IsoDate {
  return billed?.from ?? '';
}

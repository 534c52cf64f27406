/** Computes the credit on an invoice for days that an order no longer uses. */
import {
  type IsoDate,
  type Schedule,
  daysFromTo,
  maxDate,
  periodAt,
} from '../../calendar/calendar.ts';
import type { ServicePause } from '../../standing/line.ts';
import {
  type Decimal,
  add,
  formatAmount,
  negate,
  roundedAmount,
  signOf,
} from '../../money/money.ts';
import { type Days, servedAmong, unservedDays } from '../due/served-days.ts';
import {
  type Following,
  type InvoicedCharge,
  type InvoicedLine,
  type Standing,
  creditedOf,
  creditsOf,
  reduceDependents,
} from './dependents.ts';
import { reduce, stoodOf } from './standing.ts';
import assert from 'node:assert';
import type { BillableOrder } from '../order-to-rate.ts';
import type { CreditCharge } from '../charges.ts';

export interface UnusedView {
  /** The first unused day. */
  readonly unusedFrom: IsoDate;
  /** No day of the order is used: recurring charges go back whole, prorated or not. */
  readonly isWhole?: boolean;
  readonly schedule: Schedule;
  readonly pauses: readonly ServicePause[];
  readonly currency: string;
}

/** The amount of a charge to credit. */
export interface ChargeCredit {
  readonly chargeId: number;
  /** The last unused day; null for a charge that bills no days, or none of these. */
  readonly unusedTo: IsoDate | null;
  /** With the sign of the charge: what goes back of a discount is negative. */
  readonly amount: Decimal;
}

/**
 * The credits for one invoice of an order: what was billed, less what the used days alone would
 * have cost. Suspended days count as used. A prorated percentage of unused days, a discount in
 * percent, and every tax in percent is reduced to the percentage of what stands of its base; a tax
 * of a provider in proportion to its base. A discount of a fixed amount goes by days.
 *
 * @example // 29.95 for 31 days; the 17 used days cost 16.42
 *   unusedCredits(line, view) // [{ chargeId: 4711, unusedTo: '2027-02-14', amount: '13.53' }]
 */
export function unusedCredits(line: InvoicedLine, view: UnusedView): readonly ChargeCredit[] {
  const standing: Standing = new Map();
  for (const charge of line.charges) {
    if (charge.isPercent || !hasUnusedDays(charge, view)) continue;
    const used = costOfUsedDays(charge, line.invoicedOn, view);
    if (used !== null) reduce(standing, charge, used);
  }
  reduceDependents(line, standing, followingDays(line, view));
  return creditsOf(line, standing, view.currency).map(({ charge, amount }) => {
    const { id: chargeId, billed } = charge;
    const unusedTo = billed !== null && billed.to >= view.unusedFrom ? billed.to : null;
    return { chargeId, unusedTo, amount };
  });
}

/** By the days of percentages and fixed discounts. */
function followingDays({ invoicedOn }: InvoicedLine, view: UnusedView): Following {
  const { currency } = view;
  return {
    currency,
    followsBase(percentage) {
      if (!hasUnusedDays(percentage, view)) return false;
      return view.isWhole === true ? null : true;
    },
    fixedStands(discount) {
      const { billed } = discount;
      const amount = stoodOf(discount);
      if (billed === null) return amount;
      const { used, paid } = countDays(billed, invoicedOn, view);
      const share = { numerator: used, denominator: Math.max(1, paid) };
      return roundedAmount({ price: amount, quantity: '1', currency, ...share });
    },
  };
}

function hasUnusedDays(
  { isRecurring, isProrated, billed }: InvoicedCharge,
  { unusedFrom, isWhole = false }: UnusedView,
): boolean {
  return isRecurring && (isProrated || isWhole) && billed !== null && billed.to >= unusedFrom;
}

function costOfUsedDays(
  charge: InvoicedCharge,
  invoicedOn: IsoDate,
  view: UnusedView,
): Decimal | null {
  const { billed, unitPrice: price, quantity, before } = charge;
  if (billed === null || price === null || quantity === null) return null;
  const { currency } = view;
  const { used, paid } = countDays(billed, invoicedOn, view);
  const { start, end } = periodAt(view.schedule, billed.periodIndex);
  if (used === 0) return '0';
  // Of what a credit note has left, the used days cost their part.
  if (signOf(charge.noted) !== 0) {
    const part = { numerator: used, denominator: Math.max(1, paid) };
    return roundedAmount({ price: stoodOf(charge), quantity: '1', currency, ...part });
  }
  // The earlier parts of the period stand, and with what is used of this one they cost their days.
  const share = { numerator: used + (before?.days ?? 0), denominator: daysFromTo(start, end) };
  const cost = roundedAmount({ price, quantity, currency, ...share });
  return add(cost, negate(before?.amount ?? '0'));
}

/** How many of some days were billed, and how many of these are used. */
function countDays(
  billed: Days,
  invoicedOn: IsoDate,
  { unusedFrom, pauses }: UnusedView,
): { readonly paid: number; readonly used: number } {
  // Days of an earlier pause were not billed; days of a later pause are not credited.
  const known = pauses.filter(({ resumedOn }) => resumedOn !== null && resumedOn <= invoicedOn);
  const unserved = unservedDays(known);
  const paidAmong = (days: Days): number => servedAmong(days, unserved)?.count ?? 0;
  const paid = paidAmong(billed);
  return {
    paid,
    used: paid - paidAmong({ from: maxDate(billed.from, unusedFrom), to: billed.to }),
  };
}

/* The credit that a change owes for unused days: when it is due, and its charges. */

/**
 * The day from which a change owes the credit for its unused days; null if none is due.
 *
 * @example creditDueOn(superseded) // '2027-02-01'
 */
export function creditDueOn({ creditFrom, customerSuspended }: BillableOrder): IsoDate | null {
  return customerSuspended ? null : creditFrom;
}

/**
 * The credits of some invoices of an order as charges of a later one. A tax of no days names those
 * of what it taxes.
 *
 * @example // the used 17 of 31 days of 29.95 cost 16.42
 *   creditCharges([line], view) // [{ kind: 'credit', to: '2027-02-14', amount: '-13.53', ... }]
 */
export function creditCharges(
  lines: readonly InvoicedLine[],
  view: UnusedView,
): readonly CreditCharge[] {
  return lines.flatMap((line) => {
    const byId = new Map(line.charges.map((charge) => [charge.id, charge]));
    const credits = unusedCredits(line, view);
    const last = credits.reduce((to, each) => maxDate(to, each.unusedTo ?? to), view.unusedFrom);
    return credits.map(({ chargeId, unusedTo, amount }): CreditCharge => {
      const charge = byId.get(chargeId);
      assert(charge, 'a credit is of a charge of its line');
      const { couponId, billed } = charge;
      const discount =
        couponId === null || billed === null ? null : { couponId, periodIndex: billed.periodIndex };
      return {
        kind: 'credit',
        credits: creditedOf(charge, discount),
        from: view.unusedFrom,
        to: unusedTo ?? last,
        amount: formatAmount(view.currency, negate(amount)),
      };
    });
  });
}

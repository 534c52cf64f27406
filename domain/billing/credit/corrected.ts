/** What corrections of billed usage give back: of the usage itself, and of what was taken of it. */
import { maxDate, minDate, type IsoDate } from '../../calendar/calendar.ts';
import type { Charge } from '../../plans/plan.ts';
import type { CorrectionSum } from '../../standing/line.ts';
import {
  add,
  compare,
  formatAmount,
  negate,
  shareOf,
  signOf,
  sum,
  type Decimal,
} from '../../money/money.ts';
import type { Corrected, CreditCharge, InvoiceCharge } from '../charges.ts';
import { percentOf } from '../rate/percent.ts';
import {
  creditedOf,
  creditsOf,
  followingBase,
  reduceDependents,
  type InvoicedCharge,
  type InvoicedLine,
  type Standing,
} from './dependents.ts';
import { reduce, sumStanding } from './standing.ts';

/** An invoice's line with usage windows, of which records are corrected. */
export interface CorrectedLine extends InvoicedLine {
  readonly windows: readonly CorrectedWindow[];
}

export interface CorrectedWindow {
  readonly id: number;
  readonly from: IsoDate;
  readonly to: IsoDate;
  /** What stands of the amounts that it took a percentage of; null if it took none. */
  readonly supplied: Decimal | null;
}

/** The lines that billed windows, by the window's id. */
export type CorrectedLines = ReadonlyMap<number, CorrectedLine>;

/** What the corrections of one rating give back, as far as they are taken. */
export interface OpenCorrections {
  /** Takes corrections of one window's records back from the usage charges that billed it. */
  readonly take: (sum: CorrectionSum, charge: Charge) => GivenBack;
  /** What was taken of the usage goes back with it: discounts, percentages, taxes. */
  readonly credits: () => readonly CreditCharge[];
}

export interface GivenBack {
  /** Negative. */
  readonly amount: Decimal;
  readonly corrects: readonly Corrected[];
}

/** What stands of a line, as far as its corrections are taken. */
interface OpenLine {
  readonly line: CorrectedLine;
  readonly standing: Standing;
  readonly charge: Charge;
  from: IsoDate;
  to: IsoDate;
}

/**
 * Opens the lines whose usage is corrected. What stands of a line is computed after all corrections
 * of it, so several of one record come to the whole, and none gives back what was not paid. A
 * correction of a window that is not known gives back its own amount alone.
 *
 * @example // 50 units were 25.00, with a discount of 12.50
 *   const corrections = openCorrections(lines, 'USD');
 *   corrections.take({ of: 7, quantity: '-50', amount: '-25.00', percent: null }, units)
 *   // { amount: '-25.00', corrects: [{ chargeId: 4711, amount: '25.00', supplied: '0' }] }
 *   corrections.credits() // one of 12.50
 */
export function openCorrections(
  lines: CorrectedLines | undefined,
  currency: string,
): OpenCorrections {
  const open = new Map<CorrectedLine, OpenLine>();
  const supplied = new Map<number, Decimal>();
  return {
    take({ of, percent, amount }, charge) {
      const line = lines?.get(of);
      const window = line?.windows.find(({ id }) => id === of);
      if (line === undefined || window === undefined) {
        const own = percent === null ? amount : percentOf(percent, amount, currency);
        return { amount: own, corrects: [] };
      }
      const { from, to } = window;
      const opened = open.get(line) ?? { line, standing: new Map(), charge, from, to };
      open.set(line, opened);
      opened.from = minDate(opened.from, from);
      opened.to = maxDate(opened.to, to);
      const charges = usageOf(line, of, { isPercent: percent !== null });
      // Of what a credit note has given back nothing goes back again.
      const noted = sum(charges.map((each) => each.noted));
      const billed = sum(charges.map((each) => each.amount));
      const left = (of: Decimal): Decimal =>
        signOf(noted) === 0
          ? of
          : shareOf(of, { part: add(billed, negate(noted)), whole: billed, currency });
      if (percent === null) return takenFrom(charges, opened, { back: left(negate(amount)) });
      const kept = add(supplied.get(of) ?? window.supplied ?? '0', amount);
      supplied.set(of, kept);
      // By what is to stand, so that the roundings of several come to the whole's.
      const stands = sumStanding(charges, opened.standing);
      const back = add(stands, negate(left(percentOf(percent, kept, currency))));
      return takenFrom(charges, opened, { back, supplied: amount });
    },
    credits: () => [...open.values()].flatMap((opened) => dependentCredits(opened, currency)),
  };
}

/** The charges that billed a window: by the amounts of its records, or by a percentage of them. */
function usageOf(
  { charges }: CorrectedLine,
  windowId: number,
  { isPercent }: Pick<InvoicedCharge, 'isPercent'>,
): readonly InvoicedCharge[] {
  return charges.filter(
    (charge) =>
      charge.kind === 'usage' && charge.windowId === windowId && charge.isPercent === isPercent,
  );
}

/** Takes an amount from the last charges first, of each at most what stands of it. */
function takenFrom(
  charges: readonly InvoicedCharge[],
  { standing }: OpenLine,
  { back, supplied = '0' }: { readonly back: Decimal; readonly supplied?: Decimal },
): GivenBack {
  const corrects: Corrected[] = [];
  let left = back;
  for (const charge of charges.toReversed()) {
    const stands = sumStanding([charge], standing);
    if (compare(left, '0') <= 0 || compare(stands, '0') <= 0) continue;
    const amount = compare(left, stands) < 0 ? left : stands;
    reduce(standing, charge, add(stands, negate(amount)));
    corrects.push({ chargeId: charge.id, amount, supplied });
    left = add(left, negate(amount));
  }
  return { amount: negate(sum(corrects.map((each) => each.amount))), corrects };
}

function dependentCredits(
  { line, standing, charge: corrects, from, to }: OpenLine,
  currency: string,
): readonly CreditCharge[] {
  if (standing.size === 0) return [];
  const usage = new Set(standing.keys());
  // All of it follows what stands of the usage, whatever its days.
  reduceDependents(line, standing, followingBase(currency, { percentages: true }));
  return creditsOf(line, standing, currency)
    .filter(({ charge }) => !usage.has(charge))
    .map(({ charge, amount }) => ({
      kind: 'credit',
      // What is given back of a coupon is of a period that bills nothing more.
      credits: creditedOf(charge),
      from,
      to,
      amount: formatAmount(currency, negate(amount)),
      corrects,
    }));
}

/** The lines once some charges give back of them, too. @example correctedAfter(lines, credits) */
export function correctedAfter(
  lines: CorrectedLines,
  charges: readonly InvoiceCharge[],
): CorrectedLines {
  const given = lines.size === 0 ? [] : charges.flatMap(givenBackBy);
  if (given.length === 0) return lines;
  const byCharge = Map.groupBy(given, ({ chargeId }) => chargeId);
  const made = new Map<CorrectedLine, CorrectedLine>();
  for (const line of new Set(lines.values())) {
    const charges = line.charges.map((charge) => {
      const more = (byCharge.get(charge.id) ?? []).map(({ amount }) => amount);
      return { ...charge, credited: sum([charge.credited, ...more]) };
    });
    const windows = line.windows.map((window) => {
      const taken = usageOf(line, window.id, { isPercent: true }).flatMap((charge) =>
        (byCharge.get(charge.id) ?? []).map(({ supplied }) => supplied),
      );
      return window.supplied === null
        ? window
        : { ...window, supplied: sum([window.supplied, ...taken]) };
    });
    made.set(line, { ...line, charges, windows });
  }
  return new Map([...lines].map(([id, line]) => [id, made.get(line) ?? line]));
}

/** What a charge gives back of stored ones, with their signs. @example givenBackBy(fee) // [] */
export function givenBackBy(charge: InvoiceCharge): readonly Corrected[] {
  if (charge.kind === 'usage') return charge.corrects ?? [];
  if (charge.kind !== 'credit') return [];
  const { amount, credits } = charge;
  return [{ chargeId: credits.chargeId, amount: negate(amount), supplied: '0' }];
}

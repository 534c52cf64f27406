/** Recomputes what a change gives back: what stands afterwards is what the used days cost. */
import { dayAfter, dayBefore } from './days.ts';
import type { ShownActivity } from './documents.ts';
import {
  BESIDE_CANCELLED_PART,
  costOfDays,
  daysOf,
  earlierParts,
  groupOf,
  isBesideCancelledPart,
  rowOf,
} from './fees.ts';
import {
  type Exact,
  asText,
  digitsOf,
  exact,
  inMinor,
  percentOf,
  rounded,
  sumOf,
} from './figures.ts';
import {
  type BilledLine,
  type Charge,
  type Findings,
  type Reading,
  billedFrom,
  isReplaced,
  nameOf,
  objectOf,
} from './reading.ts';
import {
  type AmountOf,
  baseOf,
  discountedBy,
  isDiscountable,
  keyOf,
  sumBy,
  taxedBy,
} from './shares.ts';

/**
 * Compares the credits of a line with what changes and corrections give back of the invoices before.
 *
 * @example recomputeCredits(reading, line, findings)
 */
export function recomputeCredits(reading: Reading, line: BilledLine, findings: Findings): void {
  if (line.invoice.creditNoteOfId !== null) return findings.skip('a credit note');
  const credits = line.charges.filter(({ kind }) => kind === 'credit');
  const corrected = correctedCredits(reading, line);
  if (typeof corrected === 'string') return findings.skip(corrected);
  if (credits.length === 0 && corrected.size === 0) return;
  if (line.invoice.status === 'Cancelled') {
    return findings.skip('a credit on a cancelled invoice');
  }
  const changed = isReplaced(line.order) ? creditsOf(reading, line) : new Map<string, Credit>();
  if (typeof changed === 'string') return findings.skip(changed);
  findings.counted(credits.length);
  const billed = Map.groupBy(credits, keyOf);
  for (const key of new Set([...billed.keys(), ...changed.keys(), ...corrected.keys()])) {
    const is = sumBy(billed.get(key) ?? [], ({ minor }) => minor);
    const { credit = 0n, records = 0n } = corrected.get(key) ?? {};
    const be = credit + (changed.get(key)?.credit ?? 0n);
    const off = is < be ? be - is : is - be;
    // Shares of several records may be rounded one by one or together.
    if (off <= (records > 1n ? records - 1n : 0n)) continue;
    const name = changed.get(key)?.name ?? key.trim();
    const [isText, beText] = [is, be].map((each) => asText(each, line.digits));
    const detail = `line ${line.position} gives back ${isText} of ${name}, should be ${beText}`;
    findings.fault('recompute.credit', objectOf(line.invoice), detail);
  }
}

/** Notes give back what nothing else tells, and what stands afterwards goes by them. */
const BESIDE_NOTE = 'a credit beside a credit note';
const isNote = ({ invoice }: BilledLine): boolean => invoice.creditNoteOfId !== null;

interface Credit {
  readonly name: string;
  readonly credit: bigint;
}

/**
 * What the change of an order gives back of each charge of the invoices before, by line item and
 * priceCode.
 *
 * @example creditsOf(reading, line) // Map { 'GOLD-FEE 28 ' => { name, credit: -1353n } }
 */
export function creditsOf(reading: Reading, line: BilledLine): Map<string, Credit> | string {
  const { order, invoice } = line;
  // An order that served no day has no end.
  const isWhole = order.endDate === null || order.endDate < billedFrom(order);
  const from = isWhole ? order.startDate : dayAfter(order.endDate ?? '');
  const lines = reading.linesOf(order.id);
  if (lines.length < order.invoiceIds.length && lines[0] && startsAfter(lines[0], from)) {
    return 'a credit of invoices of long ago';
  }
  if (lines.some(isNote)) return BESIDE_NOTE;
  const credits = new Map<string, Credit>();
  for (const before of lines) {
    const isBefore = before.invoice.id < invoice.id && before.invoice.status !== 'Cancelled';
    if (!isBefore) continue;
    // It may have been cancelled before, which no document shows.
    if (before.invoice.status === 'CarriedOver') return 'a credit of a carried over invoice';
    if (before.charges.some(({ kind }) => kind === 'unknown'))
      return 'a credit of a charge by hand';
    if (hasProvidersTax(reading, before)) return 'a credit of a tax of a provider';
    if (before.charges.some((charge) => isBesideCancelledPart(reading, before, charge))) {
      return BESIDE_CANCELLED_PART;
    }
    const standing = standingOf(reading, before, { from, isWhole });
    for (const charge of before.charges) {
      const credit = (standing.get(charge.id) ?? charge.minor) - charge.minor;
      if (credit === 0n) continue;
      const sum = credit + (credits.get(keyOf(charge))?.credit ?? 0n);
      const name = `${charge.priceCode} ${nameOf(before, charge)} of ${objectOf(before.invoice)}`;
      credits.set(keyOf(charge), { name, credit: sum });
    }
  }
  return credits;
}

const startsAfter = (line: BilledLine, day: string): boolean =>
  line.charges.every(({ billingStartDate }) => billingStartDate === null || billingStartDate > day);

interface Unused {
  readonly from: string;
  readonly isWhole: boolean;
}

/** What stands of each charge of a line, by its id; what is absent stands whole. */
function standingOf(reading: Reading, line: BilledLine, unused: Unused): Map<number, bigint> {
  const reached = (charge: Charge): boolean => (charge.billingEndDate ?? '') >= unused.from;
  const fees = new Map<number, bigint>();
  for (const charge of line.charges) {
    const { kind, isPercent, of } = charge;
    const isFee =
      kind === 'period' ||
      (kind === 'penalty' && of?.chargeType === 'RecurringCharge') ||
      (kind === 'planTax' && !isPercent);
    if (isFee && reached(charge)) {
      fees.set(charge.id, feeStanding(reading, line, { charge, unused }));
    }
  }
  return dependentsOf(reading, line, {
    fees,
    // A tax of a plan is of what stands, also one that is due once.
    isFollowing: (charge) =>
      charge.kind === 'planTax' || (isCredited(charge, unused) && reached(charge)),
    isWhole: unused.isWhole,
    partOf: (discount) => usedDays(reading, line, discount),
  });
}

const isCredited = ({ of }: Charge, { isWhole }: Unused): boolean =>
  isWhole || (of?.isProrated ?? false);

function feeStanding(
  reading: Reading,
  line: BilledLine,
  { charge, unused }: { readonly charge: Charge; readonly unused: Unused },
): bigint {
  if (unused.isWhole) return 0n;
  const row = rowOf(line, charge);
  if (!charge.of?.isProrated || row === null) return charge.minor;
  const used = daysOf(reading, line, charge, dayBefore(unused.from));
  if (used === null || (charge.billingStartDate ?? '') >= unused.from) return 0n;
  return (
    costOfDays(line, row, used) - sumOf(earlierParts(reading, line, charge).map((e) => e.minor))
  );
}

/** The share of a discount's days that was used, which is what is left of an amount. */
function usedDays(reading: Reading, { order, invoice }: BilledLine, discount: Charge): Exact {
  const { billingStartDate: from, billingEndDate: to } = discount;
  if (from === null || to === null) return { over: 1n, under: 1n };
  const days = (until: string): bigint =>
    BigInt(reading.served(order, from, until, invoice.invoiceDate));
  const last = order.endDate !== null && order.endDate < to ? order.endDate : to;
  return { over: days(last), under: days(to) };
}

/*
 * What corrections of billed usage give back beside the amounts of their records: the discounts,
 * percentages and taxes of then, on what stands of their base before and after.
 */

interface Corrected {
  readonly credit: bigint;
  /** The corrections that it follows from. */
  readonly records: bigint;
}

/**
 * By what the credits are of; a text says why they cannot be told.
 *
 * @example correctedCredits(reading, line) // Map { 'DISCOUNT 101 ' => { credit: 1250n, records: 1n } }
 */
function correctedCredits(reading: Reading, line: BilledLine): Map<string, Corrected> | string {
  const credits = new Map<string, Corrected>();
  const now = correctionsOn(reading, line);
  if (now.length === 0) return credits;
  const lines = reading.linesOf(line.order.id);
  if (lines.some(isNote)) return BESIDE_NOTE;
  const earlier = lines.filter(
    ({ invoice, charges }) =>
      invoice.id < line.invoice.id && charges.some(({ kind }) => kind === 'correction'),
  );
  const isRead = ({ invoice }: BilledLine): boolean =>
    invoice.status !== 'Cancelled' && reading.shown.activities.has(invoice.invoiceNumber);
  if (isReplaced(line.order) || !earlier.every(isRead)) {
    return 'corrections of usage beside other credits';
  }
  const before = earlier.flatMap((each) => correctionsOn(reading, each));
  const placed = now.map((record) => placeOf(reading, line, record));
  for (const at of new Set(placed.map((each) => each?.at))) {
    if (!at) return 'a correction of usage whose invoice is not read';
    if (hasProvidersTax(reading, at)) return 'a credit of a tax of a provider';
    const own = (all: readonly ShownActivity[]) =>
      all.filter((record) => placeOf(reading, line, record)?.at === at);
    const [first, then] = [own(before), [...own(before), ...own(now)]].map((all) =>
      standingAfter(reading, at, all),
    );
    for (const charge of at.charges) {
      if (['usage', 'subTotal'].includes(charge.kind)) continue;
      const left = then?.get(charge.id) ?? charge.minor;
      const difference = left - (first?.get(charge.id) ?? charge.minor);
      if (difference === 0n) continue;
      const { credit = 0n, records = 0n } = credits.get(keyOf(charge)) ?? {};
      const more = records + BigInt(own(now).length);
      credits.set(keyOf(charge), { credit: credit + difference, records: more });
    }
  }
  return credits;
}

function correctionsOn(reading: Reading, { invoice, order }: BilledLine): ShownActivity[] {
  const own = new Set(order.lines.map(({ id }) => id));
  return (reading.shown.activities.get(invoice.invoiceNumber) ?? []).filter(
    ({ correctsBilled, orderLineItemId }) => correctsBilled && own.has(orderLineItemId),
  );
}

/** What stands of a line of the corrected records after some corrections. */
function standingAfter(
  reading: Reading,
  at: BilledLine,
  corrections: readonly ShownActivity[],
): Map<number, bigint> {
  const fees = new Map<number, bigint>();
  for (const record of corrections) {
    const [first] = placeOf(reading, at, record)?.window ?? [];
    if (!first) continue;
    const amount = inMinor(exact(record.amount ?? '0'), digitsOf(first.amount));
    const lost = first.isPercent ? percentOf(amount, first.unitPrice ?? '0') : amount;
    fees.set(first.id, (fees.get(first.id) ?? first.minor) + lost);
  }
  const partOf = (discount: Charge) => {
    const window = at.charges.filter(
      (each) => isDiscountable(each) && groupOf(each) === groupOf(discount),
    );
    const left = sumBy(window, ({ id, minor }) => fees.get(id) ?? minor);
    return { over: left, under: sumBy(window, ({ minor }) => minor) };
  };
  return dependentsOf(reading, at, { fees, isFollowing: () => true, isWhole: false, partOf });
}

interface Place {
  readonly at: BilledLine;
  readonly window: readonly Charge[];
}

/** The charges that billed the record which a correction names. */
function placeOf(
  reading: Reading,
  { order }: BilledLine,
  { correctsExtRefId }: ShownActivity,
): Place | null {
  const corrected = reading.shown.corrected.get(correctsExtRefId ?? '');
  const at = reading
    .linesOf(order.id)
    .find(({ invoice }) => invoice.invoiceNumber === corrected?.invoiceNumber);
  if (!corrected || !at) return null;
  const usage = at.charges.filter(
    ({ kind, orderLineItemId }) =>
      kind === 'usage' && orderLineItemId === corrected.orderLineItemId,
  );
  const windows = [...Map.groupBy(usage, groupOf).values()];
  const [only, other] = windows;
  if (!other) return only ? { at, window: only } : null;
  const { chargeDate } = corrected;
  const window = windows.find(
    ([first]) =>
      chargeDate >= (first?.billingStartDate ?? '') && chargeDate <= (first?.billingEndDate ?? ''),
  );
  return window ? { at, window } : null;
}

/* What stands of percentages, discounts and taxes once less stands of what they are taken of. */

interface Standing {
  /** What is left of charges, by id; what is absent stands whole. */
  readonly fees: ReadonlyMap<number, bigint>;
  /** A percentage that follows its base. */
  readonly isFollowing: (charge: Charge) => boolean;
  /** Percentages that follow are given back whole. */
  readonly isWhole: boolean;
  /** What is left of a discount by an amount. */
  readonly partOf: (discount: Charge) => Exact;
}

/**
 * @example dependentsOf(reading, line, { fees, ...how }).get(tax.id) // 131n
 */
function dependentsOf(
  reading: Reading,
  line: BilledLine,
  { fees, isFollowing, isWhole, partOf }: Standing,
): Map<number, bigint> {
  const standing = new Map(fees);
  const stands: AmountOf = ({ id, minor }) => standing.get(id) ?? minor;
  const isWholeOf = (base: readonly Charge[]) => base.every((each) => stands(each) === each.minor);
  for (const kind of ['percent', 'discount', 'planTax'] as const) {
    for (const charge of line.charges.filter((each) => each.kind === kind)) {
      const base = kind === 'discount' ? discountedBy(line, charge) : baseOf(reading, line, charge);
      if (isWholeOf(base) && !(kind === 'percent' && isWhole)) continue;
      if (kind === 'discount') {
        standing.set(charge.id, discountStanding(charge, sumBy(base, stands), partOf(charge)));
      } else if (charge.isPercent && isFollowing(charge)) {
        const isGone = isWhole && kind === 'percent';
        const left = percentOf(sumBy(base, stands), charge.unitPrice ?? '0');
        standing.set(charge.id, isGone ? 0n : left);
      }
    }
  }
  for (const tax of line.charges.filter(({ kind }) => kind === 'tax')) {
    const rates = reading.shown.rates.filter(({ name }) => name === tax.invoiceText);
    for (const code of new Set(rates.map(({ taxCode }) => taxCode))) {
      const base = taxedBy(line, code);
      if (isWholeOf(base)) continue;
      standing.set(tax.id, percentOf(sumBy(base, stands), tax.unitPrice ?? '0'));
    }
  }
  return standing;
}

/** A percentage is taken of what stands; an amount is left in part. */
function discountStanding(discount: Charge, base: bigint, part: Exact): bigint {
  if (discount.isPercent) return -percentOf(base, discount.unitPrice ?? '0');
  if (base === 0n || part.under === 0n) return 0n;
  return rounded({ over: discount.minor * part.over, under: part.under });
}

/**
 * Whether a tax follows from no rate that is known: a provider's, or one that the table has lost.
 *
 * @example hasProvidersTax(reading, line) // false
 */
function hasProvidersTax({ shown }: Reading, { charges }: BilledLine): boolean {
  return charges.some(
    ({ kind, invoiceText }) =>
      kind === 'tax' &&
      (shown.taxType !== 'table' || !shown.rates.some(({ name }) => name === invoiceText)),
  );
}

/**
 * What corrections of billed usage give back beside the amounts of their records: the discounts,
 * percentages and taxes of then, on what stands of their base before and after.
 */
import type { ShownActivity } from './documents.ts';
import { groupOf } from './fees.ts';
import { digitsOf, exact, inMinor, percentOf } from './figures.ts';
import { isReplaced } from './reading.ts';
import type { BilledLine, Charge, Reading } from './reading.ts';
import { isDiscountable, keyOf, sumBy } from './shares.ts';
import { dependentsOf, hasProvidersTax } from './standing.ts';

export interface Corrected {
  readonly credit: bigint;
  /** The corrections that it follows from. */
  readonly records: bigint;
}

/**
 * By what the credits are of; a text says why they cannot be told.
 *
 * @example correctedCredits(reading, line) // Map { 'DISCOUNT 101 ' => { credit: 1250n, records: 1n } }
 */
export function correctedCredits(
  reading: Reading,
  line: BilledLine,
): Map<string, Corrected> | string {
  const credits = new Map<string, Corrected>();
  const now = correctionsOn(reading, line);
  if (now.length === 0) return credits;
  const lines = reading.linesOf(line.order.id);
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

/** Recomputes usage charges from the records that an invoice billed, window by window. */
import type { ShownActivity, ShownPlanCharge } from './documents.ts';
import { groupOf } from './fees.ts';
import {
  asText,
  compared,
  exact,
  inMinor,
  minus,
  percentOf,
  plus,
  sumOf,
  type Exact,
} from './figures.ts';
import { rowsOf, tierOf } from './prices.ts';
import {
  nameOf,
  objectOf,
  type BilledLine,
  type Charge,
  type Findings,
  type Reading,
} from './reading.ts';

const zero: Exact = { over: 0n, under: 1n };

/**
 * @example recomputeUsage(reading, line, findings)
 */
export function recomputeUsage(reading: Reading, line: BilledLine, findings: Findings): void {
  const isUsage = ({ kind }: Charge) => ['usage', 'correction', 'subTotal'].includes(kind);
  const charges = line.charges.filter(isUsage);
  for (const ofLine of Map.groupBy(charges, (each) => each.orderLineItemId).values()) {
    const records = reading.shown.activities.get(line.invoice.invoiceNumber);
    const own = records?.filter((each) => each.orderLineItemId === ofLine[0]?.orderLineItemId);
    if (!own) findings.skip('usage of very many records');
    else if (own.length === 0 && line.invoice.status === 'Cancelled') {
      findings.skip('usage that was billed again');
    } else recomputeWindows(reading, line, { charges: ofLine, records: own }, findings);
  }
}

interface OfLine {
  readonly charges: readonly Charge[];
  readonly records: readonly ShownActivity[];
}

function recomputeWindows(
  reading: Reading,
  line: BilledLine,
  { charges, records }: OfLine,
  findings: Findings,
): void {
  const windows = [...Map.groupBy(charges, groupOf).values()].toSorted((a, b) =>
    (a[0]?.billingStartDate ?? '') < (b[0]?.billingStartDate ?? '') ? -1 : 1,
  );
  const hasRollback = reading
    .linesOf(line.order.id)
    .some(({ invoice }) => invoice.status === 'Cancelled');
  if (windows.length > 1 && hasRollback) {
    // A late record stays in the window that was open then, though the one of its day is again.
    return findings.skip('several windows of usage after a cancelled invoice');
  }
  const inWindow = Map.groupBy(records, (record) => windowOf(windows, records, record));
  for (const [index, window] of windows.entries()) {
    const [first] = window;
    if (!first?.of) continue;
    const should = costOf(line, { window, records: inWindow.get(index) ?? [] });
    if (typeof should === 'string') {
      findings.skip(should);
      continue;
    }
    findings.counted(window.length);
    const text = (amounts: readonly bigint[]) =>
      amounts.map((each) => asText(each, line.digits)).join(' + ');
    const isSum = ({ kind }: Charge) => kind === 'subTotal';
    const [is, be] = [window.filter((each) => !isSum(each)).map(({ minor }) => minor), should].map(
      (each) => text(each.toSorted((a, b) => Number(b - a))),
    );
    const sums = text(window.filter(isSum).map(({ minor }) => minor));
    const name = `${nameOf(line, first)} from ${first.billingStartDate}`;
    if (is !== be) {
      findings.fault(
        'recompute.usage',
        objectOf(line.invoice),
        `${name} says ${is}, should be ${be}`,
      );
    } else if (sums !== text([sumOf(should)])) {
      const detail = `${name} has the subtotal ${sums}, should be ${text([sumOf(should)])}`;
      findings.fault('recompute.usage', objectOf(line.invoice), detail);
    }
  }
}

/** The window of a record, by its number among those that the invoice bills of the line. */
function windowOf(
  windows: readonly (readonly Charge[])[],
  records: readonly ShownActivity[],
  { chargeDate, correctsExtRefId, correctsBilled }: ShownActivity,
): number {
  // A correction of a record that was not billed yet is in that record's window.
  const corrected = correctsBilled
    ? undefined
    : records.find(({ extRefId }) => extRefId !== null && extRefId === correctsExtRefId);
  if (corrected) return windowOf(windows, [], corrected);
  // Late records are in the first window after them, those after the order's end in the last.
  const at = windows.findIndex(([first]) => chargeDate <= (first?.billingEndDate ?? ''));
  return at < 0 ? windows.length - 1 : at;
}

interface Window {
  readonly window: readonly Charge[];
  readonly records: readonly ShownActivity[];
}

/** The amounts of a window's charges, in any order; a text says why they cannot be told. */
function costOf({ digits, order }: BilledLine, { window, records }: Window): bigint[] | string {
  const [first] = window;
  if (!first?.of || !first.orderLine) return 'usage of a line that is not shown';
  const isCorrection = (record: ShownActivity): boolean => record.correctsBilled;
  const corrections = records.filter(isCorrection);
  const agreed = first.orderLine.unitPrice;
  const others = records.filter((record) => !isCorrection(record));
  const amounts = ratedOf(first.of, others, { currency: order.currency, digits, agreed });
  if (amounts === null) return 'usage whose price the plan does not show';
  if (corrections.length === 0) return amounts;
  const sum = sumOf(corrections.map(({ amount }) => inMinor(exact(amount ?? '0'), digits)));
  // A percentage gives back what it was for the record: its rest on what stands of its amounts.
  const shown = window.filter(({ kind }) => kind === 'correction');
  const percents = new Set(shown.map(({ isPercent, unitPrice }) => (isPercent ? unitPrice : null)));
  if (percents.size > 1) return 'corrections of several percentages';
  const [percent = null] = percents;
  if (percent === null) return [...amounts, sum];
  const [is, be] = [sumOf(shown.map(({ minor }) => minor)), percentOf(sum, percent)];
  const off = is < be ? be - is : is - be;
  return [...amounts, off <= BigInt(corrections.length) ? is : be];
}

interface Rated {
  readonly currency: string;
  readonly digits: number;
  /** Of the order line. */
  readonly agreed: string | null;
}

/** The charges of records that were not billed before. */
function ratedOf(
  of: ShownPlanCharge,
  records: readonly ShownActivity[],
  { currency, digits, agreed }: Rated,
): bigint[] | null {
  if (records.length === 0) return [];
  const minor = ({ amount }: ShownActivity) => inMinor(exact(amount ?? '0'), digits);
  const quantityOf = (all: readonly ShownActivity[]) =>
    all.map(({ quantity }) => exact(quantity)).reduce(plus, zero);
  const tier = tierOf(of, { currency, quantity: quantityOf(records) });
  if (tier?.percent != null) return [percentOf(sumOf(records.map(minor)), tier.percent)];
  const supplied = records.filter(({ isAmountSupplied }) => isAmountSupplied);
  const priced = records.filter(({ isAmountSupplied }) => !isAmountSupplied);
  const amounts = supplied.length > 0 ? [sumOf(supplied.map(minor))] : [];
  if (priced.length === 0) return amounts;
  // Included units are taken off the lowest price first.
  let included = exact(of.standardQuantity);
  const isAgreed = of.pricingType === 'UserEnteredPricing';
  const byPrice = [
    ...Map.groupBy(priced, (each) => (isAgreed ? (each.unitPrice ?? agreed) : null)),
  ];
  for (const [price, each] of byPrice.toSorted(([a], [b]) =>
    Number(compared(exact(a ?? '0'), exact(b ?? '0'))),
  )) {
    const used = quantityOf(each);
    const free = compared(used, included) < 0n ? used : included;
    included = minus(included, free);
    const rest = minus(used, free);
    const rows = rowsOf(of, { currency, quantity: rest, agreed: price });
    if (rows === null) return null;
    // Within the included units nothing is charged, whatever the first tier costs.
    amounts.push(...(rest.over > 0n ? rows.map((row) => inMinor(row.price, digits)) : [0n]));
  }
  return amounts;
}

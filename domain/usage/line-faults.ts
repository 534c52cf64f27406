/** What is wrong with a usage record on the order line that it is of. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { UsageSums } from '../standing/line.ts';
import { compare, fitsBooks, formatAmount, type Decimal } from '../money/money.ts';
import type { Correctable } from './corrections.ts';
import type { LineWindows } from './line-windows.ts';
import type { UsageLine } from './lines.ts';
import { endFaults, fault, quantityOf, type UsageFault, type UsageRecord } from './records.ts';

export interface OnLine {
  readonly record: UsageRecord;
  readonly day: IsoDate;
  readonly corrected: Correctable | null;
  readonly windows: LineWindows;
  readonly costOf: CostOf;
}

/** What some usage of a line costs. */
export type CostOf = (line: UsageLine, sums: UsageSums) => Decimal;

/**
 * The faults of a record on its line.
 *
 * @example // 999,999,999,999 units at 20,000.00
 *   faultsOn(line, { record, ... }) // [{ code: 'field.invalid', element: 'quantity', ... }]
 */
export function faultsOn(
  line: UsageLine,
  { record, day, corrected, windows, costOf }: OnLine,
): UsageFault[] {
  const { start, end } = windows.term;
  const faults: UsageFault[] = [];
  if (day < start || (end !== null && day > end)) {
    const days = end !== null && end < start ? 'no day' : `${start} to ${end ?? 'open'}`;
    const message = `${day} is outside of the days of order line ${line.id}: ${days}`;
    faults.push(fault('activity.outsideTerm', 'chargeDate', message, day));
  }
  if (record.chargeDate === null) faults.push(...endFaults(day, record.chargeEndDate));
  const { amount } = record;
  const { currency } = line.order;
  if (amount !== null && compare(formatAmount(currency, amount), amount) !== 0) {
    const message = `amount has more decimals than ${currency}, not "${amount}"`;
    faults.push(fault('field.invalid', 'amount', message, amount));
  }
  // What a correction costs follows from its record.
  if (corrected !== null) return faults;
  const missing = amount === null ? unpriced(line, record) : null;
  if (missing !== null) return [...faults, missing];
  return faults.length > 0 ? faults : excess(line, record, costOf);
}

/** What a record without an amount lacks to be priced; null if it lacks nothing. */
function unpriced(line: UsageLine, { unitPrice }: UsageRecord): UsageFault | null {
  const { pricingType, priceCode, tiers } = line.charge;
  if (pricingType === 'UserEnteredPricing') {
    if (unitPrice !== null || line.unitPrice !== null) return null;
    const message = `unitPrice is required: order line ${line.id} has none for ${priceCode}`;
    return fault('field.required', 'unitPrice', message);
  }
  const own = tiers.filter((tier) => tier.currency === line.order.currency);
  if (own.length === 0 || own.some(({ percent }) => percent === null)) return null;
  const message = `amount is required: ${priceCode} is a percentage of it`;
  return fault('field.required', 'amount', message);
}

/** Less than this costs an amount that the books hold, whatever the price. */
const NEVER_TOO_MUCH = '10000';

/** What the record costs alone must be an amount that the books hold. */
function excess(line: UsageLine, record: UsageRecord, costOf: CostOf): UsageFault[] {
  const { amount, unitPrice } = record;
  const quantity = quantityOf(record);
  const [element, value] =
    amount === null ? (['quantity', quantity] as const) : (['amount', amount] as const);
  if (compare(value, NEVER_TOO_MUCH) < 0) return [];
  const none = { quantities: [], supplied: null, corrections: [] };
  const alone =
    amount === null
      ? { ...none, quantities: [{ unitPrice, quantity }] }
      : { ...none, supplied: { quantity, amount } };
  const cost = costOf(line, alone);
  if (fitsBooks(cost)) return [];
  const message = `${element} ${value} comes to ${cost}, which is more than an amount may be`;
  return [fault('field.invalid', element, message, value)];
}

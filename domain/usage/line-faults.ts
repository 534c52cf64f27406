/** What is wrong with a usage record on the order line that it is of. */
import type { IsoDate } from '../model.ts';
import { compare, formatAmount } from '../money/money.ts';
import type { Correctable } from './corrections.ts';
import type { LineWindows } from './line-windows.ts';
import type { UsageLine } from './lines.ts';
import { endFaults, fault } from './records.ts';
import type { UsageFault, UsageRecord } from './records.ts';

export interface OnLine {
  readonly record: UsageRecord;
  readonly day: IsoDate;
  readonly corrected: Correctable | null;
  readonly windows: LineWindows;
}

/**
 * The faults of a record on its line.
 *
 * @example faultsOn(line, { record, ... }) // [{ code: 'activity.outsideTerm', ... }]
 */
export function faultsOn(
  line: UsageLine,
  { record, day, corrected, windows }: OnLine,
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
  return faults;
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

/** Decides of the records of an upload which are new, and line, window and amount of each. */
import type { IsoDate } from '../calendar/calendar.ts';
import {
  type Decimal,
  compare,
  fitsBooks,
  formatAmount,
  formatDecimal,
  parseDecimal,
} from '../money/money.ts';
import {
  type Correctable,
  type Corrections,
  type RecordPlace,
  startCorrections,
} from './corrections.ts';
import { type NamedLines, type OrderName, type UsageLine, lineOf } from './lines.ts';
import { type LineWindows, windowsOfLine } from './line-windows.ts';
import { type UsageFault, type UsageRecord, endFaults, fault, quantityOf } from './records.ts';
import { DomainError, DomainErrors } from '../errors.ts';
import type { UsageSums } from '../standing/line.ts';

/** An upload, and what is stored of what it names. */
export interface Upload {
  readonly records: readonly UsageRecord[];
  /** The order that the call itself names. */
  readonly ofCall: OrderName | null;
  readonly named: NamedLines;
  /** The references of the upload that stored records have. */
  readonly storedRefs: ReadonlySet<string>;
  /** The stored records that corrections name. */
  readonly correctable: ReadonlyMap<string, Correctable>;
  /** A record whose reference is taken is passed over, not refused. */
  readonly skipsDuplicates: boolean;
  readonly today: IsoDate;
  /** The tenant's `usageGraceDays`. */
  readonly graceDays: number;
  readonly costOf: CostOf;
}

/** A new record, as it is to be stored. */
export interface PlacedRecord {
  /** Its place in the upload, from 0. */
  readonly index: number;
  readonly record: UsageRecord;
  readonly line: UsageLine;
  /** Of its window; null if it is never billed. */
  readonly periodIndex: number | null;
  readonly chargeDate: IsoDate;
  readonly quantity: Decimal;
  readonly amount: Decimal | null;
  readonly unitPrice: Decimal | null;
  readonly corrects: RecordPlace | null;
  /** Its amount is only its part of its record's. */
  readonly amountIsShare: boolean;
  readonly correctsBilled: boolean;
  readonly correctedPercent: Decimal | null;
}

/** A record whose reference is taken. */
export interface DuplicateRecord {
  readonly duplicateOf: string;
}

/** A fault of a record, by its place in the upload. */
export interface FaultOfRecord extends UsageFault {
  readonly index: number;
}

export interface PlacedUpload {
  /** In the order of the records; complete only without faults. */
  readonly places: readonly (PlacedRecord | DuplicateRecord)[];
  readonly faults: readonly FaultOfRecord[];
}

/** Whether a record is passed over. */
export function isDuplicate(place: PlacedRecord | DuplicateRecord): place is DuplicateRecord {
  return 'duplicateOf' in place;
}

/** Whether a record is new. */
export function isPlaced(place: PlacedRecord | DuplicateRecord): place is PlacedRecord {
  return !isDuplicate(place);
}

/**
 * Places every record, or lists what is wrong with them.
 *
 * @param faultsMax how many faults are listed
 * @example placeRecords({ records: [minutes], ... }, 100).places[0] // { line, periodIndex: 0, ... }
 */
export function placeRecords(upload: Upload, faultsMax: number): PlacedUpload {
  const { records, storedRefs, skipsDuplicates } = upload;
  const placer = placerOf(upload);
  const places: (PlacedRecord | DuplicateRecord)[] = [];
  const faults: FaultOfRecord[] = [];
  const refs = new Set<string>();
  for (const [index, record] of records.entries()) {
    if (faults.length >= faultsMax) break;
    const { extRefId } = record;
    const note = (...found: readonly UsageFault[]): void =>
      void faults.push(...found.map((each) => ({ ...each, index })));
    if (extRefId !== null) {
      const isEarlier = refs.has(extRefId);
      if (isEarlier || storedRefs.has(extRefId)) {
        if (skipsDuplicates) places.push({ duplicateOf: extRefId });
        else note(takenRef(extRefId, isEarlier));
        continue;
      }
      refs.add(extRefId);
    }
    const placed = placer.place(record, index);
    if ('faults' in placed) note(...placed.faults);
    else places.push(placed);
  }
  return { places, faults: faults.slice(0, faultsMax) };
}

function takenRef(extRefId: string, isEarlier: boolean): UsageFault {
  const where = isEarlier ? 'an earlier activity of the list' : 'another activity';
  return fault('activity.refTaken', 'extRefId', `${where} has the extRefId ${extRefId}`, extRefId);
}

interface Placer {
  readonly place: (
    record: UsageRecord,
    index: number,
  ) => PlacedRecord | { readonly faults: readonly UsageFault[] };
}

function placerOf(upload: Upload): Placer {
  const { named, ofCall, today, costOf } = upload;
  const corrections = startCorrections(upload.correctable);
  const windowsOf = remembered(upload.graceDays);
  return {
    place(record, index) {
      const day = record.chargeDate ?? today;
      const refuse = (...faults: readonly UsageFault[]) => {
        if (record.extRefId !== null) corrections.add(record.extRefId, 'faulty');
        return { faults };
      };
      const corrected = correctedBy(record, corrections);
      if (corrected === 'faulty') return refuse();
      if (corrected === 'unknown') {
        const message = `there is no activity with the extRefId ${record.correctsExtRefId}`;
        const { correctsExtRefId: value } = record;
        return refuse(fault('activity.correction', 'correctsExtRefId', message, value));
      }
      const found = lineOf(record, { named, ofCall, day, corrected: corrected?.line ?? null });
      if ('fault' in found) return refuse(found.fault);
      const { line } = found;
      const windows = windowsOf(line);
      const faults = faultsOn(line, { record, day, corrected, windows, costOf });
      const quantity = formatDecimal(parseDecimal(quantityOf(record)));
      const own = record.amount === null ? null : formatAmount(line.order.currency, record.amount);
      let amount = own;
      if (corrected !== null && record.correctsExtRefId !== null) {
        const taking = { record: corrected, line, quantity, amount: own };
        const taken = corrections.take(record.correctsExtRefId, taking);
        if ('fault' in taken) faults.push(taken.fault);
        else ({ amount } = taken);
      }
      if (faults.length > 0) return refuse(...faults);
      const on = { record, day, quantity, amount, corrected, windows };
      const placed = { index, ...placedOn(line, on) };
      if (record.extRefId !== null) corrections.add(record.extRefId, correctableOf(placed));
      return placed;
    },
  };
}

function correctedBy(
  { correctsExtRefId }: UsageRecord,
  { find }: Corrections,
): Correctable | 'faulty' | 'unknown' | null {
  return correctsExtRefId === null ? null : (find(correctsExtRefId) ?? 'unknown');
}

function placedOn(
  line: UsageLine,
  {
    record,
    day,
    quantity,
    amount,
    corrected,
    windows,
  }: Omit<OnLine, 'costOf'> & Pick<PlacedRecord, 'quantity' | 'amount'>,
): Omit<PlacedRecord, 'index'> {
  const isAgreed = line.charge.pricingType === 'UserEnteredPricing';
  const price = corrected === null ? record.unitPrice : corrected.unitPrice;
  const isOfBilled = corrected?.isBilled === true;
  return {
    record,
    line,
    periodIndex: corrected === null || isOfBilled ? windows.indexOf(day) : corrected.periodIndex,
    chargeDate: day,
    quantity,
    amount,
    amountIsShare: amount !== null && record.amount === null,
    unitPrice: isAgreed && price !== null ? formatDecimal(parseDecimal(price)) : null,
    corrects: corrected?.at ?? null,
    correctsBilled: isOfBilled,
    correctedPercent: isOfBilled ? corrected.percent : null,
  };
}

function correctableOf(placed: PlacedRecord): Correctable {
  const { index, line, quantity, amount, unitPrice, periodIndex, corrects } = placed;
  return {
    at: { index },
    line,
    quantity,
    corrected: '0',
    amount,
    correctedAmount: '0',
    unitPrice,
    isCorrection: corrects !== null,
    isBilled: false,
    percent: null,
    periodIndex,
  };
}

function remembered(graceDays: number): (line: UsageLine) => LineWindows {
  const byLine = new Map<UsageLine, LineWindows>();
  return (line) => {
    let windows = byLine.get(line);
    if (windows === undefined) byLine.set(line, (windows = windowsOfLine(line, graceDays)));
    return windows;
  };
}

/* Lists the faults of uploaded records in one error, each with its record and element. */

/** A call with more faults repeats one mistake many times. */
export const FAULTS_MAX = 100;

/**
 * Throws one error of all faults, if there are any.
 *
 * @example refuseFaults([]) // nothing
 */
export function refuseFaults(faults: readonly FaultOfRecord[]): void {
  const [first, ...others] = faults.map(({ index, code, element, message, value }) => {
    const nth = index + 1;
    const path = `list/activity[${nth}]/${element}`;
    return new DomainError(code, `activity ${nth}: ${message}`, { path, value });
  });
  if (first) throw new DomainErrors([first, ...others]);
}

/* What is wrong with a usage record on the order line that it is of. */

interface OnLine {
  readonly record: UsageRecord;
  readonly day: IsoDate;
  readonly corrected: Correctable | null;
  readonly windows: LineWindows;
  readonly costOf: CostOf;
}

/** What some usage of a line costs. */
type CostOf = (line: UsageLine, sums: UsageSums) => Decimal;

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
  const { start } = windows;
  const { end } = windows.term;
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

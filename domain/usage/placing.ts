/** Decides of the records of an upload which are new, and line, window and amount of each. */
import type { Decimal, IsoDate } from '../model.ts';
import { compare, formatAmount, formatDecimal, parseDecimal } from '../money/money.ts';
import { amountOfCorrection, startCorrections } from './corrections.ts';
import type { Correctable, Corrections, RecordPlace } from './corrections.ts';
import { lineOf } from './lines.ts';
import { windowsOfLine } from './line-windows.ts';
import type { LineWindows } from './line-windows.ts';
import type { NamedLines, OrderName, UsageLine } from './lines.ts';
import { endFaults, fault, quantityOf } from './records.ts';
import type { UsageFault, UsageRecord } from './records.ts';

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
  const { named, ofCall, today } = upload;
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
      const faults = faultsOn(line, { record, day, corrected, windows });
      const quantity = formatDecimal(parseDecimal(quantityOf(record)));
      if (corrected !== null && record.correctsExtRefId !== null) {
        const exceeded = corrections.take(record.correctsExtRefId, {
          record: corrected,
          line,
          quantity,
        });
        if (exceeded) faults.push(exceeded);
      }
      if (faults.length > 0) return refuse(...faults);
      const placed = { index, ...placedOn(line, { record, day, quantity, corrected, windows }) };
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

interface OnLine {
  readonly record: UsageRecord;
  readonly day: IsoDate;
  readonly corrected: Correctable | null;
  readonly windows: LineWindows;
}

function faultsOn(line: UsageLine, { record, day, corrected, windows }: OnLine): UsageFault[] {
  const { start, end } = windows.term;
  const faults: UsageFault[] = [];
  if (day < start || (end !== null && day > end)) {
    const days = end !== null && end < start ? 'no day' : `${start} to ${end ?? 'open'}`;
    const message = `${day} is outside of the days of order line ${line.id}: ${days}`;
    faults.push(fault('activity.outsideTerm', 'chargeDate', message, day));
  }
  if (record.chargeDate === null) faults.push(...endFaults(day, record.chargeEndDate));
  const { amount, unitPrice } = record;
  const { currency } = line.order;
  if (amount !== null && compare(formatAmount(currency, amount), amount) !== 0) {
    const message = `amount has more decimals than ${currency}, not "${amount}"`;
    faults.push(fault('field.invalid', 'amount', message, amount));
  }
  if (amount !== null || corrected !== null) return faults;
  const { pricingType, priceCode, tiers } = line.charge;
  if (pricingType === 'UserEnteredPricing') {
    if (unitPrice === null && line.unitPrice === null) {
      const message = `unitPrice is required: order line ${line.id} has none for ${priceCode}`;
      faults.push(fault('field.required', 'unitPrice', message));
    }
    return faults;
  }
  const own = tiers.filter((tier) => tier.currency === currency);
  if (own.length > 0 && own.every(({ percent }) => percent !== null)) {
    const message = `amount is required: ${priceCode} is a percentage of it`;
    faults.push(fault('field.required', 'amount', message));
  }
  return faults;
}

function placedOn(
  line: UsageLine,
  { record, day, quantity, corrected, windows }: OnLine & { readonly quantity: Decimal },
): Omit<PlacedRecord, 'index'> {
  const { currency } = line.order;
  const own = record.amount === null ? null : formatAmount(currency, record.amount);
  const isAgreed = line.charge.pricingType === 'UserEnteredPricing';
  const price = corrected === null ? record.unitPrice : corrected.unitPrice;
  const isOfBilled = corrected?.isBilled === true;
  return {
    record,
    line,
    periodIndex: corrected === null || isOfBilled ? windows.indexOf(day) : corrected.periodIndex,
    chargeDate: day,
    quantity,
    amount: corrected === null ? own : amountOfCorrection({ quantity, amount: own }, corrected),
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

/** Decides of the records of an upload which are new, and line, window and amount of each. */
import type { IsoDate } from '../calendar/calendar.ts';
import { formatAmount, formatDecimal, parseDecimal, type Decimal } from '../money/money.ts';
import {
  startCorrections,
  type Correctable,
  type Corrections,
  type RecordPlace,
} from './corrections.ts';
import { faultsOn, type CostOf, type OnLine } from './line-faults.ts';
import { lineOf, type NamedLines, type OrderName, type UsageLine } from './lines.ts';
import { windowsOfLine, type LineWindows } from './line-windows.ts';
import { fault, quantityOf, type UsageFault, type UsageRecord } from './records.ts';

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

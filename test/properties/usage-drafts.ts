/** Random usage records, each with the window that must have it and what it counts there. */
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import type { UsageRecord } from '../../domain/usage/records.ts';
import { fc } from '../support/random.ts';
import { charges, rounded, type ModelRecord } from './usage-model.ts';
import { periodOf, type StoredLine, type StoredWindow } from './usage-stored.ts';

/** A stored record, as the test remembers it. */
export interface Kept extends ModelRecord {
  readonly ref: string | null;
  readonly code: string;
  readonly lineId: number;
  readonly corrects: number | null;
  /** Its amount is only its part of its record's. */
  readonly isShare: boolean;
}

const micros = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((units) => units * 1_000_000),
  fc.integer({ min: 0, max: 30_000_000 }),
);
const cents = fc.integer({ min: 0, max: 5_000 });
export const sent = fc.record({
  code: fc.nat({ max: charges.length - 1 }),
  days: fc.integer({ min: -40, max: 15 }),
  micros,
  cents: fc.option(cents, { freq: 2 }),
  price: fc.constantFrom(null, null, '2.5', '0.125', '3'),
  hasRef: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  /** Corrects the nth record by so many quarters of what is left of it. */
  corrects: fc.option(
    fc.record({ nth: fc.nat(), quarters: fc.constantFrom(1, 1, 2, 3, 4, 4, 5), own: fc.boolean() }),
    { freq: 2 },
  ),
});
export type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

export interface Draft {
  readonly record: Partial<UsageRecord>;
  readonly kept: Omit<Kept, 'id' | 'corrects'>;
  /** The period of its window; null if that is its corrected record's. */
  readonly period: number | null;
  /** The corrected record: its id, or its place in the upload. */
  readonly corrects: { readonly id: number } | { readonly place: number } | null;
}

export interface Drafting {
  readonly kept: ReadonlyMap<number, Kept>;
  /** Of one order. */
  readonly lines: readonly StoredLine[];
  readonly windows: readonly StoredWindow[];
  /** The invoices that are cancelled. */
  readonly cancelled: ReadonlySet<number>;
  /** In cents, by record; null if it is not known yet. */
  readonly amounts: ReadonlyMap<number, bigint | null>;
  readonly today: IsoDate;
  readonly nextRef: () => string;
}

/** One after the other: a record may correct an earlier one of the same upload. */
export function draftAll(drafting: Drafting, records: readonly Sent[]): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const one of records) drafts.push(draftOf(drafting, one, drafts));
  return drafts;
}

function draftOf(drafting: Drafting, one: Sent, before: readonly Draft[]): Draft {
  const { lines, windows, today, nextRef } = drafting;
  const { priceCode = '', form } = charges[one.code] ?? {};
  const line = lines.find((each) => each.code === priceCode);
  if (line === undefined) throw new Error(`the order has no line ${priceCode}`);
  const day = clamped(addDays(today, one.days), line);
  const closed = new Set(
    windows.flatMap((each) => (each.lineId === line.id && each.isClosed ? [each.period] : [])),
  );
  let period = Math.max(periodOf(day, line), line.firstOpen);
  while (closed.has(period)) period += 1;
  const ref = one.hasRef ? nextRef() : null;
  const place = {
    record: { lineId: line.id, extRefId: ref, chargeDate: day },
    kept: { ref, code: priceCode, lineId: line.id, day },
    period,
  };
  const { corrects } = one;
  const targets = corrects === null ? [] : targetsOf(drafting, before, line.id);
  const target = corrects && targets[corrects.nth % Math.max(1, targets.length)];
  if (corrects && target) return correction(place, target, { ...one, ...corrects });
  const amount = form === 'percent' ? (one.cents ?? 100) : one.cents;
  const unitPrice = form === 'UserEntered' && amount === null ? one.price : null;
  const { record, kept } = place;
  return {
    record: { ...record, quantity: decimal(one.micros, 6), amount: inCents(amount), unitPrice },
    kept: {
      ...kept,
      quantity: BigInt(one.micros),
      amount: amount === null ? null : BigInt(amount),
      unitPrice: unitPrice === null ? null : BigInt(Number(unitPrice) * 1_000_000),
      correctsBilledAt: null,
      isShare: false,
    },
    period,
    corrects: null,
  };
}

interface Target {
  readonly at: { readonly id: number } | { readonly place: number };
  readonly record: Draft['kept'];
  readonly left: bigint;
  readonly amount: bigint | null;
  /** The amounts of its corrections, below zero. */
  readonly given: bigint;
  /** The window that has billed it. */
  readonly billedIn: StoredWindow | null;
}

/** The records of a line that can be corrected: stored ones, then those of the upload. */
function targetsOf(
  { kept, windows, amounts, cancelled }: Drafting,
  before: readonly Draft[],
  lineId: number,
): readonly Target[] {
  const isTarget = (record: Draft['kept']): boolean =>
    record.lineId === lineId && record.ref !== null;
  const taken = (corrects: (by: Draft['corrects']) => boolean): bigint =>
    before
      .filter((each) => corrects(each.corrects))
      .reduce((sum, each) => sum + each.kept.quantity, 0n);
  const takenAmounts = (corrects: (by: Draft['corrects']) => boolean): bigint =>
    before
      .filter((each) => corrects(each.corrects))
      .reduce((sum, each) => sum + (each.kept.amount ?? 0n), 0n);
  const all = [...kept.values()];
  const stored = all
    .filter((record) => isTarget(record) && record.corrects === null)
    .map((record): Target => {
      const window = windows.find((each) => each.records.includes(record.id));
      const corrections = all.filter((each) => each.corrects === record.id);
      const corrected = corrections.reduce((sum, each) => sum + each.quantity, 0n);
      const given = corrections.reduce(
        (sum, { id, amount }) => sum + (amount ?? amounts.get(id) ?? 0n),
        0n,
      );
      const isVoid = window?.isClosed === true && cancelled.has(window.invoiceId ?? 0);
      const isIt = (by: Draft['corrects']) => by !== null && 'id' in by && by.id === record.id;
      return {
        at: { id: record.id },
        record,
        left: record.quantity + corrected + taken(isIt),
        amount: isVoid ? 0n : (record.amount ?? amounts.get(record.id) ?? null),
        given: isVoid ? 0n : given + takenAmounts(isIt),
        billedIn: window?.isClosed === true ? window : null,
      };
    });
  const sent = before.flatMap(({ kept: record, corrects }, place): Target[] => {
    if (corrects !== null || !isTarget(record)) return [];
    const isIt = (by: Draft['corrects']) => by !== null && 'place' in by && by.place === place;
    const left = record.quantity + taken(isIt);
    const given = takenAmounts(isIt);
    return [{ at: { place }, record, left, amount: record.amount, given, billedIn: null }];
  });
  return [...stored, ...sent].filter(({ left }) => left > 0n);
}

type Place = Pick<Draft, 'record' | 'period'> & {
  readonly kept: Pick<Kept, 'ref' | 'code' | 'lineId' | 'day'>;
};
type Correcting = Pick<Sent, 'cents'> & NonNullable<Sent['corrects']>;

function correction(
  { record, kept, period }: Place,
  { at, record: corrected, left, amount: whole, given: before, billedIn }: Target,
  { quarters, own, cents: supplied }: Correcting,
): Draft {
  const parts = (left * BigInt(quarters)) / 4n;
  const quantity = parts === 0n ? -1n : -parts;
  const wanted = BigInt(supplied ?? 0);
  // No more than is left, if that is known.
  const most = whole === null ? wanted : whole + before < 0n ? 0n : whole + before;
  const given = own && supplied !== null ? -(wanted > most ? most : wanted) : null;
  // What all corrections come to, less those before.
  const all = corrected.quantity - left - quantity;
  const rest = whole === null ? null : -rounded(whole * all, corrected.quantity) - before;
  const share = rest !== null && rest > 0n ? 0n : rest;
  const percent = corrected.amount === null ? null : billedIn?.percent;
  return {
    record: {
      ...record,
      quantity: decimal(Number(quantity), 6),
      amount: inCents(given === null ? null : Number(given)),
      correctsExtRefId: corrected.ref,
    },
    kept: {
      ...kept,
      quantity,
      amount: given ?? share,
      isShare: given === null && share !== null,
      unitPrice: corrected.unitPrice,
      correctsBilledAt: billedIn === null ? null : BigInt(percent ?? 0),
    },
    period: billedIn === null ? null : period,
    corrects: at,
  };
}

function clamped(day: IsoDate, { start, end }: StoredLine): IsoDate {
  if (end !== null && day > end) return end;
  return day < start ? start : day;
}

const inCents = (cents: number | null): string | null =>
  cents === null ? null : decimal(cents, 2);

/** A decimal of a whole number of its last places. */
function decimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** What corrects a usage record, and how far it can still be corrected. */
import type { Decimal } from '../model.ts';
import { formatDecimal, parseDecimal } from '../money/money.ts';
import type { UsageLine } from './lines.ts';
import { fault } from './records.ts';
import type { UsageFault } from './records.ts';
import { correctionAmount } from './shares.ts';

/** A record that a correction may name: a stored one, or an earlier one of the same upload. */
export interface Correctable {
  /** Its id if it is stored, else its place in the upload. */
  readonly at: RecordPlace;
  readonly line: UsageLine;
  readonly quantity: Decimal;
  /** The sum of its stored corrections: zero or negative. */
  readonly corrected: Decimal;
  /** As it was supplied, or its share if it is billed; null if its window still has to price it. */
  readonly amount: Decimal | null;
  readonly unitPrice: Decimal | null;
  readonly isCorrection: boolean;
  readonly isBilled: boolean;
  /** The percentage at which its supplied amount was billed; null if it was billed at none. */
  readonly percent: Decimal | null;
  /** That of its window; null if it has none. */
  readonly periodIndex: number | null;
}

export type RecordPlace = { readonly id: number } | { readonly index: number };

/** How much of the records of an upload is left to be corrected, by their references. */
export interface Corrections {
  /** Null without such a record; 'faulty' if it came earlier in the upload and is refused. */
  readonly find: (extRefId: string) => Correctable | 'faulty' | null;
  readonly add: (extRefId: string, record: Correctable | 'faulty') => void;
  /** Takes the quantity away, or says why that is not possible. */
  readonly take: (extRefId: string, taking: Taking) => UsageFault | null;
}

export interface Taking {
  readonly record: Correctable;
  readonly line: UsageLine;
  /** Negative. */
  readonly quantity: Decimal;
}

/** @param stored the stored records that the corrections of the upload name */
export function startCorrections(stored: ReadonlyMap<string, Correctable>): Corrections {
  const all = new Map<string, Correctable | 'faulty'>(stored);
  const left = new Map<string, bigint>();
  return {
    find: (extRefId) => all.get(extRefId) ?? null,
    add: (extRefId, record) => void all.set(extRefId, record),
    take(extRefId, { record, line, quantity }) {
      const refused = (why: string) =>
        fault('activity.correction', 'correctsExtRefId', why, extRefId);
      if (record.isCorrection) return refused(`${extRefId} is itself a correction`);
      if (record.line.id !== line.id) {
        return refused(`${extRefId} is of order line ${record.line.id}, not of ${line.id}`);
      }
      const before =
        left.get(extRefId) ?? parseDecimal(record.quantity) + parseDecimal(record.corrected);
      const after = before + parseDecimal(quantity);
      if (after < 0n) {
        const all = formatDecimal(before);
        return refused(
          `of ${extRefId} only ${all} is left to be corrected, not ${quantity.slice(1)}`,
        );
      }
      left.set(extRefId, after);
      return null;
    },
  };
}

/**
 * The amount of a correction: as it was supplied, else its part of its record's amount if that is
 * known; null if the window prices both.
 *
 * @example // 50 minutes were 5.00
 *   amountOfCorrection({ quantity: '-20', amount: null }, record) // '-2.00'
 */
export function amountOfCorrection(
  { quantity, amount }: { readonly quantity: Decimal; readonly amount: Decimal | null },
  record: Correctable,
): Decimal | null {
  if (amount !== null || record.amount === null) return amount;
  const { currency } = record.line.order;
  return correctionAmount(quantity, { quantity: record.quantity, amount: record.amount, currency });
}

/** What corrects a usage record, and how far it can still be corrected. */
import { add, compare, formatAmount, negate, signOf, type Decimal } from '../money/money.ts';
import type { UsageLine } from './lines.ts';
import { fault, type UsageFault } from './records.ts';
import { correctionAmount } from './shares.ts';

/** A record that a correction may name: a stored one, or an earlier one of the same upload. */
export interface Correctable {
  /** Its id if it is stored, else its place in the upload. */
  readonly at: RecordPlace;
  readonly line: UsageLine;
  readonly quantity: Decimal;
  /** The quantity of its stored corrections: zero or negative. */
  readonly corrected: Decimal;
  /**
   * As it was supplied, or its share if it is billed, zero once its invoice is cancelled; null if its
   * window still has to price it.
   */
  readonly amount: Decimal | null;
  /** The amounts of its stored corrections: zero or negative. */
  readonly correctedAmount: Decimal;
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
  /** Takes quantity and amount away, or says why that is not possible. */
  readonly take: (extRefId: string, taking: Taking) => Taken | { readonly fault: UsageFault };
}

export interface Taken {
  /**
   * As it was supplied, else its part of its record's amount if that is known; null if the window
   * prices both.
   */
  readonly amount: Decimal | null;
}

export interface Taking {
  readonly record: Correctable;
  readonly line: UsageLine;
  /** Negative. */
  readonly quantity: Decimal;
  /** As it was supplied: negative or zero. */
  readonly amount: Decimal | null;
}

/** What of a record is not corrected yet. */
interface Left {
  readonly quantity: Decimal;
  /** Null if the window still has to price it. */
  readonly amount: Decimal | null;
}

/** @param stored the stored records that the corrections of the upload name */
export function startCorrections(stored: ReadonlyMap<string, Correctable>): Corrections {
  const all = new Map<string, Correctable | 'faulty'>(stored);
  const left = new Map<string, Left>();
  return {
    find: (extRefId) => all.get(extRefId) ?? null,
    add: (extRefId, record) => void all.set(extRefId, record),
    take(extRefId, { record, line, quantity, amount: own }) {
      const refused = (why: string) => ({
        fault: fault('activity.correction', 'correctsExtRefId', why, extRefId),
      });
      if (record.isCorrection) return refused(`${extRefId} is itself a correction`);
      if (record.line.id !== line.id) {
        return refused(`${extRefId} is of order line ${record.line.id}, not of ${line.id}`);
      }
      const before = left.get(extRefId) ?? leftOf(record);
      const after = add(before.quantity, quantity);
      const onlyOf = (all: Decimal, not: Decimal) =>
        refused(`of ${extRefId} only ${all} is left to be corrected, not ${negate(not)}`);
      if (compare(after, '0') < 0) return onlyOf(before.quantity, quantity);
      const amount = own ?? partOf(record, { before, after });
      if (before.amount === null) {
        left.set(extRefId, { quantity: after, amount: null });
        return { amount };
      }
      const amountAfter = add(before.amount, amount ?? '0');
      if (own !== null && signOf(own) < 0 && signOf(amountAfter) < 0)
        return onlyOf(before.amount, own);
      left.set(extRefId, { quantity: after, amount: amountAfter });
      return { amount };
    },
  };
}

function leftOf({ quantity, corrected, amount, correctedAmount }: Correctable): Left {
  return {
    quantity: add(quantity, corrected),
    amount: amount === null ? null : add(amount, correctedAmount),
  };
}

/** What is to be given back of the record in all, less what was; never above zero. */
function partOf(
  { quantity, amount, line }: Correctable,
  { before, after }: { readonly before: Left; readonly after: Decimal },
): Decimal | null {
  if (amount === null || before.amount === null) return null;
  const { currency } = line.order;
  const all = correctionAmount(add(after, negate(quantity)), { quantity, amount, currency });
  const given = add(before.amount, negate(amount));
  const rest = add(all, negate(given));
  return formatAmount(currency, compare(rest, '0') < 0 ? rest : '0');
}

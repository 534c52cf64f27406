/** The usage windows of an order line, and what their records come to. */
import type { Decimal } from '../money/money.ts';

/** What the records of a usage window come to. */
export interface UsageSums {
  /** Of the records without an amount, and of corrections of them. */
  readonly quantities: readonly QuantitySum[];
  /** Of the records with an amount, and of corrections while they are unbilled; null without any. */
  readonly supplied: AmountSum | null;
  /** Of the corrections of records that were billed before. */
  readonly corrections: readonly CorrectionSum[];
}

export interface QuantitySum {
  /** The records' own, for UserEnteredPricing, null if they have none; elsewhere without a meaning. */
  readonly unitPrice: Decimal | null;
  /** Not negative: a record's corrections come to its quantity at most, and have its unit price. */
  readonly quantity: Decimal;
}

export interface AmountSum {
  readonly quantity: Decimal;
  readonly amount: Decimal;
}

/** Its amount is negative; of a correction without one it is a part of its record's. */
export interface CorrectionSum extends AmountSum {
  /** The id of the window that billed the records. */
  readonly of: number;
  /** The percentage at which the corrected records were billed; null if they were billed at none. */
  readonly percent: Decimal | null;
}

/** A usage window of an order line. */
export interface LineWindow {
  /** Absent before it is stored. */
  readonly id?: number;
  readonly periodIndex: number;
  /** It was billed, or passed without records. */
  readonly isClosed: boolean;
  /** Null without records, and if they were not read. */
  readonly sums: UsageSums | null;
  /** The last of the records that share what is priced by quantity; null without one, or unread. */
  readonly lastId?: number | null;
}

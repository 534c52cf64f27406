/** The lines of an order: what they charge, since when, and what of it was billed. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { Charge } from '../plans/plan.ts';
import type { EarlierCharge } from '../plans/price-moves.ts';

/** Days of period `periodIndex` that a line was billed for, inclusive. */
export interface BilledDays {
  readonly periodIndex: number;
  readonly from: IsoDate;
  readonly to: IsoDate;
  /** Their number among the days of the period that were billed apart, once they are stored. */
  readonly segment?: number;
  /** What further days of the period are priced by; absent where nothing is priced. */
  readonly cost?: BilledCost;
}

/** What some days of a period were billed for, whether that was paid or cancelled since. */
export interface BilledCost {
  /** Without those of pauses that were known when they were billed. */
  readonly days: number;
  /** One for each tier; none of a percentage. */
  readonly parts: readonly BilledPart[];
}

export interface BilledPart {
  readonly tierId: number | null;
  readonly unitPrice: Decimal;
  readonly quantity: Decimal;
  readonly amount: Decimal;
}

/**
 * A pause of service. The day of suspension and the day of resumption are served, the days between
 * are not. `resumedOn` is null while it lasts.
 */
export interface ServicePause {
  readonly suspendedOn: IsoDate;
  readonly resumedOn: IsoDate | null;
  /** The day on which it ends by itself, while that is ahead. */
  readonly until?: IsoDate | null;
  /** It is one of all orders of the customer. */
  readonly isOfCustomer?: boolean;
}

export interface BillableLine {
  readonly id: number;
  readonly position: number;
  readonly charge: Charge;
  readonly quantity: Decimal;
  /** The agreed price, for UserEnteredPricing. */
  readonly unitPrice: Decimal | null;
  readonly invoiceText: string | null;
  readonly isActive: boolean;
  /** Its first and last day; null: its order's. Outside of them it bills nothing. */
  readonly startsOn: IsoDate | null;
  readonly endsOn: IsoDate | null;
  /**
   * The lowest period that may still have something to bill. Period 0 stands for the only billing
   * of a one-time charge, 1 for "was billed".
   */
  readonly nextPeriodIndex: number;
  /**
   * Of a penalty: the day since which the customer stands at or past its status by ageing; null
   * if it does not, or once a one-time penalty is billed. Absent on other charges.
   */
  readonly penaltySince?: IsoDate | null;
  /** Days billed and not rolled back, in periods from `nextPeriodIndex` on. */
  readonly billed: readonly BilledDays[];
  /** Of a usage line: its stored windows from `nextPeriodIndex` on. Absent on other charges. */
  readonly windows?: readonly LineWindow[];
  /** The charges that it had before, the oldest first. Absent if it has always had this one. */
  readonly earlier?: readonly EarlierCharge[];
}

/**
 * The line with the charge that prices what begins on a day.
 *
 * @example lineOn(fee, '2027-01-15').charge.tiers[0].price // '31', before the price of 33 began
 */
export function lineOn(line: BillableLine, day: IsoDate): BillableLine {
  const before = line.earlier?.find(({ until }) => day < until);
  return before === undefined ? line : { ...line, charge: before.charge };
}

/* The usage windows of an order line, and what their records come to. */

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

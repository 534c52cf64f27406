/** The lines of an order: what they charge, since when, and what of it was billed. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { Charge } from '../plans/plan.ts';
import type { LineWindow } from './window.ts';

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
}

/** An order as billing sees it. */
import type { IsoDate, Schedule } from '../calendar/calendar.ts';
import type { BillableLine, ServicePause } from '../standing/line.ts';
import type { OrderStatus } from '../standing/status.ts';

/** The fields of an order that billing needs. */
export interface BillableOrder {
  readonly id: number;
  readonly status: OrderStatus;
  readonly currency: string;
  readonly schedule: Schedule;
  readonly startDate: IsoDate;
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  /** The last served day of a Canceled or Superseded order. */
  readonly endedOn: IsoDate | null;
  /** The day of the pending change that replaces it. */
  readonly changeOn: IsoDate | null;
  /** It replaces an order that still serves, so it does not begin by itself. */
  readonly awaitsChange: boolean;
  /** Of a Superseded order: its first unused day, while what was billed from it on is to be credited. */
  readonly creditFrom: IsoDate | null;
  /** Set by a cancellation after which the order never bills again. */
  readonly billsNothingMore: boolean;
  /** Pauses of the order and of its customer, in any order; they may overlap. */
  readonly pauses: readonly ServicePause[];
  /** The customer is in a Suspended or InActive status. */
  readonly customerSuspended: boolean;
  /** The tenant's: usage is billed so many days after its period. */
  readonly usageGraceDays: number;
  readonly lines: readonly BillableLine[];
}

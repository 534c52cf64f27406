/** The input and result of auditing a kind of due thing. */
import type { Database } from '../../db/connection/database.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Fault } from './report.ts';

export interface DueAuditOptions {
  /** Plans are cached by this database. */
  readonly db: Database;
  readonly now: Date;
  readonly today: IsoDate;
  /** The tenant's. */
  readonly usageGraceDays: number;
  /** A billing run or an advancing clock is active, so due things are being processed. */
  readonly isBilling: boolean;
}

export interface DueAudit {
  readonly faults: readonly Fault[];
  /** The number of due things that are being processed. */
  readonly underWay: number;
}

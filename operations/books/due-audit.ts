/** What the audit of a kind of due thing is asked, and answers. */
import type { Database } from '../../db/connection/database.ts';
import type { IsoDate } from '../../domain/model.ts';
import type { Fault } from './report.ts';

export interface DueAuditOptions {
  /** Under which plans are kept. */
  readonly db: Database;
  readonly today: IsoDate;
  /** A billing run or an advancing clock is at work: what is due is on its way. */
  readonly isBilling: boolean;
}

export interface DueAudit {
  readonly faults: readonly Fault[];
  /** Due, but someone is busy with them. */
  readonly underWay: number;
}

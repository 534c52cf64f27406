/** The report of an audit. */
import type { Database } from '../../db/connection/database.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';

/** One row that breaks an invariant. */
export interface Fault {
  /** A stable name for scripts: `invoice.chain`. */
  readonly check: string;
  /** The row by the name that people know: `invoice 1003`. */
  readonly object: string;
  /** The stored value and the right one. */
  readonly detail: string;
}

export interface HeldFromBilling {
  readonly customerId: number;
  readonly extCustomerRef: string | null;
  readonly code: string;
  /** More about the reason; null for most codes. */
  readonly text: string | null;
  /** By the tenant's clock, as `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly since: string;
}

/** A customer that is not billed because its tax provider does not answer. */
export interface WaitingForTaxes {
  readonly customerId: number;
  readonly extCustomerRef: string | null;
  /** Of the last failure. */
  readonly code: string;
  /** Real times, as `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly since: string;
  readonly nextTryAt: string;
}

export interface RecomputedSample {
  readonly invoices: number;
  readonly charges: number;
  /** What it left out, by the reason. */
  readonly notRecomputed: Readonly<Record<string, number>>;
}

export interface TenantAudit {
  readonly tenant: string;
  /** The current date of the tenant's clock. */
  readonly today: string;
  readonly customers: number;
  readonly orders: number;
  readonly invoices: number;
  /** Due orders that a billing run or an advancing clock is processing: not faults. */
  readonly underWay: number;
  /** Customers that a person must release; they are not faults. */
  readonly held: readonly HeldFromBilling[];
  /** Customers that wait for their tax provider; they are not faults. */
  readonly waiting: readonly WaitingForTaxes[];
  /** What the second calculator computed anew of the newest invoices. */
  readonly recomputed: RecomputedSample;
  readonly faults: readonly Fault[];
}

/** Whether the workflows were checked; `unreachable` is itself a fault. */
export type WorkflowLook = 'checked' | 'skipped' | 'unreachable';

export interface AuditReport {
  readonly clean: boolean;
  readonly workflows: WorkflowLook;
  readonly tenants: readonly TenantAudit[];
}

/* The input and result of auditing a kind of due thing. */

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

/** What an audit found, as its callers print it. */

/** One row that breaks an invariant. */
export interface Fault {
  /** Stable, for scripts: `invoice.chain`. */
  readonly check: string;
  /** The row as people know it: `invoice 1003`. */
  readonly object: string;
  /** What it says, and what it should. */
  readonly detail: string;
}

export interface HeldFromBilling {
  readonly customerId: number;
  readonly extCustomerRef: string | null;
  readonly code: string;
  /** `YYYY-MM-DDTHH:MM:SSZ`, by the tenant's clock. */
  readonly since: string;
}

export interface TenantAudit {
  readonly tenant: string;
  /** The tenant's day, on its own clock. */
  readonly today: string;
  readonly customers: number;
  readonly orders: number;
  readonly invoices: number;
  /** Orders that are due, and that a billing run or an advancing clock is busy with: no fault. */
  readonly underWay: number;
  /** No faults either, but someone has to see to them. */
  readonly held: readonly HeldFromBilling[];
  readonly faults: readonly Fault[];
}

/** Whether the workflows of orders and payments were looked for; `unreachable` is a fault of its own. */
export type WorkflowLook = 'checked' | 'skipped' | 'unreachable';

export interface AuditReport {
  readonly clean: boolean;
  readonly workflows: WorkflowLook;
  readonly tenants: readonly TenantAudit[];
}

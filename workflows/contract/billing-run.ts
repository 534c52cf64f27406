/** The contract of a tenant's billing run: when it is due, how far it has come, and its lanes. */

/** When a tenant's billing run is due. */
export interface BillingRunPlan {
  /** A tenant on a test clock has no run: its clock bills. */
  readonly ended: boolean;
  readonly due: boolean;
  /** The day to bill when due, else the next day that has a run. */
  readonly runOn: string;
  readonly waitMs: number;
  /** When it begins, in milliseconds since 1970. Older histories lack it. */
  readonly at?: number;
  /** Customers that wait for their tax provider; absent if there are none. */
  readonly waiting?: number;
}

/** A customer that is held from billing, and why. */
export interface HeldShown {
  readonly customerId: string;
  readonly customerRef?: string | null;
  readonly code: string;
}

/** How far a run has come. */
export interface BillingRunProgress {
  readonly done: boolean;
  readonly customers: number;
  readonly orders: number;
  readonly invoices: number;
  readonly held: number;
  /** The first of them by id, once the run is done. Older histories lack it. */
  readonly heldCustomers?: readonly HeldShown[];
  /** The rate of the latest slice. */
  readonly invoicesPerSecond: number;
  /** What was invoiced, a sum for each currency: `236.85 USD`. Older histories lack it. */
  readonly amounts?: readonly string[];
  /** Customers that wait for their tax provider; absent if there are none. */
  readonly waiting?: number;
  /** What is due of orders is left to these lanes, since it is much; absent if it is not. */
  readonly lanes?: readonly BillingLane[];
}

/** A part of a tenant's customers by their ids, those after one up to another, which a worker bills. */
export interface BillingLane {
  readonly after: string;
  readonly until: string;
}

/** How far a lane has come; the counts are those of the whole run. */
export interface BillingLaneProgress extends Pick<
  BillingRunProgress,
  'customers' | 'orders' | 'invoices' | 'amounts' | 'invoicesPerSecond'
> {
  /** What is left of it; null once it is done. */
  readonly rest: BillingLane | null;
}

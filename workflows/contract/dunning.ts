/** The contract of the workflow of a dunning: its input, its wakes, what people ask of it. */
import { defineUpdate } from '@temporalio/workflow';
import type { CustomerShown, TenantInput } from './contract.ts';

export interface DunningInput extends TenantInput {
  readonly customerId: string;
  readonly title: string;
  /** The state that the last wake of the previous run saw. */
  readonly seen?: SeenDunning;
}

/** What a wake of a dunning saw, from which the next wake derives what has happened. */
export interface SeenDunning {
  /** The newest transition or note, by its id. */
  readonly last: number;
  /** How many retries were concluded; an earlier version did not say. */
  readonly retries?: number;
}

/** The result of a dunning's wake. */
export interface DunningWake {
  /** What the wake did or found, in a few words. */
  readonly did: string;
  /** What has happened since the wake before, with its day, oldest first. */
  readonly happened: readonly string[];
  /** The customer's status; Held while somebody holds the dunning; Closed at its end. */
  readonly phase: string;
  /** The earlier one of the next threshold and the next retry. */
  readonly next: DunningStep | null;
  /** The other one. */
  readonly later?: DunningStep | null;
  /** Why nothing comes next; null if something does. */
  readonly waitsFor: string | null;
  /** How long to sleep, in milliseconds; null means until a nudge. */
  readonly waitMs: number | null;
  /** The wake left the due step to the run of the day. */
  readonly yielded: boolean;
  /** Nothing is overdue any more, and nothing is tried again. */
  readonly ended: boolean;
  /** `29.95 USD overdue, the oldest invoice since 2027-02-15`, for each currency. */
  readonly owed: readonly string[];
  /** The payments of retries under way. */
  readonly trying?: readonly string[];
  readonly tenant?: string;
  readonly customer?: CustomerShown;
  /** The day of the tenant's test clock; null in real time. */
  readonly clockOn: string | null;
  readonly seen: SeenDunning;
}

export interface DunningStep {
  /** `becomes Overdue2`, `retries invoice 1001 (retry 2)` */
  readonly what: string;
  /** The tenant's day, `YYYY-MM-DD`. */
  readonly on: string;
  /** That day's 00:00, in milliseconds since 1970. */
  readonly at: number;
}

/** What a person asks of a dunning. */
export type DunningAction = 'hold' | 'resume' | 'retryNow';

/** The books keep the reason. */
export interface DunningRequest {
  readonly reason: string;
  /** The person's name, for the audit log. Older histories lack it. */
  readonly by?: string | undefined;
}

export interface DunningOutcome {
  readonly did: string;
}

/** Stops steps upwards and retries until `resumeDunning`. */
export const holdDunning = defineUpdate<DunningOutcome, [DunningRequest]>('hold');
/** Charges the retries to come now. */
export const retryDunningNow = defineUpdate<DunningOutcome, [DunningRequest]>('retryNow');
export const resumeDunning = defineUpdate<DunningOutcome, [DunningRequest]>('resume');

/** @see DunningInput */
export interface DunningWakeInput extends TenantInput {
  readonly customerId: string;
  /** How often in a row the due step was left to the run of the day. */
  readonly yields: number;
  readonly seen?: SeenDunning | undefined;
}

/** @see DunningInput */
export interface DunningChangeInput extends TenantInput {
  readonly customerId: string;
  readonly action: DunningAction;
  readonly reason: string;
  readonly by?: string | undefined;
  /** Identifies the request, so that a repeated activity does it once. */
  readonly requestId: string;
}

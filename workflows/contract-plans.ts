/** The contract of the workflow of a payment plan: its input, its update, what its looks find. */
import { defineUpdate } from '@temporalio/workflow';
import type { CustomerShown, TenantInput } from './contract.ts';

export interface PaymentPlanInput extends TenantInput {
  readonly planId: string;
  readonly title: string;
}

/** Skips the next installment of a payment plan: it counts, and charges nothing. */
export const skipInstallment = defineUpdate<PlanWake, [Skip]>('skipInstallment');

export interface Skip {
  /** Kept in the books with the installment. */
  readonly reason: string;
}

/** The result of a look at a payment plan, which people read first in a history. */
export interface PlanWake {
  /** What the look did or found, in a few words. */
  readonly did: string;
  /** Enabled, Charging while a payment of it is under way, or Ended; Gone without a row. */
  readonly phase: string;
  /** `50.00 USD every 2 Weeks, at most what is owed`. */
  readonly terms: string;
  /** The installments to come. */
  readonly remaining: number;
  /** The last installments that were concluded, with their day, oldest first. */
  readonly happened: readonly string[];
  /** The payments under way, by their ids. */
  readonly paying: readonly string[];
  readonly next: PlanStep | null;
  /** How long to sleep, in milliseconds; null means until a nudge. */
  readonly waitMs: number | null;
  /** The plan is no longer enabled, and nothing of it is under way. */
  readonly ended: boolean;
  readonly tenant?: string;
  readonly customer?: CustomerShown;
  /** The day of the tenant's test clock; null in real time. */
  readonly clockOn?: string | null;
}

export interface PlanStep {
  readonly what: 'charges' | 'retries';
  /** Its number, from 1. */
  readonly installment: number;
  /** The tenant's day, `YYYY-MM-DD`. */
  readonly on: string;
  /** That day's 00:00, in milliseconds since 1970. */
  readonly at: number;
}

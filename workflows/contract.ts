/** What the workflows and those who start them share: names, inputs, messages, search attributes. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** The workflows by their type; `workflowIdOf` of the outbox makes their ids. */
export const workflowTypes = {
  order: 'subscription',
  billing: 'billingRun',
  clock: 'testClock',
  payment: 'payment',
} as const;

export const defaultTaskQueue = 'sundial';

/** Calls of a gateway have a queue of their own: so the rate of each can be limited. */
export function gatewayQueue(taskQueue: string, gateway: string): string {
  return `${taskQueue}-gateway-${gateway}`;
}

/** Ids are text here: a payload's JSON numbers are nobody's business. */
export interface TenantInput {
  readonly tenantId: string;
}

export interface SubscriptionInput extends TenantInput {
  readonly orderId: string;
  /** For people. The static summary says the same, but does not outlive a continue-as-new. */
  readonly title: string;
}

export interface PaymentChainInput extends TenantInput {
  /** Of the first payment of the cascade. */
  readonly paymentId: string;
  /** At which it begins; continued as new, at which it is. */
  readonly gateway: string;
  /** For people, as above. */
  readonly title: string;
  /** Carried along by a continue-as-new. */
  readonly asking?: Asking | null;
}

/** A gateway is asked again and again what became of a call. */
export interface Asking {
  /** How often in a row. */
  readonly asked: number;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
}

/** "Look again": a row that the workflow lives by has changed. */
export const nudge = defineSignal('nudge');

/** Answers once the payment is final; earlier only where the workflow is continued as new. */
export const awaitOutcome = defineUpdate<PaymentOutcome>('settled');

/** Answers for a gateway that will never say what became of a call. */
export const resolve = defineUpdate<PaymentOutcome, [Resolution]>('resolve');

export interface PaymentOutcome {
  /** The attempt of which this speaks. */
  readonly paymentId: string;
  readonly status: string;
}

export interface Resolution {
  readonly outcome: 'approved' | 'declined';
  /** Kept with the payment's result. */
  readonly reason: string;
  /** Of what was approved, the gateway's own: without it nothing goes back of it by the gateway. */
  readonly transactionId?: string | undefined;
}

export const tenantIdKey = defineSearchAttributeKey('TenantId', 'KEYWORD');
export const customerIdKey = defineSearchAttributeKey('CustomerId', 'KEYWORD');
export const orderNumberKey = defineSearchAttributeKey('OrderNumber', 'KEYWORD');
export const phaseKey = defineSearchAttributeKey('Phase', 'KEYWORD');
export const failureCodeKey = defineSearchAttributeKey('FailureCode', 'KEYWORD');
export const nextActionAtKey = defineSearchAttributeKey('NextActionAt', 'DATETIME');

/** Smaller goes first where tasks queue up: somebody waits for a payment; orders follow the run. */
export const priorities = { payment: 1, clock: 2, billing: 2, order: 3 } as const;

/** What a subscription workflow learns from its row at each wake. */
export interface OrderWake {
  /** The order's status; Held while its customer is held from billing; Gone without a row. */
  readonly phase: string;
  /** What the wake did or found, in a few words. */
  readonly did: string;
  readonly next: NextStep | null;
  /** How long to sleep, in milliseconds; null: until nudged. */
  readonly waitMs: number | null;
  /** The due row was left to the billing run this time. */
  readonly yielded: boolean;
  readonly failureCode: string | null;
  /** The row is terminal with nothing more to do. */
  readonly ended: boolean;
}

export interface NextStep {
  readonly what: 'activates' | 'bills' | 'pays' | 'renews' | 'completes';
  /** The tenant's day, `YYYY-MM-DD`. */
  readonly on: string;
  /** That day's 00:00, in milliseconds since 1970. */
  readonly at: number;
}

/** How far a payment, a refund, or the cascade that it began has come. */
export interface PaymentProgress {
  /** Nothing is left to do: the status is final. */
  readonly done: boolean;
  /** The attempt of which this speaks. */
  readonly paymentId: string;
  readonly status: string;
  /** Waiting for its turn or Charging; null once it is final. */
  readonly phase: string | null;
  /** What was done or found, in a few words. */
  readonly did: string;
  /** How long to wait before the next look, in milliseconds; null once it is done. */
  readonly waitMs: number | null;
  /** The gateway is asked what became of a call. */
  readonly asks: boolean;
  readonly failureCode: string | null;
  /** Where it goes on from now, when that is at another gateway than before. */
  readonly gateway: string | null;
}

/** When a tenant's billing run is due. */
export interface BillingRunPlan {
  /** A tenant on a test clock has no run of its own: its clock bills. */
  readonly ended: boolean;
  readonly due: boolean;
  /** The day to bill when due, else the next day that has a run. */
  readonly runOn: string;
  readonly waitMs: number;
}

/** A customer that is held from billing, and why. */
export interface HeldShown {
  readonly customerId: string;
  readonly code: string;
}

/** How far a run has come. */
export interface BillingRunProgress {
  readonly done: boolean;
  readonly customers: number;
  readonly orders: number;
  readonly invoices: number;
  readonly held: number;
  /** The first of them by id, as soon as the run is done. Histories of before are without. */
  readonly heldCustomers?: readonly HeldShown[];
  /** Of the slice just done. */
  readonly invoicesPerSecond: number;
}

/** How far a test clock has come. */
export interface ClockProgress {
  readonly done: boolean;
  /** The instant reached, ISO 8601 in UTC; null without a clock. */
  readonly now: string | null;
  readonly target: string | null;
  /** Orders whose workflow has not yet seen the instant reached. */
  readonly behind: number;
  /** Payments under way, for which the clock waits. */
  readonly paying: number;
}

/** The contract between workflows and their callers: names, inputs, messages, search attributes. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

export const defaultTaskQueue = 'sundial';

/** Queues beside that of the workflows, so that what is slow delays nothing else; histories name them. */
export type OwnQueue =
  | `gateway-${string}`
  | 'billing'
  | 'callbacks'
  | 'mail'
  | 'taxes'
  | 'imports'
  | 'reports'
  | 'passwords';

/** @param taskQueue that of the workflows */
export function ownQueue(taskQueue: string, own: OwnQueue): string {
  return `${taskQueue}-${own}`;
}

/** Ids are text, so that they do not depend on the JSON numbers of payloads. */
export interface TenantInput {
  readonly tenantId: string;
  /**
   * For people. The static summary says the same, but does not survive a continue-as-new. Workflows
   * of tenants that started without it show their type.
   */
  readonly title?: string;
  /** The last events, the oldest first; set by a continue-as-new. */
  readonly story?: readonly string[];
}

export interface SubscriptionInput extends TenantInput {
  readonly orderId: string;
  readonly title: string;
  /** The state that the last wake of the previous run saw. */
  readonly seen?: SeenOrder;
}

export interface CascadeInput extends TenantInput {
  /** The first payment of the cascade. */
  readonly paymentId: string;
  /** The gateway of its first attempt; after a continue-as-new, of the present one. */
  readonly gateway: string;
  readonly title: string;
  /** Payments that started without it do not name their customer. */
  readonly customer?: CustomerShown;
  /** Set by a continue-as-new. */
  readonly asking?: Asking | null;
}

/** The repeated lookups of a lost answer at the gateway. */
export interface Asking {
  /** The number of lookups in a row. */
  readonly asked: number;
  /** The time of the first lookup, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * No sleep is for ever: a look costs little. Longer than a month, so that a monthly order sleeps
 * once a period.
 */
export const SLEEP_MS_MAX = 35 * 86_400_000;

/** How many of a backlog are counted for people; a count of one more stands for any more. */
export const COUNTED_MAX = 10_000;

/** The memo of a workflow that supervision has started again: when, and why. */
export const RESTARTED_MEMO = 'restarted';

/** The memo with the id of the request that made a workflow, as the answer and the logs have it. */
export const REQUEST_MEMO = 'requestId';

/** Makes the workflow read its rows again, because one has changed. */
export const nudge = defineSignal('nudge');

/** Completes once the payment is final, or earlier on a continue-as-new. */
export const awaitOutcome = defineUpdate<PaymentOutcome>('settled');

/** Resolves by hand a call that the gateway never answers. */
export const resolve = defineUpdate<PaymentOutcome, [Resolution]>('resolve');

export interface PaymentOutcome {
  /** The try that this describes. */
  readonly paymentId: string;
  readonly status: string;
}

/** Its reason is stored with the payment's result. */
export interface Resolution extends Reasoned {
  readonly outcome: 'approved' | 'declined';
  /** The gateway's id of an approved charge; without it the gateway cannot refund the charge. */
  readonly transactionId?: string | undefined;
}

/** The names by which people know an order or a payment; set when the workflow starts. */
export const tenantKey = defineSearchAttributeKey('Tenant', 'KEYWORD');
export const customerRefKey = defineSearchAttributeKey('CustomerRef', 'KEYWORD');
export const tenantIdKey = defineSearchAttributeKey('TenantId', 'KEYWORD');
export const customerIdKey = defineSearchAttributeKey('CustomerId', 'KEYWORD');
export const orderNumberKey = defineSearchAttributeKey('OrderNumber', 'KEYWORD');
export const phaseKey = defineSearchAttributeKey('Phase', 'KEYWORD');
export const failureCodeKey = defineSearchAttributeKey('FailureCode', 'KEYWORD');
export const nextActionAtKey = defineSearchAttributeKey('NextActionAt', 'DATETIME');

/** A customer as workflows show it. */
export interface CustomerShown {
  readonly customerId: string;
  /** The customer's own reference; null if there is none, or if it may be an e-mail address. */
  readonly customerRef: string | null;
}

/** The state of an order that a wake saw, from which the next wake derives what has changed. */
export interface SeenOrder {
  /** The newest line of an invoice, by its id. */
  readonly line: number;
  readonly status: string;
  /** Why the customer was held from billing. */
  readonly heldCode: string | null;
  /** `bills on 2027-02-15` */
  readonly next: string | null;
  /** What it said of the orders before and after it. Older histories lack it. */
  readonly changes?: readonly string[];
  /** The newest commission of its sales agents, by its id. */
  readonly earned?: number;
}

/** The result of a subscription workflow's wake, which people read first in a history. */
export interface OrderWake {
  /** What the wake did or found, in a few words. */
  readonly did: string;
  /**
   * What has happened since the wake before, with its day, oldest first. Histories of older wakes
   * lack the optional fields.
   */
  readonly happened?: readonly string[];
  /** The order's status; Held while its customer is held from billing; Gone without a row. */
  readonly phase: string;
  readonly next: NextStep | null;
  /** How long to sleep, in milliseconds; null means until a nudge. */
  readonly waitMs: number | null;
  /** The wake left the due order to the billing run. */
  readonly yielded: boolean;
  readonly failureCode: string | null;
  /** Since when its customer waits for the tax provider, in milliseconds since 1970. */
  readonly waitsSince?: number;
  /** The order has ended and nothing is left to do. */
  readonly ended: boolean;
  /** The worker had evicted the workflow, so this wake replayed its run. */
  readonly evicted?: boolean;
  readonly tenant?: string;
  readonly customer?: CustomerShown;
  /** How far its coupon is used; null if it has none. */
  readonly coupon?: string | null;
  /** Which usage it bills next: `bills usage of 2027-01 on 2027-02-03`; absent if none. */
  readonly usage?: string;
  /** The orders that it replaces and that replaces it: `replaces order 1042 since 2027-03-20` */
  readonly changes?: readonly string[];
  /** Its sales agents, by their codes: `agent AGENT-1 by STD since 2027-01-15` */
  readonly agents?: readonly string[];
  /** The day of the tenant's test clock; null in real time. */
  readonly clockOn?: string | null;
  readonly seen?: SeenOrder;
}

type Turn = 'renews' | 'completes' | 'takes new prices';

export interface NextStep {
  /** `starts`: with the change that another order makes on that day, so nothing wakes for it. */
  readonly what: 'activates' | 'bills' | 'changes' | 'pays' | Turn | 'starts';
  /** The tenant's day, `YYYY-MM-DD`. */
  readonly on: string;
  /** That day's 00:00, in milliseconds since 1970. */
  readonly at: number;
}

/** The progress of a payment, a refund, or a cascade. */
export interface PaymentProgress {
  /** The status is final and nothing is left to do. */
  readonly done: boolean;
  /** The try that this describes. */
  readonly paymentId: string;
  readonly status: string;
  /** Waiting (for its turn), Charging, or Processing (for days); null in any other status. */
  readonly phase: string | null;
  /** What the step did or found, in a few words. */
  readonly did: string;
  /** How long to wait before the next step, in milliseconds; null once it is done. */
  readonly waitMs: number | null;
  /** The gateway is being asked for the outcome of a lost call. */
  readonly asks: boolean;
  readonly failureCode: string | null;
  /** The next gateway, if it differs from the present one. */
  readonly gateway: string | null;
  /** `20.00 USD`. Histories of older steps lack it. */
  readonly amount?: string;
  /** Of a refund: the numbers of the credit notes that go with it, if there are any. */
  readonly creditNotes?: readonly string[];
}

/** How far a test clock has come. */
export interface ClockProgress {
  readonly done: boolean;
  /** The instant reached, ISO 8601 in UTC; null without a clock. */
  readonly now: string | null;
  readonly target: string | null;
  /** Orders whose workflow has not yet seen the instant reached. */
  readonly behind: number;
  /** Pending payments, for which the clock waits. */
  readonly paying: number;
  /** Customers that wait for their tax provider; absent if there are none. */
  readonly waiting?: number;
  /** The time to its next try in milliseconds, which is real; absent if nobody waits. */
  readonly waitMs?: number;
  /** The last instants at which this slice did something. Older histories lack it. */
  readonly happened?: readonly string[];
}

/* The contract of the workflow that sends callbacks: its input, its Update, its progress. */

export interface CallbacksInput extends TenantInput {
  readonly endpointId: string;
  readonly title: string;
}

/** Sends again what was given up to an endpoint, and ends its pause. */
export const resumeCallbacks = defineUpdate<CallbacksResumed, [Reasoned]>('resume');

/** What a person gives with an Update. */
interface Reasoned {
  readonly reason: string;
  /** The person's name, for the audit log. Older histories lack it. */
  readonly by?: string | undefined;
}

export interface CallbacksResumed {
  /** The events that are sent again. */
  readonly events: number;
}

/** How far an endpoint is. */
export interface CallbackProgress {
  /** Nothing is left to send, and nothing is given up that could be sent again. */
  readonly done: boolean;
  readonly phase: 'Delivering' | 'Retrying' | 'Paused' | 'GivenUp' | 'Off' | 'Done';
  /** The host of its address. */
  readonly endpoint: string;
  /** The events delivered by this slice. */
  readonly delivered: number;
  /** The events that failed, and those that wait for them; COUNTED_MAX + 1 stands for any more. */
  readonly waiting: number;
  /** Counted in the same way. */
  readonly givenUp: number;
  readonly failureCode: string | null;
  /** How long to wait before the next slice, in milliseconds; null if there is nothing to wait for. */
  readonly waitMs: number | null;
  /** The creation of the oldest event that waits, in milliseconds since 1970. */
  readonly oldestAt: number | null;
  /** Since when the endpoint has not answered, in milliseconds since 1970. */
  readonly failingSince: number | null;
}

/* The contract of the workflow of a payment plan: its input, its update, what its looks find. */

export interface PaymentPlanInput extends TenantInput {
  readonly planId: string;
  readonly title: string;
}

/** Skips the next installment of a payment plan: it counts, and charges nothing. */
export const skipInstallment = defineUpdate<PlanWake, [Skip]>('skipInstallment');

/** The books keep its reason with the installment. */
export type Skip = Reasoned;

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

/* The contract of the workflow of a hosted sign-up: its input, its looks, what is asked of it. */

export interface SignupInput extends TenantInput {
  readonly signupId: string;
  readonly title: string;
}

/** What a look at a sign-up did and found. */
export interface SignupLook {
  /** What has happened since the look before, oldest first. */
  readonly happened: readonly string[];
  /** Open, Storing, Working, Confirming, Charging; Processed, Failed or Expired; Gone without a row. */
  readonly phase: string;
  /** `open until 10:30, 1 of 3 tries declined, order 1001` */
  readonly told: string;
  /** The try that is not final yet. */
  readonly openTry: string | null;
  readonly failureCode: string | null;
  readonly waitMs: number | null;
  readonly ended: boolean;
}

/** Asked for with a form that was submitted; completes when its try is final. */
interface SubmittedTry {
  readonly tryId: string;
}

interface SubmitOutcome {
  readonly phase: string;
}

/** The books keep the reason. */
type CancelRequest = Reasoned;

export interface CancelOutcome {
  readonly did: string;
}

export const submitSignup = defineUpdate<SubmitOutcome, [SubmittedTry]>('submit');
export const cancelSignup = defineUpdate<CancelOutcome, [CancelRequest]>('cancel');

/** @see SignupInput */
export interface SignupLookInput extends TenantInput {
  readonly signupId: string;
}

export interface SignupCancelInput extends SignupLookInput, Reasoned {
  /** Identifies the request, so that a repeated activity does it once. */
  readonly requestId: string;
}

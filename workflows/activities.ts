/** The activity proxies of workflows, with every time limit and retry. */
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type {
  Activities,
  BillingActivities,
  BillLaneInput,
  GatewayActivities,
  MailActivities,
  PlanInput,
  TaxActivities,
  WakeInput,
} from '../activities/activities.ts';
import type { CallbackActivities } from '../activities/callbacks.ts';
import type {
  ImportActivities,
  PasswordActivities,
  ReportActivities,
  SteeringActivities,
} from '../activities/imports.ts';
import type { DunningWake, DunningWakeInput } from './contract/dunning.ts';
import type { BillingLaneProgress } from './contract/billing-run.ts';
import {
  ownQueue,
  type OrderWake,
  type TenantInput,
  type PlanWake,
  type SignupLook,
  type SignupLookInput,
} from './contract/contract.ts';
import { summaryOf } from './story/story.ts';

export const retry = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
} as const;

/** One short transaction each, run inside the workflow task: a wake stays one task. */
const short = {
  startToCloseTimeout: '45 seconds',
  // A longer retry delay becomes a timer, so that no task stays open while the database is down.
  localRetryThreshold: '5 seconds',
  retry,
} as const;

export const { planBillingRun } = proxyLocalActivities<Activities>({
  ...short,
  summary: 'when is the next run due?',
});

/** @param why what the history shows beside the look; its result says what it found and did */
export function lookAtOrder(why: string, input: WakeInput): Promise<OrderWake> {
  return proxyLocalActivities<Activities>({ ...short, summary: summaryOf(why) }).follow(input);
}

/** @param why what the history shows beside the look */
export function wakeDunningFor(why: string, input: DunningWakeInput): Promise<DunningWake> {
  const summary = summaryOf(why);
  return proxyLocalActivities<Activities>({ ...short, summary }).wakeDunning(input);
}

/** The same of a payment plan. */
export function lookAtPlan(why: string, input: PlanInput): Promise<PlanWake> {
  return proxyLocalActivities<Activities>({ ...short, summary: summaryOf(why) }).followPlan(input);
}

/**
 * A sign-up's next steps: they may ask the tax provider or the gateway, so they are no part of a task.
 *
 * @param why what the history shows beside the look
 */
export function lookAtSignup(why: string, input: SignupLookInput): Promise<SignupLook> {
  const { followSignup } = proxyActivities<Activities>({
    startToCloseTimeout: '2 minutes',
    // A dead worker is detected soon, while somebody looks at the page.
    heartbeatTimeout: '5 seconds',
    summary: summaryOf(why),
    retry: { ...retry, maximumInterval: '10 seconds' },
  });
  return followSignup(input);
}

/** Long activities: they work in slices and send heartbeats. */
const long = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { ...retry, maximumInterval: '10 seconds' },
} as const;

export const { billTenant } = proxyActivities<Activities>({
  ...long,
  summary: 'bills what is due of the tenant',
});

/** Some of a lane, on the queue of lanes, so that nobody else waits behind a large tenant. */
export function billLane(input: BillLaneInput): Promise<BillingLaneProgress> {
  const { billLane: bill } = proxyActivities<BillingActivities>({
    ...long,
    taskQueue: ownQueue(workflowInfo().taskQueue, 'billing'),
    summary: 'bills what is due of some customers',
  });
  return bill(input);
}

export const { advanceClock } = proxyActivities<Activities>({
  ...long,
  summary: 'does what is due, instant after instant',
});

/** Activities that a person requests: the history shows them with their outcome. */
export const {
  resolvePayment,
  changeDunning,
  cancelSignup: cancelSignupFor,
} = proxyActivities<Activities>({
  startToCloseTimeout: '45 seconds',
  retry,
});

/** The same of an update of a payment plan. */
export const { skipPlanInstallment } = proxyActivities<Activities>({
  startToCloseTimeout: '45 seconds',
  retry,
});

/** Calls to a gateway, within its rate limit; heartbeats show the step. */
export function activitiesAt(gateway: string, step: string): GatewayActivities {
  return proxyActivities<GatewayActivities>({
    taskQueue: ownQueue(workflowInfo().taskQueue, `gateway-${gateway}`),
    summary: summaryOf(`${gateway}: ${step}`),
    startToCloseTimeout: '5 minutes',
    // A short time-out detects a dead worker soon, while the caller is still waiting.
    heartbeatTimeout: '5 seconds',
    retry: { ...retry, maximumInterval: '10 seconds' },
  });
}

/** Posts to endpoints, which may be slow: at most a slice and its last posts. */
export function callbackActivities(): CallbackActivities {
  return proxyActivities<CallbackActivities>({
    taskQueue: ownQueue(workflowInfo().taskQueue, 'callbacks'),
    summary: 'sends what the endpoint is owed',
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '10 seconds',
    retry: { ...retry, maximumInterval: '10 seconds' },
  });
}

/** What a pass of a tenant's mails did, and what is left. */
export type MailProgress = Awaited<ReturnType<MailActivities['sendMails']>>;

/** One pass over the tenant's queued mails, on the queue of mails. */
export function sendMails(input: TenantInput): Promise<MailProgress> {
  const { sendMails: send } = proxyActivities<MailActivities>({
    ...long,
    taskQueue: ownQueue(workflowInfo().taskQueue, 'mail'),
    summary: 'sends the mails that are due',
  });
  return send(input);
}

/** What a pass of a tenant's tax records did, and what is left. */
export type TaxRecordProgress = Awaited<ReturnType<TaxActivities['recordTaxes']>>;

/** One pass over what is due at the tenant's tax provider, on the queue of tax records. */
export function recordTaxes(input: TenantInput): Promise<TaxRecordProgress> {
  const { recordTaxes: record } = proxyActivities<TaxActivities>({
    ...long,
    taskQueue: ownQueue(workflowInfo().taskQueue, 'taxes'),
    summary: 'records and voids invoices at the tax provider',
  });
  return record(input);
}

/* The activity proxies of batch jobs and of imported passwords, with every time limit and retry. */

export type PreparedImport = Extract<
  Awaited<ReturnType<ImportActivities['prepareImport']>>,
  { readonly kind: unknown }
>;
export type SliceProgress = NonNullable<Awaited<ReturnType<ImportActivities['importSlice']>>>;
export type FinishedImport = Awaited<ReturnType<ImportActivities['finishImport']>>;
export type PasswordProgress = Awaited<ReturnType<PasswordActivities['hashPasswords']>>;

/** @param what what the history shows beside the activity */
export function importActivities(what: string): ImportActivities {
  return proxyActivities<ImportActivities>({
    taskQueue: ownQueue(workflowInfo().taskQueue, 'imports'),
    summary: summaryOf(what),
    startToCloseTimeout: '2 hours',
    heartbeatTimeout: '10 seconds',
    // What fails for an hour needs a person, for whom the job then waits.
    retry: { ...retry, maximumAttempts: 60 },
  });
}

/** What a person asks for: the history shows it with its outcome. */
export function steeringActivities(): SteeringActivities {
  return proxyActivities<SteeringActivities>({ startToCloseTimeout: '45 seconds', retry });
}

export type WrittenReport = NonNullable<Awaited<ReturnType<ReportActivities['writeReport']>>>;

/** One reads its rows as of one moment, so it begins anew after a fault; heartbeats show how many. */
export function reportActivities(): ReportActivities {
  return proxyActivities<ReportActivities>({
    taskQueue: ownQueue(workflowInfo().taskQueue, 'reports'),
    summary: 'writes the report to its file',
    startToCloseTimeout: '6 hours',
    heartbeatTimeout: '10 seconds',
    retry,
  });
}

/** Some seconds of hashing the tenant's imported passwords. */
export function hashPasswords(input: TenantInput): Promise<PasswordProgress> {
  const { hashPasswords: hash } = proxyActivities<PasswordActivities>({
    taskQueue: ownQueue(workflowInfo().taskQueue, 'passwords'),
    summary: 'hashes imported passwords',
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '10 seconds',
    retry,
  });
  return hash(input);
}

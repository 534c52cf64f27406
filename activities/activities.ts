/** The activities of workflows: each runs an operation, and maps its errors. */
import { Context, type Info } from '@temporalio/activity';
import { LRUCache } from 'lru-cache';
import { createSteeringActivities } from './imports.ts';
import { mapped, PULSE_MS, beating } from './mapped.ts';
import { createPlanActivities } from './payment-plans.ts';
import { createSignupActivities } from './signups.ts';
import { billLane, billTenant, planBillingRun } from '../operations/due/billing-run.ts';
import type { Dispatcher } from '../operations/outbox/dispatch-after-commit.ts';
import type { Engine } from '../operations/outbox/engine.ts';
import { wakeOrder } from '../operations/orders/wake.ts';
import { changeDunning } from '../operations/dunning/change.ts';
import { retryNow } from '../operations/dunning/retry-now.ts';
import { wakeDunning } from '../operations/dunning/wake.ts';
import { advancePayment } from '../operations/gateway-calls/process.ts';
import { resolvePayment } from '../operations/gateway-calls/resolve.ts';
import type { Dependencies } from '../operations/context/context.ts';
import { createLateAnswers } from '../operations/mail/late-answers.ts';
import { sendMails, type MailPass, type MailProgress } from '../operations/mail/send.ts';
import { recordTaxes, type TaxRecordProgress } from '../operations/tax-records/pass.ts';
import { advanceClock } from '../operations/clock/test-clock.ts';
import type { GatewayName, Gateways } from '../providers/gateway/gateway.ts';
import type {
  BillingLane,
  BillingLaneProgress,
  BillingRunPlan,
  BillingRunProgress,
} from '../workflows/contract/billing-run.ts';
import type {
  ClockProgress,
  OrderWake,
  PaymentProgress,
  Resolution,
  SeenOrder,
  TenantInput,
} from '../workflows/contract/contract.ts';
import type {
  DunningChangeInput,
  DunningOutcome,
  DunningWake,
  DunningWakeInput,
} from '../workflows/contract/dunning.ts';

export type { PlanInput } from './payment-plans.ts';

export interface ActivityOptions {
  /** Batches that a billing run processes at once. */
  readonly billingLanes: number;
  /** From so many due customers on, lanes bill them. */
  readonly lanesFrom: number;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  readonly gateways: Gateways;
  /** How many workflows this worker keeps in memory. */
  readonly cachedWorkflows: number;
}

export interface GatewayActivityOptions extends Pick<ActivityOptions, 'dispatch'> {
  readonly gateway: GatewayName;
}

/** @see SubscriptionInput */
export interface WakeInput extends TenantInput {
  readonly orderId: string;
  /** How often in a row the due order was left to the billing run. */
  readonly yields: number;
  /** The state that the previous wake saw; undefined at the first wake. */
  readonly seen?: SeenOrder | undefined;
}

export interface BillTenantInput extends TenantInput {
  readonly runOn: string;
  /** What is much may be left to lanes. Older workflows know of none. */
  readonly mayCallLanes?: boolean;
}

export interface BillLaneInput extends TenantInput {
  readonly runOn: string;
  readonly lane: BillingLane;
}

/** @see CascadeInput */
export interface PaymentStepInput extends TenantInput {
  readonly paymentId: string;
}

/** @see UpdateRequest */
export type ResolveInput = PaymentStepInput & Resolution & { readonly requestId?: string };

export type Activities = ReturnType<typeof createActivities>;
export type BillingActivities = ReturnType<typeof createBillingActivities>;
export type MailActivities = ReturnType<typeof createMailActivities>;
export type TaxActivities = ReturnType<typeof createTaxActivities>;
export type GatewayActivities = ReturnType<typeof createGatewayActivities>;

export function createActivities(
  dependencies: Dependencies,
  engine: Engine,
  options: ActivityOptions,
) {
  const wasEvicted = evictions(options.cachedWorkflows);
  const { dispatch, gateways, billingLanes: lanes } = options;
  const slice = { dispatch, gateways, lanes };
  return {
    ...createPlanActivities(dependencies, options),
    ...createSteeringActivities(dependencies),
    ...createSignupActivities(dependencies, options),

    follow: (input: WakeInput): Promise<OrderWake> =>
      mapped(async () => {
        const request = { orderId: Number(input.orderId), yields: input.yields, seen: input.seen };
        const evicted = wasEvicted(Context.current().info);
        const wake = await wakeOrder(dependencies, Number(input.tenantId), request, options);
        return evicted ? { ...wake, evicted } : wake;
      }),

    wakeDunning: ({ tenantId, customerId, yields, seen }: DunningWakeInput): Promise<DunningWake> =>
      mapped(() => {
        const request = { customerId: Number(customerId), yields, seen };
        return wakeDunning(dependencies, Number(tenantId), request, options);
      }),

    changeDunning: ({
      tenantId,
      customerId,
      ...asked
    }: DunningChangeInput): Promise<DunningOutcome> =>
      mapped(() => {
        const { action } = asked;
        const note = { ...asked, customerId: Number(customerId) };
        return action === 'retryNow'
          ? retryNow(dependencies, Number(tenantId), { ...note, action }, options)
          : changeDunning(dependencies, Number(tenantId), { ...note, action });
      }),

    planBillingRun: (input: TenantInput): Promise<BillingRunPlan> =>
      mapped(() => planBillingRun(dependencies, Number(input.tenantId))),

    billTenant: ({ tenantId, runOn, mayCallLanes }: BillTenantInput): Promise<BillingRunProgress> =>
      mapped(() =>
        billTenant(dependencies, Number(tenantId), {
          ...slice,
          runOn,
          lanesFrom: mayCallLanes === true ? options.lanesFrom : undefined,
          ...pulse(),
        }),
      ),

    advanceClock: (input: TenantInput): Promise<ClockProgress> =>
      mapped(() =>
        advanceClock(dependencies, engine, Number(input.tenantId), { ...slice, ...pulse() }),
      ),

    resolvePayment: (input: ResolveInput): Promise<PaymentProgress> =>
      mapped(() => {
        const { tenantId: id, paymentId } = input;
        const asked = { ...input, cascadeId: Number(paymentId), requestId: requestIdOf(input) };
        const tenantId = Number(id);
        return resolvePayment(dependencies, gateways, tenantId, asked, options);
      }),
  };
}

/** The first activity of a run replays nothing. */
const FIRST_OF_RUN = '1';

/**
 * Whether this worker had evicted the workflow of an activity: it keeps those that it ran last, and
 * does not say which.
 */
function evictions(cachedMax: number): (activity: Info) => boolean {
  const cached = new LRUCache<string, true>({ max: cachedMax });
  return ({ workflowExecution, activityId }) => {
    const id = workflowExecution?.workflowId ?? '';
    const isCached = cached.get(id) ?? false;
    cached.set(id, true);
    return !isCached && activityId !== FIRST_OF_RUN;
  };
}

/** The activity of a lane of a billing run; it runs on its own queue. */
export function createBillingActivities(
  dependencies: Dependencies,
  { billingLanes: lanes }: Pick<ActivityOptions, 'billingLanes'>,
) {
  return {
    billLane: ({ tenantId, runOn, lane }: BillLaneInput): Promise<BillingLaneProgress> =>
      mapped(() => billLane(dependencies, Number(tenantId), { runOn, lane, lanes, ...pulse() })),
  };
}

/** The activities that call this gateway; they run on its own queue. */
export function createGatewayActivities(
  dependencies: Dependencies,
  gateways: Gateways,
  { gateway: at, dispatch }: GatewayActivityOptions,
) {
  return {
    async advancePayment(
      input: PaymentStepInput & { readonly asked: number },
    ): Promise<PaymentProgress> {
      const steps = showSteps();
      const { onStep } = steps;
      const tenantId = Number(input.tenantId);
      const request = { cascadeId: Number(input.paymentId), asked: input.asked, at };
      const hooks = { onStep, dispatch };
      try {
        return await mapped(
          () => advancePayment(dependencies, gateways, tenantId, request, hooks),
          'retryable',
        );
      } finally {
        steps.end();
      }
    },
  };
}

/** The activities that send mails; they run on their own queue. */
export function createMailActivities(
  dependencies: Dependencies,
  sending: Pick<MailPass, 'mailer' | 'host' | 'originOf' | 'render' | 'drawInvoice'>,
) {
  const late = createLateAnswers();
  return {
    sendMails: ({ tenantId }: TenantInput): Promise<MailProgress> =>
      // A mail may take longer than the engine waits for a heartbeat.
      beating(
        (own) => sendMails(dependencies, Number(tenantId), { ...sending, late, ...own }),
        'retryable',
      ),
  };
}

/** The activity that calls tax providers; it runs on its own queue. */
export function createTaxActivities(dependencies: Dependencies) {
  return {
    recordTaxes: ({ tenantId }: TenantInput): Promise<TaxRecordProgress> =>
      // A batch may take longer than the engine waits for a heartbeat.
      beating(({ signal }) => recordTaxes(dependencies, Number(tenantId), { signal }), 'retryable'),
  };
}

/** Shows the step of an activity once it has run for a second; most steps take milliseconds. */
function showSteps() {
  const context = Context.current();
  let step = '';
  const timer = setInterval(() => context.heartbeat(step), PULSE_MS);
  return {
    onStep: (next: string) => {
      step = next;
    },
    end: () => clearInterval(timer),
  };
}

/** An activity that an earlier version of its workflow began has no id of its Update. */
export function requestIdOf({ requestId }: { readonly requestId?: string }): string {
  const { activityId, workflowExecution } = Context.current().info;
  return requestId ?? `${workflowExecution?.runId ?? ''}/${activityId}`;
}

/** Heartbeats of a long operation, and the signal that this worker is stopping. */
export function pulse(): { readonly onProgress: () => void; readonly signal: AbortSignal } {
  const context = Context.current();
  return { onProgress: () => context.heartbeat(), signal: context.cancellationSignal };
}

/**
 * Processes a payment at its gateway: takes its turn, calls, records the outcome. Each step writes
 * rows.
 */
import {
  GatewayDifference,
  type GatewayAnswer,
  type GatewayName,
  type Gateways,
  type WaitingCall,
} from '../../providers/gateway/gateway.ts';
import { formatAmount } from '../../domain/money/money.ts';
import { isFinal } from '../../domain/payments/state.ts';
import { waitText } from '../../domain/payments/waiting.ts';
import type { PaymentProgress } from '../../workflows/contract/contract.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Dependencies } from '../context/context.ts';
import { ask, askToEnd, type Unanswered } from './ask.ts';
import type { PendingPayment } from './cascade.ts';
import { askForNews } from './news.ts';
import { findingCodes, noteDifference, alert } from './findings.ts';
import type { ChargeOfPayment } from './call.ts';
import { endWaiting } from './end-waiting.ts';
import { recordAnswer } from './record-answer.ts';
import { logPayment } from './log-payment.ts';
import { reserve, type Reserved } from './reserve.ts';

export interface AdvanceRequest {
  /** The first payment of the cascade. */
  readonly cascadeId: number;
  /** The number of lookups of a call in a row. */
  readonly asked: number;
  /**
   * The gateway that is called from here; a payment at another one continues elsewhere. If left
   * out: any.
   */
  readonly at?: GatewayName;
  /**
   * The caller is not the payment's own workflow, which must be nudged once a payment in processing
   * is final.
   */
  readonly isElsewhere?: boolean;
}

export interface AdvanceHooks {
  /** Called before each step with its description. */
  readonly onStep: (step: string) => void;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
}

const FOUND_FINAL = 'is final';
/** A final payment nudges the next; this pause covers a lost nudge. */
const TURN_PAUSE_MS = 60_000;
const ASK_PAUSE_MS = 2_000;
const ASK_PAUSE_MS_MAX = 3_600_000;
/** For a final payment about which the gateway may have changes. */
const NEWS_PAUSE_MS = 60_000;
/**
 * For a payment in processing; usually the gateway's event, or the tenant's 00:00, comes before.
 */
const PROCESSING_PAUSE_MS = 60_000;
const PROCESSING_PAUSE_MS_MAX = 6 * 3_600_000;
/** Timers of the engine and the clock here may differ. */
const LATER_MS = 50;
/** Of what should be over: the billing run, or the test clock, comes to it. */
const WAIT_OVER_PAUSE_MS = 3_600_000;

/**
 * Continues a cascade from the state of its rows until it is final or has to wait: for another
 * payment of the customer, or for a gateway that does not tell the outcome of a call.
 */
export async function advancePayment(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  request: AdvanceRequest,
  hooks: AdvanceHooks,
): Promise<PaymentProgress> {
  const began = performance.now();
  let steps = 0;
  const onStep = (step: string): void => {
    steps += 1;
    hooks.onStep(step);
  };
  const counted = { ...hooks, onStep };
  const progress = await advance(dependencies, gateways, tenantId, request, counted);
  // Whoever ended it has logged it.
  if (steps === 1 && progress.status === 'Paid' && progress.did === FOUND_FINAL) return progress;
  return logPayment(dependencies, tenantId, progress, began);
}

async function advance(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  { cascadeId, asked, at, isElsewhere = false }: AdvanceRequest,
  { onStep, dispatch }: AdvanceHooks,
): Promise<PaymentProgress> {
  let ending: Waiting = { did: FOUND_FINAL };
  for (;;) {
    onStep('waits for its turn with the customer');
    const { reserved, nudges } = await reserve(dependencies, tenantId, cascadeId);
    dispatch(tenantId, nudges);
    if (reserved.kind === 'final') {
      const { did, failureCode } = reserved;
      if (did !== undefined) ending = { did, failureCode };
      // The payment has just become final; the next step asks about earlier events.
      if (!reserved.payment.hasEvents) return progressOf(reserved.payment, ending);
      continue;
    }
    if (reserved.kind === 'news') {
      onStep('asks the gateway for news of it');
      const did = await askForNews(dependencies, gateways, tenantId, reserved.news);
      if (did === undefined) continue;
      return progressOf(reserved.payment, { did, waitMs: NEWS_PAUSE_MS, continues: true });
    }
    if (reserved.kind === 'held') {
      const { payment, why, isUnknown = false } = reserved;
      return progressOf(payment, isUnknown ? putOff(why) : heldFor(why));
    }
    if (reserved.kind === 'turn') return progressOf(reserved.payment, behindAnother);
    if (reserved.kind === 'accepted') return progressOf(reserved.payment, processing(asked));
    if (reserved.kind === 'others') {
      onStep('ends what waits for its payer');
      const waits = await endOthers(dependencies, gateways, tenantId, reserved.calls, dispatch);
      if (waits === undefined) continue;
      return progressOf(reserved.payment, waits);
    }
    const { gateway } = reserved.call;
    if (at !== undefined && gateway !== at) {
      return progressOf(reserved.payment, continuing(gateway));
    }
    const called = await callGateway(
      { dependencies, gateways, tenantId, asked, isElsewhere, onStep, dispatch },
      reserved,
    );
    if (called.progress !== undefined) return called.progress;
    ending = called.ending ?? ending;
  }
}

interface CallStep extends Pick<AdvanceRequest, 'asked'>, AdvanceHooks {
  readonly dependencies: Dependencies;
  readonly gateways: Gateways;
  readonly tenantId: number;
  readonly isElsewhere: boolean;
}

/** Where the payment now stands; without, its next step is due, and `ending` is what has ended it. */
interface Called {
  readonly progress?: PaymentProgress;
  readonly ending?: Waiting;
}

/** Calls the gateway, or asks it about a call, and records what it says. */
async function callGateway(
  { dependencies, gateways, tenantId, asked, isElsewhere, onStep, dispatch }: CallStep,
  reserved: Extract<Reserved, { readonly kind: 'call' | 'end' }>,
): Promise<Called> {
  const { call, payment: before } = reserved;
  const standing = (payment: PendingPayment, waiting: Waiting): Called => ({
    progress: progressOf(payment, waiting),
  });
  const began = performance.now();
  const isEnding = reserved.kind === 'end';
  const does = isEnding ? 'ends' : reserved.mayHaveBeenSent ? 'asks about' : 'calls';
  onStep(`${does} ${call.operation} at ${call.gateway}`);
  const answer = isEnding
    ? await askToEnd(gateways, tenantId, reserved.call)
    : await ask(gateways, tenantId, call, reserved.mayHaveBeenSent);
  if (answer instanceof GatewayDifference) {
    await noteDifference(dependencies, tenantId, call, answer);
    return standing(before, heldFor(answer.message));
  }
  if ('waits' in answer) return standing(before, unanswered(answer, asked));
  if (answer.outcome === 'pending' && before.phase === 'Processing') {
    return standing(before, processing(asked));
  }
  if (answer.outcome === 'asks' && reserved.kind === 'call' && reserved.until !== undefined) {
    return standing(before, waitingForPayer(reserved.until, dependencies.realNow()));
  }
  onStep(`records ${call.operation}: ${answer.outcome}`);
  const responseMs = Math.round(performance.now() - began);
  const noted = { ...answer, responseMs, statusMessage: null };
  const options = { isElsewhere, endedFor: isEnding ? reserved.why : undefined };
  const recorded = await recordAnswer(dependencies, tenantId, call, noted, options);
  dispatch(tenantId, recorded.nudges);
  const { payment, late, until } = recorded;
  // The next step finds the payment final and shows the late answer.
  if (late !== undefined) await alert(dependencies, tenantId, call, late);
  else if (until !== null && answer.outcome === 'asks') {
    return standing(payment, waitingForPayer(until, dependencies.realNow()));
  } else if (isFinal(payment)) {
    const ending = whatCame(answer);
    // Its workflow, which is nudged when another process makes it final, asks about events.
    return isElsewhere || !payment.hasEvents ? standing(payment, ending) : { ending };
  } else if (payment.phase === 'Processing' && answer.outcome === 'pending') {
    return standing(payment, processing(asked));
  }
  return {};
}

/**
 * Ends payments that wait for their payer, because another one is about to charge for what they
 * name. Why it cannot yet; undefined once all of them are over.
 */
async function endOthers(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  calls: readonly (ChargeOfPayment & WaitingCall)[],
  dispatch: AdvanceHooks['dispatch'],
): Promise<Waiting | undefined> {
  for (const call of calls) {
    const ended = await endWaiting(dependencies, gateways, tenantId, { call, why: 'superseded' });
    if ('waits' in ended) {
      const { waits: did, failureCode } = ended;
      return { did, waitMs: TURN_PAUSE_MS, failureCode };
    }
    dispatch(tenantId, ended.nudges);
  }
  return undefined;
}

const behindAnother: Waiting = {
  did: 'waits for another payment of the customer',
  waitMs: TURN_PAUSE_MS,
};

/** The workflow of its payment goes on in the queue of that gateway. */
const continuing = (gateway: GatewayName): Waiting => ({ did: `continues at ${gateway}`, gateway });

/** The gateway is asked again, after longer and longer pauses. */
function unanswered({ waits: did, failureCode }: Unanswered, asked: number): Waiting {
  const waitMs = Math.min(ASK_PAUSE_MS * 2 ** Math.min(asked, 20), ASK_PAUSE_MS_MAX);
  return { did, waitMs, failureCode, asks: true };
}

function processing(asked: number): Waiting {
  const did = 'was accepted: the gateway says in some days how it ended';
  const waitMs = Math.min(PROCESSING_PAUSE_MS * 2 ** Math.min(asked, 20), PROCESSING_PAUSE_MS_MAX);
  return { did, waitMs, asks: true };
}

/** The page that the payer comes back to asks at once, or the gateway's event says it. */
function waitingForPayer(until: Date, realNowMs: number): Waiting {
  const leftMs = until.getTime() - realNowMs;
  // A tenant's clock may be behind or ahead of real time: its 00:00 comes with the settlement.
  const waitMs =
    leftMs > 0 ? Math.min(leftMs + LATER_MS, PROCESSING_PAUSE_MS_MAX) : WAIT_OVER_PAUSE_MS;
  return { did: waitText(until), waitMs, asks: true };
}

/** The gateway is not asked any more: only a resolution by hand continues from here. */
function heldFor(why: string): Waiting {
  const did = `is held: ${why}`;
  return { did, waitMs: ASK_PAUSE_MS_MAX, failureCode: findingCodes.difference, asks: true };
}

/** It goes on once a person has closed the finding. */
function putOff(why: string): Waiting {
  const did = `is put off: ${why}`;
  return { did, waitMs: ASK_PAUSE_MS_MAX, failureCode: findingCodes.unknownCall };
}

export function whatCame({ outcome, errorCode }: GatewayAnswer): Waiting {
  return { did: `was ${outcome}`, ...(outcome === 'declined' ? { failureCode: errorCode } : {}) };
}

interface Waiting {
  readonly did: string;
  readonly waitMs?: number;
  readonly failureCode?: string | undefined;
  readonly asks?: boolean;
  readonly gateway?: GatewayName;
  /** Although its status is final. */
  readonly continues?: boolean;
}

export function progressOf(
  { id, status, phase, amount, currency, noteNumbers }: PendingPayment,
  { did, waitMs, failureCode, asks = false, gateway, continues = false }: Waiting,
): PaymentProgress {
  const done = isFinal({ status }) && !continues;
  return {
    did,
    amount: `${formatAmount(currency, amount)} ${currency}`,
    done,
    paymentId: String(id),
    status,
    phase,
    waitMs: done ? null : (waitMs ?? 0),
    asks,
    failureCode: failureCode ?? null,
    gateway: gateway ?? null,
    ...(noteNumbers !== null && { creditNotes: noteNumbers }),
  };
}

/** Processes a payment at its gateway: its turn, the call, the record. Each step writes rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GatewayDifference,
  GatewayError,
  type Gateway,
  type GatewayAnswer,
  type GatewayName,
  type GatewayStatus,
  type Gateways,
} from '../../providers/gateway/gateway.ts';
import type { PaymentProgress } from '../../workflows/contract.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Dependencies } from '../context/context.ts';
import type { Call } from './call.ts';
import type { PendingPayment } from './cascade.ts';
import { findingCodes, noteDifference, raise } from './findings.ts';
import { recordAnswer } from './record-answer.ts';
import { interruptedCall, reserve } from './reserve.ts';

export interface AdvanceRequest {
  /** The first payment of the cascade. */
  readonly cascadeId: number;
  /** The number of lookups of a call in a row. */
  readonly asked: number;
  /** The gateway that is called from here; for another it goes on elsewhere. Left out: any. */
  readonly at?: GatewayName;
}

export interface AdvanceHooks {
  /** Called before each step with its description. */
  readonly onStep: (step: string) => void;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
}

/** How often a call is repeated at once with its key after a transient error. */
const CALLS_MAX = 3;
const CALL_PAUSE_MS = 100;
/** A final payment nudges the next; this pause covers a lost nudge. */
const TURN_PAUSE_MS = 60_000;
const ASK_PAUSE_MS = 2_000;
const ASK_PAUSE_MS_MAX = 3_600_000;

/**
 * Goes on with a cascade from where its rows say until it is final, or has to wait: for another
 * payment of the customer, or for a gateway that does not say what became of a call.
 */
export async function advancePayment(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  { cascadeId, asked, at }: AdvanceRequest,
  { onStep, dispatch }: AdvanceHooks,
): Promise<PaymentProgress> {
  for (;;) {
    onStep('waits for its turn with the customer');
    const { reserved, nudges } = await reserve(dependencies, tenantId, cascadeId);
    dispatch(tenantId, nudges);
    if (reserved.kind === 'final') {
      const { did = 'is final', failureCode } = reserved;
      return progressOf(reserved.payment, { did, failureCode });
    }
    if (reserved.kind === 'held') return progressOf(reserved.payment, heldFor(reserved.why));
    if (reserved.kind === 'turn') {
      const did = 'waits for another payment of the customer';
      return progressOf(reserved.payment, { did, waitMs: TURN_PAUSE_MS });
    }
    const { call } = reserved;
    if (at !== undefined && call.gateway !== at) {
      const { gateway } = call;
      return progressOf(reserved.payment, { did: `goes on at ${gateway}`, gateway });
    }
    onStep(
      `${reserved.mayHaveBeenSent ? 'asks about' : 'calls'} ${call.operation} at ${call.gateway}`,
    );
    const began = performance.now();
    const answer = await ask(gateways, tenantId, call, reserved.mayHaveBeenSent);
    if (answer instanceof GatewayDifference) {
      await noteDifference(dependencies, tenantId, call, answer);
      return progressOf(reserved.payment, heldFor(answer.message));
    }
    if ('waits' in answer) {
      const waitMs = Math.min(ASK_PAUSE_MS * 2 ** Math.min(asked, 20), ASK_PAUSE_MS_MAX);
      const { waits: did, failureCode } = answer;
      return progressOf(reserved.payment, { did, waitMs, failureCode, asks: true });
    }
    onStep(`records ${call.operation}: ${answer.outcome}`);
    const responseMs = Math.round(performance.now() - began);
    const noted = { ...answer, responseMs, statusMessage: null };
    const recorded = await recordAnswer(dependencies, tenantId, call, noted);
    dispatch(tenantId, recorded.nudges);
    const { payment, late } = recorded;
    if (late !== undefined) await raise(dependencies, tenantId, call, late);
    // The next step finds the payment final and shows the late answer.
    else if (payment.status !== 'Pending') return progressOf(payment, whatCame(answer));
  }
}

/** Nobody is asked any more: only somebody's resolve goes on from here. */
function heldFor(why: string): Waiting {
  const did = `is held: ${why}`;
  return { did, waitMs: ASK_PAUSE_MS_MAX, failureCode: findingCodes.difference, asks: true };
}

function whatCame({ outcome, errorCode }: GatewayAnswer): Waiting {
  return { did: `was ${outcome}`, ...(outcome === 'declined' ? { failureCode: errorCode } : {}) };
}

type Unanswered = { readonly waits: string; readonly failureCode: string };

/**
 * Looks up a call that may have been sent before a crash; sends what the gateway never received.
 */
async function ask(
  gateways: Gateways,
  tenantId: number,
  call: Call,
  mayHaveBeenSent: boolean,
): Promise<GatewayAnswer | Unanswered | GatewayDifference> {
  try {
    const gateway = await gateways.named(tenantId, call.gateway);
    const status: GatewayStatus = mayHaveBeenSent
      ? await gateway.status(call.operation, call)
      : 'unknown';
    if (status === 'processing') {
      return { waits: 'the gateway is still at it', failureCode: 'gateway.processing' };
    }
    return status === 'unknown' ? await send(gateway, call) : status;
  } catch (error) {
    if (error instanceof GatewayDifference) return error;
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === 'invalid') return refusedBy(error);
    return { waits: waitText[error.kind], failureCode: `gateway.${error.kind}` };
  }
}

const waitText = {
  unknown: 'the gateway has not said what became of the call: it is asked',
  passing: 'the processor is out of order: it is called again',
  unavailable: 'the gateway cannot be reached',
  different: 'the gateway has another call under its key',
} as const;

/** A malformed call charged nobody. */
function refusedBy(error: GatewayError): GatewayAnswer {
  return {
    outcome: 'declined',
    transactionId: null,
    errorCode: error.code,
    errorMessage: error.message,
    isHardDecline: true,
    avsCode: null,
    cvvCode: null,
    approvalCode: null,
  };
}

async function send(gateway: Gateway, call: Call): Promise<GatewayAnswer> {
  for (let calls = 1; ; calls += 1) {
    try {
      return await callOf(gateway, call);
    } catch (error) {
      const passes = error instanceof GatewayError && error.kind === 'passing';
      if (!passes || calls === CALLS_MAX) throw error;
      await sleep(CALL_PAUSE_MS * calls);
    }
  }
}

function callOf(gateway: Gateway, call: Call): Promise<GatewayAnswer> {
  switch (call.operation) {
    case 'charge':
      return gateway.charge(call);
    case 'refund':
      return gateway.refund(call);
    case 'void':
      return gateway.void(call);
  }
}

interface Waiting {
  readonly did: string;
  readonly waitMs?: number;
  readonly failureCode?: string | undefined;
  readonly asks?: boolean;
  readonly gateway?: GatewayName;
}

function progressOf(
  { id, status, phase }: PendingPayment,
  { did, waitMs, failureCode, asks = false, gateway }: Waiting,
): PaymentProgress {
  const done = status !== 'Pending';
  return {
    done,
    paymentId: String(id),
    status,
    phase,
    did,
    waitMs: done ? null : (waitMs ?? 0),
    asks,
    failureCode: failureCode ?? null,
    gateway: gateway ?? null,
  };
}

/** The resolution, by hand, of a call that the gateway never answers. */
export interface Resolution {
  readonly cascadeId: number;
  readonly outcome: 'approved' | 'declined';
  readonly reason: string;
  /** The gateway's id, which a refund of the approved charge needs. */
  readonly transactionId?: string | undefined;
}

/** Concludes the call in progress as if the gateway had answered; does nothing without one. */
export async function resolvePayment(
  dependencies: Dependencies,
  tenantId: number,
  { cascadeId, outcome, reason, transactionId }: Resolution,
  { dispatch }: Pick<AdvanceHooks, 'dispatch'>,
): Promise<PaymentProgress> {
  const left = await interruptedCall(dependencies, tenantId, cascadeId);
  if (left.call === null) {
    return progressOf(left.payment, { did: 'had no call to be resolved', waitMs: 0 });
  }
  const answer: GatewayAnswer = {
    outcome,
    transactionId: transactionId ?? null,
    errorCode: outcome === 'approved' ? '0' : 'resolved',
    errorMessage: null,
    isHardDecline: false,
    avsCode: null,
    cvvCode: null,
    approvalCode: null,
  };
  const noted = { ...answer, responseMs: null, statusMessage: reason };
  const { payment, nudges } = await recordAnswer(dependencies, tenantId, left.call, noted);
  dispatch(tenantId, nudges);
  return progressOf(payment, { ...whatCame(answer), did: `was resolved as ${outcome}` });
}

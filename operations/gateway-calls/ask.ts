/** Makes one gateway call. If the call may have been sent before, asks for its outcome first. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GatewayDifference,
  GatewayError,
  type Gateway,
  type GatewayAnswer,
  type GatewayStatus,
  type Gateways,
  type PayerOfCall,
  type WaitingCall,
} from '../../providers/gateway/gateway.ts';
import type { Call, ChargeOfPayment } from './call.ts';

/** How often a call is repeated at once, with the same key, after a transient error. */
const CALLS_MAX = 3;
const CALL_PAUSE_MS = 100;

export type Unanswered = { readonly waits: string; readonly failureCode: string };

/** The gateway accepted the call before, so sending it again could charge twice. */
const lost: Unanswered = {
  waits: 'the gateway does not know a call that it had accepted',
  failureCode: 'gateway.unknown',
};

/** Whether the gateway will never say what became of a call that it had accepted. */
export function isLost(said: Asked): boolean {
  return said === lost || said instanceof GatewayDifference;
}

type Asked = GatewayAnswer | Unanswered | GatewayDifference;

/**
 * A call that a crash may have interrupted is looked up first, and sent if the gateway never saw
 * it. What asks for a payer who is not waited for is ended.
 */
export function ask(
  gateways: Gateways,
  tenantId: number,
  call: Call,
  mayHaveBeenSent: boolean,
): Promise<Asked> {
  return answered(async () => {
    const gateway = await gateways.named(tenantId, call.gateway);
    const status: GatewayStatus = mayHaveBeenSent
      ? await gateway.status(call.operation, call)
      : 'unknown';
    if (status === 'processing') {
      return {
        waits: 'the gateway is still processing the call',
        failureCode: 'gateway.processing',
      };
    }
    if (status === 'unknown' && call.madeAs != null) return lost;
    const answer = status === 'unknown' ? await send(gateways, gateway, tenantId, call) : status;
    const { outcome, transactionId: madeAs } = answer;
    if (call.operation !== 'charge' || !call.endsIfAsked) return answer;
    return outcome === 'asks' && madeAs !== null ? gateway.end({ ...call, madeAs }) : answer;
  });
}

/** Ends what waits for its payer; the answer is what it became. */
export function askToEnd(
  gateways: Gateways,
  tenantId: number,
  call: ChargeOfPayment & WaitingCall,
): Promise<Asked> {
  return answered(async () => (await gateways.named(tenantId, call.gateway)).end(call));
}

async function answered(work: () => Promise<Asked>): Promise<Asked> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayDifference) return error;
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === 'invalid') return refusedBy(error);
    return unanswered[error.kind];
  }
}

const unanswered = {
  unknown: {
    waits: 'the gateway has not answered the call: its outcome is looked up',
    failureCode: 'gateway.unknown',
  },
  // Recorded in histories and search attributes, so the code keeps its older name.
  transient: {
    waits: 'the processor had a transient error: the call is repeated',
    failureCode: 'gateway.passing',
  },
  unavailable: {
    waits: 'the gateway cannot be reached',
    failureCode: 'gateway.unavailable',
  },
  different: {
    waits: 'the gateway has another call under this key',
    failureCode: 'gateway.different',
  },
} as const satisfies Record<Exclude<GatewayError['kind'], 'invalid'>, Unanswered>;

/** A call that the gateway rejects as malformed has charged nobody. */
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

async function send(
  gateways: Gateways,
  gateway: Gateway,
  tenantId: number,
  call: Call,
): Promise<GatewayAnswer> {
  const payer = payerOf(gateways, tenantId, call);
  for (let calls = 1; ; calls += 1) {
    try {
      return await callOf(gateway, call, payer);
    } catch (error) {
      const isTransient = error instanceof GatewayError && error.kind === 'transient';
      if (!isTransient || calls === CALLS_MAX) throw error;
      await sleep(CALL_PAUSE_MS * calls);
    }
  }
}

function payerOf(gateways: Gateways, tenantId: number, call: Call): PayerOfCall {
  if (call.operation !== 'charge' || call.returnSealed === null) {
    return { payer: 'absent', returnUrl: null };
  }
  return { payer: 'present', returnUrl: gateways.returnUrl(tenantId, call.returnSealed) };
}

function callOf(gateway: Gateway, call: Call, payer: PayerOfCall): Promise<GatewayAnswer> {
  switch (call.operation) {
    case 'charge':
      return gateway.charge({ ...call, ...payer });
    case 'refund':
      return gateway.refund(call);
    case 'void':
      return gateway.void(call);
  }
}

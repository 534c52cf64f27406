/** Makes one gateway call. If the call may have been sent before, asks for its outcome first. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GatewayDifference,
  GatewayError,
  type Gateway,
  type GatewayAnswer,
  type GatewayStatus,
  type Gateways,
} from '../../providers/gateway/gateway.ts';
import type { Call } from './call.ts';

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
export function isLost(said: GatewayAnswer | Unanswered | GatewayDifference): boolean {
  return said === lost || said instanceof GatewayDifference;
}

/**
 * A call that a crash may have interrupted is looked up first, and sent if the gateway never saw
 * it.
 */
export async function ask(
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
    if (isAsked(status) && endsIfAsked(call)) return await endWaiting(gateways, tenantId, call, status);
    if (status === 'processing') {
      return {
        waits: 'the gateway is still processing the call',
        failureCode: 'gateway.processing',
      };
    }
    if (status !== 'unknown') return status;
    if (call.madeAs != null) return lost;
    const returnUrl = returnUrlOf(gateways, tenantId, call);
    const answer = await send(gateway, call, returnUrl);
    return isAsked(answer) && endsIfAsked(call)
      ? await endWaiting(gateways, tenantId, call, answer)
      : answer;
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

async function send(gateway: Gateway, call: Call): Promise<GatewayAnswer> {
  for (let calls = 1; ; calls += 1) {
    try {
      return await callOf(gateway, call);
    } catch (error) {
      const isTransient = error instanceof GatewayError && error.kind === 'transient';
      if (!isTransient || calls === CALLS_MAX) throw error;
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

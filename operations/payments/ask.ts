/** Asks a gateway for one call: what became of it where it may have been sent, else to do it. */
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

/** With the same key a processor that was out of order is called so often at once. */
const CALLS_MAX = 3;
const CALL_PAUSE_MS = 100;

export type Unanswered = { readonly waits: string; readonly failureCode: string };

/** A call that a crash may have left is asked for first; what the gateway never saw is sent. */
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
    if (status === 'processing') {
      return { waits: 'the gateway is still at it', failureCode: 'gateway.processing' };
    }
    if (status !== 'unknown') return status;
    if (call.madeAs == null) return await send(gateway, call);
    // It was accepted: to send it again could charge twice.
    return {
      waits: 'the gateway no longer knows what it accepted',
      failureCode: 'gateway.unknown',
    };
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

/** A call that the gateway refuses to understand has charged nobody. */
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

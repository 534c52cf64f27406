/** Ends what waits for its payer: at its gateway first, which says what it became. */
import type { WaitEnd } from '../../domain/payments/happened.ts';
import {
  GatewayDifference,
  type Gateways,
  type WaitingCall,
} from '../../providers/gateway/gateway.ts';
import type { Dependencies } from '../context/context.ts';
import { askToEnd, type Unanswered } from './ask.ts';
import type { ChargeOfPayment } from './call.ts';
import { findingCodes, noteDifference } from './findings.ts';
import { asSaid, recordAnswer, type Recorded } from './record-answer.ts';

export interface EndedWait {
  readonly call: ChargeOfPayment & WaitingCall;
  /** Null if its time is over, which is a decline. */
  readonly why: WaitEnd | null;
}

/** What was paid by then is Paid. While the gateway is silent, the payment waits on. */
export async function endWaiting(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  { call, why }: EndedWait,
): Promise<Recorded | Unanswered> {
  const answer = await askToEnd(gateways, tenantId, call);
  if (answer instanceof GatewayDifference) {
    await noteDifference(dependencies, tenantId, call, answer);
    return { waits: answer.message, failureCode: findingCodes.difference };
  }
  if ('waits' in answer) return answer;
  const noted = asSaid(answer);
  return recordAnswer(dependencies, tenantId, call, noted, { isElsewhere: true, endedFor: why });
}

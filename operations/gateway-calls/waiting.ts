/** Payments that wait for their payer, from the pages on which he comes: looked at, led on, confirmed. */
import { nextConfirmation } from '../../db/queries/payments/payments.ts';
import { compare, type Decimal } from '../../domain/money/money.ts';
import { isWaitOver } from '../../domain/payments/waiting.ts';
import {
  GatewayDifference,
  GatewayError,
  type Challenge,
  type Gateways,
  type WaitingCall,
} from '../../providers/gateway/gateway.ts';
import { inOperation, type Dependencies } from '../context/context.ts';
import { ask } from './ask.ts';
import { type ChargeOfPayment, waitingCall } from './call.ts';
import { lockOne, paymentWith } from './cascade.ts';
import { alert } from './findings.ts';
import { asSaid, recordAnswer } from './record-answer.ts';
import { agreedNow } from './reserve.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';

type Waits = ChargeOfPayment & WaitingCall;

/** The call of a payment that waits for its payer; undefined for any other, and for none. */
export function waitingCallOf(
  dependencies: Dependencies,
  tenantId: number,
  paymentId: number,
): Promise<Waits | undefined> {
  return inOperation(dependencies, tenantId, async (context) => {
    const payment = await paymentWith(context, paymentId);
    return payment?.status === 'ActionRequired' ? waitingCall(context, payment) : undefined;
  });
}

/** What a page finds of a payment that waits, or waited, for its payer. */
export type Found =
  | { readonly is: 'waiting'; readonly call: Waits }
  /** Its rows say how it ended. */
  | { readonly is: 'over' }
  /** The gateway does not answer now. */
  | { readonly is: 'silent' };

export interface LookHooks {
  readonly gateways: Gateways;
  readonly dispatch: Dispatcher['dispatch'];
}

/** The payer comes back: its gateway is asked at once, and its answer is recorded. */
export async function lookAtWaiting(
  dependencies: Dependencies,
  { gateways, dispatch }: LookHooks,
  tenantId: number,
  paymentId: number,
): Promise<Found> {
  const call = await waitingCallOf(dependencies, tenantId, paymentId);
  if (call === undefined) return { is: 'over' };
  const answer = await ask(gateways, tenantId, call, true);
  if (answer instanceof GatewayDifference || 'waits' in answer) return { is: 'silent' };
  if (answer.outcome === 'asks') return { is: 'waiting', call };
  const noted = asSaid(answer);
  const options = { isElsewhere: true };
  const recorded = await recordAnswer(dependencies, tenantId, call, noted, options);
  dispatch(tenantId, recorded.nudges);
  if (recorded.late !== undefined) await alert(dependencies, tenantId, call, recorded.late);
  return { is: 'over' };
}

/** Where its payer authenticates; null if it does not wait any more, or the gateway is silent. */
export async function challengeFor(
  gateways: Gateways,
  tenantId: number,
  call: Waits,
): Promise<Challenge | null> {
  return answering(async () => (await gateways.named(tenantId, call.gateway)).challenge(call));
}

async function answering<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** What a payer agrees to, and what the page has shown. */
export interface Confirmation {
  readonly paymentId: number;
  readonly shownAmount: Decimal;
  readonly returnUrl: string;
}

export type Confirmed =
  | Found
  /** Something else is open now: it is shown again. */
  | { readonly is: 'moved' };

/**
 * The payer confirms what waits for him: the same intent goes on, for what is open now. The number of
 * the confirmation is stored first, so that its key is never used twice.
 */
export async function confirmWaiting(
  dependencies: Dependencies,
  hooks: LookHooks,
  tenantId: number,
  confirmation: Confirmation,
): Promise<Confirmed> {
  const { paymentId, shownAmount, returnUrl } = confirmation;
  const begun = await inOperation(dependencies, tenantId, async (context) => {
    const payment = await lockOne(context, paymentId);
    const { time, realNow, tx } = context;
    const isOver = isWaitOver(payment, { today: time.today, realNow });
    if (payment.status !== 'ActionRequired' || isOver) return 'over';
    const agreed = await agreedNow(context, payment);
    if (agreed === null) return 'over';
    if (compare(agreed, shownAmount) !== 0) return 'moved';
    const number = await nextConfirmation(tx, paymentId);
    const call = await waitingCall(context, payment);
    return { call, agreed, key: `${call.idempotencyKey}/confirm/${number}` };
  });
  if (typeof begun === 'string') return { is: begun };
  const { call, agreed, key: confirmationKey } = begun;
  const isSent = await answering(async () => {
    const gateway = await hooks.gateways.named(tenantId, call.gateway);
    await gateway.confirm({ ...call, confirmationKey, agreed, returnUrl });
    return true;
  });
  if (isSent === null) return { is: 'silent' };
  return lookAtWaiting(dependencies, hooks, tenantId, paymentId);
}

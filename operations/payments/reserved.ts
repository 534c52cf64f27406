/** What reserving a payment ends in, and the call that asks its gateway. */
import type { OperationContext } from '../context/context.ts';
import { chargeCall, returnCall, type Call } from './call.ts';
import { latestOf, type PendingPayment } from './cascade.ts';
import { callNext } from './record.ts';
import { concludeRefund } from './refund.ts';

export type Reserved =
  /** Nothing is left to do; `did` says what was done just now, or found. */
  | {
      readonly kind: 'final';
      readonly payment: PendingPayment;
      readonly did?: string;
      readonly failureCode?: string;
    }
  /** Something else stands under the key of the call: a person has to say what became of it. */
  | { readonly kind: 'held'; readonly payment: PendingPayment; readonly why: string }
  /** Another payment of the customer is with the gateway. */
  | { readonly kind: 'turn'; readonly payment: PendingPayment }
  /** The gateway is to be asked; `mayHaveBeenSent` when it may have been, by someone who is gone. */
  | {
      readonly kind: 'call';
      readonly payment: PendingPayment;
      readonly call: Call;
      readonly mayHaveBeenSent: boolean;
    };

/** The call of a payment whose turn it is. A refund with nothing left to return is concluded. */
export async function callOf(
  context: OperationContext,
  payment: PendingPayment,
  mayHaveBeenSent: boolean,
): Promise<Reserved> {
  if (payment.payment_type === 'Refund') {
    const call = await returnCall(context, payment);
    if (call) return { kind: 'call', payment, call, mayHaveBeenSent };
    await concludeRefund(context, payment);
    await callNext(context, payment.customer_id);
    return { kind: 'final', payment: await latestOf(context, payment.cascade_id) };
  }
  return { kind: 'call', payment, call: await chargeCall(context, payment), mayHaveBeenSent };
}

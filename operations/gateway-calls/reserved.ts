/** The result of reserving a payment, and its gateway call. */
import type { OperationContext } from '../context/context.ts';
import { chargeCall, processingCall, returnCall, type Call } from './call.ts';
import { latestOf, type PendingPayment } from './cascade.ts';
import type { News } from './news.ts';
import { becomeProcessing } from '../payments/record.ts';
import { concludeRefund } from '../refunds/refund.ts';

export type Reserved =
  /** Nothing is left to do; `did` describes what was just done or found. */
  | {
      readonly kind: 'final';
      readonly payment: PendingPayment;
      readonly did?: string;
      readonly failureCode?: string;
    }
  /** The gateway has another call under the key: a person has to resolve it. */
  | { readonly kind: 'held'; readonly payment: PendingPayment; readonly why: string }
  /** Another payment of the customer is with the gateway. */
  | { readonly kind: 'turn'; readonly payment: PendingPayment }
  /** The payment is final, but its gateway may have changes. */
  | { readonly kind: 'news'; readonly payment: PendingPayment; readonly news: News }
  /** The gateway has just accepted all calls, but their outcome is open. */
  | { readonly kind: 'accepted'; readonly payment: PendingPayment }
  /** The call is due; `mayHaveBeenSent` if a crashed process may have sent it. */
  | {
      readonly kind: 'call';
      readonly payment: PendingPayment;
      readonly call: Call;
      readonly mayHaveBeenSent: boolean;
    };

/** The call of a payment that has its turn. A refund without remaining shares is concluded. */
export async function callOf(
  context: OperationContext,
  payment: PendingPayment,
  mayHaveBeenSent: boolean,
): Promise<Reserved> {
  if (payment.type === 'Refund') {
    const call = await returnCall(context, payment);
    if (call) return { kind: 'call', payment, call, mayHaveBeenSent };
    return (await processingCall(context, payment))
      ? accepted(context, payment)
      : concluded(context, payment);
  }
  return { kind: 'call', payment, call: await chargeCall(context, payment), mayHaveBeenSent };
}

/** All shares of a refund are sent; some take days. */
async function accepted(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const state = await becomeProcessing(context, payment);
  return { kind: 'accepted', payment: { ...payment, ...state } };
}

export async function concluded(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Reserved> {
  await concludeRefund(context, payment);
  return { kind: 'final', payment: await latestOf(context, payment.cascadeId) };
}

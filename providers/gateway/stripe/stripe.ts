/** The Stripe adapter, based on its own package; docs/decisions/0012-gateways.md explains it. */
import type Stripe from 'stripe';
import type { GatewayAdapter } from '../adapter.ts';
import { approved, declined, isHardDecline, pending } from '../declines.ts';
import {
  type AskedFor,
  type GatewayAnswer,
  GatewayError,
  type MadeCharge,
  type ReturnCall,
  type WaitingCall,
  type Withdrawal,
} from '../gateway.ts';
import { amountOfStripe, refuseAnother, stripeAmount } from './amount.ts';
import { charge, chargeStatus, paymentCalls } from './charges.ts';
import { type StripeOptions, stripeClient } from './client.ts';
import { failureOf, isMissing, refusalOf } from './errors.ts';
import { type IntentCalls, challenge, confirm, end, waitingStatus } from './intents.ts';
import { madeCalls } from './made.ts';
import { keyName } from './key-name.ts';
import { entered, methodNow, removeMethod, storeMethod } from './methods.ts';
import { setupCalls, validate } from './setups.ts';

export function createStripe(options: StripeOptions): GatewayAdapter {
  const stripe = stripeClient(options);
  return {
    name: 'stripe',
    store: (details, key, signal, { isKept = false } = {}) =>
      storeMethod(stripe, details, { key, isKept }, signal),
    entered: (token) => entered(stripe, token),
    validate: (call, signal) => validate(stripe, call, signal),
    charge: (call, signal) => charge(stripe, call, signal),
    confirm: (call, signal) => confirm(callsOf(stripe, call), call, signal),
    end: (call) => end(callsOf(stripe, call), call),
    challenge: (call) => challenge(callsOf(stripe, call), call),
    refund: (call, signal) => refund(stripe, call, signal).catch(refusalOf),
    // Stripe itself reverses an unsettled charge when it is refunded in full.
    void: (call, signal) => refund(stripe, call, signal).catch(refusalOf),
    async status(operation, asked) {
      try {
        if (operation === 'charge') return await chargeStatus(stripe, asked);
        // A call whose id we do not know can be looked up only by repeating it, which is safe.
        const { madeAs } = asked;
        if (!madeAs) return 'unknown';
        if (operation !== 'validate') return await refundStatus(stripe, asked, madeAs);
        return await waitingStatus(setupCalls(stripe), { ...asked, madeAs });
      } catch (error) {
        throw failureOf(error) ?? new GatewayError('unavailable', 'status_refused');
      }
    },
    method: (stored) => methodNow(stripe, stored),
    remove: (stored) => removeMethod(stripe, stored),
    withdrawals: (made) => withdrawals(stripe, made),
    made: (since, from) => madeCalls(stripe, since, from),
  };
}

function callsOf(stripe: Stripe, { operation }: WaitingCall): IntentCalls {
  return operation === 'charge' ? paymentCalls(stripe) : setupCalls(stripe);
}

const REFUNDS_MAX = 100;

async function refund(
  stripe: Stripe,
  call: ReturnCall,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const amount = stripeAmount(call.currency, call.amount);
  if (amount === null) return declined('invalid_amount');
  // Stripe forgets keys after a day, but keeps its records.
  const made = await refundsOf(stripe, call.transactionId);
  if (!made) return declined('unknown_charge');
  const before = made.find(({ metadata }) => metadata?.[keyName] === call.idempotencyKey);
  if (before) {
    refuseAnother('a refund', before, call);
    return refundAnswer(before);
  }
  signal.throwIfAborted();
  const params = {
    payment_intent: call.transactionId,
    amount,
    metadata: { [keyName]: call.idempotencyKey },
  };
  const { idempotencyKey } = call;
  return refundAnswer(await stripe.refunds.create(params, { idempotencyKey }));
}

async function refundsOf(stripe: Stripe, intent: string): Promise<Stripe.Refund[] | undefined> {
  if (!/^pi_\w+$/.test(intent)) return undefined;
  try {
    const { data } = await stripe.refunds.list({ payment_intent: intent, limit: REFUNDS_MAX });
    return data;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw failureOf(error) ?? new GatewayError('unavailable', 'refunds_refused');
  }
}

async function refundStatus(
  stripe: Stripe,
  asked: AskedFor,
  madeAs: string,
): Promise<GatewayAnswer> {
  const made = await stripe.refunds.retrieve(madeAs);
  refuseAnother('a refund', made, asked);
  return refundAnswer(made);
}

function refundAnswer({ id, status, failure_reason: reason }: Stripe.Refund): GatewayAnswer {
  const evidence = { transactionId: id };
  if (status === 'pending' || status === 'requires_action') return pending(evidence);
  const hasFailed = status === 'failed' || status === 'canceled';
  return hasFailed ? declined(reason ?? 'refund_refused', evidence) : approved(evidence);
}

/* Disputes at Stripe, which also represent debits that the bank returned late. */

const DISPUTES_MAX = 100;

/** Why banks return debits (docs.stripe.com/payments/ach-direct-debit, "Disputed payments"). */
const reasonsOfReturns: ReadonlySet<string> = new Set([
  'bank_cannot_process',
  'debit_not_authorized',
  'incorrect_account_details',
  'insufficient_funds',
]);

/** Stripe's reasons that correspond to one of our codes. */
const codeOf: ReadonlyMap<string, string> = new Map([
  ['incorrect_account_details', 'invalid_account'],
]);

async function withdrawals(
  stripe: Stripe,
  { transactionId }: MadeCharge,
): Promise<readonly Withdrawal[]> {
  if (!/^pi_\w+$/.test(transactionId)) return [];
  try {
    const { data } = await stripe.disputes.list({
      payment_intent: transactionId,
      limit: DISPUTES_MAX,
    });
    return data.filter(isWithdrawn).map(withdrawalOf);
  } catch (error) {
    if (isMissing(error)) return [];
    throw failureOf(error) ?? new GatewayError('unavailable', 'disputes_refused');
  }
}

/** An inquiry, or a dispute that was prevented, has moved no money. */
function isWithdrawn({ status, balance_transactions: moved }: Stripe.Dispute): boolean {
  return status === 'lost' || moved.some(({ amount }) => amount < 0);
}

function withdrawalOf({ id, status, reason, ...dispute }: Stripe.Dispute): Withdrawal {
  const currency = dispute.currency.toUpperCase();
  const amount = amountOfStripe(currency, dispute.amount);
  if (amount === null) throw new GatewayError('unknown', 'currency');
  const code = /^[a-z_]{1,64}$/.test(reason) ? reason : 'general';
  return {
    kind: reasonsOfReturns.has(code) ? 'return' : 'dispute',
    ref: id,
    amount,
    currency,
    reason: code,
    isHardDecline: isHardDecline(codeOf.get(code) ?? code),
    isReinstated:
      status === 'won' && dispute.balance_transactions.some((moved) => moved.amount > 0),
  };
}

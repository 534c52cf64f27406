/**
 * Intents at Stripe, of payments and of methods that are put on file alike: what state they are in,
 * and how what waits for its payer goes on or ends.
 */
import type Stripe from 'stripe';
import { type Evidence, approved, asks, declined, pending } from '../declines.ts';
import {
  type AskedFor,
  type Challenge,
  type ConfirmCall,
  type GatewayAnswer,
  GatewayError,
  type MadeMethod,
  type WaitingCall,
} from '../gateway.ts';
import { amountOfStripe, refuseAnother, stripeAmount } from './amount.ts';
import { AUTHENTICATION_REQUIRED, codeOf, failureOf, refusalOf } from './errors.ts';

/** What of an intent decides. */
export interface SeenIntent {
  readonly id: string;
  readonly status: Stripe.PaymentIntent.Status;
  readonly type: string | undefined;
  readonly customer: string | null;
  readonly method: string | null;
  readonly mandate: string | null;
  /** Of the last confirmation. */
  readonly error: StripeFailure | null;
  /** What its payer has to do. */
  readonly nextAction: string | null;
  readonly clientSecret: string | null;
  readonly evidence: Evidence;
  /** Null if nothing is to be paid. */
  readonly sum: { readonly amount: number; readonly currency: string } | null;
}

export interface StripeFailure {
  readonly code?: string;
  readonly decline_code?: string;
  readonly payment_method?: { readonly id: string };
}

/** How Stripe is asked about one kind of intent. */
export interface IntentCalls {
  readonly retrieve: (id: string) => Promise<SeenIntent>;
  readonly confirm: (id: string, params: Confirmation, key: string) => Promise<SeenIntent>;
  /** It is harmless to repeat. */
  readonly cancel: (id: string) => Promise<SeenIntent>;
  /** Null where nothing is paid. */
  readonly reduce: ((id: string, amount: number, key: string) => Promise<void>) | null;
}

interface Confirmation {
  readonly payment_method: string;
  readonly use_stripe_sdk: true;
  readonly return_url: string;
}

/** Actions that our page lets its payer take. */
const actions: ReadonlySet<string | null> = new Set(['use_stripe_sdk', 'redirect_to_url']);

/**
 * The state of an intent. One that waits for an action that nobody can take is cancelled: a bank
 * account that is to be verified by small credits.
 */
export async function settled(
  calls: IntentCalls,
  seen: SeenIntent,
  asked: Pick<AskedFor, 'token' | 'mayBeLess'>,
): Promise<GatewayAnswer> {
  const { id, status, evidence } = seen;
  const method = madeMethod(seen, asked.token ?? '');
  switch (status) {
    case 'succeeded':
      return { ...approved(evidence), ...chargedOf(seen, asked), ...method };
    case 'processing':
      // Debits take days.
      if (seen.sum === null) throw new GatewayError('unknown', 'processing');
      return { ...pending(evidence), ...method };
    case 'requires_payment_method':
      if (isRequired(seen.error)) return { ...asks(evidence), ...method };
      return declined(unfinished(seen), evidence);
    case 'canceled':
      return declined(unfinished(seen), evidence);
    case 'requires_action':
      if (actions.has(seen.nextAction)) return { ...asks(evidence), ...method };
      break;
    case 'requires_capture':
    case 'requires_confirmation':
      break;
  }
  try {
    await calls.cancel(id);
  } catch (failed) {
    // It has changed meanwhile, so its state is read again.
    throw failureOf(failed) ?? new GatewayError('unknown', 'processing');
  }
  return declined(unfinished(seen), evidence);
}

const isRequired = (error: StripeFailure | null): boolean =>
  error !== null && codeOf(error) === AUTHENTICATION_REQUIRED;

/** What is known of a charge, a validation, whose id we know. */
export async function waitingStatus(
  calls: IntentCalls,
  asked: AskedFor & { readonly madeAs: string },
): Promise<GatewayAnswer> {
  return settled(calls, await found(calls, asked), asked);
}

async function found(
  calls: IntentCalls,
  asked: AskedFor & { readonly madeAs: string },
): Promise<SeenIntent> {
  const seen = await calls.retrieve(asked.madeAs);
  if (seen.sum !== null) refuseAnother('a payment', { id: seen.id, ...seen.sum }, asked);
  return seen;
}

/**
 * Confirms the same intent again, with its own method and now with its payer. What waits for the
 * payer already, or no longer, answers with its state.
 */
export async function confirm(
  calls: IntentCalls,
  call: ConfirmCall,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const { confirmationKey: key, returnUrl, agreed, currency } = call;
  try {
    const seen = await found(calls, call);
    const wanted = stripeAmount(currency, agreed);
    const isLess = seen.sum !== null && wanted !== seen.sum.amount;
    const isAsked = seen.status === 'requires_payment_method' && isRequired(seen.error);
    const isReduced = seen.status === 'requires_action' && isLess;
    if (!isAsked && !isReduced) return await settled(calls, seen, call);
    const method = seen.error?.payment_method?.id ?? seen.method;
    if (method === null || (isLess && wanted === null)) return await settled(calls, seen, call);
    signal.throwIfAborted();
    if (isLess && wanted !== null) await calls.reduce?.(seen.id, wanted, `${key}/amount`);
    signal.throwIfAborted();
    const params = { payment_method: method, use_stripe_sdk: true, return_url: returnUrl } as const;
    return await settled(calls, await calls.confirm(seen.id, params, key), call);
  } catch (error) {
    return refusalOf(error);
  }
}

/** Ends what waits: 'declined' if nothing was charged, else what it has become meanwhile. */
export async function end(calls: IntentCalls, call: WaitingCall): Promise<GatewayAnswer> {
  try {
    const seen = await found(calls, call);
    if (isOver(seen)) return await settled(calls, seen, call);
    const after = await calls.cancel(seen.id).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure !== null) throw failure;
      return calls.retrieve(seen.id);
    });
    if (!isOver(after)) throw new GatewayError('unknown', 'processing');
    return await settled(calls, after, call);
  } catch (error) {
    throw failureOf(error) ?? new GatewayError('unavailable', 'end_refused');
  }
}

const over: ReadonlySet<string> = new Set(['succeeded', 'processing', 'canceled']);
const isOver = ({ status }: SeenIntent): boolean => over.has(status);

/** What the script of our page needs, read at that moment; null if nothing waits for the payer. */
export async function challenge(calls: IntentCalls, call: WaitingCall): Promise<Challenge | null> {
  try {
    const { status, nextAction, clientSecret } = await found(calls, call);
    if (status !== 'requires_action' || !actions.has(nextAction)) return null;
    return clientSecret === null ? null : { kind: 'script', clientSecret };
  } catch (error) {
    throw failureOf(error) ?? new GatewayError('unavailable', 'challenge_refused');
  }
}

/** Stripe's codes that correspond to one of ours. */
const ownCodes: ReadonlyMap<string, string> = new Map([
  ['payment_intent_authentication_failure', 'authentication_failed'],
  ['setup_intent_authentication_failure', 'authentication_failed'],
]);

function unfinished({ type, error }: SeenIntent): string {
  const waitsFor = type === 'us_bank_account' ? 'verification_required' : AUTHENTICATION_REQUIRED;
  const code = error === null ? undefined : codeOf(error);
  return (code && ownCodes.get(code)) ?? code ?? waitsFor;
}

function chargedOf(
  { sum }: SeenIntent,
  { mayBeLess = false }: Pick<AskedFor, 'mayBeLess'>,
): Pick<GatewayAnswer, 'charged'> {
  if (!mayBeLess || sum === null) return {};
  return { charged: amountOfStripe(sum.currency.toUpperCase(), sum.amount) };
}

/** Of what a page's fields made Stripe makes a method. A token that was sent to us stays as it is. */
function madeMethod(
  { customer, method, mandate }: SeenIntent,
  token: string,
): { readonly method?: MadeMethod } {
  if (method === null) return {};
  const isNew = token.startsWith('ctoken_');
  if (!isNew && mandate === null) return {};
  const made = customer === null ? method : `${customer}/${method}`;
  return { method: { token: isNew ? made : token, mandate } };
}

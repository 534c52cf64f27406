/** Charges at Stripe: a payment intent each, which is confirmed as it is made. */
import type Stripe from 'stripe';
import { type Evidence, asks, declined } from '../declines.ts';
import {
  type AskedFor,
  type ChargeCall,
  type GatewayAnswer,
  GatewayDifference,
  type GatewayStatus,
  type PayerOfCall,
} from '../gateway.ts';
import { refuseAnother, stripeAmount } from './amount.ts';
import { isAuthenticationRefusal, refusalOf } from './errors.ts';
import { type IntentCalls, type SeenIntent, settled, waitingStatus } from './intents.ts';
import { keyName } from './key-name.ts';
import { type StripeMethod, idOf, methodOf, ownerOf, paidBy } from './methods.ts';

export async function charge(
  stripe: Stripe,
  call: ChargeCall,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  try {
    return await made(stripe, call, signal);
  } catch (error) {
    const answer = refusalOf(error);
    // Stripe leaves the intent as it is, to be confirmed by its payer.
    if (call.payer !== 'absent' || !isAuthenticationRefusal(error)) return answer;
    const { transactionId } = answer;
    return transactionId === null ? answer : asks({ transactionId });
  }
}

async function made(stripe: Stripe, call: ChargeCall, signal: AbortSignal): Promise<GatewayAnswer> {
  const { idempotencyKey } = call;
  const amount = stripeAmount(call.currency, call.amount);
  if (amount === null) return declined('invalid_amount');
  const known = await methodOf(stripe, call.token, call.methodType);
  if (!known) return declined('invalid_token');
  signal.throwIfAborted();
  const method = await owned(stripe, known, call, signal);
  signal.throwIfAborted();
  const intent = await stripe.paymentIntents.create(
    {
      amount,
      currency: call.currency.toLowerCase(),
      description: call.description,
      confirm: true,
      expand: ['latest_charge'],
      ...paidBy(method, idempotencyKey),
      ...mandateOf(method, call),
      ...payerOf(call),
      ...(call.payer === 'present' && call.savesMethod
        ? { setup_future_usage: 'off_session' as const }
        : {}),
    },
    { idempotencyKey },
  );
  signal.throwIfAborted();
  return settled(paymentCalls(stripe), seenPayment(intent), call);
}

/** A method that is charged again belongs to a customer of its own; one that is used once to nobody. */
async function owned(
  stripe: Stripe,
  method: StripeMethod,
  { idempotencyKey: key, savesMethod, isOnFile = false, payer }: ChargeCall,
  signal: AbortSignal,
): Promise<StripeMethod> {
  if (method.customer !== null || !(savesMethod || isOnFile)) return method;
  // Stripe itself attaches what is saved with its payer.
  const isSaved = savesMethod && payer === 'present';
  const attaches = isSaved ? null : method.paymentMethod;
  // Two charges at once by one method share its customer.
  const owns = method.paymentMethod ?? key;
  return { ...method, customer: await ownerOf(stripe, owns, { attaches }, signal) };
}

/** What a call says of its payer. */
export function payerOf({ payer, returnUrl }: PayerOfCall) {
  if (payer === 'absent') return { off_session: true as const };
  return present(returnUrl);
}

export const present = (returnUrl: string | null) => ({
  use_stripe_sdk: true as const,
  ...(returnUrl === null ? {} : { return_url: returnUrl }),
});

/** Debits need the payer's consent: that of the page, or one that our caller has obtained. */
function mandateOf(
  { type, confirmationToken }: StripeMethod,
  { mandate = null }: Pick<ChargeCall, 'mandate'>,
) {
  if (type === 'card' || confirmationToken !== null) return {};
  if (mandate !== null) return { mandate };
  return { mandate_data: { customer_acceptance: { type: 'offline' as const } } };
}

const expand = ['latest_charge'];

export function paymentCalls(stripe: Stripe): IntentCalls {
  const intents = stripe.paymentIntents;
  return {
    retrieve: async (id) => seenPayment(await intents.retrieve(id, { expand })),
    confirm: async (id, params, idempotencyKey) =>
      seenPayment(await intents.confirm(id, { ...params, expand }, { idempotencyKey })),
    cancel: async (id) => seenPayment(await intents.cancel(id, { expand })),
    reduce: async (id, amount, idempotencyKey) => {
      await intents.update(id, { amount }, { idempotencyKey });
    },
  };
}

function seenPayment(intent: Stripe.PaymentIntent): SeenIntent {
  const { latest_charge: made } = intent;
  const details = typeof made === 'object' ? made?.payment_method_details : null;
  const debit = details?.sepa_debit ?? details?.us_bank_account ?? null;
  return {
    id: intent.id,
    status: intent.status,
    type: intent.payment_method_types[0],
    customer: idOf(intent.customer),
    method: idOf(intent.payment_method),
    mandate: idOf(debit?.mandate),
    error: intent.last_payment_error,
    nextAction: intent.next_action?.type ?? null,
    clientSecret: intent.client_secret,
    evidence: evidenceOf(intent),
    sum: { amount: intent.amount, currency: intent.currency },
  };
}

function evidenceOf({ id, latest_charge: made }: Stripe.PaymentIntent): Evidence {
  const taken = typeof made === 'object' ? made : null;
  const checks = taken?.payment_method_details?.card?.checks;
  return {
    transactionId: id,
    avsCode: checks?.address_postal_code_check ?? null,
    cvvCode: checks?.cvc_check ?? null,
    approvalCode: taken?.authorization_code ?? null,
  };
}

export async function chargeStatus(stripe: Stripe, asked: AskedFor): Promise<GatewayStatus> {
  const { idempotencyKey: key, madeAs } = asked;
  const calls = paymentCalls(stripe);
  if (madeAs) return waitingStatus(calls, { ...asked, madeAs });
  const quoted = key.replaceAll(/['\\]/g, String.raw`\$&`);
  const found = await stripe.paymentIntents.search({
    query: `metadata['${keyName}']:'${quoted}'`,
    expand: ['data.latest_charge'],
  });
  const ours = found.data.filter(({ metadata }) => metadata[keyName] === key);
  const [intent] = ours;
  if (!intent) return 'unknown';
  if (ours.length > 1) {
    const text = `${ours.length} payments`;
    throw new GatewayDifference({ text, transactionId: intent.id }, asked);
  }
  // Compare first, so that we never cancel a payment of others.
  refuseAnother('a payment', intent, asked);
  return settled(calls, seenPayment(intent), asked);
}

/** Methods that are put on file at Stripe without a payment: a setup intent each. */
import type Stripe from 'stripe';
import { declined } from '../declines.ts';
import type { GatewayAnswer, ValidateCall } from '../gateway.ts';
import { present } from './charges.ts';
import { refusalOf } from './errors.ts';
import { type IntentCalls, type SeenIntent, settled } from './intents.ts';
import { idOf, methodOf, ownerOf, paidBy } from './methods.ts';

export async function validate(
  stripe: Stripe,
  call: ValidateCall,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const { token, idempotencyKey, payer, returnUrl } = call;
  try {
    const method = await methodOf(stripe, token, 'Token');
    if (!method) return declined('invalid_token');
    signal.throwIfAborted();
    // Stripe attaches the method once it is verified.
    const unattached = { attaches: null };
    const owns = method.paymentMethod ?? idempotencyKey;
    const customer = method.customer ?? (await ownerOf(stripe, owns, unattached, signal));
    signal.throwIfAborted();
    const intent = await stripe.setupIntents.create(
      {
        confirm: true,
        usage: 'off_session',
        ...paidBy({ ...method, customer }, idempotencyKey),
        ...mandateOf(method.type, method.confirmationToken),
        ...(payer === 'present' ? present(returnUrl) : {}),
      },
      { idempotencyKey },
    );
    signal.throwIfAborted();
    return await settled(setupCalls(stripe), seenSetup(intent), call);
  } catch (error) {
    return refusalOf(error);
  }
}

function mandateOf(type: string, confirmationToken: string | null) {
  if (type === 'card' || confirmationToken !== null) return {};
  return { mandate_data: { customer_acceptance: { type: 'offline' as const } } };
}

export function setupCalls(stripe: Stripe): IntentCalls {
  const intents = stripe.setupIntents;
  return {
    retrieve: async (id) => seenSetup(await intents.retrieve(id)),
    confirm: async (id, params, idempotencyKey) =>
      seenSetup(await intents.confirm(id, params, { idempotencyKey })),
    cancel: async (id) => seenSetup(await intents.cancel(id)),
    reduce: null,
  };
}

function seenSetup(intent: Stripe.SetupIntent): SeenIntent {
  return {
    id: intent.id,
    status: intent.status,
    type: intent.payment_method_types[0],
    customer: idOf(intent.customer),
    method: idOf(intent.payment_method),
    mandate: idOf(intent.mandate),
    error: intent.last_setup_error,
    nextAction: intent.next_action?.type ?? null,
    clientSecret: intent.client_secret,
    evidence: { transactionId: intent.id },
    sum: null,
  };
}

/**
 * Stripe's signed events: the stripe package checks the signature, and what is left of an event is
 * which payment or refund of ours to ask Stripe about. Nothing else that it says is believed.
 */
import Stripe from 'stripe';
import { z } from 'zod';
import { keyName } from './key-name.ts';

/** What an event speaks of, by Stripe's ids and by our key where it carries that. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** Of a connected account of somebody else's; null where it is the account's own. */
  readonly account: string | null;
  readonly paymentIntent: string | null;
  readonly refund: string | null;
  readonly key: string | null;
}

/** Events that may have something to do with payments and refunds of ours. */
const types =
  /^(payment_intent\.(succeeded|processing|payment_failed|canceled|requires_action)|charge\.dispute\..+|charge\.refund\.updated|charge\.refunded|refund\.(created|updated|failed))$/;

const text = z.string().max(255);
const reference = z.union([text, z.object({ id: text }).transform(({ id }) => id)]).nullish();

const eventForm = z.object({
  id: z.string().regex(/^evt_\w{1,200}$/),
  type: z.string().max(100),
  account: text.nullish(),
  data: z.object({
    object: z.object({
      object: text,
      id: text,
      payment_intent: reference,
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});

/** Undefined where the signature is not of this secret, or too old. */
export function verifiedEvent(
  body: Uint8Array,
  signature: string | undefined,
  secret: string,
): unknown {
  if (signature === undefined) return undefined;
  try {
    return Stripe.webhooks.constructEvent(Buffer.from(body), signature, secret);
  } catch {
    // What was refused is not repeated, whatever was wrong with it.
    return undefined;
  }
}

/** Undefined where it means nothing here. */
export function stripeEventOf(event: unknown): StripeEvent | undefined {
  const { success, data: known } = eventForm.safeParse(event);
  if (!success || !types.test(known.type)) return undefined;
  const { object } = known.data;
  return {
    id: known.id,
    type: known.type,
    account: known.account ?? null,
    paymentIntent: object.object === 'payment_intent' ? object.id : (object.payment_intent ?? null),
    refund: object.object === 'refund' ? object.id : null,
    key: object.metadata?.[keyName] ?? null,
  };
}

/**
 * Stripe's signed events. The stripe package checks the signature; of an event we use only which of
 * our payments or refunds to ask Stripe about, and trust none of its other content.
 */
import Stripe from 'stripe';
import { z } from 'zod';
import { keyName } from './key-name.ts';

/** The object of an event: Stripe's ids, and our key if the event has it. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** The connected account of somebody else; null if the event is of our account. */
  readonly account: string | null;
  readonly paymentIntent: string | null;
  readonly refund: string | null;
  readonly key: string | null;
  /** The payment method that Stripe has changed by itself; no payment is named then. */
  readonly paymentMethod: string | null;
}

/** The types of events that may be about our payments and refunds. */
const types =
  /^(payment_intent\.(succeeded|processing|payment_failed|canceled|requires_action)|charge\.dispute\..+|charge\.refund\.updated|charge\.refunded|refund\.(created|updated|failed))$/;

/** Those about a method on file: a renewed card, a method that was detached, a revoked mandate. */
const methodTypes = /^(payment_method\.(automatically_updated|updated|detached)|mandate\.updated)$/;

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
      payment_method: reference,
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});

/** Undefined if the signature does not match this secret, or is too old. */
export function verifiedEvent(
  body: Uint8Array,
  signature: string | undefined,
  secret: string,
): unknown {
  if (signature === undefined) return undefined;
  try {
    return Stripe.webhooks.constructEvent(Buffer.from(body), signature, secret);
  } catch {
    // The error is dropped, because its text may quote what was sent.
    return undefined;
  }
}

/** Undefined for an event without meaning here. */
export function stripeEventOf(event: unknown): StripeEvent | undefined {
  const { success, data: known } = eventForm.safeParse(event);
  if (!success) return undefined;
  const { object } = known.data;
  const { id, type, account = null } = known;
  if (methodTypes.test(type)) {
    const named = object.object === 'payment_method' ? object.id : (object.payment_method ?? null);
    const nothing = { paymentIntent: null, refund: null, key: null };
    return named === null ? undefined : { id, type, account, ...nothing, paymentMethod: named };
  }
  if (!types.test(type)) return undefined;
  return {
    id,
    type,
    account,
    paymentIntent: object.object === 'payment_intent' ? object.id : (object.payment_intent ?? null),
    refund: object.object === 'refund' ? object.id : null,
    key: object.metadata?.[keyName] ?? null,
    paymentMethod: null,
  };
}

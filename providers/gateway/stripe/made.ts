/** Lists what Stripe has made for our keys: payments at first, then refunds, the newest first. */
import type Stripe from 'stripe';
import { GatewayError, type GatewayAnswer, type MadeCall, type MadeCalls } from '../gateway.ts';
import { amountOfStripe } from './amount.ts';
import { AUTHENTICATION_REQUIRED, codeOf, failureOf } from './errors.ts';
import { keyName } from './key-name.ts';
import { idOf } from './methods.ts';

const PAGE_ROWS = 100;
const MS_PER_SECOND = 1_000;
/** Where the refunds begin. */
const REFUNDS = 're';

/** @param from the id of the last object of the page before; `re` for the first page of refunds */
export async function madeCalls(
  stripe: Stripe,
  since: Date,
  from: string | null,
): Promise<MadeCalls> {
  const created = { gte: Math.floor(since.getTime() / MS_PER_SECOND) };
  const page = { created, limit: PAGE_ROWS };
  try {
    if (from?.startsWith(REFUNDS)) {
      const after = from === REFUNDS ? {} : { starting_after: from };
      const found = await stripe.refunds.list({ ...page, ...after });
      return { calls: found.data.flatMap(refundOf), next: nextOf(found) };
    }
    const after = from === null ? {} : { starting_after: from };
    const found = await stripe.paymentIntents.list({ ...page, ...after });
    return { calls: found.data.flatMap(chargeOf), next: nextOf(found) ?? REFUNDS };
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw failureOf(error) ?? new GatewayError('unavailable', 'list_refused');
  }
}

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
}

const nextOf = ({ data, has_more: hasMore }: Page): string | null =>
  hasMore ? (data.at(-1)?.id ?? null) : null;

function chargeOf(intent: Stripe.PaymentIntent): MadeCall[] {
  const idempotencyKey = intent.metadata[keyName];
  if (idempotencyKey === undefined) return [];
  const method = idOf(intent.payment_method) ?? intent.last_payment_error?.payment_method?.id;
  return [
    {
      operation: 'charge',
      idempotencyKey,
      outcome: outcomeOf(intent),
      method: method ?? null,
      chargeId: null,
      ...common(intent),
    },
  ];
}

/** What is neither paid nor over may still be paid: by its payer, or by who confirms it. */
function outcomeOf({
  status,
  last_payment_error: error,
}: Stripe.PaymentIntent): GatewayAnswer['outcome'] {
  switch (status) {
    case 'succeeded':
      return 'approved';
    case 'processing':
    case 'requires_capture':
      return 'pending';
    case 'canceled':
      return 'declined';
    case 'requires_payment_method':
      return error !== null && codeOf(error) === AUTHENTICATION_REQUIRED ? 'asks' : 'declined';
    default:
      return 'asks';
  }
}

function refundOf(refund: Stripe.Refund): MadeCall[] {
  const idempotencyKey = refund.metadata?.[keyName];
  if (idempotencyKey === undefined) return [];
  const { status } = refund;
  const isOver = status === 'failed' || status === 'canceled';
  return [
    {
      operation: 'refund',
      idempotencyKey,
      outcome: isOver ? 'declined' : status === 'succeeded' ? 'approved' : 'pending',
      method: null,
      chargeId: idOf(refund.payment_intent),
      ...common(refund),
    },
  ];
}

function common({
  id,
  amount,
  currency,
  created,
}: Pick<Stripe.Refund, 'id' | 'amount' | 'currency' | 'created'>) {
  const own = currency.toUpperCase();
  const inUnits = amountOfStripe(own, amount);
  if (inUnits === null) throw new GatewayError('unknown', 'currency');
  const madeAt = new Date(created * MS_PER_SECOND);
  return { transactionId: id, amount: inUnits, currency: own, madeAt };
}

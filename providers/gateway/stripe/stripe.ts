/** The Stripe adapter, based on its own package; docs/decisions/0012-gateways.md explains it. */
import Stripe from 'stripe';
import type { GatewayAdapter } from '../adapter.ts';
import { type Evidence, approved, declined, isHardDecline, pending } from '../declines.ts';
import {
  type AskedFor,
  type ChargeCall,
  type GatewayAnswer,
  GatewayDifference,
  GatewayError,
  type GatewayStatus,
  type MadeCharge,
  type ReturnCall,
  type Withdrawal,
} from '../gateway.ts';
import { amountOfStripe, stripeAmount } from './amount.ts';
import { failureOf, isMissing, refusalOf } from './errors.ts';
import { keyName } from './key-name.ts';
import { type StripeMethod, methodOf, storeMethod } from './methods.ts';

export function createStripe(options: StripeOptions): GatewayAdapter {
  const stripe = stripeClient(options);
  return {
    name: 'stripe',
    store: (details, key, signal) => storeMethod(stripe, details, key, signal),
    entered: () => Promise.reject(new GatewayError('invalid', 'token_unknown', { field: 'token' })),
    validate: ({ token, idempotencyKey: key }, signal) =>
      validate(stripe, { token, key }, signal).catch(refusalOf),
    charge: (call, signal) => charge(stripe, call, signal).catch(refusalOf),
    // Nothing waits: `settled` ends what asks.
    confirm: () => Promise.reject(new GatewayError('unavailable', 'nothing_waits')),
    end: () => Promise.reject(new GatewayError('unavailable', 'nothing_waits')),
    challenge: () => Promise.resolve(null),
    refund: (call, signal) => refund(stripe, call, signal).catch(refusalOf),
    // Stripe itself reverses an unsettled charge when it is refunded in full.
    void: (call, signal) => refund(stripe, call, signal).catch(refusalOf),
    async status(operation, asked) {
      try {
        if (operation === 'charge') return await chargeStatus(stripe, asked);
        // A call whose id we do not know can be looked up only by repeating it, which is safe.
        return asked.madeAs ? await refundStatus(stripe, asked, asked.madeAs) : 'unknown';
      } catch (error) {
        throw failureOf(error) ?? new GatewayError('unavailable', 'status_refused');
      }
    },
    withdrawals: (made) => withdrawals(stripe, made),
  };
}

async function charge(
  stripe: Stripe,
  call: ChargeCall,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const amount = stripeAmount(call.currency, call.amount);
  if (amount === null) return declined('invalid_amount');
  const method = await methodOf(stripe, call.token, call.methodType, signal);
  if (!method) return declined('invalid_token');
  const intent = await stripe.paymentIntents.create(
    {
      amount,
      currency: call.currency.toLowerCase(),
      description: call.description,
      confirm: true,
      off_session: true,
      expand: ['latest_charge'],
      ...paidBy(method, call.idempotencyKey),
    },
    { idempotencyKey: call.idempotencyKey },
  );
  signal.throwIfAborted();
  return settled(stripe, intent);
}

async function validate(
  stripe: Stripe,
  { token, key }: { readonly token: string; readonly key: string },
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const method = await methodOf(stripe, token, 'Token', signal);
  if (!method) return declined('invalid_token');
  const intent = await stripe.setupIntents.create(
    { confirm: true, usage: 'off_session', ...paidBy(method, key) },
    { idempotencyKey: key },
  );
  const transactionId = intent.id;
  if (intent.status === 'succeeded') return approved({ transactionId });
  if (intent.status === 'processing') throw new GatewayError('unknown', 'processing');
  return declined(unfinished(method.type, intent.last_setup_error), { transactionId });
}

function paidBy({ customer, paymentMethod, type }: StripeMethod, key: string) {
  const isDebit = type === 'us_bank_account';
  return {
    customer,
    payment_method: paymentMethod,
    payment_method_types: [type],
    metadata: { [keyName]: key },
    // Debits need the payer's consent, which our caller has obtained.
    ...(isDebit ? { mandate_data: { customer_acceptance: { type: 'offline' as const } } } : {}),
  };
}

/**
 * The state of a charge. One that waits for an action of its payer is cancelled, because nobody can
 * act.
 */
async function settled(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<GatewayAnswer> {
  const { status, last_payment_error: error } = intent;
  const evidence = evidenceOf(intent);
  if (status === 'succeeded') return approved(evidence);
  // Debits take days.
  if (status === 'processing') return pending(evidence);
  if (status === 'canceled' || status === 'requires_payment_method') {
    return declined(unfinished(intent.payment_method_types[0], error), evidence);
  }
  try {
    await stripe.paymentIntents.cancel(intent.id, {}, { idempotencyKey: `${intent.id}/cancel` });
  } catch (failed) {
    // The charge has changed meanwhile, so its state is read again.
    throw failureOf(failed) ?? new GatewayError('unknown', 'processing');
  }
  return declined(unfinished(intent.payment_method_types[0], error), evidence);
}

interface StripeFailure {
  readonly code?: string;
  readonly decline_code?: string;
}

function unfinished(type: string | undefined, error: StripeFailure | null): string {
  const waitsFor = type === 'us_bank_account' ? 'verification_required' : 'authentication_required';
  return error?.decline_code ?? error?.code ?? waitsFor;
}

function evidenceOf(intent: Stripe.PaymentIntent): Evidence {
  const { latest_charge: made } = intent;
  const taken = typeof made === 'object' ? made : null;
  const checks = taken?.payment_method_details?.card?.checks;
  return {
    transactionId: intent.id,
    avsCode: checks?.address_postal_code_check ?? null,
    cvvCode: checks?.cvc_check ?? null,
    approvalCode: taken?.authorization_code ?? null,
  };
}

async function chargeStatus(stripe: Stripe, asked: AskedFor): Promise<GatewayStatus> {
  const { idempotencyKey: key, madeAs } = asked;
  if (madeAs) {
    const known = await stripe.paymentIntents.retrieve(madeAs, { expand: ['latest_charge'] });
    refuseAnother('a payment', known, asked);
    return settled(stripe, known);
  }
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
  return settled(stripe, intent);
}

interface Made {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
}

/** Throws if the record under our key does not match the request. */
function refuseAnother(what: string, { id, amount, currency }: Made, asked: AskedFor): void {
  const isSame =
    amount === stripeAmount(asked.currency, asked.amount) &&
    currency === asked.currency.toLowerCase();
  if (isSame) return;
  const unit = /^[a-z]{3}$/.test(currency) ? currency.toUpperCase() : 'another currency';
  const text = `${what} over ${amount} of the smallest unit of ${unit}`;
  throw new GatewayDifference({ text, transactionId: id }, asked);
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

/* The `stripe` package, configured without retries and telemetry. */

interface StripeOptions {
  /** The account's key; it leaves this process only in Stripe's authorization header. */
  readonly secretKey: string;
  readonly timeLimitMs: number;
  /** Stripe's own address by default. */
  readonly apiUrl?: string | undefined;
}

function stripeClient({ secretKey, timeLimitMs, apiUrl }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    // The payment's workflow decides about retries.
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeLimitMs,
    httpClient: withoutRetry(Stripe.createNodeHttpClient()),
    ...addressOf(apiUrl),
  });
}

function addressOf(apiUrl: string | undefined) {
  if (apiUrl === undefined) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  };
}

type Client = Pick<ReturnType<typeof Stripe.createNodeHttpClient>, 'getClientName' | 'makeRequest'>;

// Despite its settings the package repeats a call once when a connection was closed. It recognizes
// that by the error's code, so this hides the code.
function withoutRetry(client: Client): Client {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      try {
        return await client.makeRequest(...request);
      } catch (error) {
        const isClosed =
          error instanceof Error &&
          'code' in error &&
          (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        throw isClosed ? new Error('the connection was closed') : error;
      }
    },
  };
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

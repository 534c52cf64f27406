/**
 * Maps Stripe's errors. We keep only Stripe's code, and drop the text and the error itself, which
 * may repeat the request.
 */
import Stripe from 'stripe';
import { declined } from '../declines.ts';
import { GatewayError, RAW_CARD, type GatewayAnswer, type MethodDetails } from '../gateway.ts';

const { errors } = Stripe;

/** Errors of a call that did not reach Stripe at all. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Codes about our account instead of the method or amount, which decline nobody. */
const ofTheAccount = new Set([
  'account_invalid',
  'api_key_expired',
  'capability_not_active',
  'livemode_mismatch',
  'not_allowed_on_standard_account',
  'payment_method_unactivated',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
  'tls_version_unsupported',
]);

/** Why a call has no answer; null if the error is an answer, a refusal by Stripe. */
export function failureOf(error: unknown): GatewayError | null {
  if (error instanceof GatewayError) return error;
  if (!(error instanceof errors.StripeError)) return new GatewayError('unknown', 'failed');
  const code = codeOf(error);
  const { statusCode = 0 } = error;
  if (error instanceof errors.StripeConnectionError) {
    return neverSent.has(systemCodeOf(error.detail))
      ? new GatewayError('unavailable', 'unreachable')
      : new GatewayError('unknown', 'connection');
  }
  if (statusCode === 409) return new GatewayError('unknown', 'processing');
  if (error instanceof errors.StripeIdempotencyError) {
    return new GatewayError('unknown', 'idempotency_mismatch');
  }
  if (error instanceof errors.StripeRateLimitError) {
    return new GatewayError('transient', code ?? 'rate_limit');
  }
  if (statusCode === 401) return new GatewayError('unavailable', 'authentication');
  if (statusCode === 403) return new GatewayError('unavailable', 'permission');
  if (code !== undefined && ofTheAccount.has(code)) return new GatewayError('unavailable', code);
  // Stripe calls the outcome of a 500 indeterminate.
  const isRefusal = statusCode >= 400 && statusCode < 500;
  return isRefusal ? null : new GatewayError('unknown', 'server_error');
}

/** The answer to a charge, refund or validation that Stripe refused; throws other errors. */
export function refusalOf(error: unknown): GatewayAnswer {
  const failure = failureOf(error);
  if (failure) throw failure;
  if (!(error instanceof errors.StripeError)) throw new GatewayError('unknown', 'failed');
  const transactionId = error.payment_intent?.id ?? error.setup_intent?.id ?? null;
  return declined(declineOf(error), { transactionId });
}

/** What asks for the payer, if nobody is there. */
export const AUTHENTICATION_REQUIRED = 'authentication_required';

export function isAuthenticationRefusal(error: unknown): boolean {
  return error instanceof errors.StripeError && codeOf(error) === AUTHENTICATION_REQUIRED;
}

function declineOf(error: InstanceType<typeof errors.StripeError>): string {
  const code = codeOf(error);
  if (code !== 'resource_missing') return code ?? 'invalid_request';
  return error.param === 'payment_method' || error.param === 'customer'
    ? 'invalid_token'
    : 'unknown_charge';
}

/** Whether the named object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Whether the issuer declined, as opposed to a mistake in the request. */
export function isCardError(error: unknown): boolean {
  return error instanceof errors.StripeError && error.rawType === 'card_error';
}

const fields: readonly (readonly [RegExp, string])[] = [
  [/routing_number/, 'abaRoutingNumber'],
  [/account_number/, 'accountNumber'],
  [/cvc/, 'cvv'],
  [/exp_month|exp_year|expiry|expired/, 'expiry'],
  [/number/, 'cardNumber'],
];

/** The error for a method that was not stored, with the part that Stripe refused. */
export function storingFailureOf(error: unknown, { type }: MethodDetails): GatewayError {
  const failure = failureOf(error);
  if (failure || !(error instanceof errors.StripeError)) {
    return failure ?? new GatewayError('unknown', 'failed');
  }
  const code = codeOf(error) ?? 'invalid_request';
  const said = `${code} ${error.param ?? ''}`;
  const field = fields.find(([words]) => words.test(said))?.[1];
  if (field !== undefined) return new GatewayError('invalid', code, { field });
  if (isCardError(error)) {
    const whole = type === 'CreditCard' ? 'cardNumber' : 'accountNumber';
    return new GatewayError('invalid', code, { field: whole });
  }
  if (type === 'CreditCard' && isRawCardRefusal(error))
    return new GatewayError('invalid', RAW_CARD);
  return new GatewayError('unavailable', code);
}

/**
 * Whether the account may not send card numbers. Stripe says so by its text alone, without a code
 * (support.stripe.com, "Enabling access to raw card data APIs").
 */
function isRawCardRefusal({ code, message }: InstanceType<typeof errors.StripeError>): boolean {
  return code === undefined && message.startsWith('Sending credit card numbers directly');
}

export function codeOf({ decline_code: decline, code }: { decline_code?: string; code?: string }) {
  return [decline, code].find((text) => text !== undefined && /^[a-z0-9_]{1,64}$/.test(text));
}

function systemCodeOf(detail: unknown): string {
  const hasCode = typeof detail === 'object' && detail !== null && 'code' in detail;
  return hasCode ? String(detail.code) : '';
}

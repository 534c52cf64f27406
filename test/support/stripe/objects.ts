/** What the double of Stripe keeps, in Stripe's own form where it answers with it. */
import type Stripe from 'stripe';
import { brandOf } from './cards.ts';

/** What is entered into Stripe's own fields. */
export type Entered =
  | { readonly type: 'card'; readonly number: string; readonly expiry?: readonly [number, number] }
  | { readonly type: 'sepa_debit'; readonly iban: string }
  | { readonly type: 'us_bank_account'; readonly account: string };

export interface KeptMethod {
  readonly id: string;
  readonly entered: Entered;
  customer: string | null;
  /** It was used without a customer, or detached: it may not be used again. */
  isUsedUp: boolean;
  /** Its holder has authenticated for payments to come. */
  isSetUp: boolean;
  expiry: readonly [month: number, year: number];
  lastFour: string;
}

export interface KeptToken {
  readonly id: string;
  readonly entered: Entered;
  readonly futureUsage: string | null;
  usedFor: string | null;
}

export interface KeptIntent {
  readonly id: string;
  readonly secret: string;
  readonly kind: 'payment' | 'setup';
  amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly types: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  status: Stripe.PaymentIntent.Status;
  method: string | null;
  saves: boolean;
  /** The last one, as the intent has it. */
  error: { readonly code: string; readonly decline_code?: string } | null;
  charge: string | null;
  mandate: string | null;
  /** How often it was confirmed. */
  confirmations: number;
  /** In seconds since 1970. */
  readonly created: number;
}

export class StripeRefusal extends Error {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;

  constructor(status: number, error: Readonly<Record<string, unknown>>) {
    super('refused');
    this.status = status;
    this.error = error;
  }
}

/** A request that is wrong. */
export const wrong = (message: string, more: object = {}): StripeRefusal =>
  new StripeRefusal(400, { type: 'invalid_request_error', message, ...more });

export const missing = (param: string): StripeRefusal =>
  new StripeRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${param}`,
  });

const END_DIGITS = 4;

export function newMethod(id: string, entered: Entered): KeptMethod {
  return {
    id,
    entered,
    customer: null,
    isUsedUp: false,
    isSetUp: false,
    expiry: (entered.type === 'card' ? entered.expiry : undefined) ?? [12, 2034],
    lastFour: numberOf(entered).slice(-END_DIGITS),
  };
}

export function numberOf(entered: Entered): string {
  if (entered.type === 'card') return entered.number;
  return entered.type === 'sepa_debit' ? entered.iban : entered.account;
}

type Details = Pick<KeptMethod, 'entered' | 'lastFour' | 'expiry'>;

/** The part that is named by the type. */
function detailsOf({ entered, lastFour: last4, expiry: [month, year] }: Details) {
  switch (entered.type) {
    case 'card': {
      const brand = brandOf(entered.number);
      return { card: { brand, display_brand: brand, last4, exp_month: month, exp_year: year } };
    }
    case 'sepa_debit':
      return { sepa_debit: { last4, country: entered.iban.slice(0, 2), bank_code: '37040044' } };
    case 'us_bank_account':
      return { us_bank_account: { last4, account_type: 'checking', bank_name: 'TEST BANK' } };
  }
}

export const methodBody = (method: KeptMethod) => ({
  id: method.id,
  object: 'payment_method',
  type: method.entered.type,
  customer: method.customer,
  ...detailsOf(method),
});

export const tokenBody = ({ id, entered, futureUsage, usedFor }: KeptToken) => ({
  id,
  object: 'confirmation_token',
  payment_method_preview: { type: entered.type, ...detailsOf(newMethod('', entered)) },
  setup_future_usage: futureUsage,
  payment_intent: usedFor?.startsWith('pi_') === true ? usedFor : null,
  setup_intent: usedFor?.startsWith('seti_') === true ? usedFor : null,
  use_stripe_sdk: true,
});

/** Without `expand` a charge is its id. */
export function intentBody(intent: KeptIntent, method: KeptMethod | undefined, expands: boolean) {
  const { id, secret, kind, status, customer, metadata, error, types } = intent;
  const shownError = error && {
    ...error,
    type: 'card_error',
    ...(method === undefined ? {} : { payment_method: methodBody(method) }),
  };
  const common = {
    id,
    client_secret: secret,
    status,
    customer,
    metadata,
    payment_method: intent.method,
    payment_method_types: types,
    next_action:
      status === 'requires_action' ? { type: 'use_stripe_sdk', use_stripe_sdk: {} } : null,
  };
  if (kind === 'setup') {
    const { mandate } = intent;
    return {
      ...common,
      object: 'setup_intent',
      usage: 'off_session',
      mandate,
      last_setup_error: shownError,
    };
  }
  return {
    ...common,
    object: 'payment_intent',
    amount: intent.amount,
    currency: intent.currency,
    created: intent.created,
    setup_future_usage: intent.saves ? 'off_session' : null,
    last_payment_error: shownError,
    latest_charge: expands ? chargeBody(intent, method) : intent.charge,
  };
}

function chargeBody({ charge, mandate }: KeptIntent, method: KeptMethod | undefined) {
  if (charge === null || method === undefined) return null;
  const { type } = method.entered;
  const checks = { address_postal_code_check: 'pass', cvc_check: 'pass' };
  const details = type === 'card' ? { checks } : { mandate };
  return {
    id: charge,
    object: 'charge',
    authorization_code: type === 'card' ? '123456' : null,
    payment_method_details: { type, [type]: details },
  };
}

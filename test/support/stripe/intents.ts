/** What becomes of an intent at Stripe: confirmed, authenticated, refused, cancelled, settled. */
import { cardOf, type TestCard } from './cards.ts';
import {
  type KeptIntent,
  type KeptMethod,
  type KeptToken,
  StripeRefusal,
  intentBody,
  missing,
  newMethod,
  wrong,
} from './objects.ts';
import type { Parameter } from './openapi.ts';

export interface KeptRefund {
  readonly id: string;
  readonly payment_intent: string;
  readonly created: number;
}

export interface World {
  readonly methods: Map<string, KeptMethod>;
  readonly tokens: Map<string, KeptToken>;
  readonly intents: Map<string, KeptIntent>;
  readonly refunds: Map<string, KeptRefund>;
  readonly customers: Set<string>;
  readonly mandates: Map<string, 'active' | 'inactive'>;
  readonly nextId: (prefix: string) => string;
}

export type Sent = Readonly<Record<string, Parameter>>;

const textOf = (sent: Sent, name: string): string | undefined => {
  const value = sent[name];
  return typeof value === 'string' ? value : undefined;
};

/** Parameters that Stripe takes only together with `confirm`. */
const ofConfirmation = [
  'confirmation_token',
  'error_on_requires_action',
  'mandate',
  'mandate_data',
  'off_session',
  'return_url',
] as const;

export function createIntent(world: World, kind: KeptIntent['kind'], sent: Sent): KeptIntent {
  const isConfirmed = textOf(sent, 'confirm') === 'true';
  for (const name of ofConfirmation) {
    if (sent[name] !== undefined && !isConfirmed) {
      throw wrong(`${name} can only be used with confirm=true`, { param: name });
    }
  }
  const customer = textOf(sent, 'customer') ?? null;
  if (customer !== null && !world.customers.has(customer)) throw missing('customer');
  const id = world.nextId(kind === 'payment' ? 'pi' : 'seti');
  const intent: KeptIntent = {
    id,
    kind,
    secret: `${id}_secret_${world.nextId('s')}`,
    amount: Number(textOf(sent, 'amount') ?? '0'),
    currency: textOf(sent, 'currency') ?? '',
    customer,
    types: Object.values(sent['payment_method_types'] ?? {}).map(String),
    metadata: (sent['metadata'] ?? {}) as Readonly<Record<string, string>>,
    status: 'requires_payment_method',
    method: null,
    saves: false,
    error: null,
    charge: null,
    mandate: null,
    confirmations: 0,
    created: Math.floor(Date.now() / 1_000),
  };
  if (intent.types.length === 0) throw wrong('this account has no automatic payment methods');
  if (isConfirmed) confirmIntent(world, intent, sent);
  world.intents.set(id, intent);
  return intent;
}

/** Throws the refusal of a payment that is off session; any other outcome is the intent's status. */
export function confirmIntent(world: World, intent: KeptIntent, sent: Sent): void {
  refuseUnexpected(intent, ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  const isOffSession = textOf(sent, 'off_session') === 'true';
  refuseTogether(sent, isOffSession);
  if (intent.kind === 'payment') {
    const usage = textOf(sent, 'setup_future_usage');
    intent.saves = usage === 'off_session' || intent.saves;
  } else {
    intent.saves = textOf(sent, 'usage') === 'off_session' || intent.saves;
  }
  const method = methodFor(world, intent, sent);
  intent.method = method.id;
  intent.confirmations += 1;
  if (method.entered.type !== 'card') return acceptDebit(world, intent, { method, sent });
  const card = cardOf(method.entered.number);
  if (asksNow(card, method, isOffSession)) {
    if (!isOffSession) {
      intent.status = 'requires_action';
      return;
    }
    world.intents.set(intent.id, intent);
    refuse(intent, { code: 'authentication_required', decline_code: 'authentication_required' });
    throw declineOf(world, intent);
  }
  if (!conclude(world, intent, card)) {
    world.intents.set(intent.id, intent);
    throw declineOf(world, intent);
  }
}

function refuseTogether(sent: Sent, isOffSession: boolean): void {
  const needed = textOf(sent, 'use_stripe_sdk') === 'true';
  if (isOffSession) {
    // Nobody is there who could act, come back or agree.
    for (const name of ['use_stripe_sdk', 'return_url', 'setup_future_usage'] as const) {
      if (sent[name] !== undefined) throw wrong(`${name} has no use with off_session`);
    }
    return;
  }
  if (sent['return_url'] === undefined && needed) throw wrong('a return_url must be specified');
}

const asksNow = (card: TestCard, method: KeptMethod, isOffSession: boolean): boolean =>
  card.asks === 'always' || (card.asks === 'unless set up' && !(isOffSession && method.isSetUp));

function methodFor(world: World, intent: KeptIntent, sent: Sent): KeptMethod {
  const tokenId = textOf(sent, 'confirmation_token');
  const method =
    tokenId === undefined
      ? world.methods.get(textOf(sent, 'payment_method') ?? intent.method ?? '')
      : methodByToken(world, intent, tokenId);
  if (method === undefined) throw missing('payment_method');
  if (!intent.types.includes(method.entered.type)) {
    throw wrong(`the intent does not take ${method.entered.type}`);
  }
  if (method.customer !== null && method.customer !== intent.customer) {
    throw wrong('the payment method belongs to another customer', { param: 'payment_method' });
  }
  if (method.isUsedUp && method.id !== intent.method) {
    throw wrong('The provided PaymentMethod was previously used, and may not be used again.');
  }
  if (intent.customer === null) method.isUsedUp = true;
  return method;
}

function methodByToken(world: World, intent: KeptIntent, tokenId: string): KeptMethod {
  const token = world.tokens.get(tokenId);
  if (token === undefined) throw missing('confirmation_token');
  if (token.usedFor !== null) throw wrong('the confirmation token was used before');
  // Stripe writes what the token says onto the intent.
  intent.saves ||= token.futureUsage === 'off_session';
  token.usedFor = intent.id;
  const method = newMethod(world.nextId('pm'), token.entered);
  world.methods.set(method.id, method);
  return method;
}

function acceptDebit(
  world: World,
  intent: KeptIntent,
  { method, sent }: { readonly method: KeptMethod; readonly sent: Sent },
): void {
  const hasMandate = sent['mandate_data'] !== undefined || sent['confirmation_token'] !== undefined;
  if (!hasMandate && !method.isSetUp) throw wrong('mandate_data is required');
  intent.mandate = world.nextId('mandate');
  world.mandates.set(intent.mandate, 'active');
  keep(intent, method);
  if (intent.kind === 'setup') {
    intent.status = 'succeeded';
    return;
  }
  intent.status = 'processing';
  intent.charge = world.nextId('py');
}

/** False if the issuer declines. */
function conclude(world: World, intent: KeptIntent, card: TestCard): boolean {
  const method = world.methods.get(intent.method ?? '');
  if (method === undefined) throw missing('payment_method');
  if (intent.kind === 'payment') intent.charge = world.nextId('ch');
  if (card.declines !== null && intent.kind === 'payment') {
    refuse(intent, { code: 'card_declined', decline_code: card.declines });
    return false;
  }
  intent.status = 'succeeded';
  intent.error = null;
  keep(intent, method);
  return true;
}

function keep(intent: KeptIntent, method: KeptMethod): void {
  if (!intent.saves || intent.customer === null) return;
  method.customer = intent.customer;
  method.isSetUp = true;
}

function refuse(intent: KeptIntent, error: NonNullable<KeptIntent['error']>): void {
  intent.status = 'requires_payment_method';
  intent.error = error;
}

/** A decline is an error that names its intent. */
function declineOf({ methods }: World, intent: KeptIntent): StripeRefusal {
  const method = methods.get(intent.method ?? '');
  const body = intentBody(intent, method, false);
  const named = intent.kind === 'payment' ? { payment_intent: body } : { setup_intent: body };
  return new StripeRefusal(402, {
    type: 'card_error',
    message: `Your card ${method?.lastFour} was declined.`,
    ...intent.error,
    ...named,
  });
}

/** What the payer does in the challenge. */
export function answerChallenge(world: World, intent: KeptIntent, isApproved: boolean): void {
  if (intent.status !== 'requires_action') return;
  const method = world.methods.get(intent.method ?? '');
  if (method?.entered.type !== 'card') throw missing('payment_method');
  if (isApproved) {
    conclude(world, intent, cardOf(method.entered.number));
    return;
  }
  const what = intent.kind === 'payment' ? 'payment' : 'setup';
  refuse(intent, { code: `${what}_intent_authentication_failure` });
}

export function changeAmount(intent: KeptIntent, amount: number): void {
  refuseUnexpected(intent, ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  intent.amount = amount;
}

export function cancelIntent(intent: KeptIntent): void {
  refuseUnexpected(intent, ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  intent.status = 'canceled';
}

function refuseUnexpected(intent: KeptIntent, expected: readonly string[]): void {
  if (expected.includes(intent.status)) return;
  throw wrong(`the intent is ${intent.status}`, {
    code: `${intent.kind}_intent_unexpected_state`,
  });
}

/** A debit is settled after days. */
export function settleDebit(intent: KeptIntent, declineCode: string | null): void {
  if (intent.status !== 'processing') return;
  if (declineCode === null) intent.status = 'succeeded';
  else refuse(intent, { code: 'payment_method_provider_decline', decline_code: declineCode });
}

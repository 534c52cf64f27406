/** What the double of Stripe answers to each call. */
import {
  type Sent,
  type World,
  cancelIntent,
  changeAmount,
  confirmIntent,
  createIntent,
} from './intents.ts';
import {
  type Entered,
  type KeptIntent,
  type KeptMethod,
  intentBody,
  methodBody,
  missing,
  newMethod,
  tokenBody,
  wrong,
} from './objects.ts';
import type { Parameter } from './openapi.ts';

type AnswerTo = (world: World, sent: Sent, id: string) => object;

const textIn = (value: Parameter | undefined): string => (typeof value === 'string' ? value : '');

const lists = (object: string, data: readonly object[]) => ({ object, data, has_more: false });

const PAGE_ROWS = 10;

/** The newest first, as all lists of Stripe. */
function pageOf<Listed extends { readonly id: string; readonly created: number }>(
  all: readonly Listed[],
  { created, limit, starting_after: after }: Sent,
) {
  const since = typeof created === 'object' ? Number(created['gte'] ?? 0) : 0;
  const rows = all.filter((each) => each.created >= since).toReversed();
  const from = after === undefined ? 0 : rows.findIndex(({ id }) => id === textIn(after)) + 1;
  const data = rows.slice(from, from + Number(limit ?? PAGE_ROWS));
  return { object: 'list', data, has_more: from + data.length < rows.length };
}

export const answersOf: Readonly<Record<string, AnswerTo>> = {
  'post /v1/payment_intents': (world, sent) =>
    shown(world, createIntent(world, 'payment', sent), sent),
  'get /v1/payment_intents': (world, sent) => {
    const { data, ...page } = pageOf(
      [...world.intents.values()].filter(({ kind }) => kind === 'payment'),
      sent,
    );
    return { ...page, data: data.map((intent) => shown(world, intent, sent)) };
  },
  'get /v1/payment_intents/search': (world, sent) => {
    const [, wanted] = /^metadata\['sundial_key'\]:'(.*)'$/.exec(textIn(sent['query'])) ?? [];
    const found = [...world.intents.values()].filter(
      ({ kind, metadata }) => kind === 'payment' && metadata['sundial_key'] === wanted,
    );
    const expands = { expand: { 0: 'latest_charge' } };
    return lists(
      'search_result',
      found.map((intent) => shown(world, intent, expands)),
    );
  },
  'get /v1/payment_intents/{intent}': (world, sent, id) => shown(world, intentOf(world, id), sent),
  'post /v1/payment_intents/{intent}': (world, sent, id) => {
    const intent = intentOf(world, id);
    changeAmount(intent, Number(sent['amount']));
    return shown(world, intent, sent);
  },
  'post /v1/payment_intents/{intent}/confirm': confirm,
  'post /v1/payment_intents/{intent}/cancel': cancel,
  'post /v1/setup_intents': (world, sent) => shown(world, createIntent(world, 'setup', sent), sent),
  'get /v1/setup_intents/{intent}': (world, sent, id) => shown(world, intentOf(world, id), sent),
  'post /v1/setup_intents/{intent}/confirm': confirm,
  'post /v1/setup_intents/{intent}/cancel': cancel,
  'get /v1/confirmation_tokens/{confirmation_token}': ({ tokens }, _sent, id) => {
    const token = tokens.get(id);
    if (token === undefined) throw missing('confirmation_token');
    return tokenBody(token);
  },
  'post /v1/payment_methods': (world, sent) => {
    const method = newMethod(world.nextId('pm'), enteredOf(sent));
    world.methods.set(method.id, method);
    return methodBody(method);
  },
  'get /v1/payment_methods/{payment_method}': (world, _sent, id) => methodBody(methodOf(world, id)),
  'post /v1/payment_methods/{payment_method}/attach': (world, { customer }, id) => {
    const method = methodOf(world, id);
    if (method.isUsedUp) throw wrong('The payment method may not be used again.');
    if (!world.customers.has(textIn(customer))) throw missing('customer');
    method.customer = textIn(customer);
    return methodBody(method);
  },
  'post /v1/payment_methods/{payment_method}/detach': (world, _sent, id) => {
    const method = methodOf(world, id);
    Object.assign(method, { customer: null, isUsedUp: true });
    return methodBody(method);
  },
  'post /v1/customers': (world) => {
    const id = world.nextId('cus');
    world.customers.add(id);
    return { id, object: 'customer' };
  },
  'get /v1/mandates/{mandate}': ({ mandates }, _sent, id) => {
    const status = mandates.get(id);
    if (status === undefined) throw missing('mandate');
    return { id, object: 'mandate', status };
  },
  'post /v1/refunds': (world, sent) => {
    const id = world.nextId('re');
    const intent = intentOf(world, textIn(sent['payment_intent']));
    const { currency } = intent;
    const refund = {
      id,
      object: 'refund',
      amount: Number(sent['amount'] ?? intent.amount),
      currency,
      payment_intent: intent.id,
      metadata: sent['metadata'] ?? {},
      status: 'succeeded',
      created: Math.floor(Date.now() / 1_000),
    };
    world.refunds.set(id, refund);
    return refund;
  },
  'get /v1/refunds': ({ refunds }, sent) => {
    const { payment_intent: of } = sent;
    return pageOf(
      [...refunds.values()].filter((refund) => of === undefined || refund.payment_intent === of),
      sent,
    );
  },
  'get /v1/refunds/{refund}': ({ refunds }, _sent, id) => {
    const refund = refunds.get(id);
    if (refund === undefined) throw missing('refund');
    return refund;
  },
  'get /v1/disputes': () => lists('list', []),
};

function confirm(world: World, sent: Sent, id: string): object {
  const intent = intentOf(world, id);
  confirmIntent(world, intent, sent);
  return shown(world, intent, sent);
}

function cancel(world: World, sent: Sent, id: string): object {
  const intent = intentOf(world, id);
  cancelIntent(intent);
  return shown(world, intent, sent);
}

function shown({ methods }: World, intent: KeptIntent, { expand }: Sent): object {
  const names = typeof expand === 'object' ? Object.values(expand) : [];
  const expands = names.some((name) => name === 'latest_charge');
  return intentBody(intent, methods.get(intent.method ?? ''), expands);
}

function intentOf({ intents }: World, id: string): KeptIntent {
  const intent = intents.get(id);
  if (intent === undefined) throw missing('intent');
  return intent;
}

function methodOf({ methods }: World, id: string): KeptMethod {
  const method = methods.get(id);
  if (method === undefined) throw missing('payment_method');
  return method;
}

/** A number that a call has sent. */
function enteredOf({ type, card, us_bank_account: account }: Sent): Entered {
  if (type === 'card' && typeof card === 'object') {
    const expiry = [Number(card['exp_month']), Number(card['exp_year'])] as const;
    return { type: 'card', number: textIn(card['number']), expiry };
  }
  if (type === 'us_bank_account' && typeof account === 'object') {
    return { type, account: textIn(account['account_number']) };
  }
  throw wrong('no details of a payment method');
}

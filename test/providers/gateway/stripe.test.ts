/** Stripe's answers as it documents them, and their meaning: approved, declined, or no answer. */
import test, { type ExecutionContext } from 'ava';
import { GatewayDifference } from '../../../providers/gateway/gateway.ts';
import { keyName } from '../../../providers/gateway/stripe/key-name.ts';
import { createStripe } from '../../../providers/gateway/stripe/stripe.ts';
import { stripeAmount } from '../../../providers/gateway/stripe/amount.ts';
import {
  askedFor,
  chargeOf,
  endless,
  failure,
  patience,
  returnOf,
  validationOf,
} from './support.ts';
import { cardRefusal, intent, refusal, stripeServer, type Answer } from './stripe-server.ts';

const TIME_LIMIT_MS = 60_000;
const token = 'cus_1/pm_1';

async function openStripe(t: ExecutionContext) {
  const server = await stripeServer(t);
  const stripe = createStripe({
    secretKey: 'sk_test_1',
    timeLimitMs: TIME_LIMIT_MS,
    apiUrl: server.url,
  });
  return { ...server, stripe };
}

const intents = ['POST', '/v1/payment_intents'] as const;
const search = ['GET', '/v1/payment_intents/search'] as const;
const found = (...data: object[]): Answer => ({ body: { object: 'search_result', data } });
const list = (...data: object[]): Answer => ({ body: { object: 'list', data } });

test('an amount is a whole number of the smallest unit that Stripe charges', (t) => {
  const cases = [
    ['USD', '12.50', 1250],
    ['USD', '0.01', 1],
    ['USD', '12.505', null],
    ['JPY', '500', 500],
    ['JPY', '500.5', null],
    ['KWD', '1.230', 1230],
    ['KWD', '1.235', null], // the third decimal must be 0
    ['ISK', '500', 50_000], // which Stripe still counts in hundredths
    ['UGX', '500', 50_000],
    ['MGA', '500', 500],
    ['XXX', '1', null],
    ['EUR', '999999999999', 99_999_999_999_900],
  ] as const;
  for (const [currency, amount, units] of cases) {
    t.is(stripeAmount(currency, amount), units, `${currency} ${amount}`);
  }
});

test('a charge is one confirmed payment off session, with our key', async (t) => {
  const { stripe, requests, answer } = await openStripe(t);
  answer(...intents, { body: intent() });
  const charged = await stripe.charge(chargeOf('demo/1', token), endless);
  t.deepEqual(charged, {
    outcome: 'approved',
    transactionId: 'pi_1',
    errorCode: '0',
    errorMessage: null,
    isHardDecline: false,
    avsCode: 'pass',
    cvvCode: 'pass',
    approvalCode: '123456',
  });
  const [request] = requests;
  t.is(requests.length, 1);
  t.is(request?.headers['idempotency-key'], 'demo/1');
  t.is(request?.headers['x-stripe-client-telemetry'], undefined);
  t.deepEqual(Object.fromEntries(request?.body ?? []), {
    amount: '1250',
    currency: 'usd',
    description: 'Payment 1001',
    confirm: 'true',
    off_session: 'true',
    'expand[0]': 'latest_charge',
    customer: 'cus_1',
    payment_method: 'pm_1',
    'payment_method_types[0]': 'card',
    [`metadata[${keyName}]`]: 'demo/1',
  });
});

test('Stripe receives no telemetry about the duration of its answers', async (t) => {
  const { stripe, requests, answer } = await openStripe(t);
  answer(...intents, { body: intent() });
  await stripe.charge(chargeOf('a', token), endless);
  await stripe.charge(chargeOf('b', token), endless);
  t.is(requests.length, 2);
  t.true(requests.every(({ headers }) => !('x-stripe-client-telemetry' in headers)));
});

const declines = [
  // Stripe's code, its decline code, ours, hard
  ['card_declined', 'generic_decline', 'generic_decline', false],
  ['card_declined', 'insufficient_funds', 'insufficient_funds', false],
  ['card_declined', 'stolen_card', 'stolen_card', true],
  ['card_declined', 'lost_card', 'lost_card', true],
  ['card_declined', 'pickup_card', 'pickup_card', true],
  ['account_closed', undefined, 'account_closed', true],
  ['expired_card', undefined, 'expired_card', false],
  ['processing_error', undefined, 'processing_error', false],
] as const;

test("an issuer's decline declines the charge, with our code and our text", async (t) => {
  const { stripe, answer } = await openStripe(t);
  for (const [code, decline, ours, isHard] of declines) {
    answer(...intents, cardRefusal(code, decline));
    const declined = await stripe.charge(chargeOf('k', token), endless);
    t.like(declined, { outcome: 'declined', errorCode: ours, isHardDecline: isHard }, ours);
    t.is(declined.transactionId, 'pi_declined');
    t.notRegex(JSON.stringify(declined), /4000000000000002|Your card/);
  }
});

test('a payment that Stripe refuses is declined without a charge', async (t) => {
  const { stripe, answer } = await openStripe(t);
  const refusals = [
    [refusal(400, { code: 'amount_too_small', param: 'amount' }), 'amount_too_small'],
    [refusal(400, { code: 'resource_missing', param: 'payment_method' }), 'invalid_token'],
    [refusal(404, { code: 'resource_missing', param: 'customer' }), 'invalid_token'],
    [refusal(400, { code: 'A code with 4111111111111111' }), 'invalid_request'],
    [refusal(400, {}), 'invalid_request'],
  ] as const;
  for (const [said, code] of refusals) {
    answer(...intents, said);
    const answered = await stripe.charge(chargeOf('k', token), endless);
    t.like(answered, { outcome: 'declined', errorCode: code });
  }
  const yen = { ...chargeOf('k', token, '10.50'), currency: 'JPY' };
  t.like(await stripe.charge(yen, endless), { outcome: 'declined', errorCode: 'invalid_amount' });
});

const failures: readonly (readonly [Answer, string])[] = [
  ['hangs up', 'unknown connection'],
  [refusal(500, { type: 'api_error' }), 'unknown server_error'],
  [refusal(503, { type: 'api_error' }), 'unknown server_error'],
  [{ status: 200, body: { error: { type: 'api_error' } } }, 'unknown server_error'],
  [refusal(429, { code: 'rate_limit' }), 'transient rate_limit'],
  [refusal(429, { code: 'lock_timeout' }), 'transient lock_timeout'],
  [
    refusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }),
    'unknown processing',
  ],
  [refusal(400, { type: 'idempotency_error' }), 'unknown idempotency_mismatch'],
  [refusal(401, {}), 'unavailable authentication'],
  [refusal(403, {}), 'unavailable permission'],
  [refusal(400, { code: 'testmode_charges_only' }), 'unavailable testmode_charges_only'],
];

test('a call without an outcome says whether it may have happened, and is sent once only', async (t) => {
  const { stripe, requests, answer } = await openStripe(t);
  for (const [said, kind] of failures) {
    requests.length = 0;
    answer(...intents, said);
    t.is(await failure(stripe.charge(chargeOf('k', token), endless)), kind);
    t.is(requests.length, 1, kind);
  }
});

test('a Stripe that cannot be reached was not called', async (t) => {
  const apiUrl = 'http://127.0.0.1:1';
  const stripe = createStripe({ secretKey: 'sk_test_1', timeLimitMs: TIME_LIMIT_MS, apiUrl });
  const call = stripe.charge(chargeOf('k', token), endless);
  t.is(await failure(call), 'unavailable unreachable');
});

test('no error contains Stripe’s text or the secret key', async (t) => {
  const { stripe, answer } = await openStripe(t);
  const text = 'sk_test_1 sent 4111111111111111';
  let errors = 0;
  for (const [said, kind] of failures) {
    if (typeof said === 'string') continue;
    errors += 1;
    const { error } = said.body as { error: object };
    answer(...intents, { ...said, body: { error: { ...error, message: text } } });
    const thrown: unknown = await stripe
      .charge(chargeOf('k', token), endless)
      .catch((failed: unknown) => failed);
    t.true(thrown instanceof Error, kind);
    if (!(thrown instanceof Error)) continue;
    t.is(thrown.cause, undefined);
    t.notRegex(`${thrown.stack} ${JSON.stringify(thrown)}`, /4111111111111111|sk_test/);
  }
  t.true(errors > 3, `${errors} errors`);
});

test('a lost answer is found by our key; a key that Stripe does not know may be sent again', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const key = "demo/it's";
  answer(...search, found(intent({ metadata: { [keyName]: key } })));
  const status = await stripe.status('charge', askedFor(key), endless);
  t.like(status, { outcome: 'approved', transactionId: 'pi_1', approvalCode: '123456' });
  t.is(requests[0]?.body.get('query'), String.raw`metadata['${keyName}']:'demo/it\'s'`);
  // Other results of the search are ignored.
  answer(...search, found(intent({ metadata: { [keyName]: 'another' } }), intent()));
  t.is(await stripe.status('charge', askedFor(key), endless), 'unknown');
  answer(...search, found());
  t.is(await stripe.status('charge', askedFor(key), endless), 'unknown');
  for (const operation of ['refund', 'void', 'validate'] as const) {
    t.is(await stripe.status(operation, askedFor(key), endless), 'unknown');
  }
});

test('a record under our key counts only if it matches the request', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const metadata = { [keyName]: 'k' };
  const ofIt = { amount: 1250, currency: 'usd', metadata };
  const cases = [
    [[{ ...ofIt, amount: 900 }], 'a payment over 900 of the smallest unit of USD'],
    [[{ ...ofIt, currency: 'eur' }], 'a payment over 1250 of the smallest unit of EUR'],
    [
      [{ ...ofIt, currency: 'u$d' }],
      'a payment over 1250 of the smallest unit of another currency',
    ],
    // It is not changed either, because it may belong to another installation.
    [
      [{ ...ofIt, amount: 1, status: 'requires_action' }],
      'a payment over 1 of the smallest unit of USD',
    ],
    [[ofIt, { ...ofIt, id: 'pi_2' }], '2 payments'],
  ] as const;
  for (const [intents, text] of cases) {
    answer(...search, found(...intents.map((each) => intent(each))));
    const status = stripe.status('charge', askedFor('k'), endless);
    const error = await t.throwsAsync(status, { instanceOf: GatewayDifference }, text);
    t.deepEqual(error.found, { text, transactionId: 'pi_1' });
    t.is(error.message, `the gateway has ${text} under the key, not 12.50 USD`);
  }
  t.true(requests.every(({ line }) => line === 'GET /v1/payment_intents/search'));
  const refund = { id: 're_1', status: 'succeeded', amount: 1250, currency: 'usd', metadata };
  for (const another of [{ amount: 1251 }, { currency: 'eur' }]) {
    answer('GET', '/v1/refunds', list({ ...refund, ...another }));
    const call = stripe.refund(returnOf('k', 'pi_1'), endless);
    await t.throwsAsync(call, { instanceOf: GatewayDifference });
  }
  t.true(requests.every(({ line }) => line.startsWith('GET ')));
});

test('a status that Stripe refuses to tell is not a decline', async (t) => {
  const { stripe, answer } = await openStripe(t);
  const refusals = [
    [refusal(400, { code: 'parameter_unknown' }), 'unavailable status_refused'],
    [cardRefusal('card_declined'), 'unavailable status_refused'],
    [refusal(429, { code: 'rate_limit' }), 'transient rate_limit'],
    ['hangs up', 'unknown connection'],
  ] as const;
  for (const [said, kind] of refusals) {
    answer(...search, said);
    t.is(await failure(stripe.status('charge', askedFor('k'), endless)), kind);
  }
});

test('a debit that takes days is pending until it has settled or failed', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const debit = { payment_method_types: ['us_bank_account'], latest_charge: null };
  const metadata = { [keyName]: 'k' };
  answer(...intents, { body: intent({ ...debit, status: 'processing' }) });
  const call = { ...chargeOf('k', token), methodType: 'ACH' } as const;
  t.like(await stripe.charge(call, endless), { outcome: 'pending', transactionId: 'pi_1' });
  const { body } = requests[0] ?? {};
  t.is(body?.get('payment_method_types[0]'), 'us_bank_account');
  t.is(body?.get('mandate_data[customer_acceptance][type]'), 'offline');
  answer(...search, found(intent({ ...debit, metadata, status: 'processing' })));
  t.like(await stripe.status('charge', askedFor('k'), endless), { outcome: 'pending' });
  answer(...search, found(intent({ ...debit, metadata })));
  t.like(await stripe.status('charge', askedFor('k'), endless), {
    outcome: 'approved',
    avsCode: null,
  });
  const error = { code: 'payment_intent_payment_attempt_failed', decline_code: 'no_account' };
  const failed = { status: 'requires_payment_method', last_payment_error: error };
  answer(...search, found(intent({ ...debit, metadata, ...failed })));
  const declined = await stripe.status('charge', askedFor('k'), endless);
  t.like(declined, { outcome: 'declined', errorCode: 'no_account', isHardDecline: true });
  // By the id that Stripe returned, which needs no search.
  answer('GET', '/v1/payment_intents/pi_1', { body: intent({ ...debit, metadata }) });
  const known = { ...askedFor('k'), madeAs: 'pi_1' };
  t.like(await stripe.status('charge', known, endless), { outcome: 'approved' });
  const another = stripe.status('charge', { ...known, amount: '13.00' }, endless);
  await t.throwsAsync(another, { instanceOf: GatewayDifference });
});

test('a payment that waits for its payer is cancelled, so that it is never made later', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const waits = { status: 'requires_action', payment_method_types: ['us_bank_account'] };
  answer(...intents, { body: intent(waits) });
  answer('POST', '/v1/payment_intents/pi_1/cancel', { body: intent({ status: 'canceled' }) });
  const call = { ...chargeOf('k', token), methodType: 'ACH' } as const;
  const declined = await stripe.charge(call, endless);
  t.like(declined, { outcome: 'declined', errorCode: 'verification_required' });
  t.is(requests.at(-1)?.line, 'POST /v1/payment_intents/pi_1/cancel');
  // If it cannot be cancelled, it has changed, so it is not reported as declined.
  const unexpected = refusal(400, { code: 'payment_intent_unexpected_state' });
  answer('POST', '/v1/payment_intents/pi_1/cancel', unexpected);
  t.is(await failure(stripe.charge(call, endless)), 'unknown processing');
});

test('a payment method that the caller stored is charged by its type and its owner', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const method = { id: 'pm_7', type: 'card', customer: 'cus_7' };
  answer('GET', '/v1/payment_methods/pm_7', { body: method });
  answer(...intents, { body: intent() });
  const call = { ...chargeOf('k', 'pm_7'), methodType: 'Token' } as const;
  t.is((await stripe.charge(call, endless)).outcome, 'approved');
  const { body } = requests.at(-1) ?? {};
  t.deepEqual([body?.get('customer'), body?.get('payment_method')], ['cus_7', 'pm_7']);
});

test('a method that is used once is charged without a customer', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  answer('GET', '/v1/payment_methods/pm_7', { body: { id: 'pm_7', type: 'card', customer: null } });
  answer(...intents, { body: intent() });
  const call = { ...chargeOf('k', 'pm_7'), methodType: 'Token' } as const;
  t.is((await stripe.charge(call, endless)).outcome, 'approved');
  t.deepEqual(
    requests.map(({ line }) => line),
    ['GET /v1/payment_methods/pm_7', 'POST /v1/payment_intents'],
  );
  t.is(requests.at(-1)?.body.get('customer'), null);
});

test('a method without a customer that is charged again first gets a customer of its own', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  answer('GET', '/v1/payment_methods/pm_7', { body: { id: 'pm_7', type: 'card', customer: null } });
  answer('POST', '/v1/customers', { body: { id: 'cus_9' } });
  answer('POST', '/v1/payment_methods/pm_7/attach', { body: { id: 'pm_7' } });
  answer(...intents, { body: intent() });
  const call = { ...chargeOf('k', 'pm_7'), methodType: 'Token', isOnFile: true } as const;
  t.is((await stripe.charge(call, endless)).outcome, 'approved');
  t.deepEqual(
    requests.map(({ line, headers }) => [line, headers['idempotency-key']]),
    [
      ['GET /v1/payment_methods/pm_7', undefined],
      ['POST /v1/customers', 'pm_7/customer'],
      ['POST /v1/payment_methods/pm_7/attach', 'pm_7/attach'],
      ['POST /v1/payment_intents', 'k'],
    ],
  );
  t.is(requests.at(-1)?.body.get('customer'), 'cus_9');
  // A method that is declined while it is attached is a declined charge.
  answer('POST', '/v1/payment_methods/pm_7/attach', cardRefusal('card_declined', 'lost_card'));
  t.like(await stripe.charge(call, endless), { outcome: 'declined', errorCode: 'lost_card' });
});

test('a token that is not a payment method at Stripe declines as unknown', async (t) => {
  const { stripe, requests } = await openStripe(t);
  const wrong = ['tok_ok', 'pm_1/../customers', '', 'cus_1', 'pm_1 '];
  for (const one of wrong) {
    const call = { ...chargeOf('k', one), methodType: 'Token' } as const;
    const declined = await stripe.charge(call, endless);
    t.like(declined, { errorCode: 'invalid_token', isHardDecline: true });
    t.like(await stripe.validate(validationOf('v', one), endless), { errorCode: 'invalid_token' });
  }
  t.is(requests.length, 0);
  const gone = { ...chargeOf('k', 'pm_gone'), methodType: 'Token' } as const;
  t.like(await stripe.charge(gone, endless), { errorCode: 'invalid_token' });
});

test('nothing more is sent for a caller that has stopped waiting', async (t) => {
  const { stripe, answer, requests, seen } = await openStripe(t);
  const caller = patience();
  answer('GET', '/v1/payment_methods/pm_7', { body: { id: 'pm_7', type: 'card', customer: null } });
  const asked = seen('GET /v1/payment_methods/pm_7').then(() => caller.abort());
  const call = { ...chargeOf('k', 'pm_7'), methodType: 'Token' } as const;
  await t.throwsAsync(stripe.charge(call, caller.signal));
  await asked;
  t.is(requests.length, 1);
});

test('a refund is looked up at the charge before it is made', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const refunds = '/v1/refunds';
  const made = {
    id: 're_1',
    amount: 250,
    currency: 'usd',
    status: 'succeeded',
    metadata: { [keyName]: 'r' },
  };
  answer('GET', refunds, list({ id: 're_0', status: 'succeeded', metadata: {} }));
  answer('POST', refunds, { body: made });
  const call = returnOf('r', 'pi_1', '2.50');
  t.like(await stripe.refund(call, endless), { outcome: 'approved', transactionId: 're_1' });
  t.is(requests.at(-1)?.headers['idempotency-key'], 'r');
  t.deepEqual(Object.fromEntries(requests.at(-1)?.body ?? []), {
    payment_intent: 'pi_1',
    amount: '250',
    [`metadata[${keyName}]`]: 'r',
  });
  requests.length = 0;
  answer('GET', refunds, list(made));
  t.like(await stripe.void(call, endless), { outcome: 'approved', transactionId: 're_1' });
  t.deepEqual(
    requests.map(({ line }) => line),
    ['GET /v1/refunds'],
  );
});

test('refunds that Stripe refuses or that fail are declined; accepted ones are pending', async (t) => {
  const { stripe, answer } = await openStripe(t);
  const refunds = '/v1/refunds';
  answer('GET', refunds, list());
  const answers = [
    [{ body: { id: 're_1', status: 'pending' } }, 'pending'],
    [{ body: { id: 're_1', status: 'requires_action' } }, 'pending'],
    [{ body: { id: 're_1', status: 'succeeded' } }, '0'],
    [
      { body: { id: 're_1', status: 'failed', failure_reason: 'lost_or_stolen_card' } },
      'lost_or_stolen_card',
    ],
    [{ body: { id: 're_1', status: 'canceled' } }, 'refund_refused'],
    [refusal(400, { code: 'charge_already_refunded' }), 'charge_already_refunded'],
  ] as const;
  for (const [said, code] of answers) {
    answer('POST', refunds, said);
    t.is((await stripe.refund(returnOf('r', 'pi_1'), endless)).errorCode, code);
  }
  answer('GET', refunds, refusal(404, { code: 'resource_missing', param: 'payment_intent' }));
  for (const charge of ['pi_2', '17', null]) {
    const answered = await stripe.refund(returnOf('r', charge), endless);
    t.is(answered.errorCode, 'unknown_charge');
  }
  answer('GET', refunds, refusal(400, { code: 'parameter_unknown' }));
  const call = stripe.refund(returnOf('r', 'pi_1'), endless);
  t.is(await failure(call), 'unavailable refunds_refused');
});

test('a method is validated by a setup for later use, without a charge', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const method = { id: 'pm_1', type: 'card', customer: 'cus_1' };
  answer('GET', '/v1/payment_methods/pm_1', { body: method });
  const setup = ['POST', '/v1/setup_intents'] as const;
  const made = { id: 'seti_1', payment_method_types: ['card'], last_setup_error: null };
  const action = { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } };
  const answers = [
    [{ body: { ...made, status: 'succeeded' } }, '0'],
    [{ body: { ...made, ...action } }, 'asks'],
    [cardRefusal('card_declined', 'stolen_card'), 'stolen_card'],
  ] as const;
  for (const [said, code] of answers) {
    answer(...setup, said);
    t.is((await stripe.validate(validationOf('v', token), endless)).errorCode, code);
  }
  const { headers, body } = requests.at(-1) ?? {};
  t.is(headers?.['idempotency-key'], 'v');
  t.deepEqual([body?.get('confirm'), body?.get('usage')], ['true', 'off_session']);
  t.is(body?.get('amount'), null);
});

/**
 * Cards and accounts go into Stripe's vault, and refusals name the part at fault without its value.
 */
import test, { type ExecutionContext } from 'ava';
import { createStripe } from '../../../providers/gateway/stripe/stripe.ts';
import { account, card, endless, failure } from './support.ts';
import { cardRefusal, refusal, stripeServer } from './stripe-server.ts';

async function openStripe(t: ExecutionContext) {
  const server = await stripeServer(t);
  const options = { secretKey: 'sk_test_1', timeLimitMs: 60_000, apiUrl: server.url };
  server.answer('POST', '/v1/payment_methods', { body: { id: 'pm_1' } });
  server.answer('POST', '/v1/customers', { body: { id: 'cus_1' } });
  server.answer('POST', '/v1/payment_methods/pm_1/attach', { body: { id: 'pm_1' } });
  return { ...server, stripe: createStripe(options) };
}

const kept = { isKept: true };

test('a card that is used once is stored, and attached to nobody', async (t) => {
  const { stripe, requests } = await openStripe(t);
  const stored = await stripe.store(card('4111 1111 1111 1111'), 's', endless);
  t.is(stored.token, 'pm_1');
  t.deepEqual(
    requests.map(({ line }) => line),
    ['POST /v1/payment_methods'],
  );
});

test('a card that comes on file is stored with a separate customer, so that it can be charged again', async (t) => {
  const { stripe, requests } = await openStripe(t);
  const stored = await stripe.store(card('4111 1111 1111 1111'), 's', endless, kept);
  t.deepEqual(stored, {
    token: 'cus_1/pm_1',
    brand: 'Visa',
    lastFour: '1111',
    expiry: '2029-08-01',
  });
  t.deepEqual(
    requests.map(({ line, headers }) => [line, headers['idempotency-key']]),
    [
      ['POST /v1/payment_methods', 's/method'],
      ['POST /v1/customers', 's/customer'],
      ['POST /v1/payment_methods/pm_1/attach', 's/attach'],
    ],
  );
  t.deepEqual(Object.fromEntries(requests[0]?.body ?? []), {
    type: 'card',
    'card[number]': '4111111111111111',
    'card[exp_month]': '8',
    'card[exp_year]': '2029',
    'card[cvc]': '739',
    'billing_details[name]': 'Rowan Example',
    'billing_details[address][line1]': '1 Elm',
    'billing_details[address][city]': 'Salem',
    'billing_details[address][state]': 'MA',
    'billing_details[address][postal_code]': '01970',
    'billing_details[address][country]': 'US',
  });
  t.is(requests[2]?.body.get('customer'), 'cus_1');
});

test('absent fields of a card are not sent, and neither is a country without a code', async (t) => {
  const { stripe, requests } = await openStripe(t);
  const bare = { cardholderName: null, cvv: null, billingAddress: null };
  await stripe.store(card('4111111111111111', bare), 's', endless);
  t.deepEqual(
    [...(requests[0]?.body.keys() ?? [])],
    ['type', 'card[number]', 'card[exp_month]', 'card[exp_year]'],
  );
  const address = { street1: null, city: null, state: null, zip: '01970', country: 'Germany' };
  await stripe.store(card('4111111111111111', { billingAddress: address }), 's', endless);
  const keys = [...(requests[1]?.body.keys() ?? [])].filter((key) => key.includes('address'));
  t.deepEqual(keys, ['billing_details[address][postal_code]']);
});

test('a bank account is stored as an account in the United States', async (t) => {
  const { stripe, requests } = await openStripe(t);
  const stored = await stripe.store(account('000123456789'), 's', endless, kept);
  t.deepEqual(stored, { token: 'cus_1/pm_1', brand: null, lastFour: '6789', expiry: null });
  t.deepEqual(Object.fromEntries(requests[0]?.body ?? []), {
    type: 'us_bank_account',
    'us_bank_account[account_holder_type]': 'individual',
    'us_bank_account[account_number]': '000123456789',
    'us_bank_account[account_type]': 'checking',
    'us_bank_account[routing_number]': '021000021',
    'billing_details[name]': 'Rowan Example',
  });
});

test('a card that its issuer declines when it is attached is stored, and declines when charged', async (t) => {
  const { stripe, answer } = await openStripe(t);
  answer('POST', '/v1/payment_methods/pm_1/attach', cardRefusal('card_declined', 'stolen_card'));
  const stored = await stripe.store(card('4111111111111111'), 's', endless, kept);
  t.is(stored.token, 'pm_1');
});

const rawCards =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. To continue processing use Stripe.js.';

const refusals = [
  ['card', cardRefusal('incorrect_number'), 'invalid incorrect_number cardNumber'],
  ['card', cardRefusal('invalid_expiry_year'), 'invalid invalid_expiry_year expiry'],
  ['card', cardRefusal('expired_card'), 'invalid expired_card expiry'],
  ['card', cardRefusal('invalid_cvc'), 'invalid invalid_cvc cvv'],
  ['card', cardRefusal('card_declined', 'fraudulent'), 'invalid fraudulent cardNumber'],
  [
    'card',
    refusal(400, { code: 'parameter_invalid_integer', param: 'card[exp_month]' }),
    'invalid parameter_invalid_integer expiry',
  ],
  [
    'account',
    refusal(400, { code: 'routing_number_invalid', param: 'us_bank_account[routing_number]' }),
    'invalid routing_number_invalid abaRoutingNumber',
  ],
  [
    'account',
    refusal(400, { code: 'account_number_invalid', param: 'us_bank_account[account_number]' }),
    'invalid account_number_invalid accountNumber',
  ],
  // An account that may not send card numbers, which Stripe says by its text alone.
  ['card', refusal(402, { message: rawCards }), 'invalid raw_card'],
  ['card', refusal(400, {}), 'unavailable invalid_request'],
  ['card', refusal(401, {}), 'unavailable authentication'],
  ['card', refusal(429, { code: 'rate_limit' }), 'transient rate_limit'],
  ['card', 'hangs up', 'unknown connection'],
] as const;

test('a method that Stripe refuses is not stored, and the error names the part at fault', async (t) => {
  const { stripe, answer } = await openStripe(t);
  for (const [kind, said, failed] of refusals) {
    answer('POST', '/v1/payment_methods', said);
    const details = kind === 'card' ? card('4111111111111111') : account('000123456789');
    t.is(await failure(stripe.store(details, 's', endless)), failed);
  }
});

test('no error of storing a method repeats what was sent', async (t) => {
  const { stripe, answer } = await openStripe(t);
  const message = 'Card 4111111111111111 with 739 of Rowan Example';
  let errors = 0;
  for (const [, said] of refusals) {
    if (typeof said === 'string' || !('error' in said.body)) continue;
    errors += 1;
    const error = { ...(said.body.error as object), message };
    answer('POST', '/v1/payment_methods', { ...said, body: { error } });
    const thrown: unknown = await stripe
      .store(card('4111111111111111'), 's', endless)
      .catch((failed: unknown) => failed);
    t.true(thrown instanceof Error);
    if (!(thrown instanceof Error)) continue;
    t.is(thrown.cause, undefined);
    t.notRegex(`${thrown.stack} ${JSON.stringify(thrown)}`, /4111111111111111|Rowan|sk_test/);
  }
  t.true(errors > 3, `${errors} errors`);
});

/**
 * Stripe accepts our requests: its mock server refuses parameters that its interface does not have.
 * It answers with fixed examples, so stripe.test.ts tests the outcomes.
 */
import test from 'ava';
import { createStripe } from '../../../providers/gateway/stripe/stripe.ts';
import {
  askedFor,
  account,
  card,
  chargeOf,
  endless,
  failure,
  returnOf,
  validationOf,
} from './support.ts';
import { startStripeMock } from './stripe-mock.ts';
import { stripeServer } from './stripe-server.ts';

const mock = await startStripeMock();
const url = 'url' in mock ? mock.url : undefined;
const stripe = createStripe({ secretKey: 'sk_test_123', timeLimitMs: 60_000, apiUrl: url });
const given = url === undefined ? test.skip : test;
const kept = { isKept: true };
const note = 'leftOut' in mock ? ` (${mock.leftOut})` : '';

given(`stripe-mock takes a card and a bank account${note}`, async (t) => {
  const stored = await stripe.store(card('4242424242424242'), 's', endless, kept);
  t.regex(stored.token, /^cus_\w+\/pm_\w+$/);
  const bank = await stripe.store(account('000123456789'), 'b', endless, kept);
  t.regex(bank.token, /^cus_\w+\/pm_\w+$/);
});

given(`stripe-mock takes charges of cards, accounts and payment methods${note}`, async (t) => {
  const { token } = await stripe.store(card('4242424242424242'), 's', endless, kept);
  const methods = [
    ['CreditCard', token, 'authentication_required'],
    ['ACH', token, 'verification_required'],
    ['Token', token.split('/')[1] ?? '', 'authentication_required'],
  ] as const;
  // Its example of a payment waits for a payment method, which we map to declined.
  for (const [methodType, by, code] of methods) {
    const call = { ...chargeOf(`demo/${methodType}`, by), methodType };
    const answer = await stripe.charge(call, endless);
    t.is(answer.errorCode, code, methodType);
    t.regex(answer.transactionId ?? '', /^pi_/);
  }
});

given(`stripe-mock takes validations, refunds and questions for a key${note}`, async (t) => {
  const { token } = await stripe.store(card('4242424242424242'), 's', endless, kept);
  const validated = await stripe.validate(validationOf('v', token), endless);
  t.regex(validated.transactionId ?? '', /^seti_/);
  const refunded = await stripe.refund(returnOf('r', 'pi_1'), endless);
  t.is(refunded.outcome, 'approved');
  t.regex(refunded.transactionId ?? '', /^re_/);
  t.is(await stripe.status('charge', askedFor("demo/it's"), endless), 'unknown');
});

given(
  `stripe-mock accepts a request for disputes, and its example can be read${note}`,
  async (t) => {
    const made = { transactionId: 'pi_1', currency: 'USD' };
    // Its example is a dispute that has moved no money yet.
    t.deepEqual([...(await stripe.withdrawals(made, endless))], []);
    const [example] = await listed('/v1/disputes?payment_intent=pi_1&limit=100');
    const [moved] = await listed('/v1/balance_transactions');
    t.is(example?.object, 'dispute');
    t.is(moved?.object, 'balance_transaction');
    const server = await stripeServer(t);
    const told = createStripe({ secretKey: 'sk_test_1', timeLimitMs: 60_000, apiUrl: server.url });
    const data = [{ ...example, balance_transactions: [{ ...moved, amount: -1_000 }] }];
    server.answer('GET', '/v1/disputes', { body: { object: 'list', data } });
    const [withdrawn, ...others] = await told.withdrawals(made, endless);
    t.deepEqual(others, []);
    t.is(withdrawn?.ref, example?.id);
    t.regex(withdrawn?.amount ?? '', /^\d+\.\d\d$/);
  },
);

interface Listed {
  readonly id: string;
  readonly object: string;
}

/** As the mock server returns them, without our adapter. */
async function listed(path: string): Promise<readonly Listed[]> {
  const headers = { authorization: 'Bearer sk_test_123' };
  const answer = await fetch(`${url}${path}`, { headers });
  const { data } = (await answer.json()) as { readonly data: readonly Listed[] };
  return data;
}

given(`stripe-mock refuses a key that is none, so that nothing was asked${note}`, async (t) => {
  const options = { secretKey: 'not a key', timeLimitMs: 60_000, apiUrl: url };
  const stranger = createStripe(options);
  const call = stranger.charge(chargeOf('k', 'cus_1/pm_1'), endless);
  t.is(await failure(call), 'unavailable authentication');
});

/** Stripe's later changes of a charge or refund, as it documents them. */
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { GatewayDifference } from '../../../providers/gateway/gateway.ts';
import type { Withdrawal } from '../../../providers/gateway/gateway.ts';
import { createStripe } from '../../../providers/gateway/stripe/stripe.ts';
import { askedFor, endless, failure } from './support.ts';
import { refusal, stripeServer } from './stripe-server.ts';
import type { Answer } from './stripe-server.ts';

async function openStripe(t: ExecutionContext) {
  const server = await stripeServer(t);
  const options = { secretKey: 'sk_test_1', timeLimitMs: 60_000, apiUrl: server.url };
  return { ...server, stripe: createStripe(options) };
}

const list = (...data: object[]): Answer => ({ body: { object: 'list', data } });

test('a pending refund is looked up by its id, and compared with the request', async (t) => {
  const { stripe, answer } = await openStripe(t);
  const asked = { ...askedFor('r'), madeAs: 're_1' };
  const refund = (more: object): Answer => ({
    body: { id: 're_1', amount: 1250, currency: 'usd', ...more },
  });
  const cases = [
    ['pending', 'pending'],
    ['succeeded', 'approved'],
    ['failed', 'declined'],
  ] as const;
  for (const [status, outcome] of cases) {
    answer('GET', '/v1/refunds/re_1', refund({ status }));
    t.like(await stripe.status('refund', asked, endless), { outcome, transactionId: 're_1' });
  }
  answer('GET', '/v1/refunds/re_1', refund({ status: 'succeeded', amount: 1300 }));
  await t.throwsAsync(stripe.status('refund', asked, endless), { instanceOf: GatewayDifference });
  t.is(await stripe.status('refund', askedFor('r'), endless), 'unknown');
});

const moved = (amount: number) => ({ id: `txn_${amount}`, amount });
const disputed = (id: string, status: string, ...amounts: readonly number[]) => ({
  id,
  object: 'dispute',
  amount: 1250,
  currency: 'usd',
  reason: 'fraudulent',
  status,
  balance_transactions: amounts.map(moved),
});

test('a dispute withdraws the amount of its transactions; an inquiry has moved nothing', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  answer(
    'GET',
    '/v1/disputes',
    list(
      disputed('du_inquiry', 'warning_needs_response'),
      disputed('du_closed', 'warning_closed'),
      disputed('du_prevented', 'prevented'),
      disputed('du_open', 'needs_response', -1250),
      disputed('du_lost', 'lost', -1250),
      disputed('du_won', 'won', -1250, 1250),
      { ...disputed('du_return', 'lost', -1250), reason: 'insufficient_funds' },
      { ...disputed('du_text', 'lost', -1250), reason: 'Card 4000000000000002' },
    ),
  );
  const made = { transactionId: 'pi_1', currency: 'USD' };
  const withdrawn = { amount: '12.50', currency: 'USD', isHardDecline: false };
  const by = (ref: string, more: object = {}) => ({
    kind: 'dispute',
    ref,
    reason: 'fraudulent',
    isReinstated: false,
    ...withdrawn,
    ...more,
  });
  t.deepEqual([...(await stripe.withdrawals(made, endless))], [
    by('du_open'),
    by('du_lost'),
    by('du_won', { isReinstated: true }),
    by('du_return', { kind: 'return', reason: 'insufficient_funds' }),
    by('du_text', { reason: 'general' }),
  ] as Withdrawal[]);
  t.is(requests[0]?.body.get('payment_intent'), 'pi_1');
  t.deepEqual([...(await stripe.withdrawals({ ...made, transactionId: '4711' }, endless))], []);
  answer('GET', '/v1/disputes', refusal(500, { type: 'api_error' }));
  t.is(await failure(stripe.withdrawals(made, endless)), 'unknown server_error');
});

/** Stripe's later changes of a charge or refund, as it documents them. */
import test, { type ExecutionContext } from 'ava';
import { GatewayDifference, type Withdrawal } from '../../../providers/gateway/gateway.ts';
import { createStripe } from '../../../providers/gateway/stripe/stripe.ts';
import { askedFor, endless, failure } from './support.ts';
import { refusal, stripeServer, type Answer } from './stripe-server.ts';

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

/** The example of docs.stripe.com/api/disputes/object. */
const documented = {
  id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
  object: 'dispute',
  amount: 1000,
  balance_transactions: [],
  charge: 'ch_1AZtxr2eZvKYlo2CJDX8whov',
  created: 1_680_651_737,
  currency: 'usd',
  evidence: { access_activity_log: null, billing_address: null, customer_name: null },
  evidence_details: {
    due_by: 1_682_294_399,
    has_evidence: false,
    past_due: false,
    submission_count: 0,
  },
  is_charge_refundable: true,
  livemode: false,
  metadata: {},
  payment_intent: 'pi_1',
  reason: 'general',
  status: 'warning_needs_response',
};

/** The example of docs.stripe.com/api/balance_transactions/object, of a dispute. */
const movement = {
  id: 'txn_1MiN3gLkdIwHu7ixxapQrznl',
  object: 'balance_transaction',
  amount: -1000,
  created: 1_678_043_844,
  currency: 'usd',
  exchange_rate: null,
  fee: 1500,
  fee_details: [{ amount: 1500, currency: 'usd', description: 'Dispute fee', type: 'stripe_fee' }],
  net: -2500,
  reporting_category: 'dispute',
  source: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
  status: 'available',
  type: 'adjustment',
};

test('a dispute as Stripe documents it: an inquiry, a lost one, and one that was won without its fee', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const made = { transactionId: 'pi_1', currency: 'USD' };
  const back = { ...movement, id: 'txn_2', amount: 1000, fee: -1500, net: 2500 };
  const withdrawn = {
    kind: 'dispute',
    ref: documented.id,
    amount: '10.00',
    currency: 'USD',
    reason: 'general',
    isHardDecline: false,
  };
  for (const [status, moved, expected] of [
    ['warning_needs_response', [], []],
    ['needs_response', [movement], [{ ...withdrawn, isReinstated: false }]],
    ['lost', [movement], [{ ...withdrawn, isReinstated: false }]],
    ['won', [movement, back], [{ ...withdrawn, isReinstated: true }]],
    // Its money is still on its way.
    ['won', [movement], [{ ...withdrawn, isReinstated: false }]],
  ] as const) {
    const dispute = { ...documented, status, balance_transactions: moved };
    answer('GET', '/v1/disputes', list(dispute));
    const told: unknown = [...(await stripe.withdrawals(made, endless))];
    t.deepEqual(told, expected, status);
  }
  t.deepEqual(Object.fromEntries(requests[0]?.body ?? []), {
    payment_intent: 'pi_1',
    limit: '100',
  });
});

test('a method is removed by detaching it; one that is nobody’s or unknown is removed already', async (t) => {
  const { stripe, answer, requests } = await openStripe(t);
  const method = (id: string, customer: string | null): Answer => ({
    body: { id, object: 'payment_method', type: 'card', customer },
  });
  const asked = () => requests.splice(0).map(({ line }) => line);
  answer('GET', '/v1/payment_methods/pm_1', method('pm_1', 'cus_1'));
  answer('POST', '/v1/payment_methods/pm_1/detach', method('pm_1', null));
  await stripe.remove({ token: 'cus_1/pm_1' }, endless);
  t.deepEqual(asked(), ['GET /v1/payment_methods/pm_1', 'POST /v1/payment_methods/pm_1/detach']);
  answer('GET', '/v1/payment_methods/pm_2', method('pm_2', null));
  await stripe.remove({ token: 'pm_2' }, endless);
  await stripe.remove({ token: 'pm_gone' }, endless);
  await stripe.remove({ token: 'ctoken_3' }, endless);
  t.deepEqual(asked(), ['GET /v1/payment_methods/pm_2', 'GET /v1/payment_methods/pm_gone']);
  answer('GET', '/v1/payment_methods/pm_2', refusal(500, { type: 'api_error' }));
  t.is(await failure(stripe.remove({ token: 'pm_2' }, endless)), 'unknown server_error');
});

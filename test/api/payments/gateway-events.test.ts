/** Stripe's signed events on a tenant's host: verified, taken once, and only for this tenant. */
import test from 'ava';
import Stripe from 'stripe';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { webhookSecrets } from '../../../operations/gateway-calls/webhook-secret.ts';
import { openGateways } from '../../../operations/gateway-calls/gateways.ts';
import { gatewayAdapters } from '../../../providers/gateway/adapters.ts';
import { gatewayEventRoutes } from '../../../api/resources/gateway-calls/gateway-events.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { sharedDatabase } from '../../operations/support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../../operations/support/payment-books.ts';
import { createVault } from '../../../providers/vault.ts';
import { startStripeDouble } from '../../support/stripe/double.ts';
import { SECRET_KEY, makeTenant } from '../../support/tenants.ts';
import { startApi, stopAtTheEnd } from '../support.ts';

const db = await sharedDatabase();
const secret = 'whsec_of_the_tests';
const nudges: { readonly tenantId: number; readonly nudge: Nudge }[] = [];
const dependencies = { db: db.app, realNow: Date.now };
const api = await startApi(db.app, () =>
  gatewayEventRoutes({
    ...dependencies,
    dispatch: (tenantId, more) => nudges.push(...more.map((nudge) => ({ tenantId, nudge }))),
    webhookSecretOf: webhookSecrets(dependencies, createVault(SECRET_KEY)),
    gateways: openGateways(dependencies, gatewayAdapters(dependencies, { secretKeys: SECRET_KEY })),
  }),
);
stopAtTheEnd(api);

const stripeFile = { type: 'stripe', secretKey: 'sk_test_1', webhookSecret: secret };
const openShop = (gateway: object = stripeFile): Promise<PaymentBooks> =>
  openPaymentBooks(db, { today: '2027-01-15', file: { gateway } });

/** A payment that Stripe has accepted as pi_1 and is processing. */
async function processing(books: PaymentBooks): Promise<number> {
  const customerId = await books.customer();
  const method = { token: 'pm_1', brand: null, lastFour: '6789', expiry: null };
  const id = await books.pay({
    customerId,
    amount: '12.50',
    method: { by: 'vaulted', type: 'ACH', gateway: 'stripe', method, saveAs: null },
  });
  await books.work(({ tx }) =>
    tx.query(
      `update payment set phase = 'Processing', transaction_id = 'pi_1' where id = $1 returning id`,
      [id],
    ),
  );
  return id;
}

interface SentEvent {
  readonly id?: string;
  readonly type: string;
  readonly object: object;
  readonly account?: string;
}

const eventText = ({ id = 'evt_1', type, object, account }: SentEvent): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    ...(account === undefined ? {} : { account }),
    data: { object },
  });

const signed = (payload: string, by = secret, timestamp = Math.floor(Date.now() / 1_000)) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: by, timestamp });

async function sendText(label: string, body: string, signature: string | null = signed(body)) {
  const { status } = await api.send({
    method: 'POST',
    path: '/gateway/stripe',
    host: `${label}.localhost`,
    auth: null,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === null ? {} : { 'stripe-signature': signature }),
    },
  });
  return status;
}

const events = (books: PaymentBooks) =>
  books.read((tx) =>
    tx.query(
      `select event_id as id, type, payment_id as "paymentId", asked_at is null as open
       from gateway_event order by id`,
    ),
  );

const cardAtStripe = (token: string) =>
  ({
    by: 'vaulted',
    type: 'CreditCard',
    gateway: 'stripe',
    method: { token, brand: 'Visa', lastFour: '1111', expiry: '2029-12-31' },
    saveAs: null,
  }) as const;

const chargeOf = async (books: PaymentBooks, id: number): Promise<string> => {
  const [row] = await books.read((tx) =>
    tx.query<{ charge: string }>('select transaction_id as charge from payment where id = $1', [
      id,
    ]),
  );
  return row?.charge ?? '';
};

const intent = { object: 'payment_intent', id: 'pi_1', metadata: {} };
const dispute = { object: 'dispute', id: 'du_1', payment_intent: 'pi_1', metadata: {} };

test('an event is taken once, by its id, and its payment is looked up', async (t) => {
  const books = await openShop();
  const paymentId = await processing(books);
  const text = eventText({ type: 'payment_intent.succeeded', object: intent });
  t.is(await sendText(books.label, text), 200);
  t.is(await sendText(books.label, text), 200);
  const type = 'payment_intent.succeeded';
  t.deepEqual(await events(books), [{ id: 'evt_1', type, paymentId, open: true }]);
  t.deepEqual(
    nudges.filter(({ tenantId }) => tenantId === books.tenantId).map(({ nudge }) => nudge),
    [{ kind: 'payment', objectId: paymentId }],
  );
});

test('simultaneous copies of an event are one', async (t) => {
  const books = await openShop();
  await processing(books);
  const text = eventText({ type: 'charge.dispute.created', object: dispute });
  const statuses = await Promise.all([1, 2, 3, 4].map(() => sendText(books.label, text)));
  t.deepEqual(statuses, [200, 200, 200, 200]);
  t.is((await events(books)).length, 1);
});

test('an event names a payment by our key if its id is not known yet', async (t) => {
  const books = await openShop();
  const paymentId = await processing(books);
  const [row] = await books.work(({ tx }) =>
    tx.query<{ key: string }>(
      `update payment set phase = 'Charging', transaction_id = null where id = $1
       returning gateway_key as key`,
      [paymentId],
    ),
  );
  const object = { object: 'payment_intent', id: 'pi_new', metadata: { sundial_key: row?.key } };
  t.is(await sendText(books.label, eventText({ type: 'payment_intent.succeeded', object })), 200);
  t.like(await events(books), [{ paymentId }]);
});

test('an event with another secret, or an old signature, is 400', async (t) => {
  const books = await openShop();
  await processing(books);
  const text = eventText({ type: 'charge.dispute.created', object: dispute });
  const hourAgo = Math.floor(Date.now() / 1_000) - 3_600;
  for (const signature of [
    null,
    '',
    'nonsense',
    signed(text, 'whsec_of_another'),
    signed(`${text} `),
  ]) {
    t.is(await sendText(books.label, text, signature), 400, String(signature));
  }
  t.is(await sendText(books.label, text, signed(text, secret, hourAgo)), 400);
  t.deepEqual(await events(books), []);
});

test('without a secret the address does not exist', async (t) => {
  const sandbox = await openShop({ type: 'sandbox' });
  const text = eventText({ type: 'charge.dispute.created', object: dispute });
  t.is(await sendText(sandbox.label, text), 404);
  const { webhookSecret: _without, ...bare } = stripeFile;
  t.is(await sendText((await openShop(bare)).label, text), 404);
});

test('a secret from the environment is stored encrypted, and verifies events', async (t) => {
  const gateway = { ...stripeFile, webhookSecret: { env: 'STRIPE_WEBHOOK_SECRET' } };
  const secretOf = (name: string) => (name === 'STRIPE_WEBHOOK_SECRET' ? 'whsec_env' : undefined);
  const { id, label } = await makeTenant(dependencies, { file: { gateway }, secretOf });
  const text = eventText({ type: 'customer.created', object: { object: 'customer', id: 'cus_1' } });
  t.is(await sendText(label, text, signed(text, 'whsec_env')), 200);
  t.is(await sendText(label, text), 400);
  const [stored] = await inTenant(db.app, id, (tx) =>
    tx.query<{ secret: object; all: string }>(
      `select file->'gateway'->'webhookSecret' as secret, file::text as all from tenant`,
    ),
  );
  t.deepEqual(Object.keys(stored?.secret ?? {}), ['sealed']);
  t.false(stored?.all.includes('whsec_env'));
});

test('events without meaning here, or of other accounts, are 200 and leave no row', async (t) => {
  const books = await openShop();
  const paymentId = await processing(books);
  const nothing: readonly SentEvent[] = [
    { type: 'customer.created', object: { object: 'customer', id: 'cus_1' } },
    { type: 'payment_intent.created', object: intent },
    { type: 'charge.dispute.created', object: { ...dispute, payment_intent: 'pi_other' } },
    { type: 'charge.dispute.created', object: dispute, account: 'acct_other' },
    {
      type: 'payment_intent.succeeded',
      object: {
        object: 'payment_intent',
        id: 'pi_x',
        metadata: { sundial_key: `demo/${paymentId}` },
      },
    },
  ];
  for (const [index, each] of nothing.entries()) {
    t.is(await sendText(books.label, eventText({ ...each, id: `evt_${index}` })), 200, each.type);
  }
  t.is(await sendText(books.label, '{"id":4711}'), 200);
  // Another tenant with the secret of the same account has no such payment.
  const other = await openShop();
  t.is(
    await sendText(other.label, eventText({ type: 'charge.dispute.created', object: dispute })),
    200,
  );
  t.deepEqual([await events(books), await events(other)], [[], []]);
});

test('a body beyond the limit is 413, another method 405', async (t) => {
  const books = await openShop();
  const large = 'x'.repeat(256 * 1_024 + 1);
  t.is(await sendText(books.label, large), 413);
  const host = `${books.label}.localhost`;
  const read = await api.send({ path: '/gateway/stripe', host, auth: null });
  t.is(read.status, 405);
  t.is(read.headers.allow, 'POST');
});

test('an event names a refund by its own id, and a dispute of a paid payment by its charge', async (t) => {
  const books = await openShop();
  const paymentId = await processing(books);
  await books.resolve(paymentId, 'approved', 'pi_1');
  // The books already show that it was paid.
  const succeeded = eventText({ id: 'evt_2', type: 'payment_intent.succeeded', object: intent });
  t.is(await sendText(books.label, succeeded), 200);
  t.deepEqual(await events(books), []);
  const lost = eventText({ id: 'evt_3', type: 'charge.dispute.funds_withdrawn', object: dispute });
  t.is(await sendText(books.label, lost), 200);
  t.like(await events(books), [{ id: 'evt_3', paymentId }]);
  // The gateway then reports the withdrawal.
  const withdrawal = {
    kind: 'dispute',
    ref: 'du_1',
    currency: 'USD',
    reason: 'fraudulent',
  } as const;
  const amount = '12.50';
  const flags = { isHardDecline: false, isReinstated: false };
  books.gateway.withdraws('pi_1', [{ ...withdrawal, amount, ...flags }]);
  await books.carry(paymentId);
  t.deepEqual(await books.payments(), ['#1 Payment Canceled 12.50 ACH']);
  t.like(await events(books), [{ id: 'evt_3', open: false }]);
  t.is(books.gateway.calls.filter((call) => call.startsWith('charge')).length, 0);
});

test('an event about a payment in processing is marked as asked once the payment has ended', async (t) => {
  const books = await openShop();
  books.gateway.onCharge('tok_days', 'accept');
  const customerId = await books.customer();
  const id = await books.pay({ customerId, amount: '12.50', method: cardAtStripe('tok_days') });
  await books.carry(id);
  const object = { ...intent, id: await chargeOf(books, id) };
  t.is(await sendText(books.label, eventText({ type: 'payment_intent.succeeded', object })), 200);
  t.like(await events(books), [{ open: true }]);
  await books.gateway.finish('Approved');
  t.like(await books.carry(id), { done: true, status: 'Paid', did: 'was approved' });
  t.like(await events(books), [{ open: false }]);
  t.deepEqual(await books.read((tx) => tx.query(`select from outbox where kind = 'payment'`)), []);
});

test('an event that arrives during a charge is asked about after the charge', async (t) => {
  const books = await openShop();
  const customerId = await books.customer();
  const id = await books.pay({ customerId, amount: '12.50', method: cardAtStripe('tok_a') });
  const [row] = await books.read((tx) =>
    tx.query<{ key: string }>('select gateway_key as key from payment where id = $1', [id]),
  );
  const held = books.gateway.hold('tok_a');
  const carried = books.carry(id);
  await held.arrived;
  const object = { ...dispute, metadata: { sundial_key: row?.key } };
  t.is(await sendText(books.label, eventText({ type: 'charge.dispute.created', object })), 200);
  held.release();
  t.like(await carried, { done: true, status: 'Paid' });
  t.like(await events(books), [{ paymentId: id, open: false }]);
});

test('an event of a refund under way is asked about once the refund is concluded', async (t) => {
  const books = await openShop();
  const customerId = await books.customer();
  await books.paid({ customerId, amount: '12.50', method: cardAtStripe('tok_a') });
  const refund = await books.refund({ customerId, amount: '12.50' });
  const held = books.gateway.hold('back');
  const carried = books.carry(refund);
  await held.arrived;
  const [share] = await books.read((tx) =>
    tx.query<{ key: string }>('select gateway_key as key from refund_share'),
  );
  const object = { object: 'refund', id: 're_1', metadata: { sundial_key: share?.key } };
  t.is(await sendText(books.label, eventText({ type: 'refund.created', object })), 200);
  held.release();
  t.like(await carried, { done: true, status: 'Paid' });
  t.like(await events(books), [{ paymentId: refund, open: false }]);
  t.is(books.gateway.calls.filter((call) => call.startsWith('refund')).length, 1);
});

test('a card that Stripe has renewed is renewed on file, and one that it has detached is marked', async (t) => {
  const double = await startStripeDouble();
  t.teardown(() => double.stop());
  const books = await openShop({ ...stripeFile, url: double.url });
  const customerId = await books.customer();
  const pm = double.method({ type: 'card', number: '4242424242424242', expiry: [8, 2031] });
  double.world.customers.add('cus_7');
  Object.assign(double.world.methods.get(pm) ?? {}, { customer: 'cus_7', lastFour: '5556' });
  await books.pay({ customerId, amount: '1.00', method: cardAtStripe(`cus_7/${pm}`) });
  const filed = () =>
    books.read((tx) =>
      tx.query<{ text: string }>(
        `select concat_ws(' ', last_four, expiry, hard_declined_at is not null) as text
         from payment_method`,
      ),
    );
  const updated = { type: 'payment_method.automatically_updated' };
  const object = { object: 'payment_method', id: pm };
  t.is(await sendText(books.label, eventText({ ...updated, object })), 200);
  t.deepEqual(await filed(), [{ text: '5556 2031-08-31 f' }]);
  Object.assign(double.world.methods.get(pm) ?? {}, { customer: null });
  const detached = { id: 'evt_2', type: 'payment_method.detached', object };
  t.is(await sendText(books.label, eventText(detached)), 200);
  t.deepEqual(await filed(), [{ text: '5556 2031-08-31 t' }]);
  // Nobody else's method is asked about, and no event of one is stored.
  const asked = double.requests.length;
  const foreign = { ...updated, id: 'evt_3', object: { ...object, id: 'pm_99' } };
  t.is(await sendText(books.label, eventText(foreign)), 200);
  t.is(double.requests.length, asked);
  t.deepEqual(await events(books), []);
  // While Stripe is silent it sends the event again.
  await double.stop();
  t.is(await sendText(books.label, eventText({ ...updated, id: 'evt_4', object })), 503);
});

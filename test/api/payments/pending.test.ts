/** Payments that are not final when their call is answered, and calls that are repeated. */
import test from 'ava';
import { GatewayError, type Gateways } from '../../../providers/gateway/gateway.ts';
import { SILENT_CARD } from '../calls/patience.ts';
import {
  amount,
  autopay,
  card,
  cash,
  idOf,
  makeCustomer,
  makeInvoice,
  pay,
  token,
  traces,
} from './bodies.ts';
import type { Received } from '../support.ts';
import {
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type ApiTenantOptions,
  type TenantApi,
} from '../tenant-api.ts';

/** A gateway that cannot be reached at present. */
const unreachable = new Set<number>();

/** The numbers that were sent to a vault, in order. */
const stored: string[] = [];

function reachable(real: Gateways): Gateways {
  return {
    named: real.named,
    returnUrl: real.returnUrl,
    async ofTenant(tenantId) {
      if (unreachable.has(tenantId)) throw new GatewayError('unavailable', 'away');
      const gateway = await real.ofTenant(tenantId);
      return {
        ...gateway,
        store: (details, key) => {
          stored.push(key);
          return gateway.store(details, key);
        },
      };
    },
  };
}

const api = await startTenantApi({ ownDatabase: true, gateways: reachable });

async function withCustomer(options: ApiTenantOptions = {}): Promise<TenantApi> {
  const own = await api.another(options);
  await makeCustomer(own);
  return own;
}

const sent = (own: TenantApi, key: string, body: string, path = '/payments'): Promise<Received> =>
  own.call('POST', `${path}?extCustomerRef=C1`, { headers: { 'idempotency-key': key }, body });

const silent = pay(amount('10.00') + card({ number: SILENT_CARD }));

const charges = async (own: TenantApi): Promise<number> =>
  (
    await own.asOwner(
      `select from sandbox_transaction where tenant_id = ${own.tenantId} and operation = 'charge'`,
    )
  ).length;

test('a card whose gateway does not answer: 202, Pending; a replay shows the outcome', async (t) => {
  const own = await withCustomer();
  const first = await sent(own, 'silent', silent);
  t.is(first.status, 202, first.body);
  t.is(valueOf(first.body, 'status'), 'Pending');
  t.regex(first.body, /<processorResult\/>/);
  t.is(first.headers['idempotency-replayed'], undefined);
  const still = await sent(own, 'silent', silent);
  t.is(still.status, 202);
  t.is(still.body, first.body);
  t.is(still.headers['idempotency-replayed'], 'true');
  // When asked, the sandbox reports the outcome of the call.
  t.like(await own.advance(idOf(first)), { done: true, status: 'Declined' });
  const last = await sent(own, 'silent', silent);
  t.is(last.status, 201);
  t.is(last.headers['idempotency-replayed'], 'true');
  t.is(valueOf(last.body, 'status'), 'Declined');
  t.is(valueOf(last.body, 'errorCode'), 'gateway_timeout');
  t.is(last.body, (await own.get(`/payment/${idOf(first)}`)).body);
  t.is(last.headers.etag, (await own.get(`/payment/${idOf(first)}`)).headers.etag);
  t.is(await charges(own), 1);
  t.is((await traces(own))['payment'], 1);
});

test('while the workflow engine is down a card payment is accepted: 202, finished later', async (t) => {
  const own = await withCustomer({ isEngineDown: true });
  const invoice = await makeInvoice(own, '10.00');
  const body = pay(amount('10.00') + card());
  const first = await sent(own, 'away', body);
  t.is(first.status, 202, first.body);
  t.is(valueOf(first.body, 'status'), 'Pending');
  t.is(await charges(own), 0);
  const workflowId = `payment/${own.label}/${idOf(first)}`;
  const told = await own.asOwner('select workflow_id from outbox');
  t.true(
    told.some((row) => row['workflow_id'] === workflowId),
    'the relay starts it',
  );
  // The caller that waits for it starts it, and nobody else at the same time.
  const id = Number(idOf(first));
  t.false(own.nudges.some(({ kind, objectId }) => kind === 'payment' && objectId === id));
  t.like(await own.advance(idOf(first)), { done: true, status: 'Paid' });
  const again = await sent(own, 'away', body);
  t.is(again.status, 201);
  t.is(valueOf(again.body, 'status'), 'Paid');
  t.is(await charges(own), 1);
  t.is(valueOf((await own.get(`/invoice/${invoice}`)).body, 'status'), 'Paid');
});

test('a payment without a gateway is final without the workflow engine', async (t) => {
  const own = await withCustomer({ isEngineDown: true });
  const answer = await sent(own, 'cash', pay(amount('10.00') + cash()));
  t.is(answer.status, 201);
  t.is(valueOf(answer.body, 'status'), 'Paid');
  t.is((await sent(own, 'cash', pay(amount('10.00') + cash()))).body, answer.body);
});

test('a refund through a gateway waits like a payment', async (t) => {
  const own = await withCustomer({ isEngineDown: true });
  const payment = await own.post('/payments?extCustomerRef=C1', pay(amount('10.00') + card()));
  await own.advance(idOf(payment));
  const first = await sent(own, 'back', pay(amount('4.00')), '/refunds');
  t.is(first.status, 202);
  t.is(valueOf(first.body, 'status'), 'Pending');
  t.is(valueOf(first.body, 'amount'), '-4.00');
  await own.advance(idOf(first));
  const again = await sent(own, 'back', pay(amount('4.00')), '/refunds');
  t.is(again.status, 201);
  t.is(valueOf(again.body, 'status'), 'Paid');
});

test('the answer is the last attempt of a cascade, also when the call is repeated', async (t) => {
  const own = await withCustomer();
  for (const [preference, number] of [
    ['1', '4000000000000341'],
    ['2', '4111111111111111'],
  ] as const) {
    const more = `<autopayPreference>${preference}</autopayPreference>`;
    const put = await own.put(
      '/customer/autopay?extCustomerRef=C1',
      autopay(card({ number, more })),
    );
    t.is(put.status, 200, put.body);
  }
  const body = `<processPaymentWithAutopay>${amount('10.00')}</processPaymentWithAutopay>`;
  const first = await sent(own, 'cascade', body, '/payments/autopay');
  t.is(first.status, 201, first.body);
  t.is(valueOf(first.body, 'status'), 'Paid');
  t.is(valueOf(first.body, 'paymentMethodContext'), 'Visa - *****1111');
  const list = await own.get('/payments');
  t.deepEqual(valuesOf(list.body, 'paymentMethodContext').toSorted(), [
    'Visa - *****0341',
    'Visa - *****1111',
  ]);
  t.is((await sent(own, 'cascade', body, '/payments/autopay')).body, first.body);
  t.is(await charges(own), 2);
});

test('a vault that cannot be reached: 503, nothing stored, and the same key may be retried', async (t) => {
  const own = await withCustomer();
  const body = pay(amount('10.00') + card());
  unreachable.add(own.tenantId);
  for (const answer of [await sent(own, 'later', body), await sent(own, 'later', body)]) {
    refused(t, answer, 503, 'service.unavailable');
    t.regex(String(answer.headers['retry-after']), /^\d+$/);
  }
  const put = await own.put('/customer/autopay?extCustomerRef=C1', autopay(card()));
  refused(t, put, 503, 'service.unavailable');
  const token1 = await sent(own, 'token', pay(amount('10.00') + token()));
  refused(t, token1, 503, 'service.unavailable');
  const none = { payment: 0, payment_method: 0, sandbox_method: 0, sandbox_transaction: 0 };
  t.deepEqual(await traces(own), none);
  unreachable.delete(own.tenantId);
  t.is((await sent(own, 'later', body)).status, 201);
});

test('a repeated card goes to the vault once, also in two simultaneous calls with one key', async (t) => {
  const own = await withCustomer();
  const body = pay(amount('10.00') + card());
  const from = stored.length;
  const answers = await Promise.all([1, 2, 3, 4].map(() => sent(own, 'once', body)));
  for (const { status } of answers) t.true([201, 202, 409].includes(status), String(status));
  t.true(answers.some(({ status }) => status === 201));
  t.is((await sent(own, 'once', body)).status, 201);
  t.deepEqual(await traces(own), {
    payment: 1,
    payment_method: 1,
    sandbox_method: 1,
    sandbox_transaction: 1,
  });
  const keys = stored.slice(from).filter((key) => key.startsWith(`${own.label}/`));
  t.is(new Set(keys).size, 1);
});

test('a refusal is stored with its key, even if the invoice is open later', async (t) => {
  const own = await withCustomer();
  const invoice = await makeInvoice(own, '10.00');
  const body = pay(`${amount('10.00')}<invoices><invoice id="${invoice}"/></invoices>${card()}`);
  const cashed = await own.post('/payments?extCustomerRef=C1', pay(amount('10.00') + cash()));
  refused(
    t,
    await sent(own, 'paid', body),
    400,
    'payment.invoice processPayment/invoices/invoice[1]/@id',
  );
  await own.remove(`/payment/${idOf(cashed)}`);
  const again = await sent(own, 'paid', body);
  refused(t, again, 400, 'payment.invoice processPayment/invoices/invoice[1]/@id');
  t.is(again.headers['idempotency-replayed'], 'true');
  refused(t, await sent(own, 'paid', silent), 409, 'idempotency.otherRequest');
  t.is(await charges(own), 0);
});

test('two simultaneous cards of one customer: one is at the gateway, the other waits its turn', async (t) => {
  const own = await withCustomer({ isEngineDown: true });
  await makeInvoice(own, '10.00');
  const first = await sent(own, 'first', silent);
  const second = await sent(own, 'second', pay(amount('10.00') + card()));
  t.like(await own.advance(idOf(first)), { done: false });
  t.like(await own.advance(idOf(second)), { done: false, phase: 'Waiting' });
  t.is(await charges(own), 1);
  t.like(await own.advance(idOf(first)), { done: true, status: 'Declined' });
  t.like(await own.advance(idOf(second)), { done: true, status: 'Paid' });
  t.is((await sent(own, 'second', pay(amount('10.00') + card()))).status, 201);
});

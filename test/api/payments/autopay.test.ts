/** Payment methods on file: stored, replaced, listed, and never shown in full. */
import test from 'ava';
import {
  VISA,
  account,
  amount,
  autopay,
  card,
  cash,
  check,
  dto,
  holdsNoNumber,
  makeCustomer,
  payWithAutopay,
  token,
  traces,
} from './bodies.ts';
import { schemaOfAnswer, violations } from '../../support/xsd.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

async function withCustomer(): Promise<{ readonly own: TenantApi; readonly id: string }> {
  const own = await api.another();
  return { own, id: await makeCustomer(own) };
}

const at = (preference: number): string => `<autopayPreference>${preference}</autopayPreference>`;

const contexts = async (own: TenantApi): Promise<string[]> =>
  valuesOf((await own.get('/customer/autopay?extCustomerRef=C1')).body, 'paymentMethodContext');

test('three methods are put on file, in both forms and by either HTTP method', async (t) => {
  const { own, id } = await withCustomer();
  t.regex((await own.get(`/customer/${id}/autopay`)).body, /<list\/>$/);
  const byRef = '/customer/autopay?extCustomerRef=C1';
  for (const answer of [
    await own.put(byRef, autopay(token('tok_ok', at(3)))),
    await own.post(byRef, autopay(account('000123456789', '021000021', at(2)))),
    await own.put(`/customer/${id}/autopay`, autopay(card({ more: at(1) }))),
  ]) {
    t.is(answer.status, 200, answer.body);
    t.is(valueOf(answer.body, 'success'), 'true');
    holdsNoNumber(t, answer.body);
  }
  const list = await own.get(`/customer/${id}/autopay`);
  t.is(list.body, (await own.get(byRef)).body);
  t.deepEqual(valuesOf(list.body, 'autopayPreference'), ['1', '2', '3']);
  t.deepEqual(valuesOf(list.body, 'type'), ['CreditCard', 'ACH', 'Token']);
  t.deepEqual(valuesOf(list.body, 'paymentMethodContext'), [
    'Visa - *****1111',
    'ACH - *****6789',
    'Token - *****',
  ]);
  t.deepEqual(valuesOf(list.body, 'expiry'), ['2029-12-31']);
  const names = [...list.body.matchAll(/<(\w+)/g)].map(([, name]) => String(name));
  t.deepEqual(
    [...new Set(names)],
    [
      'list',
      'paymentMethod',
      'autopayPreference',
      'type',
      'paymentMethodContext',
      'expiry',
      'gatewayUpdated',
      'mandate',
    ],
  );
  t.is((await own.post(`/customer/${id}/autopay`, autopay(card()))).status, 200);
});

test('a brand of the maximum length gives a valid answer', async (t) => {
  const { own, id } = await withCustomer();
  const brand = `<cardType>${'B'.repeat(255)}</cardType><lastFour>4242</lastFour>`;
  t.is(
    (await own.put(`/customer/${id}/autopay`, autopay(token('tok_ok', at(1) + brand)))).status,
    200,
  );
  const { body } = await own.get(`/customer/${id}/autopay`);
  t.is(valueOf(body, 'paymentMethodContext'), `${'B'.repeat(255)} - *****4242`);
  t.deepEqual(violations(schemaOfAnswer(body), body), []);
});

test('a method replaces the one with its preference, which is 1 by default', async (t) => {
  const { own, id } = await withCustomer();
  const path = `/customer/${id}/autopay`;
  await own.put(path, autopay(card({ more: at(1) })));
  await own.put(path, autopay(card({ number: '5555555555554444', more: at(2) })));
  t.is((await own.put(path, autopay(account()))).status, 200);
  t.deepEqual(await contexts(own), ['ACH - *****6789', 'MasterCard - *****4444']);
  await own.put(path, autopay(token('tok_ok', at(2))));
  t.deepEqual(await contexts(own), ['ACH - *****6789', 'Token - *****']);
});

for (const [number, code] of [
  ['4000000000000002', 'card_declined'],
  ['4000000000009995', 'insufficient_funds'],
] as const) {
  test(`with validate=true a card that would be declined is not put on file: ${code}`, async (t) => {
    const { own, id } = await withCustomer();
    const path = `/customer/${id}/autopay`;
    const body = autopay(card({ number }));
    const answer = await own.put(`${path}?validate=true`, body);
    const element = 'autopay/paymentMethodDTO/creditCardPaymentMethod';
    refused(t, answer, 400, `paymentMethod.declined ${element}`);
    t.true(answer.body.includes(code));
    holdsNoNumber(t, answer.body);
    t.is((await traces(own))['payment_method'], 0);
    t.is((await own.put(`${path}?validate=false`, body)).status, 200);
    t.is((await own.put(path, body)).status, 200);
  });
}

test('with validate=true a good card is tried with nothing, and one that declines later as well', async (t) => {
  const { own, id } = await withCustomer();
  for (const number of [VISA, '4000000000000341']) {
    const answer = await own.put(`/customer/${id}/autopay?validate=1`, autopay(card({ number })));
    t.is(answer.status, 200, answer.body);
  }
  const rows = await own.asOwner<{ operation: string; amount: string }>(
    `select operation, trim_scale(amount)::text as amount from sandbox_transaction
     where tenant_id = ${own.tenantId}`,
  );
  t.deepEqual(rows, Array(2).fill({ operation: 'validate', amount: '0' }));
});

test('with validate=true a token is tried too, a bank account cannot be', async (t) => {
  const { own, id } = await withCustomer();
  const path = `/customer/${id}/autopay?validate=true`;
  const element = 'autopay/paymentMethodDTO/tokenPaymentMethod';
  refused(
    t,
    await own.put(path, autopay(token('tok_gone'))),
    400,
    `paymentMethod.declined ${element}`,
  );
  t.is((await own.put(path, autopay(token()))).status, 200);
  t.is((await own.put(path, autopay(account('000111111116')))).status, 200);
});

const method = 'autopay/paymentMethodDTO';
for (const [rule, inner, ...errors] of [
  ['no method', '', `field.required ${method}`],
  ['an empty method', '<paymentMethodDTO/>', `field.required ${method}`],
  ['two methods', card() + token(), `field.repeated ${method}`],
  ['cash', cash(), `payment.method ${method}/@type`],
  ['a check', check(), `payment.method ${method}/@type`],
  ['an unknown type', dto('Wire', ''), `payment.method ${method}/@type`],
  ['nothing in it', dto('ACH', ''), `payment.method ${method}`],
  [
    'a card that has expired',
    card({ expiry: '2026-12-01' }),
    `field.invalid ${method}/creditCardPaymentMethod/expiry`,
  ],
  [
    'a wrong check digit',
    card({ number: '4111111111111112' }),
    `field.invalid ${method}/creditCardPaymentMethod/cardNumber`,
  ],
  [
    'a preference of 0',
    card({ more: at(0) }),
    `field.range ${method}/creditCardPaymentMethod/autopayPreference`,
  ],
  [
    'a wrong routing number',
    account('000123456789', '021000022'),
    `field.invalid ${method}/achPaymentMethod/abaRoutingNumber`,
  ],
  [
    'an account beside a card',
    dto(
      'ACH',
      `<creditCardPaymentMethod><cardNumber>${VISA}</cardNumber><expiry>2029-12-31</expiry>` +
        '</creditCardPaymentMethod><achPaymentMethod>' +
        '<abaRoutingNumber>021000021</abaRoutingNumber><accountNumber>12345</accountNumber>' +
        '</achPaymentMethod>',
    ),
    `payment.method ${method}/creditCardPaymentMethod`,
  ],
] as const) {
  test(`refused, and nothing stored anywhere: ${rule}`, async (t) => {
    const { own, id } = await withCustomer();
    const answer = await own.put(`/customer/${id}/autopay?validate=true`, autopay(inner));
    refused(t, answer, 400, ...errors);
    holdsNoNumber(t, answer.body);
    const none = { payment: 0, payment_method: 0, sandbox_method: 0, sandbox_transaction: 0 };
    t.deepEqual(await traces(own), none);
  });
}

test('a card is valid until the end of its month', async (t) => {
  const { own, id } = await withCustomer();
  const answer = await own.put(`/customer/${id}/autopay`, autopay(card({ expiry: '2027-01-01' })));
  t.is(answer.status, 200);
});

test('an unknown customer is 404 in every form, and its card is not stored', async (t) => {
  const { own } = await withCustomer();
  for (const path of ['/customer/77777777/autopay', '/customer/autopay?extCustomerRef=C9']) {
    refused(t, await own.get(path), 404, 'customer.unknown');
    refused(t, await own.put(path, autopay(card())), 404, 'customer.unknown');
    refused(t, await own.post(path, autopay(card())), 404, 'customer.unknown');
  }
  refused(t, await own.get('/customer/autopay'), 400, 'query.required extCustomerRef');
  refused(t, await own.call('PATCH', '/customer/77777777/autopay'), 405, 'path.method');
  t.is((await traces(own))['sandbox_method'], 0);
});

test('another tenant has no such customer, and the attempt counts', async (t) => {
  const { id } = await withCustomer();
  const { own: other } = await withCustomer();
  refused(t, await other.get(`/customer/${id}/autopay`), 404, 'customer.unknown');
  refused(t, await other.put(`/customer/${id}/autopay`, autopay(card())), 404, 'customer.unknown');
  const attempts = await other.asOwner(
    `select from foreign_attempt where tenant_id = ${other.tenantId}`,
  );
  t.is(attempts.length, 2);
});

test('a card that is sent again with its key is stored once', async (t) => {
  const { own, id } = await withCustomer();
  const call = () =>
    own.call('PUT', `/customer/${id}/autopay?validate=true`, {
      headers: { 'idempotency-key': 'card' },
      body: autopay(card()),
    });
  const [first, again] = [await call(), await call()];
  t.is(first.status, 200);
  t.is(again.body, first.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  t.like(await traces(own), { payment_method: 1, sandbox_method: 1, sandbox_transaction: 1 });
});

test('the payment begins with the preference asked for, and continues upwards only after a decline', async (t) => {
  const { own } = await withCustomer();
  const put = (inner: string) => own.put('/customer/autopay?extCustomerRef=C1', autopay(inner));
  await put(card({ number: '4000000000000341', more: at(2) }));
  await put(token('tok_ok', at(3)));
  const path = '/payments/autopay?extCustomerRef=C1';
  const first = await own.post(path, payWithAutopay(amount('3')));
  t.is(valueOf(first.body, 'paymentMethodContext'), 'Token - *****');
  t.is(valueOf(first.body, 'status'), 'Paid');
  t.is(valuesOf((await own.get('/payments?status=Declined')).body, 'amount').length, 2);
  const third = await own.post(path, payWithAutopay(amount('4') + at(3)));
  t.is(valueOf(third.body, 'status'), 'Paid');
  t.is(valuesOf((await own.get('/payments')).body, 'status').length, 3);
  const back = await own.post(
    '/refunds/autopay?extCustomerRef=C1',
    payWithAutopay(amount('7') + at(3)),
  );
  t.is(back.status, 201, back.body);
  t.is(valueOf(back.body, 'amount'), '-7.00');
  const none = await own.post('/refunds/autopay?extCustomerRef=C1', payWithAutopay(amount('7')));
  refused(t, none, 400, 'paymentMethod.unknown processPaymentWithAutopay/autopayPreference');
});

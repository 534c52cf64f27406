/** Payments whose gateway asks for an absent payer, by the interface. */
import test from 'ava';
import { keyIn, submit } from '../signups/page-calls.ts';
import { visit } from '../self-service/calls.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { amount, autopay, card, idOf, invoices, makeCustomer, makeInvoice, pay } from './bodies.ts';

const api = await startTenantApi({});
const asking = '4000002760003184';
const options = { file: { gateway: { type: 'sandbox', actionDays: 3 } } };

async function withCustomer(more = options): Promise<TenantApi> {
  const own = await api.another(more);
  await makeCustomer(own);
  return own;
}

async function waiting(own: TenantApi): Promise<string> {
  const sent = pay(amount('10.00') + card({ number: asking }));
  const answer = await own.post('/payments?extCustomerRef=C1', sent);
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.body}`);
  return idOf(answer);
}

test('it answers 202, and says until when it waits for whom', async (t) => {
  const own = await withCustomer();
  const id = await waiting(own);
  const { body } = await own.get(`/payment/${id}`);
  t.is(valueOf(body, 'status'), 'ActionRequired');
  t.regex(
    body,
    /<payerAction><isPayerPresent>false<\/isPayerPresent><waitsUntil>\d{4}-\d\d-\d\dT0[45]:00:00Z<\/waitsUntil><\/payerAction>/,
  );
  t.regex((await own.get('/payments?status=ActionRequired')).body, new RegExp(`id="${id}"`));
});

test('without days to confirm, it is declined at once', async (t) => {
  const own = await withCustomer({ file: { gateway: { type: 'sandbox', actionDays: 0 } } });
  const sent = pay(amount('10.00') + card({ number: asking }));
  const { status, body } = await own.post('/payments?extCustomerRef=C1', sent);
  t.is(status, 201, body);
  t.is(valueOf(body, 'status'), 'Declined');
  t.is(valueOf(body, 'errorCode'), 'authentication_required');
  t.regex(body, /<payerAction\/>/);
});

test('DELETE cancels it, once', async (t) => {
  const own = await withCustomer();
  const id = await waiting(own);
  const { status, body } = await own.remove(`/payment/${id}`);
  t.is(status, 200, body);
  t.is(valueOf(body, 'status'), 'Canceled');
  refused(t, await own.remove(`/payment/${id}`), 400, 'payment.notCancellable');
});

test('a link leads to a page that shows the payment alone, and confirms it', async (t) => {
  const own = await withCustomer();
  const invoice = await makeInvoice(own, '10.00');
  const sent = pay(amount('10.00') + invoices(invoice) + card({ number: asking }));
  const id = idOf(await own.post('/payments?extCustomerRef=C1', sent));
  const { status, body } = await own.get(`/payment/${id}/actionLink`);
  t.is(status, 200, body);
  const path = new URL(valueOf(body, 'url') ?? '').pathname;
  t.regex(path, /^\/action\/[\w-]{43}$/);
  t.regex(valueOf(body, 'validUntil') ?? '', /T0[45]:00:00Z$/);
  const page = await visit(own, path);
  t.is(page.status, 200);
  t.regex(page.body, /\$10\.00/);
  t.regex(page.body, /Visa - \*+3184/);
  const asked = await submit(own, path, { formKey: keyIn(page) });
  t.is(asked.status, 303, asked.body);
  const there = new URL(String(asked.headers.location)).pathname;
  const challenge = await visit(own, there);
  const back = await submit(own, there, { formKey: keyIn(challenge), answer: 'confirm' });
  t.is(new URL(String(back.headers.location)).pathname, path);
  t.is((await visit(own, path)).status, 410);
  t.is(valueOf((await own.get(`/payment/${id}`)).body, 'status'), 'Paid');
  refused(t, await own.get(`/payment/${id}/actionLink`), 400, 'payment.noAction');
});

test('there is no link of a payment that does not wait, nor of an unknown one', async (t) => {
  const own = await withCustomer();
  const paid = await own.post('/payments?extCustomerRef=C1', pay(amount('10.00') + card()));
  refused(t, await own.get(`/payment/${idOf(paid)}/actionLink`), 400, 'payment.noAction');
  refused(t, await own.get('/payment/1/actionLink'), 404, 'payment.unknown');
  t.is((await visit(own, `/action/${'x'.repeat(43)}`)).status, 404);
});

test('with validate=true a card that asks is not put on file', async (t) => {
  const own = await withCustomer();
  const sent = autopay(card({ number: asking }));
  const answer = await own.put('/customer/autopay?extCustomerRef=C1&validate=true', sent);
  refused(
    t,
    answer,
    400,
    'paymentMethod.actionRequired autopay/paymentMethodDTO/creditCardPaymentMethod',
  );
  t.notRegex((await own.get('/customer/autopay?extCustomerRef=C1')).body, /3184/);
  t.is((await own.put('/customer/autopay?extCustomerRef=C1', sent)).status, 200);
});

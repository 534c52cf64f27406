/** Payments whose gateway asks for an absent payer, by the interface. */
import test from 'ava';
import { keyIn, submit } from '../signups/page-calls.ts';
import { visit } from '../self-service/calls.ts';
import { keptOfLinks, refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import {
  VISA,
  amount,
  autopay,
  card,
  idOf,
  invoices,
  makeCustomer,
  makeInvoice,
  pay,
  payWithAutopay,
} from './bodies.ts';

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

test('DELETE of another version than the present one ends nothing, at the gateway either', async (t) => {
  const own = await withCustomer();
  const id = await waiting(own);
  const stale = await own.call('DELETE', `/payment/${id}`, { headers: { 'if-match': '"999"' } });
  refused(t, stale, 412, 'object.changed');
  const [asked] = await own.asOwner<{ status: string }>(
    `select status from sandbox_transaction where tenant_id = ${own.tenantId}`,
  );
  t.is(asked?.status, 'Asks');
  t.is(valueOf((await own.get(`/payment/${id}`)).body, 'status'), 'ActionRequired');
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

test('a link writes: HEAD is 405, and the same Idempotency-Key gets the same link, sealed', async (t) => {
  const own = await withCustomer();
  const path = `/payment/${await waiting(own)}/actionLink`;
  const keyed = { headers: { 'idempotency-key': 'a link' } };
  const first = await own.call('GET', path, keyed);
  t.is(first.status, 200, first.body);
  const again = await own.call('GET', path, keyed);
  t.is(again.body, first.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  t.not(valueOf((await own.get(path)).body, 'url'), valueOf(first.body, 'url'));
  t.is((await own.call('HEAD', path)).status, 405);
  const secret = valueOf(first.body, 'url')?.slice(-43) ?? '';
  const kept = await keptOfLinks(own, 'action_link');
  t.is(kept.length, 1);
  t.false(JSON.stringify(kept).includes(secret));
});

test('the page of a link leads to the pay link of its one invoice, which ends what waits', async (t) => {
  const own = await withCustomer();
  const sent = pay(
    amount('10.00') + invoices(await makeInvoice(own, '10.00')) + card({ number: asking }),
  );
  const id = idOf(await own.post('/payments?extCustomerRef=C1', sent));
  const link = (await own.get(`/payment/${id}/actionLink`)).body;
  const path = new URL(valueOf(link, 'url') ?? '').pathname;
  const keys = [...(await visit(own, path)).body.matchAll(/name="formKey" value="([^"]+)"/g)];
  const led = await submit(own, path, { formKey: keys.at(-1)?.[1] ?? '' });
  t.is(led.status, 303, led.body);
  const there = String(led.headers.location);
  t.regex(there, /^\/pay\/[\w-]{43}$/);
  const page = await visit(own, there);
  t.regex(page.body, /waits for its payer to confirm it/);
  const typed = { cardNumber: VISA, expiryMonth: '12', expiryYear: '2029', cvv: '123' };
  const holder = { cardholderName: 'Ada Field' };
  const paid = await submit(own, there, { formKey: keyIn(page), ...typed, ...holder });
  t.is(paid.status, 303, paid.body);
  t.is(valueOf((await own.get(`/payment/${id}`)).body, 'status'), 'Canceled');
  t.is((await visit(own, path)).status, 410);
  // Of a payment that names no invoice there is no such button.
  const other = (await own.get(`/payment/${await waiting(own)}/actionLink`)).body;
  const bare = await visit(own, new URL(valueOf(other, 'url') ?? '').pathname);
  t.is(bare.body.split('name="formKey"').length, 2);
});

test('the first charge of the card ..4202 renews what is on file: ..4242, three years later', async (t) => {
  const own = await withCustomer();
  const onFile = '/customer/autopay?extCustomerRef=C1';
  const renewing = card({
    number: '4000000000004202',
    more: '<autopayPreference>1</autopayPreference>',
  });
  t.is((await own.put(onFile, autopay(renewing))).status, 200);
  t.regex((await own.get(onFile)).body, /4202[^]*2029-12-31[^]*<gatewayUpdated\/>/);
  const charge = payWithAutopay(amount('10.00'));
  t.is((await own.post('/payments/autopay?extCustomerRef=C1', charge)).status, 201);
  t.regex(
    (await own.get(onFile)).body,
    /4242[^]*2032-12-31[^]*<gatewayUpdated>2027-01-01<\/gatewayUpdated>/,
  );
  const audited = await own.asOwner<{ count: number }>(
    `select count(*)::int as count from audit_log
     where tenant_id = ${own.tenantId} and code = 'paymentMethod.renewed'`,
  );
  t.is(audited[0]?.count, 1);
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

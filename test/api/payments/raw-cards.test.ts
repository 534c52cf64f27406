/** Card numbers that calls send for a tenant at Stripe: refused before Stripe, or by Stripe. */
import test from 'ava';
import { refusal, stripeServer } from '../../providers/gateway/stripe-server.ts';
import { refused, startTenantApi, valueOf } from '../tenant-api.ts';
import { VISA, amount, autopay, card, holdsNoNumber, makeCustomer, pay, token } from './bodies.ts';

const api = await startTenantApi();

test('card numbers are refused where the tenant takes none, and nothing reaches Stripe', async (t) => {
  const { url, requests } = await stripeServer(t);
  const gateway = { type: 'stripe', secretKey: 'sk_test_1', rawCards: 'false', url };
  const own = await api.another({ file: { gateway } });
  const id = await makeCustomer(own);
  const byNumber = amount('1.00') + card({ number: VISA });
  const calls = [
    [await own.post('/payments?extCustomerRef=C1', pay(byNumber)), 'processPayment'],
    [await own.post('/refunds?extCustomerRef=C1', pay(byNumber)), 'processPayment'],
    [await own.put(`/customer/${id}/autopay`, autopay(card({ number: VISA }))), 'autopay'],
    [await own.post(`/customer/${id}/autopay?validate=true`, autopay(card())), 'autopay'],
  ] as const;
  for (const [answer, root] of calls) {
    const path = `${root}/paymentMethodDTO/creditCardPaymentMethod`;
    refused(t, answer, 400, `payment.rawCard ${path}`);
    t.regex(answer.body, /tokenPaymentMethod/);
    holdsNoNumber(t, answer.body);
  }
  t.deepEqual(requests, []);
  t.is((await own.put(`/customer/${id}/autopay`, autopay(token('pm_1')))).status, 200);
});

test('an account that Stripe allows no card numbers is told so as well', async (t) => {
  const { url, answer } = await stripeServer(t);
  const message = 'Sending credit card numbers directly to the Stripe API is generally unsafe.';
  answer('POST', '/v1/payment_methods', refusal(402, { message }));
  const gateway = { type: 'stripe', secretKey: 'sk_test_1', url };
  const own = await api.another({ file: { gateway } });
  await makeCustomer(own);
  const body = pay(amount('1.00') + card({ number: VISA }));
  const path = 'processPayment/paymentMethodDTO/creditCardPaymentMethod';
  const answered = await own.post('/payments?extCustomerRef=C1', body);
  refused(t, answered, 400, `payment.rawCard ${path}`);
  holdsNoNumber(t, answered.body);
  t.is(valueOf((await own.get('/payments')).body, 'payment'), undefined);
});

test('at the sandbox card numbers are taken', async (t) => {
  const own = await api.another();
  const id = await makeCustomer(own);
  t.is((await own.put(`/customer/${id}/autopay`, autopay(card({ number: VISA })))).status, 200);
});

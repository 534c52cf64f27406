/** Payments through the whole system: the real interface, a real worker, a real engine. */
import test from 'ava';
import { startSystem } from '../../support/system.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { account, amount, autopay, card, idOf, pay, payWithAutopay } from './bodies.ts';
import { send } from '../support.ts';
import { valueOf, valuesOf } from '../tenant-api.ts';

const system = await startSystem();
const { label } = await makeTenant(system.dependencies, { testClock: '2027-01-01T12:00:00Z' });

const call = (method: string, path: string, body?: string) =>
  send(Number(new URL(system.apiUrl).port), {
    method,
    path: `/rest${path}`,
    host: `${label}.localhost`,
    auth: `api@test:${PASSWORD}`,
    ...(body === undefined ? {} : { body }),
  });

test('a call waits for its payment, and the books are right after all calls', async (t) => {
  const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
  const made = await call(
    'POST',
    '/customers',
    `<customer><extCustomerRef>C1</extCustomerRef>${contact}</customer>`,
  );
  const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  await call('POST', '/orders?extCustomerRef=C1', order);
  const body = pay(`${amount('78.95')}<generateInvoice>true</generateInvoice>${card()}`);
  const payment = await call('POST', '/payments?extCustomerRef=C1', body);
  t.is(payment.status, 201, payment.body);
  t.is(valueOf(payment.body, 'status'), 'Paid');
  t.is(valueOf(payment.body, 'amountApplied'), '78.95');

  const at = (n: number) => `<autopayPreference>${n}</autopayPreference>`;
  const file = `/customer/${idOf(made)}/autopay`;
  await call('PUT', file, autopay(card({ number: '4000000000000341', more: at(1) })));
  await call('PUT', file, autopay(account('000123456789', '021000021', at(2))));
  const cascade = await call(
    'POST',
    '/payments/autopay?extCustomerRef=C1',
    payWithAutopay(amount('5')),
  );
  t.is(cascade.status, 201, cascade.body);
  t.is(valueOf(cascade.body, 'paymentMethodType'), 'ACH');
  t.is(valueOf(cascade.body, 'status'), 'Paid');

  const refund = await call('POST', '/refunds?extCustomerRef=C1', pay(amount('5.00')));
  t.is(refund.status, 201, refund.body);
  t.is(valueOf(refund.body, 'status'), 'Paid');
  t.is((await call('DELETE', `/payment/${idOf(payment)}`)).status, 200);
  const list = await call('GET', '/payments');
  t.deepEqual(valuesOf(list.body, 'paymentMethodType').toSorted(), [
    'ACH',
    'CreditCard',
    'CreditCard',
  ]);
  const report = await system.audit(label);
  t.true(report.clean, JSON.stringify(report));
});

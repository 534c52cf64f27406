/** Pauses that end by themselves, as calls see them. */
import test from 'ava';
import { refused, startTenantApi, valueOf } from '../tenant-api.ts';

const api = await startTenantApi();

/** GOLD of C1 since 2027-01-01, which is today; its number is 1001. */
async function ordered() {
  const own = await api.another();
  const customer = await own.post(
    '/customers',
    '<customer><extCustomerRef>C1</extCustomerRef><billingContact><firstName>Ada</firstName>' +
      '</billingContact></customer>',
  );
  const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  const made = await own.post('/orders?extCustomerRef=C1', order);
  return {
    own,
    id: valueOf(made.body, 'subscriptionOrder@id'),
    customerId: valueOf(customer.body, 'customer@id'),
  };
}

const shown = (body: string): string =>
  ['status', 'orderStatus', 'suspendedUntil'].map((name) => valueOf(body, name) ?? '').join(' ');

test('an order shows until when it is suspended, and its timeline when it resumes', async (t) => {
  const { own, id } = await ordered();
  const first = await own.post(`/order/${id}?action=suspend&until=2027-02-01`);
  t.is(first.status, 200, first.body);
  t.is(shown(first.body).trim(), 'Suspended 2027-02-01');
  const moved = await own.post('/order?orderNumber=1001&action=suspend&until=2027-03-01');
  t.is(shown(moved.body).trim(), 'Suspended 2027-03-01');
  const { body } = await own.get(`/order/${id}/timeline`);
  t.true(
    body.includes('<entry><date>2027-03-01</date><state>next</state><text>resumes</text></entry>'),
    body,
  );
  refused(t, await own.post(`/order/${id}?action=suspend`), 400, 'order.transition');
  const active = await own.post(`/order/${id}?action=activate`);
  t.is(shown(active.body).trim(), 'Active');
});

test('a customer shows until when it is suspended', async (t) => {
  const { own, id, customerId } = await ordered();
  const done = await own.post(`/customer/${customerId}?actionName=suspend&until=2027-03-01`);
  t.is(done.status, 200, done.body);
  const of = async () => shown((await own.get('/customer?extCustomerRef=C1')).body).trim();
  t.is(await of(), 'Suspended1  2027-03-01');
  const { body } = await own.get(`/order/${id}/timeline`);
  t.true(body.includes('<text>the service of the customer resumes</text>'), body);
  await own.post('/customer?extCustomerRef=C1&actionName=suspend');
  t.is(await of(), 'Suspended1');
});

test('until is a day after today, at most five years ahead', async (t) => {
  const { own, id, customerId } = await ordered();
  for (const day of ['2027-01-01', '2026-12-31', '2032-01-02', '2027-02-30', 'soon']) {
    const order = await own.post(`/order/${id}?action=suspend&until=${day}`);
    refused(t, order, 400, 'query.invalid until');
    const customer = await own.post(`/customer/${customerId}?actionName=suspend&until=${day}`);
    refused(t, customer, 400, 'query.invalid until');
  }
  t.is((await own.post(`/order/${id}?action=suspend&until=2032-01-01`)).status, 200);
});

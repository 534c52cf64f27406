/** Orders that move in, as calls see them. */
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

const order = (fields: string): string =>
  `<subscriptionOrder><contractCode>GOLD</contractCode><startDate>2026-10-15</startDate>${fields}</subscriptionOrder>`;

async function shop(): Promise<TenantApi> {
  const own = await api.another();
  await own.post(
    '/customers',
    '<customer><extCustomerRef>C1</extCustomerRef><billingContact><firstName>Ada</firstName>' +
      '</billingContact></customer>',
  );
  return own;
}

test('an order shows billedThrough before renews, and takes it in its body', async (t) => {
  const own = await shop();
  const body = order('<billedThrough>2027-01-20</billedThrough>');
  const quote = await own.post('/orders?action=rateOrder&extCustomerRef=C1', body);
  t.regex(quote.body, /<billingPeriodStart>2027-01-21</, quote.body);
  const made = await own.post('/orders?extCustomerRef=C1', body);
  t.is(made.status, 201, made.body);
  t.regex(made.body, /<billedThrough>2027-01-20<\/billedThrough>\s*<renews>/);
  t.is(valueOf(made.body, 'nextBillableDate'), '2027-01-21');
  const id = valueOf(made.body, 'subscriptionOrder@id') ?? '';
  const put = (fields: string) =>
    own.put(`/order/${id}`, `<subscriptionOrder>${fields}</subscriptionOrder>`);
  const cleared = await put('<billedThrough/>');
  t.regex(cleared.body, /<billedThrough\/>/);
  const again = await put('<billedThrough>2027-02-14</billedThrough>');
  t.is(valueOf(again.body, 'nextBillableDate'), '2027-02-15');
  // An answer can be sent back.
  t.is((await own.put(`/order/${id}`, again.body)).status, 200);
});

test('days outside of the order are refused, and any other once it is billed', async (t) => {
  const own = await shop();
  const post = (day: string, query = '') =>
    own.post(`/orders?extCustomerRef=C1${query}`, order(`<billedThrough>${day}</billedThrough>`));
  const element = 'field.invalid subscriptionOrder/billedThrough';
  refused(t, await post('2026-10-14'), 400, element);
  refused(t, await post('2030-01-01'), 400, element);
  refused(t, await post('soon'), 400, element);
  const made = await post('2026-12-14', '&generateInvoice=true');
  t.is(made.status, 201, made.body);
  const id = valueOf(made.body, 'subscriptionOrder@id') ?? '';
  const later = '<subscriptionOrder><billedThrough>2026-12-20</billedThrough></subscriptionOrder>';
  const answer = await own.put(`/order/${id}`, later);
  refused(t, answer, 400, 'field.notEditable subscriptionOrder/billedThrough');
});

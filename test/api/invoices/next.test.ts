/** The preview of a customer's coming invoices through the interface. */
import test from 'ava';
import { golden, refused, startTenantApi, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

const gold = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';

const customer =
  '<customer><extCustomerRef>C1</extCustomerRef>' +
  '<billingContact><firstName>Ada</firstName></billingContact></customer>';

/** A tenant of its own on 2027-01-15, with a customer C1. */
async function withCustomer(): Promise<TenantApi> {
  const own = await api.another({ testClock: '2027-01-15T12:00:00Z' });
  const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
  await own.post(
    '/customers',
    `<customer><extCustomerRef>C1</extCustomerRef>${contact}</customer>`,
  );
  return own;
}

async function withOrder(): Promise<TenantApi> {
  const own = await withCustomer();
  const made = await own.post('/orders?extCustomerRef=C1&generateInvoice=true', gold);
  if (made.status !== 201) throw new Error(made.body);
  return own;
}

const next = (own: TenantApi, query = '') =>
  own.get(`/customer/nextInvoice?extCustomerRef=C1${query}`);

test('the coming invoices have no ids and numbers, and continue from one another', async (t) => {
  const own = await withOrder();
  const answer = await next(own, '&asOf=2027-03-20');
  golden(t, 'next-invoices', answer);
  t.deepEqual(valuesOf(answer.body, 'invoiceDate'), ['2027-02-15', '2027-03-15']);
  // The first invoice, with the setup, came to 78.95; then 29.95 a month.
  t.deepEqual(valuesOf(answer.body, 'previousBalance'), ['78.95', '108.90']);
  t.deepEqual(valuesOf(answer.body, 'totalDue'), ['108.90', '138.85']);
  t.deepEqual(valuesOf(answer.body, 'outstandingBalance'), ['29.95', '29.95']);
});

test('nothing is stored, and the runs then make those invoices', async (t) => {
  const own = await withOrder();
  const before = (await own.get('/invoices')).body;
  const answer = await next(own, '&asOf=2027-03-20');
  t.is((await own.get('/invoices')).body, before);
  t.is((await next(own, '&asOf=2027-03-20')).body, answer.body);
});

test('without asOf it goes up to the next bill, and for today it is what generateInvoice bills', async (t) => {
  const own = await withOrder();
  const bill = await next(own);
  t.deepEqual(valuesOf(bill.body, 'invoiceDate'), ['2027-02-15']);
  t.deepEqual(valuesOf((await next(own, '&asOf=2027-01-15')).body, 'invoiceDate'), []);
  await own.post('/orders?extCustomerRef=C1', gold);
  const today = await next(own, '&asOf=2027-01-15');
  t.deepEqual(valuesOf(today.body, 'currentAmountDue'), ['78.95']);
  // The order waits for the run of tomorrow.
  const tomorrow = await next(own, '&asOf=2027-01-16');
  t.deepEqual(valuesOf(tomorrow.body, 'invoiceDate'), ['2027-01-16']);
});

test('a customer without orders has no coming invoice', async (t) => {
  const own = await withCustomer();
  const answer = await next(own);
  t.is(answer.status, 200);
  t.deepEqual(valuesOf(answer.body, 'invoiceDate'), []);
});

test('wrong calls name what is wrong', async (t) => {
  const own = await withOrder();
  refused(t, await own.get('/customer/nextInvoice?extCustomerRef=C2'), 404, 'customer.unknown');
  refused(t, await own.get('/customer/4711/nextInvoice'), 404, 'customer.unknown');
  refused(t, await own.get('/customer/nextInvoice'), 400, 'query.required extCustomerRef');
  refused(t, await next(own, '&asOf=soon'), 400, 'query.invalid asOf');
  refused(t, await next(own, '&asOf=2027-01-14'), 400, 'field.invalid asOf');
  t.is((await next(own, '&asOf=2028-01-15')).status, 200);
  refused(t, await next(own, '&asOf=2028-01-16'), 400, 'field.invalid asOf');
});

test('customers that billing holds, or rates apart, have no preview', async (t) => {
  const own = await withOrder();
  await own.asOwner(
    `insert into billing_suspect (tenant_id, customer_id)
     select tenant_id, id from customer where tenant_id = ${own.tenantId}`,
  );
  const apart = await next(own);
  refused(t, apart, 503, 'customer.billedApart');
  t.truthy(apart.headers['retry-after']);
  const held = `update customer set billing_held_at = now() where tenant_id = ${own.tenantId}`;
  await own.asOwner(held);
  refused(t, await next(own), 409, 'customer.held');
});

test('more charges than one transaction bills are refused', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
  const charges = Array.from({ length: 14 }, (_, n) => ({ priceCode: `F${n}`, ...fee, price: 1 }));
  const own = await api.another({
    testClock: '2027-01-15T12:00:00Z',
    plans: [{ contractCode: 'DAY', name: 'Daily', billingPeriod: 'Daily', charges }],
  });
  await own.post('/customers', customer);
  const order = '<subscriptionOrder><contractCode>DAY</contractCode></subscriptionOrder>';
  t.is((await own.post('/orders?extCustomerRef=C1', order)).status, 201);
  // 14 charges a day: 350 days have 4,900, and a year has 5,124.
  t.is((await next(own, '&asOf=2027-12-30')).status, 200);
  refused(t, await next(own, '&asOf=2028-01-15'), 400, 'field.invalid asOf');
});

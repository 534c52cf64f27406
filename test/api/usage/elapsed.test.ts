/** Usage of the months before an order is posted: post the order, upload, then bill. */
import test from 'ava';
import { advance } from '../orders/change-calls.ts';
import { startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';
import { customerOf, listOf, metered, plans } from './bodies.ts';

// Wednesday, 10 March 2027, 07:00 in New York.
const options = { testClock: '2027-03-10T12:00:00Z', plans };
const api = await startTenantApi(options);

/** A tenant with an order that begins on 1 January 2027; returns the order's address. */
async function begunInJanuary(query = ''): Promise<{ own: TenantApi; path: string }> {
  const own = await api.another(options);
  await own.post('/customers', customerOf('C1'));
  const made = await own.post(
    `/orders?extCustomerRef=C1${query}`,
    `<subscriptionOrder>${metered}<startDate>2027-01-01</startDate></subscriptionOrder>`,
  );
  return { own, path: `/order/${valueOf(made.body, 'subscriptionOrder@id')}` };
}

const record = (chargeDate: string, quantity: number): string =>
  `<orderNumber>1001</orderNumber><quantity>${quantity}</quantity><chargeDate>${chargeDate}</chargeDate>`;

/** 120 minutes of January, 70 of February, 30 of March. */
async function upload(own: TenantApi): Promise<number> {
  const days = [record('2027-01-20', 120), record('2027-02-05', 70), record('2027-03-05', 30)];
  return (await own.post('/activities', listOf(...days))).status;
}

/** `MINUTES 2027-01-01 10.00` of each charge of usage on the invoices. */
async function billed(own: TenantApi): Promise<string[]> {
  const { body } = await own.get('/invoices');
  return body
    .split('<invoiceLineItemCharge ')
    .slice(1)
    .filter((charge) => valueOf(charge, 'priceCode') === 'MINUTES')
    .filter((charge) => valueOf(charge, 'isUsageChargeSubTotal') === 'false')
    .map((charge) => `${valueOf(charge, 'billingStartDate')} ${valueOf(charge, 'amount')}`)
    .toSorted();
}

// 100 x 0.10 and 20 x 0.08; 70 x 0.10.
const monthly = ['2027-01-01 1.60', '2027-01-01 10.00', '2027-02-01 7.00'];

test('post, upload, then bill: each elapsed month bills its own usage, by its own tiers', async (t) => {
  const { own, path } = await begunInJanuary();
  t.is(await upload(own), 201);
  const done = await own.post(`${path}?action=generateInvoice`);
  t.is(done.status, 200, done.body);
  t.deepEqual(await billed(own), monthly);
  const { body } = await own.get('/activities?extCustomerRef=C1');
  t.deepEqual(valuesOf(body, 'status'), ['Processed', 'Processed', 'Unbilled']);
  await advance(own, '2027-03-10', '2027-04-01');
  t.deepEqual(await billed(own), [...monthly, '2027-03-01 3.00']);
});

test('the next 00:00 bills the same', async (t) => {
  const { own } = await begunInJanuary();
  t.is(await upload(own), 201);
  await advance(own, '2027-03-10', '2027-03-11');
  t.deepEqual(await billed(own), monthly);
});

test('what is billed before the upload is closed: its usage is late, and counts with the present month', async (t) => {
  const { own } = await begunInJanuary('&generateInvoice=true');
  t.is(await upload(own), 201);
  await advance(own, '2027-03-10', '2027-04-01');
  // 220 minutes: 100 x 0.10 and 120 x 0.08.
  t.deepEqual(await billed(own), ['2027-03-01 10.00', '2027-03-01 9.60']);
});

test('an order without a startDate begins today, and takes no usage of the months before', async (t) => {
  const own = await api.another(options);
  await own.post('/customers', customerOf('C1'));
  await own.post('/orders?extCustomerRef=C1', `<subscriptionOrder>${metered}</subscriptionOrder>`);
  const { status, body } = await own.post('/activities', listOf(record('2027-02-05', 70)));
  t.is(status, 400);
  t.regex(body, /code="activity.outsideTerm"/);
});

/** What calls that bill, preview and quote answer for a tenant whose taxes AvaTax knows. */
import test, { type ExecutionContext } from 'ava';
import { noteAsserted } from '../../support/asserted.ts';
import { avataxAccount, startAvatax } from '../../support/avatax.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { amount, card, pay } from '../payments/bodies.ts';
import { startTenantApi, valueOf } from '../tenant-api.ts';
import type { Received } from '../support.ts';

const api = await startTenantApi();
const home = { street1: '1 Main St', city: 'Portland', state: 'OR', zip: '97201' };
const GOLD = '<contractCode>GOLD</contractCode>';

/** A tenant with an AvaTax of its own, and a customer in New York. */
async function openShop(t: ExecutionContext) {
  const double = await startAvatax();
  t.teardown(double.close);
  const tenant = await api.another({
    plans: [
      recurring('GOLD', 36, { ...prepaid, taxCodes: ['STANDARD'] }),
      recurring('SILVER', 10, { ...prepaid, taxCodes: ['P0000000'] }),
      recurring('PLAIN', 5, prepaid),
    ],
    file: {
      address: { ...home, countryCode: 'US' },
      tax: { type: 'avatax', ...avataxAccount, url: double.url },
    },
  });
  const customer = await tenant.post('/customers', customerAt('10118'));
  const id = valueOf(customer.body, 'customer@id') ?? '';
  const order = (inner = GOLD) =>
    `<subscriptionOrder><customer id="${id}"/>${inner}</subscriptionOrder>`;
  return {
    ...tenant,
    double,
    customerId: id,
    order,
    asked: () => double.calls.get('create') ?? 0,
    move: (zip: string) => tenant.put(`/customer/${id}`, customerAt(zip)),
    /** What the tenant has, to see that a refused call stored nothing. */
    stored: async () => {
      const rows = await tenant.asOwner<{ text: string }>(
        `select (select count(*) from subscription_order where tenant_id = ${tenant.tenantId})
           || ' orders, ' || (select count(*) from invoice where tenant_id = ${tenant.tenantId})
           || ' invoices, ' || (select count(*) from payment where tenant_id = ${tenant.tenantId})
           || ' payments, ' || (select count(*) from event where tenant_id = ${tenant.tenantId})
           || ' events' as text`,
      );
      return rows[0]?.text;
    },
  };
}

function customerAt(zip: string): string {
  const address =
    `<address><street1>350 5th Ave</street1><city>New York</city><state>NY</state><zip>${zip}</zip>` +
    '<countryCode>US</countryCode></address>';
  const contact = `<billingContact><firstName>Ada</firstName>${address}</billingContact>`;
  return `<customer><extCustomerRef>C1</extCustomerRef>${contact}</customer>`;
}

const amounts = ({ body }: Received): (string | undefined)[] =>
  [...body.matchAll(/<amount>([^<]*)<\/amount>/g)].map(([, amount]) => amount);

function isUnavailable(t: ExecutionContext, answer: Received): void {
  t.is(answer.status, 503, answer.body);
  t.is(answer.headers['retry-after'], '30');
  t.is(valueOf(answer.body, 'error@code'), 'tax.unavailable');
  noteAsserted('tax.unavailable');
}

function isRefused(t: ExecutionContext, answer: Received): void {
  t.is(answer.status, 400, answer.body);
  t.is(valueOf(answer.body, 'error@code'), 'tax.refused');
  t.regex(answer.body, /The address value was incomplete/);
  noteAsserted('tax.refused');
}

test('an order with generateInvoice is taxed by the answer of AvaTax, which is asked once', async (t) => {
  const { post, get, order, asked } = await openShop(t);
  const made = await post('/orders?generateInvoice=true', order());
  t.is(made.status, 201, made.body);
  t.is(asked(), 1);
  const invoices = await get('/invoices?max=10');
  const id = valueOf(invoices.body, 'invoice@id');
  const invoice = await get(`/invoice/${id}`);
  // 36.00, its 4%, its 4.5%, and its 0.375%, which is 0.135
  t.is(valueOf(invoice.body, 'currentAmountDue'), '39.20', invoice.body);
  for (const tax of ['1.44', '1.62', '0.14']) t.true(amounts(invoice).includes(tax), invoice.body);
});

const calls: readonly (readonly [string, (id: string) => readonly [string, string, string]])[] = [
  ['an order with generateInvoice', (id) => ['POST', '/orders?generateInvoice=true', goldOf(id)]],
  [
    'an order with forceInvoiceGeneration',
    (id) => ['POST', '/orders?forceInvoiceGeneration=true', goldOf(id)],
  ],
  ['rateOrder', (id) => ['POST', '/orders?action=rateOrder', goldOf(id)]],
  ['a preview of the next invoice', (id) => ['GET', `/customer/${id}/nextInvoice`, '']],
  [
    'a payment with generateInvoice',
    () => [
      'POST',
      '/payments?extCustomerRef=C1',
      pay(`${amount('50.00')}<generateInvoice>true</generateInvoice>${card()}`),
    ],
  ],
  ['an invoice by hand', () => ['POST', '/invoices?extCustomerRef=C1', byHand]],
];

const byHand =
  '<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>' +
  '<amount>36.00</amount><taxCodes><taxCode>STANDARD</taxCode></taxCodes>' +
  '</invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>';

function goldOf(id: string): string {
  return `<subscriptionOrder><customer id="${id}"/>${GOLD}</subscriptionOrder>`;
}

for (const [name, callOf] of calls) {
  test(`${name}: 503 while AvaTax is silent, 400 if it refuses, and nothing is stored`, async (t) => {
    const { call, post, order, customerId, double, stored, move } = await openShop(t);
    // It is due now, and billed by nobody yet.
    await post('/orders', order());
    const before = await stored();
    const [method, path, body] = callOf(customerId);
    const send = () => call(method, path, body === '' ? {} : { body });
    double.be('down');
    isUnavailable(t, await send());
    t.is(await stored(), before);
    double.be('well');
    await move('00000');
    const moved = await stored();
    isRefused(t, await send());
    t.is(await stored(), moved);
    await move('10118');
    const answer = await send();
    t.true(answer.status < 300, answer.body);
  });
}

test('a refusal is kept under its Idempotency-Key, and a silence is not', async (t) => {
  const { call, order, double, move } = await openShop(t);
  const headers = { 'Idempotency-Key': 'one' };
  const send = () => call('POST', '/orders?generateInvoice=true', { body: order(), headers });
  double.be('down');
  isUnavailable(t, await send());
  double.be('well');
  const made = await send();
  t.is(made.status, 201, made.body);
  t.is((await send()).headers['idempotency-replayed'], 'true');
  await move('00000');
  const other = { 'Idempotency-Key': 'two' };
  const again = () =>
    call('POST', '/orders?generateInvoice=true', { body: order(), headers: other });
  isRefused(t, await again());
  await move('10118');
  const replayed = await again();
  isRefused(t, replayed);
  t.is(replayed.headers['idempotency-replayed'], 'true');
});

test('a quote with calcTax asks for its address, a quote without it nobody', async (t) => {
  const { get, double, asked, stored } = await openShop(t);
  const before = await stored();
  const plain = await get('/quote?contractCode=GOLD');
  t.is(plain.status, 200, plain.body);
  t.is(asked(), 0);
  const address =
    'addressLine1=350+5th+Ave&addressCity=New+York&addressState=NY&addressZip=10118&calcTax=true';
  const taxed = await get(`/quote?contractCode=GOLD&${address}`);
  t.is(valueOf(taxed.body, 'total'), '39.20', taxed.body);
  const missing = await get('/quote?contractCode=GOLD&calcTax=true&addressZip=10118');
  t.is(missing.status, 400);
  t.regex(missing.body, /addressLine1/);
  isRefused(t, await get(`/quote?contractCode=GOLD&${address.replace('10118', '00000')}`));
  double.be('down');
  isUnavailable(t, await get(`/quote?contractCode=GOLD&${address}`));
  t.is(await stored(), before);
});

test('a change order and its preview are taxed, and refused together', async (t) => {
  const { post, order, double, stored } = await openShop(t);
  const made = await post('/orders?generateInvoice=true', order());
  const id = valueOf(made.body, 'subscriptionOrder@id');
  const before = await stored();
  const path = `/changeOrder?currentOrderId=${id}&generateInvoice=true`;
  const change = order('<contractCode>SILVER</contractCode>');
  double.be('down');
  isUnavailable(t, await post(`${path}&preview=true`, change));
  isUnavailable(t, await post(path, change));
  t.is(await stored(), before);
  double.be('well');
  const preview = await post(`${path}&preview=true`, change);
  t.is(preview.status, 200, preview.body);
  const changed = await post(path, change);
  t.true(changed.status < 300, changed.body);
});

test('calls that bill nothing do not ask', async (t) => {
  const { post, get, order, asked, double } = await openShop(t);
  double.be('down');
  const untaxed = await post('/invoices?extCustomerRef=C1&calcTax=false', byHand);
  t.is(valueOf(untaxed.body, 'currentAmountDue'), '36.00', untaxed.body);
  t.is((await post('/orders', order())).status, 201);
  const plain = order('<contractCode>PLAIN</contractCode>');
  t.is((await get('/quote?contractCode=GOLD')).status, 200);
  t.is((await post('/orders?action=rateOrder', plain)).status, 200);
  t.is(asked(), 0);
});

test('a customer who only asked for a price can be deleted', async (t) => {
  const { post, remove, order, customerId, asked } = await openShop(t);
  t.is((await post('/orders?action=rateOrder', order())).status, 200);
  t.is(asked(), 1);
  const deleted = await remove(`/customer/${customerId}`);
  t.is(deleted.status, 200, deleted.body);
});

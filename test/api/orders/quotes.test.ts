/** Quotes through the interface: by parameters, of a posted order, and what they bind. */
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanFile } from '../../support/tenants.ts';
import {
  golden,
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';

const demo: Readonly<Record<string, unknown>> = parse(
  readFileSync(join(import.meta.dirname, '../../../tenants/demo.yaml'), 'utf8'),
);
const fixed = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
const many: PlanFile = {
  contractCode: 'MANY',
  name: 'Many charges',
  billingPeriod: 'Monthly',
  charges: Array.from({ length: 101 }, (_, index) => ({
    ...fixed,
    priceCode: `C${index}`,
    price: 1,
  })),
};
const team: PlanFile = {
  contractCode: 'TEAM',
  name: 'Team',
  billingPeriod: 'Monthly',
  charges: [
    { ...fixed, priceCode: 'BASE', price: 49, followsQuantity: false },
    { ...fixed, priceCode: 'SEAT', price: 8 },
  ],
};
const coupons = [
  ...(demo['coupons'] as readonly object[]),
  { code: 'EUROS', amount: 5, currency: 'EUR' },
  { code: 'OVER', percent: 5, endDate: '2027-01-14' },
];
const file = { tax: demo['tax'], coupons };
const testClock = '2027-01-15T12:00:00Z';
const own = demo['plans'] as readonly PlanFile[];
const plans = [...own.map(({ productOffering: _sku, ...plan }) => plan as PlanFile), many, team];
const api = await startTenantApi({ testClock, plans, file });

const newYork =
  'calcTax=true&addressLine1=1+Main+St&addressCity=New+York&addressState=NY&addressZip=10001';
const address = '<address><state>NY</state><countryCode>US</countryCode></address>';

async function customerOf(tenant: TenantApi, ref: string): Promise<void> {
  const contact = `<billingContact><firstName>Ada</firstName>${address}</billingContact>`;
  const body = `<customer><extCustomerRef>${ref}</extCustomerRef>${contact}</customer>`;
  const { status } = await tenant.post('/customers', body);
  if (status !== 201) throw new Error('no customer');
}

const orderOf = (elements: string) => `<subscriptionOrder>${elements}</subscriptionOrder>`;

test('a base fee and eight seats are 49.00 + 64.00 = 113.00', async (t) => {
  const { body } = await api.get('/quote?contractCode=TEAM&quantity=8');
  t.deepEqual(valuesOf(body, 'amount'), ['49.00', '64.00']);
  t.is(valueOf(body, 'total'), '113.00');
  // A call may order parts of a seat.
  t.is(valueOf((await api.get('/quote?contractCode=TEAM&quantity=0.5')).body, 'total'), '53.00');
});

test('a quote shows what a plan costs once and for its first period, with coupon and tax', async (t) => {
  const answer = await api.get(`/quote?contractCode=GOLD&quantity=2&promo=WELCOME10&${newYork}`);
  golden(t, 'quote', { ...answer, body: answer.body.replace(/[0-9a-f]{64}/, '{hash}') });
  t.is(answer.status, 200);
  // 8.875 percent of 59.90 - 5.99 is 4.78.
  t.deepEqual(valuesOf(answer.body, 'amount'), ['49.00', '-4.90', '59.90', '-5.99', '4.78']);
  t.is(valueOf(answer.body, 'totalInitialCharges'), '44.10');
  t.is(valueOf(answer.body, 'totalRecurringCharges'), '58.69');
  t.is(valueOf(answer.body, 'total'), '102.79');
});

test('a stub is prorated, and usage is not in a quote', async (t) => {
  const { body } = await api.get('/quote?contractCode=METERED&startDate=2027-01-18');
  // 12.00 x 14/31.
  t.deepEqual(valuesOf(body, 'amount'), ['5.42']);
  t.is(valueOf(body, 'billingPeriodDescription'), '2027-01-18 to 2027-01-31');
  t.is(valueOf(body, 'orderDate'), '2027-01-18');
});

test('arrears are in the recurring block, each tier an item', async (t) => {
  const { body } = await api.get('/quote?contractCode=SEATS&quantity=12');
  t.deepEqual(valuesOf(body, 'amount'), ['96.00']);
  t.is(valueOf(body, 'quantity'), '12');
  t.is(valueOf(body, 'totalInitialCharges'), '0.00');
});

test('the total of a quote is that of the first invoice, and its hash binds the order', async (t) => {
  await customerOf(api, 'BOUND');
  const quote = await api.get(`/quote?contractCode=GOLD&promo=WELCOME10&${newYork}`);
  const hash = valueOf(quote.body, 'hash');
  t.regex(hash ?? '', /^[0-9a-f]{64}$/);
  const coupon = '<contractCode>GOLD</contractCode><couponCode>WELCOME10</couponCode>';
  const bound = orderOf(`${coupon}<quoteHash>${hash}</quoteHash>`);
  const rated = await api.post('/orders?action=rateOrder&extCustomerRef=BOUND', bound);
  t.is(rated.status, 200);
  t.is(rated.body, quote.body);
  const made = await api.post('/orders?extCustomerRef=BOUND&generateInvoice=true', bound);
  t.is(made.status, 201, made.body);
  t.is(valueOf(made.body, 'couponCode'), 'WELCOME10');
  t.notRegex(made.body, /quoteHash/);
  const [invoice] = valuesOf((await api.get('/invoices?extCustomerRef=BOUND')).body, 'totalDue');
  t.is(invoice, valueOf(quote.body, 'total'));
  // Another quantity costs something else.
  const line =
    '<orderLineItem><priceCode>GOLD-FEE</priceCode><quantity>2</quantity></orderLineItem>';
  const lines = `<orderLineItems>${line}</orderLineItems>`;
  const moved = orderOf(`${coupon}<quoteHash>${hash}</quoteHash>${lines}`);
  const numbers = valuesOf((await api.get('/orders?extCustomerRef=BOUND')).body, 'orderNumber');
  for (const path of ['/orders?extCustomerRef=BOUND', '/customers?action=addCustomerAndOrder']) {
    const contact = '<billingContact><firstName>Eve</firstName></billingContact>';
    const isBoth = path.startsWith('/customers');
    const body = isBoth
      ? `<addCustomerAndOrder><customer>${contact}</customer><subscriptionOrders>${moved}` +
        '</subscriptionOrders></addCustomerAndOrder>'
      : moved;
    const prefix = isBoth ? 'addCustomerAndOrder/subscriptionOrders/subscriptionOrder[1]' : '';
    const at = isBoth ? prefix : 'subscriptionOrder';
    refused(t, await api.post(path, body), 409, `quote.moved ${at}/quoteHash`);
  }
  const after = valuesOf((await api.get('/orders?extCustomerRef=BOUND')).body, 'orderNumber');
  t.deepEqual(after, numbers);
});

test('a hash moves with the table of rates and the terms of the coupon, not with dates', async (t) => {
  const tenant = await api.another({ testClock, plans, file });
  const hashOf = async (query: string) =>
    valueOf((await tenant.get(`/quote?contractCode=GOLD${query}`)).body, 'hash');
  const hash = await hashOf('');
  t.is(await hashOf('&startDate=2027-06-01'), hash);
  t.is(await hashOf(`&${newYork}`), hash);
  t.not(await hashOf('&promo=WELCOME10'), hash);
  t.not(await hashOf('&quantity=2'), hash);
});

test('a quote stores nothing and takes no number', async (t) => {
  const tenant = await api.another({ testClock, plans, file });
  await customerOf(tenant, 'READ');
  const stored = () =>
    tenant.asOwner(
      `select (select sum(next) from counter where tenant_id = ${tenant.tenantId}) as numbers,
              (select count(*) from subscription_order where tenant_id = ${tenant.tenantId}) as orders,
              (select count(*) from order_line where tenant_id = ${tenant.tenantId}) as lines`,
    );
  const before = await stored();
  const body = orderOf('<contractCode>GOLD</contractCode>');
  t.is((await tenant.post('/orders?action=rateOrder&extCustomerRef=READ', body)).status, 200);
  t.is((await tenant.get('/quote?contractCode=GOLD')).status, 200);
  t.deepEqual(await stored(), before);
});

test('more than a hundred lines are quoted like few', async (t) => {
  const { status, body } = await api.get('/quote?contractCode=MANY');
  t.is(status, 200);
  t.is(valueOf(body, 'total'), '101.00');
});

const wrong: readonly [query: string, status: number, ...errors: string[]][] = [
  ['', 400, 'query.required contractCode'],
  ['contractCode=NONE', 404, 'plan.unknown'],
  ['contractCode=GOLD&quantity=0', 400, 'query.invalid quantity'],
  ['contractCode=GOLD&quantity=-1', 400, 'query.invalid quantity'],
  ['contractCode=GOLD&quantity=two', 400, 'query.invalid quantity'],
  ['contractCode=GOLD&quantity=1e3', 400, 'query.invalid quantity'],
  ['contractCode=GOLD&quantity=101', 400, 'quantity.outOfRange quantity'],
  ['contractCode=GOLD&promo=NONE', 400, 'coupon.unknown promo'],
  ['contractCode=GOLD&promo=OVER', 400, 'coupon.notValid promo'],
  ['contractCode=METERED&promo=WELCOME10', 400, 'coupon.plan promo'],
  ['contractCode=GOLD&promo=EUROS', 400, 'coupon.currency promo'],
  ['contractCode=ANNUAL', 400, 'order.unitPriceMissing contractCode'],
  ['contractCode=GOLD&startDate=2019-12-31', 400, 'plan.retired contractCode'],
  [
    'contractCode=GOLD&calcTax=true&addressState=NY',
    400,
    'field.required addressLine1',
    'field.required addressCity',
    'field.required addressZip',
  ],
];

for (const [query, status, ...errors] of wrong) {
  test(`a quote by ${query || 'nothing'} is ${status}`, async (t: ExecutionContext) => {
    refused(t, await api.get(`/quote?${query}`), status, ...errors);
  });
}

test('rateOrder refuses what create refuses, and takes no customer', async (t) => {
  const rate = (elements: string, query = '') =>
    api.post(`/orders?action=rateOrder${query}`, orderOf(elements));
  const gold = '<contractCode>GOLD</contractCode>';
  t.deepEqual(valuesOf((await rate(gold)).body, 'amount'), ['49.00', '29.95']);
  refused(
    t,
    await rate('<contractCode>NONE</contractCode>'),
    400,
    'plan.unknown subscriptionOrder/contractCode',
  );
  refused(t, await rate(gold, '&extCustomerRef=NOBODY'), 404, 'customer.unknown');
  refused(
    t,
    await rate(`${gold}<couponCode>NONE</couponCode>`),
    400,
    'coupon.unknown subscriptionOrder/couponCode',
  );
  const annual = '<contractCode>ANNUAL</contractCode>';
  refused(
    t,
    await rate(annual),
    400,
    'order.unitPriceMissing subscriptionOrder/orderLineItems/unitPrice',
  );
  const line =
    '<orderLineItem><priceCode>SUPPORT</priceCode><unitPrice>1200</unitPrice></orderLineItem>';
  const agreed = await rate(`${annual}<orderLineItems>${line}</orderLineItems>`);
  t.is(valueOf(agreed.body, 'totalRecurringCharges'), '1200.00');
});

/** Change orders through the interface: what is refused, what is previewed, who has to wait. */
import test, { type ExecutionContext } from 'ava';
import { demoPlan } from '../../support/tenants.ts';
import {
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type ApiTenantOptions,
  type TenantApi,
} from '../tenant-api.ts';

const retired = { ...demoPlan('GOLD'), contractCode: 'OLD', endDate: '2027-04-19' };
const options: ApiTenantOptions = {
  testClock: '2027-04-05T12:00:00Z',
  plans: [...['GOLD', 'METERED', 'ANNUAL'].map(demoPlan), retired],
  file: {
    coupons: [
      { code: 'WELCOME10', percent: 10, periods: 3, plans: ['GOLD'] },
      { code: 'EUROS', amount: 5, currency: 'EUR' },
      { code: 'OVER', percent: 5, endDate: '2027-04-04' },
    ],
  },
};
const api = await startTenantApi(options);

const orderOf = (inner: string) => `<subscriptionOrder>${inner}</subscriptionOrder>`;
const gold = '<contractCode>GOLD</contractCode>';
const fee = (inner: string) =>
  `<orderLineItems><orderLineItem><priceCode>GOLD-FEE</priceCode>${inner}</orderLineItem></orderLineItems>`;
const two = orderOf(gold + fee('<quantity>2</quantity>'));
const january = `${gold}<startDate>2027-01-15</startDate>`;

async function made(own: TenantApi, path: string, body: string): Promise<string> {
  const answer = await own.post(path, body);
  if (answer.status !== 201) throw new Error(`${path} ${answer.body}`);
  return answer.body;
}

/** A tenant of its own on 2027-04-05 with the customers C1 and C2. */
async function withCustomers(): Promise<TenantApi> {
  const own = await api.another(options);
  for (const ref of ['C1', 'C2']) {
    const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
    const customer = `<customer><extCustomerRef>${ref}</extCustomerRef>${contact}</customer>`;
    await made(own, '/customers', customer);
  }
  return own;
}

/** Its id. */
async function order(own: TenantApi, inner: string, query = ''): Promise<string> {
  const path = `/orders?extCustomerRef=C1${query}`;
  return valueOf(await made(own, path, orderOf(inner)), 'subscriptionOrder@id') ?? '';
}

const change = (own: TenantApi, query: string, body = two) =>
  own.post(`/changeOrder?${query}`, body);

/** What a change writes: rows, versions, numbers. */
async function written(own: TenantApi): Promise<unknown> {
  const tables = ['invoice', 'invoice_charge', 'billed_period', 'charge_credit', 'order_line'];
  const counts = [...tables, 'event', 'payment', 'removed_object'].map(
    (table) => `(select count(*) from ${table} where tenant_id = ${own.tenantId}) as ${table}`,
  );
  const versions = ['customer', 'subscription_order', 'outbox'].map(
    (table) =>
      `(select coalesce(sum(version), 0) || ' in ' || count(*) from ${table}
        where tenant_id = ${own.tenantId}) as ${table}`,
  );
  const [row] = await own.asOwner(
    `select ${[...counts, ...versions].join(', ')}, array(select kind || ' ' || next from counter
       where tenant_id = ${own.tenantId} order by kind) as numbers`,
  );
  return row;
}

const statusOf = async (own: TenantApi, id: string) =>
  valueOf((await own.get(`/order/${id}`)).body, 'orderStatus');

/** The sum of an invoice, and the amounts of its charges. */
async function amounts(own: TenantApi, invoiceNumber: number): Promise<string> {
  const { body } = await own.get(`/invoice?invoiceNumber=${invoiceNumber}`);
  return `${valueOf(body, 'currentAmountDue')}: ${valuesOf(body, 'amount').join(' ')}`;
}

/** `suspend` or `activate`. */
async function customerAction(own: TenantApi, action: string): Promise<void> {
  const id = valueOf((await own.get('/customer?extCustomerRef=C1')).body, 'customer@id');
  const { status, body } = await own.post(`/customer/${id}?actionName=${action}`);
  if (status !== 200) throw new Error(body);
}

interface Orders {
  /** GOLD from 2027-01-15, billed to 2027-04-14. */
  readonly id: string;
  readonly elsewhere: string;
  /** Another customer. */
  readonly other: string;
}

type Refusal = readonly [query: string, inner: string, status: number, ...errors: string[]];

/** `inner` is that of a good body where it is empty. */
const byRequest = ({ id, elsewhere, other }: Orders): readonly Refusal[] => {
  const here = `currentOrderId=${id}`;
  const body = (inner: string, status: number, ...errors: string[]): Refusal => [
    here,
    inner,
    status,
    ...errors.map((each) => each.replace('/', ' subscriptionOrder/')),
  ];
  return [
    ['', '', 400, 'field.required currentOrderId'],
    [`${here}&currentOrderNumber=1001`, '', 400, 'field.invalid currentOrderNumber'],
    ['currentOrderId=999999999', '', 404, 'order.unknown'],
    ['currentOrderNumber=1999', '', 404, 'order.unknown'],
    ['currentOrderNumber=GOLD', '', 404, 'order.unknown'],
    ['currentOrderId=GOLD', '', 400, 'query.invalid currentOrderId'],
    [`currentOrderId=${elsewhere}`, '', 404, 'order.unknown'],
    [`${here}&effectiveDate=soon`, '', 400, 'query.invalid effectiveDate'],
    [`${here}&effectiveDate=2027-02-30`, '', 400, 'query.invalid effectiveDate'],
    // Before it began; before the newest period billed, which began on 2027-03-15.
    [`${here}&effectiveDate=2027-01-14`, '', 400, 'field.invalid effectiveDate'],
    [`${here}&effectiveDate=2027-03-14`, '', 400, 'field.invalid effectiveDate'],
    [`${here}&generateInvoice=perhaps`, '', 400, 'query.invalid generateInvoice'],
    [`${here}&deleteCurrentOrder=true`, '', 400, 'order.billed deleteCurrentOrder'],
    body('<jobCode>J</jobCode>', 400, 'field.required/contractCode'),
    body('<contractCode>NONE</contractCode>', 400, 'plan.unknown/contractCode'),
    [
      `${here}&effectiveDate=2027-04-20`,
      '<contractCode>OLD</contractCode>',
      400,
      'plan.retired subscriptionOrder/contractCode',
    ],
    body(
      '<contractCode>ANNUAL</contractCode>',
      400,
      'order.unitPriceMissing/orderLineItems/unitPrice',
    ),
    body(`${gold}<customer id="${other}"/>`, 400, 'field.invalid/customer/@id'),
    body(`${gold}<currency id="EUR"/>`, 400, 'field.invalid/currency/@id'),
    body(`${gold}<startDate>2027-04-06</startDate>`, 400, 'field.invalid/startDate'),
    ...['Draft', 'Provisioning', 'Suspended', 'Canceled', 'Superseded'].map((status) =>
      body(`${gold}<orderStatus>${status}</orderStatus>`, 400, 'field.invalid/orderStatus'),
    ),
    body(`${gold}<endDate>2027-04-04</endDate>`, 400, 'field.invalid/endDate'),
    body(
      gold + fee('<quantity>101</quantity>'),
      400,
      'quantity.outOfRange/orderLineItems/orderLineItem[1]/quantity',
    ),
    body(`${gold}<couponCode>NONE</couponCode>`, 400, 'coupon.unknown/couponCode'),
    body(`${gold}<couponCode>OVER</couponCode>`, 400, 'coupon.notValid/couponCode'),
    body(`${gold}<couponCode>EUROS</couponCode>`, 400, 'coupon.currency/couponCode'),
    body(
      '<contractCode>METERED</contractCode><couponCode>WELCOME10</couponCode>',
      400,
      'coupon.plan/couponCode',
    ),
    body(`${gold}<quoteHash>${'0'.repeat(64)}</quoteHash>`, 409, 'quote.moved/quoteHash'),
  ];
};

/** Calls and their previews are refused alike, and write nothing. */
async function refusedAll(
  t: ExecutionContext,
  own: TenantApi,
  rows: readonly Refusal[],
): Promise<void> {
  const before = await written(own);
  for (const [query, inner, status, ...errors] of rows) {
    const body = inner === '' ? two : orderOf(inner);
    for (const more of ['', '&preview=true']) {
      refused(t, await change(own, query + more, body), status, ...errors);
    }
  }
  t.deepEqual(await written(own), before);
}

test('what a change may not say is refused by name, and nothing is written', async (t) => {
  const [own, other] = [await withCustomers(), await withCustomers()];
  const id = await order(own, january, '&generateInvoice=true');
  const elsewhere = await order(other, gold);
  const customer =
    valueOf((await own.get('/customer?extCustomerRef=C2')).body, 'customer@id') ?? '';
  await refusedAll(t, own, byRequest({ id, elsewhere, other: customer }));
  // The first day that is not refused.
  const first = `currentOrderId=${id}&effectiveDate=2027-03-15`;
  t.is((await change(own, `${first}&preview=true`)).status, 200);
  t.is((await change(own, first)).status, 201);
});

test('only an Active order that no change awaits is changed, by id and by number', async (t) => {
  const own = await withCustomers();
  const state = async (inner: string, status?: string) => {
    const id = await order(own, inner);
    if (status) await own.put(`/order/${id}`, orderOf(`<orderStatus>${status}</orderStatus>`));
    return id;
  };
  const unchangeable = [
    await state(`${gold}<orderStatus>Draft</orderStatus>`),
    await state(`${gold}<startDate>2027-05-01</startDate>`),
    await state(gold, 'Suspended'),
    await state(gold, 'Canceled'),
    await state(`${gold}<startDate>2027-01-01</startDate><endDate>2027-01-31</endDate>
      <isAutoRenew>false</isAutoRenew>`),
  ];
  const superseded = await order(own, gold);
  await made(own, `/changeOrder?currentOrderId=${superseded}`, two);
  t.deepEqual(await Promise.all([...unchangeable, superseded].map((id) => statusOf(own, id))), [
    'Draft',
    'Provisioning',
    'Suspended',
    'Canceled',
    'Complete',
    'Superseded',
  ]);
  const addresses = [...unchangeable, superseded].flatMap((id, index) => [
    ['currentOrderId', id],
    ['currentOrderNumber', 1001 + index],
  ]);
  await refusedAll(
    t,
    own,
    addresses.map(([name, value]) => [`${name}=${value}`, '', 400, `order.notChangeable ${name}`]),
  );
  const current = await order(own, gold);
  const path = `/changeOrder?currentOrderNumber=1008&effectiveDate=2027-04-20`;
  const next = valueOf(await made(own, path, two), 'subscriptionOrder@id') ?? '';
  t.is(await statusOf(own, next), 'Provisioning');
  const mores = ['', '&effectiveDate=2027-04-25', '&deleteCurrentOrder=true'];
  const queries = [current, next].flatMap((id) =>
    mores.map((more) => `currentOrderId=${id}${more}`),
  );
  await refusedAll(
    t,
    own,
    queries.map((query) => [query, '', 400, 'order.changePending currentOrderId']),
  );
});

test('an order without renewal is changed up to its last day', async (t) => {
  const own = await withCustomers();
  const term = '<endDate>2027-04-30</endDate><isAutoRenew>false</isAutoRenew>';
  const id = await order(own, gold + term);
  const on = (day: string) => `currentOrderId=${id}&effectiveDate=${day}`;
  const late = 'field.invalid effectiveDate';
  await refusedAll(t, own, [[on('2027-05-01'), '', 400, late]]);
  t.is((await change(own, on('2027-04-30'))).status, 201);
  const renewing = await order(own, `${gold}<endDate>2027-04-30</endDate>`);
  const after = await made(
    own,
    `/changeOrder?currentOrderId=${renewing}&effectiveDate=2027-06-01`,
    two,
  );
  // Renewals keep their dates: terms of 26 days, from 05-01 and from 05-27.
  t.is(valueOf(after, 'endDate'), '2027-06-21');
});

test('deleteCurrentOrder removes what was never billed, and nothing else', async (t) => {
  const own = await withCustomers();
  const cancelled = await order(own, gold, '&generateInvoice=true');
  await own.remove('/invoice?invoiceNumber=1001&rollbackBillingPeriod=true');
  const billed = 'order.billed deleteCurrentOrder';
  const of = (id: string) => `currentOrderId=${id}&deleteCurrentOrder=true`;
  await refusedAll(t, own, [[of(cancelled), '', 400, billed]]);
  const ended = await order(own, gold);
  await own.put(`/order/${ended}`, orderOf('<orderStatus>Canceled</orderStatus>'));
  await refusedAll(t, own, [[of(ended), '', 400, 'order.notChangeable currentOrderId']]);
  for (const [index, inner] of [
    gold,
    `${gold}<orderStatus>Draft</orderStatus>`,
    `${gold}<startDate>2027-05-01</startDate>`,
  ].entries()) {
    const id = await order(own, inner);
    const number = 1003 + 2 * index;
    const before = await written(own);
    t.is((await change(own, `${of(id)}&preview=true`)).status, 200);
    t.deepEqual(await written(own), before);
    const body = await made(own, `/changeOrder?${of(id)}`, two);
    t.is(valueOf(body, 'orderNumber'), String(number + 1));
    t.is(valueOf(body, 'orderStatus'), 'Active');
    t.is(valueOf(body, 'startDate'), '2027-04-05');
    t.regex(body, /<previousOrder\/>/);
    for (const path of [`/order/${id}`, `/order?orderNumber=${number}`]) {
      refused(t, await own.get(path), 404, 'order.unknown');
    }
    refused(t, await change(own, of(id)), 404, 'order.unknown');
  }
});

test('a preview shows what generateInvoice then bills, and writes nothing', async (t) => {
  const own = await withCustomers();
  const id = await order(own, january, '&generateInvoice=true');
  const before = await written(own);
  const here = `currentOrderId=${id}&effectiveDate=2027-03-20`;
  for (const how of ['', '&generateInvoice=true']) {
    const { status, body } = await change(own, `${here}${how}&preview=true`);
    t.is(status, 200);
    // Today is later: the change is billed at once. 26 of 31 days are unused: 29.95 - 4.83.
    t.deepEqual(valuesOf(body, 'invoiceDate'), ['2027-04-05']);
    t.deepEqual(valuesOf(body, 'amount'), ['-25.12', '50.24']);
    t.deepEqual(valuesOf(body, 'currentAmountDue'), ['25.12']);
  }
  t.deepEqual(await written(own), before);
  await made(own, `/changeOrder?${here}&generateInvoice=true`, two);
  t.is(await amounts(own, 1002), '25.12: -25.12 50.24');
  t.is(valueOf((await own.get(`/order/${id}`)).body, 'endDate'), '2027-03-19');
});

test('an Idempotency-Key makes one change, also after a preview with it', async (t) => {
  const own = await withCustomers();
  const id = await order(own, january, '&generateInvoice=true');
  const keyed = (query: string) =>
    own.call('POST', `/changeOrder?currentOrderId=${id}${query}`, {
      body: two,
      headers: { 'idempotency-key': 'change' },
    });
  t.is((await keyed('&preview=true')).status, 200);
  const first = await keyed('&generateInvoice=true');
  t.is(first.status, 201, first.body);
  const after = await written(own);
  const again = await keyed('&generateInvoice=true');
  t.is(again.status, 201);
  t.is(again.body, first.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  refused(t, await keyed(''), 409, 'idempotency.otherRequest');
  t.deepEqual(await written(own), after);
});

test('a held customer is not billed, and its change waits until it is released', async (t) => {
  const own = await withCustomers();
  const id = await order(own, january, '&generateInvoice=true');
  await own.asOwner(
    `update customer set billing_held_at = now(), billing_held_code = 'billing.crashed'
     where tenant_id = ${own.tenantId}`,
  );
  const here = `currentOrderId=${id}&effectiveDate=2027-03-20`;
  const before = await written(own);
  for (const more of ['&generateInvoice=true', '&preview=true']) {
    refused(t, await change(own, here + more), 409, 'customer.held');
  }
  t.deepEqual(await written(own), before);
  const next = valueOf(await made(own, `/changeOrder?${here}`, two), 'subscriptionOrder@id') ?? '';
  t.is(await statusOf(own, next), 'Provisioning');
  t.is(await statusOf(own, id), 'Active');
  await customerAction(own, 'activate');
  t.is((await own.post(`/order/${id}?action=generateInvoice`)).status, 200);
  t.is(await amounts(own, 1002), '25.12: -25.12 50.24');
  const [current, after] = [await own.get(`/order/${id}`), await own.get(`/order/${next}`)];
  t.is(valueOf(current.body, 'orderStatus'), 'Superseded');
  t.is(valueOf(current.body, 'endDate'), '2027-03-19');
  t.is(valueOf(after.body, 'startDate'), '2027-03-20');
});

test('of a Suspended customer only billing waits, a suspect is billed apart', async (t) => {
  const own = await withCustomers();
  const [id, other] = [
    await order(own, january, '&generateInvoice=true'),
    await order(own, january, '&generateInvoice=true'),
  ];
  await customerAction(own, 'suspend');
  const here = `currentOrderId=${id}&effectiveDate=2027-03-20`;
  const before = await written(own);
  for (const more of ['&generateInvoice=true', '&preview=true']) {
    refused(t, await change(own, here + more), 400, 'order.notBillable');
  }
  t.deepEqual(await written(own), before);
  await made(own, `/changeOrder?${here}`, two);
  t.is(await statusOf(own, id), 'Superseded');
  t.deepEqual(valuesOf((await own.get('/invoices')).body, 'invoiceNumber'), ['1002', '1001']);
  await customerAction(own, 'activate');
  await own.asOwner(
    `insert into billing_suspect (tenant_id, customer_id)
     select tenant_id, id from customer where tenant_id = ${own.tenantId}`,
  );
  const rows = await written(own);
  for (const more of ['&generateInvoice=true', '&preview=true']) {
    const apart = await change(own, `currentOrderId=${other}${more}`);
    refused(t, apart, 503, 'customer.billedApart');
    t.truthy(apart.headers['retry-after']);
  }
  t.deepEqual(await written(own), rows);
});

test('an inactive customer takes no change', async (t) => {
  const own = await withCustomers();
  const id = await order(own, gold);
  await own.asOwner(`update customer set status = 'InActive1' where tenant_id = ${own.tenantId}`);
  const refusals = ['', '&deleteCurrentOrder=true'].flatMap((more): Refusal[] => [
    [`currentOrderId=${id}${more}`, '', 400, 'customer.inactive currentOrderId'],
    [`currentOrderNumber=1001${more}`, '', 400, 'customer.inactive currentOrderNumber'],
  ]);
  await refusedAll(t, own, refusals);
});

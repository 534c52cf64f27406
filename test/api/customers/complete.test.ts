/** Customers: contacts, deletion, creation with orders, and transitions. */
import test from 'ava';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();
const contact =
  '<billingContact><firstName>Ada</firstName><lastName>Field</lastName></billingContact>';
const customerOf = (ref: string, inner = '') =>
  `<customer><extCustomerRef>${ref}</extCustomerRef>${inner}${contact}</customer>`;
const gold = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';

async function withCustomer(ref = 'C'): Promise<{ own: TenantApi; id: string }> {
  const own = await api.another();
  const made = await own.post('/customers', customerOf(ref));
  return { own, id: String(valueOf(made.body, 'customer@id')) };
}

test('a sales contact is created, changed and deleted by id and by reference', async (t) => {
  const { own, id } = await withCustomer();
  for (const path of [`/customer/${id}/salesContact`, '/customer/salesContact?extCustomerRef=C']) {
    refused(t, await own.put(path, '<salesContact/>'), 404, 'contact.unknown');
    refused(t, await own.remove(path), 404, 'contact.unknown');
    const made = await own.post(path, '<salesContact><firstName>Sal</firstName></salesContact>');
    t.is(made.status, 201);
    t.is(valueOf(made.body, 'firstName'), 'Sal');
    t.is((await own.get(path)).body, made.body);
    refused(t, await own.post(path, '<salesContact/>'), 400, 'contact.exists');
    refused(t, await own.post(path), 400, 'document.empty');
    const changed = await own.put(path, '<salesContact><lastName>Ley</lastName></salesContact>');
    t.deepEqual(
      [valueOf(changed.body, 'firstName'), valueOf(changed.body, 'lastName')],
      ['Sal', 'Ley'],
    );
    const gone = await own.remove(path);
    t.is(gone.status, 200);
    t.regex(gone.body, /<status><success>true<\/success><message>/);
    refused(t, await own.get(path), 404, 'contact.unknown');
  }
  refused(
    t,
    await own.post('/customer/999999/salesContact', '<salesContact/>'),
    404,
    'customer.unknown',
  );
});

test('a customer without orders and invoices is deleted, and its reference is free', async (t) => {
  const { own, id } = await withCustomer();
  await own.post(`/customer/${id}?actionName=suspend`);
  const gone = await own.remove(`/customer/${id}`);
  t.is(gone.status, 200);
  t.regex(gone.body, /<status><success>true<\/success>/);
  refused(t, await own.get(`/customer/${id}`), 404, 'customer.unknown');
  refused(t, await own.remove(`/customer/${id}`), 404, 'customer.unknown');
  t.regex((await own.get('/customers/transitions')).body, /<list\/>$/);
  t.is((await own.post('/customers', customerOf('C'))).status, 201);
  t.is((await own.remove('/customer?extCustomerRef=C')).status, 200);
  refused(t, await own.remove('/customer?extCustomerRef=C'), 404, 'customer.unknown');
  refused(t, await own.remove('/customer'), 400, 'query.required extCustomerRef');
});

test('a customer with an order or an invoice cannot be deleted', async (t) => {
  const { own, id } = await withCustomer('ORDER');
  await own.post('/orders?extCustomerRef=ORDER', gold);
  refused(t, await own.remove(`/customer/${id}`), 400, 'customer.inUse');
  await own.post('/customers', customerOf('INVOICE'));
  const invoice =
    '<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>' +
    '<priceCode>X</priceCode><amount>1</amount></invoiceLineItemCharge></invoiceLineItemCharges>' +
    '</invoiceLineItem></invoiceLineItems></invoice>';
  t.is((await own.post('/invoices?extCustomerRef=INVOICE', invoice)).status, 201);
  refused(t, await own.remove('/customer?extCustomerRef=INVOICE'), 400, 'customer.inUse');
  t.is(valuesOf((await own.get('/customers')).body, 'name').length, 2);
});

const both = (customer: string, ...orders: string[]) =>
  `<addCustomerAndOrder>${customer}<subscriptionOrders>${orders.join('')}</subscriptionOrders></addCustomerAndOrder>`;
const ADD = '/customers?actionName=addCustomerAndOrder';

test('a customer is created with its orders, which the answer lists in their order', async (t) => {
  const own = await api.another();
  const seats = gold.replace('GOLD', 'SEATS');
  const made = await own.post(
    ADD,
    both(customerOf('C', '<taxId>ATU12345678</taxId>'), gold, seats),
  );
  t.is(made.status, 201, made.body);
  const [, customer, first, second] =
    /^<\?xml.*\?>\n<addCustomerAndOrderResponse><customer id="(\d+)"\/><subscriptionOrder id="(\d+)"\/><subscriptionOrder id="(\d+)"\/><\/addCustomerAndOrderResponse>$/.exec(
      made.body,
    ) ?? [];
  t.is(valueOf((await own.get(`/customer/${customer}`)).body, 'taxId'), 'ATU12345678');
  t.is(valueOf((await own.get(`/order/${first}`)).body, 'contractCode'), 'GOLD');
  const other = await own.get(`/order/${second}`);
  t.is(valueOf(other.body, 'contractCode'), 'SEATS');
  t.is(valueOf(other.body, 'customer@id'), customer);
  for (const id of [first, second]) {
    t.true(own.nudges.some(({ objectId }) => objectId === Number(id)));
  }
});

const path = 'addCustomerAndOrder';
const wrong: readonly (readonly [rule: string, body: string, ...errors: string[]])[] = [
  [
    'the second order is wrong',
    both(customerOf('C'), gold, gold.replace('GOLD', 'NONE')),
    `plan.unknown ${path}/subscriptionOrders/subscriptionOrder[2]/contractCode`,
  ],
  [
    'the customer is wrong',
    both(customerOf('TAKEN'), gold),
    `customer.refTaken ${path}/customer/extCustomerRef`,
  ],
  [
    'the billing contact is missing',
    both('<customer><name>N</name></customer>', gold),
    `field.required ${path}/customer/billingContact`,
  ],
  ['there is no order', both(customerOf('C')), `field.required ${path}/subscriptionOrders`],
  [
    'an order names a customer',
    both(customerOf('C'), gold.replace('<contractCode>', '<customer id="1"/><contractCode>')),
    `field.invalid ${path}/subscriptionOrders/subscriptionOrder[1]/customer/@id`,
  ],
  [
    'there are more than a hundred orders',
    both(customerOf('C'), ...Array.from({ length: 101 }, () => gold)),
    `field.range ${path}/subscriptionOrders`,
  ],
];

for (const [rule, body, ...errors] of wrong) {
  test(`no customer, no order, no number if ${rule}`, async (t) => {
    const { own } = await withCustomer('TAKEN');
    refused(t, await own.post(ADD, body), 400, ...errors);
    t.deepEqual(valuesOf((await own.get('/customers')).body, 'extCustomerRef'), ['TAKEN']);
    const next = await own.post('/orders?extCustomerRef=TAKEN', gold);
    t.is(valueOf(next.body, 'orderNumber'), '1001');
  });
}

/** `Active>Suspended1` of each transition in the list. */
function moves(body: string): string[] {
  const to = valuesOf(body, 'newStatus');
  return valuesOf(body, 'previousStatus').map((from, index) => `${from}>${to[index]}`);
}

test('suspension and activation by hand are transitions, the newest first, with their customer', async (t) => {
  const { own, id } = await withCustomer();
  const act = (action: string) => own.post(`/customer/${id}?actionName=${action}`);
  for (const action of ['suspend', 'suspend', 'activate', 'activate', 'suspend']) await act(action);
  const list = await own.get('/customers/transitions');
  t.deepEqual(moves(list.body), ['Active>Suspended1', 'Suspended1>Active', 'Active>Suspended1']);
  t.deepEqual(
    valuesOf(list.body, 'dateTransitioned'),
    Array.from({ length: 3 }, () => '2027-01-01'),
  );
  t.true(
    list.body.includes(
      `<customer id="${id}"><name>Ada Field</name><status>Suspended1</status>` +
        '<extCustomerRef>C</extCustomerRef></customer>',
    ),
  );
  t.deepEqual(moves((await own.get('/customers/transitions?max=1&offset=1')).body), [
    'Suspended1>Active',
  ]);
});

test('transitions are selected by startDate, endDate and daysAgo', async (t) => {
  const { own, id } = await withCustomer();
  await own.post(`/customer/${id}?actionName=suspend`);
  const count = async (query: string) =>
    moves((await own.get(`/customers/transitions?${query}`)).body).length;
  for (const [query, expected] of [
    ['', 1],
    ['daysAgo=0', 1],
    ['endDate=2027-01-01', 1],
    ['endDate=2026-12-31', 0],
    ['endDate=2027-01-31', 1],
    ['endDate=2027-02-01', 0],
    ['endDate=2027-02-01&daysAgo=31', 1],
    ['endDate=2027-02-01&daysAgo=30', 0],
    ['startDate=2027-01-01', 1],
    ['startDate=2020-01-01&endDate=2026-12-31', 0],
    ['startDate=2020-01-01&endDate=2027-01-01', 1],
  ] as const) {
    t.is(await count(query), expected, query);
  }
  for (const [query, error] of [
    ['startDate=2027-01-02', 'query.invalid endDate'],
    ['startDate=2027-01-01&endDate=2026-12-31', 'query.invalid endDate'],
    ['startDate=2027-01-01&daysAgo=1', 'query.invalid daysAgo'],
    ['daysAgo=-1', 'query.range daysAgo'],
    ['startDate=2027-02-30', 'query.invalid startDate'],
    ['endDate=1&endDate=2', 'query.repeated endDate'],
  ] as const) {
    refused(t, await own.get(`/customers/transitions?${query}`), 400, error);
  }
});

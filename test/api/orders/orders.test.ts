/** Orders through the interface, against a real database. */
import test from 'ava';
import {
  golden,
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';

const api = await startTenantApi();
const { get, post, put } = api;

const customerOf = (ref: string) =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact><firstName>Ada</firstName>` +
  '</billingContact></customer>';
const orderOf = (inner: string) => `<subscriptionOrder>${inner}</subscriptionOrder>`;
const gold = '<contractCode>GOLD</contractCode>';
const line = (inner: string) => `<orderLineItem>${inner}</orderLineItem>`;
const lines = (...inner: string[]) =>
  `<orderLineItems>${inner.map(line).join('')}</orderLineItems>`;

/** A separate tenant with the customer C1. */
async function withCustomer(): Promise<TenantApi> {
  const own = await api.another();
  await own.post('/customers', customerOf('C1'));
  return own;
}

async function make(own: TenantApi, inner: string, query = ''): Promise<string> {
  const made = await own.post(`/orders?extCustomerRef=C1${query}`, orderOf(inner));
  if (made.status !== 201) throw new Error(made.body);
  return made.body;
}

test('a new order is answered with 201, in the same form as it is read afterwards', async (t) => {
  const own = await withCustomer();
  const made = await own.post('/orders?extCustomerRef=C1&generateInvoice=true', orderOf(gold));
  t.is(made.status, 201);
  golden(t, 'order', made);
  const id = valueOf(made.body, 'subscriptionOrder@id');
  t.is((await own.get(`/order/${id}`)).body, made.body);
  t.is((await own.get('/order?orderNumber=1001')).body, made.body);
});

test('the body may name the customer by reference', async (t) => {
  const own = await withCustomer();
  const id = valueOf((await own.get('/customer?extCustomerRef=C1')).body, 'customer@id');
  const plan = valueOf((await own.get('/plan?contractCode=SEATS')).body, 'contractOffering@id');
  const made = await own.post(
    '/orders',
    orderOf(
      `<customer id="${id}"/><contractOffering id="${plan}"/><orderStatus>Draft</orderStatus>` +
        '<separateInvoice>2</separateInvoice><jobCode>J7</jobCode><purchaseOrder>PO-7</purchaseOrder><isAutoRenew>false</isAutoRenew>' +
        '<isAutoPay>true</isAutoPay><startDate>2027-01-15</startDate><endDate>2027-12-31</endDate>' +
        '<currency id="USD"/><dueDateValue>1</dueDateValue><dueDateUnits>Months</dueDateUnits>' +
        lines('<priceCode>SEAT</priceCode><quantity>12.5</quantity><position>4</position>'),
    ),
  );
  t.is(made.status, 201, made.body);
  t.is(valueOf(made.body, 'customer@id'), id);
  t.is(valueOf(made.body, 'orderStatus'), 'Draft');
  t.is(valueOf(made.body, 'quantity'), '12.5');
  t.is(valueOf(made.body, 'position'), '4');
  t.is(valueOf(made.body, 'jobCode'), 'J7');
  t.is(valueOf(made.body, 'purchaseOrder'), 'PO-7');
  t.is(valueOf(made.body, 'isSeparateInvoice'), 'false');
  t.is(valueOf(made.body, 'dueDateUnits'), 'Months');
});

test('without generateInvoice nothing is billed before the next day', async (t) => {
  const own = await withCustomer();
  const order = await make(own, gold);
  t.regex(order, /<invoices\/>/);
  t.is(valueOf(order, 'nextBillableDate'), '2027-01-01');
  t.regex((await own.get('/invoices')).body, /<list\/>/);
});

test('a future order is Provisioning, and is billed in advance if asked', async (t) => {
  const own = await withCustomer();
  const later = `${gold}<startDate>2027-02-10</startDate>`;
  const plain = await make(own, later, '&generateInvoice=true');
  t.is(valueOf(plain, 'orderStatus'), 'Provisioning');
  t.regex(plain, /<invoices\/>/);
  const forced = await make(own, later, '&forceInvoiceGeneration=true');
  t.is(valueOf(forced, 'orderStatus'), 'Provisioning');
  const invoice = await own.get('/invoice?invoiceNumber=1001');
  t.is(valueOf(invoice.body, 'invoiceDate'), '2027-01-01');
  t.is(valueOf(invoice.body, 'currentAmountDue'), '78.95');
  t.deepEqual(valuesOf(invoice.body, 'orderNumber'), ['1002']);
});

const unknown = '<contractCode>SILVER</contractCode>';
const refusals: ReadonlyArray<readonly [rule: string, inner: string, status: number, ...string[]]> =
  [
    ['no plan', '', 400, 'field.required subscriptionOrder/contractCode'],
    ['an unknown plan', unknown, 400, 'plan.unknown subscriptionOrder/contractCode'],
    [
      'an unknown plan id',
      '<contractOffering id="999999"/>',
      400,
      'plan.unknown subscriptionOrder/contractOffering/@id',
    ],
    [
      'a misspelt status',
      `${gold}<orderStatus>active</orderStatus>`,
      400,
      'field.invalid subscriptionOrder/orderStatus',
    ],
    [
      'a date that does not exist',
      `${gold}<startDate>2027-02-30</startDate>`,
      400,
      'field.invalid subscriptionOrder/startDate',
    ],
    [
      'an end before the start',
      `${gold}<startDate>2027-02-10</startDate><endDate>2027-02-09</endDate>`,
      400,
      'field.invalid subscriptionOrder/endDate',
    ],
    [
      'an unknown price code',
      gold + lines('<priceCode>GOLD-FEE</priceCode>', '<priceCode>SILVER</priceCode>'),
      400,
      'priceCode.unknown subscriptionOrder/orderLineItems/orderLineItem[2]/priceCode',
    ],
    [
      'a wrong decimal',
      gold + lines('<priceCode>GOLD-FEE</priceCode><quantity>1,5</quantity>'),
      400,
      'field.invalid subscriptionOrder/orderLineItems/orderLineItem[1]/quantity',
    ],
    [
      'a quantity above the maximum',
      gold + lines('<priceCode>GOLD-FEE</priceCode><quantity>101</quantity>'),
      400,
      'quantity.outOfRange subscriptionOrder/orderLineItems/orderLineItem[1]/quantity',
    ],
    [
      'a quantity below the minimum',
      gold + lines('<priceCode>GOLD-FEE</priceCode><quantity>0.5</quantity>'),
      400,
      'quantity.outOfRange subscriptionOrder/orderLineItems/orderLineItem[1]/quantity',
    ],
    [
      'a negative quantity',
      gold + lines('<priceCode>GOLD-FEE</priceCode><quantity>-1</quantity>'),
      400,
      'quantity.outOfRange subscriptionOrder/orderLineItems/orderLineItem[1]/quantity',
    ],
    [
      'no price agreed where one must be',
      '<contractCode>ANNUAL</contractCode>',
      400,
      'order.unitPriceMissing subscriptionOrder/orderLineItems/unitPrice',
    ],
    [
      'no job code to group by',
      `${gold}<separateInvoice>2</separateInvoice>`,
      400,
      'field.required subscriptionOrder/jobCode',
    ],
    [
      'an unknown currency',
      `${gold}<currency id="XYZ"/>`,
      400,
      'field.invalid subscriptionOrder/currency/@id',
    ],
    [
      'a currency without a price',
      `${gold}<currency id="EUR"/>`,
      400,
      'order.priceMissing subscriptionOrder/orderLineItems',
    ],
    [
      'Provisioning without a later start',
      `${gold}<orderStatus>Provisioning</orderStatus>`,
      400,
      'field.invalid subscriptionOrder/orderStatus',
    ],
    [
      'more elapsed periods than are billed at once',
      '<contractCode>SEATS</contractCode><startDate>1943-01-01</startDate>',
      400,
      'order.tooManyPeriods subscriptionOrder/startDate',
    ],
    [
      'a start so late that its periods would leave the calendar',
      '<contractCode>SEATS</contractCode><startDate>9999-12-31</startDate>',
      400,
      'field.invalid subscriptionOrder/startDate',
    ],
    [
      'a price times a quantity that no amount holds',
      `<contractCode>ANNUAL</contractCode>${lines(
        '<priceCode>SUPPORT</priceCode><unitPrice>999999999999</unitPrice>' +
          '<quantity>999999999999</quantity>',
      )}`,
      400,
      'order.priceTooHigh subscriptionOrder/orderLineItems/orderLineItem[1]/unitPrice',
    ],
    [
      'a quantity at the price of the plan that no amount holds',
      `<contractCode>SEATS</contractCode>${lines(
        '<priceCode>SEAT</priceCode><quantity>999999999999</quantity>',
      )}`,
      400,
      'order.priceTooHigh subscriptionOrder/orderLineItems/orderLineItem[1]/quantity',
    ],
    [
      'an end so late that its terms would leave the calendar',
      `${gold}<endDate>9999-12-31</endDate>`,
      400,
      'field.invalid subscriptionOrder/endDate',
    ],
    [
      'an element that is not known',
      `${gold}<colour>red</colour>`,
      400,
      'field.unknown subscriptionOrder/colour',
    ],
    [
      'several mistakes at once',
      `${gold}<separateInvoice>3</separateInvoice><isAutoPay>maybe</isAutoPay>`,
      400,
      'field.range subscriptionOrder/separateInvoice',
      'field.invalid subscriptionOrder/isAutoPay',
    ],
  ];

for (const [rule, inner, status, ...errors] of refusals) {
  test(`refused, nothing stored, no number used: ${rule}`, async (t) => {
    const own = await withCustomer();
    const path = '/orders?extCustomerRef=C1&generateInvoice=true';
    refused(t, await own.post(path, orderOf(inner)), status, ...errors);
    t.regex((await own.get('/orders')).body, /<list\/>/);
    t.regex((await own.get('/invoices')).body, /<list\/>/);
    const next = await make(own, gold, '&generateInvoice=true');
    t.is(valueOf(next, 'orderNumber'), '1001');
    t.is((await own.get('/invoice?invoiceNumber=1001')).status, 200);
  });
}

test('the parent of a new order must exist, in this tenant', async (t) => {
  const own = await withCustomer();
  const other = await withCustomer();
  const foreign = valueOf((await other.get('/customer?extCustomerRef=C1')).body, 'customer@id');
  refused(
    t,
    await own.post('/orders', orderOf(gold)),
    400,
    'field.required subscriptionOrder/customer',
  );
  refused(t, await own.post('/orders?extCustomerRef=NO', orderOf(gold)), 404, 'customer.unknown');
  const body = orderOf(`${gold}<customer id="${foreign}"/>`);
  refused(t, await own.post('/orders', body), 404, 'customer.unknown');
  const both = await own.post('/orders?extCustomerRef=C1', body);
  refused(t, both, 400, 'field.invalid subscriptionOrder/customer/@id');
});

test("another tenant's plan and order are answered like unknown ones", async (t) => {
  const own = await withCustomer();
  const other = await withCustomer();
  const plan = valueOf((await other.get('/plan?contractCode=GOLD')).body, 'contractOffering@id');
  const id = valueOf(await make(other, gold), 'subscriptionOrder@id');
  const made = await own.post(
    '/orders?extCustomerRef=C1',
    orderOf(`<contractOffering id="${plan}"/>`),
  );
  refused(t, made, 400, 'plan.unknown subscriptionOrder/contractOffering/@id');
  refused(t, await own.get(`/plan/${plan}`), 404, 'plan.unknown');
  refused(t, await own.get(`/order/${id}`), 404, 'order.unknown');
  refused(t, await own.get(`/order/${id}/canEdit`), 404, 'order.unknown');
  refused(t, await own.put(`/order/${id}`, orderOf('<notes>x</notes>')), 404, 'order.unknown');
  refused(t, await own.post(`/order/${id}?action=suspend`), 404, 'order.unknown');
  refused(t, await own.get('/order?orderNumber=1001'), 404, 'order.unknown');
  refused(t, await own.get('/order?orderNumber=abc'), 404, 'order.unknown');
});

test('a PUT before the first invoice may change everything, including lines', async (t) => {
  const own = await withCustomer();
  const id = valueOf(await make(own, gold), 'subscriptionOrder@id');
  const changed = await own.put(
    `/order/${id}`,
    orderOf(
      '<contractCode>SEATS</contractCode><notes>n</notes><startDate>2027-01-10</startDate>' +
        lines('<priceCode>SEAT</priceCode><quantity>3</quantity>'),
    ),
  );
  t.is(changed.status, 200, changed.body);
  t.is(valueOf(changed.body, 'contractCode'), 'SEATS');
  t.deepEqual(valuesOf(changed.body, 'quantity'), ['3']);
  t.is((await own.put('/order?orderNumber=1001', changed.body)).body, changed.body);
  const cleared = await own.put(`/order/${id}`, orderOf('<notes/>'));
  t.regex(cleared.body, /<notes\/>/);
  t.is(valueOf(cleared.body, 'startDate'), '2027-01-10');
});

test('a PUT after the first invoice may change its end, status and renewal only', async (t) => {
  const own = await withCustomer();
  const body = await make(own, `${gold}<notes>kept</notes>`, '&generateInvoice=true');
  const id = valueOf(body, 'subscriptionOrder@id');
  const same = await own.put(`/order/${id}`, body);
  t.is(same.status, 200, same.body);
  for (const [inner, path] of [
    ['<notes>other</notes>', 'notes'],
    ['<startDate>2027-01-02</startDate>', 'startDate'],
    ['<contractCode>SEATS</contractCode>', 'contractCode'],
    ['<separateInvoice>1</separateInvoice>', 'separateInvoice'],
  ] as const) {
    const answer = await own.put(`/order/${id}`, orderOf(inner));
    refused(t, answer, 400, `field.notEditable subscriptionOrder/${path}`);
  }
  const ending = '<endDate>2027-06-30</endDate><isAutoRenew>false</isAutoRenew>';
  const changed = await own.put(`/order/${id}`, orderOf(ending));
  t.is(valueOf(changed.body, 'endDate'), '2027-06-30');
  t.is(valueOf(changed.body, 'isAutoRenew'), 'false');
  t.is(valueOf(changed.body, 'notes'), 'kept');
  const past = await own.put(`/order/${id}`, orderOf('<endDate>2026-12-31</endDate>'));
  refused(t, past, 400, 'field.invalid subscriptionOrder/endDate');
});

test('a PUT moves no order to another customer, even before it has billed', async (t) => {
  const own = await withCustomer();
  const other = await own.post('/customers', customerOf('C2'));
  const customerId = valueOf(other.body, 'customer@id');
  const id = valueOf(await make(own, gold), 'subscriptionOrder@id');
  const answer = await own.put(`/order/${id}`, orderOf(`<customer id="${customerId}"/>${gold}`));
  refused(t, answer, 400, 'field.notEditable subscriptionOrder/customer/@id');
});

test('dueDateValue of an order is 0 to 3650', async (t) => {
  const own = await withCustomer();
  for (const [value, status] of [
    ['-1', 400],
    ['0', 201],
    ['3650', 201],
    ['3651', 400],
  ] as const) {
    const due = `<dueDateValue>${value}</dueDateValue><dueDateUnits>Days</dueDateUnits>`;
    const answer = await own.post('/orders?extCustomerRef=C1', orderOf(gold + due));
    t.is(answer.status, status, answer.body);
  }
});

test('a PUT of the status follows the allowed transitions', async (t) => {
  const own = await withCustomer();
  const id = valueOf(await make(own, gold), 'subscriptionOrder@id');
  const move = (to: string) => own.put(`/order/${id}`, orderOf(`<orderStatus>${to}</orderStatus>`));
  t.is(valueOf((await move('Suspended')).body, 'orderStatus'), 'Suspended');
  refused(t, await move('Draft'), 400, 'order.transition subscriptionOrder/orderStatus');
  t.is(valueOf((await move('Active')).body, 'orderStatus'), 'Active');
  t.is(
    (await own.get(`/order/${id}/canEdit`)).body.split('\n')[1],
    '<canEdit><editable>true</editable><reason/></canEdit>',
  );
  const canceled = await move('Canceled');
  t.is(valueOf(canceled.body, 'orderStatus'), 'Canceled');
  t.is(valueOf(canceled.body, 'endDate'), '2027-01-01');
  refused(t, await move('Active'), 400, 'order.transition subscriptionOrder/orderStatus');
  const notes = await own.put(`/order/${id}`, orderOf('<notes>x</notes>'));
  refused(t, notes, 400, 'order.notEditable subscriptionOrder');
  const edit = await own.get('/order/canEdit?orderNumber=1001');
  t.is(valueOf(edit.body, 'editable'), 'false');
  t.regex(valueOf(edit.body, 'reason') ?? '', /Canceled/);
});

test('the actions suspend, activate and bill work in both forms, and wake the workflow', async (t) => {
  const own = await withCustomer();
  const id = valueOf(await make(own, gold), 'subscriptionOrder@id');
  const held = await own.post(`/order/${id}?action=suspend`);
  t.is(held.status, 200);
  t.is(valueOf(held.body, 'orderStatus'), 'Suspended');
  refused(t, await own.post(`/order/${id}?action=suspend`), 400, 'order.transition');
  refused(t, await own.post(`/order/${id}?action=generateInvoice`), 400, 'order.notBillable');
  const active = await own.post('/order?orderNumber=1001&actionName=activate');
  t.is(valueOf(active.body, 'orderStatus'), 'Active');
  const billed = await own.post('/order?orderNumber=1001&action=generateInvoice');
  t.is(billed.status, 200);
  t.is(valueOf(billed.body, 'totalLifetimeValue'), '78.95');
  const again = await own.post(`/order/${id}?action=generateInvoice`);
  t.is(again.status, 200);
  t.is(again.body, billed.body);
  refused(t, await own.post(`/order/${id}`), 400, 'query.required action');
  refused(t, await own.post(`/order/${id}?action=fly`), 400, 'query.invalid action');
  const other = await own.post('/orders?action=fly', orderOf(gold));
  refused(t, other, 400, 'query.invalid action');
  const nudged = own.nudges.filter((nudge) => nudge.objectId === Number(id));
  // Created, suspended, activated; the workflow has nothing to do after an immediate bill.
  t.is(nudged.length, 3);
  const { rows } = await own.db.pool.query('select 1 from outbox');
  t.is(rows.length, 0, 'no tenant, no rows');
});

test('lists are newest first, with filters by status and customer', async (t) => {
  const own = await withCustomer();
  await own.post('/customers', customerOf('C2'));
  await make(own, gold);
  await make(own, `${gold}<orderStatus>Draft</orderStatus>`);
  await own.post('/orders?extCustomerRef=C2', orderOf(gold));
  const id = valueOf((await own.get('/customer?extCustomerRef=C1')).body, 'customer@id');
  const numbers = async (query: string) =>
    valuesOf((await own.get(`/orders?${query}`)).body, 'orderNumber');
  t.deepEqual(await numbers(''), ['1003', '1002', '1001']);
  t.deepEqual(await numbers('max=1&offset=1'), ['1002']);
  t.deepEqual(await numbers(`customerId=${id}`), ['1002', '1001']);
  t.deepEqual(await numbers(`offset=0&max=1&status=Active&customerId=${id}`), ['1001']);
  t.deepEqual(await numbers('customerId=999999'), []);
  t.deepEqual(await numbers('extCustomerRef=C1'), ['1002', '1001']);
  t.deepEqual(await numbers('extCustomerRef=nobody'), []);
  refused(t, await own.get('/orders?extCustomerReff=C1'), 400, 'query.unknown extCustomerReff');
  t.deepEqual(await numbers('createStartTime=202701010700&createEndTime=202701010700&max=1'), [
    '1003',
  ]);
  t.deepEqual(await numbers('updateStartTime=202701010701'), []);
  refused(t, await own.get('/orders?customerId=x'), 400, 'query.invalid customerId');
});

test('simultaneous orders get numbers without gaps', async (t) => {
  const own = await withCustomer();
  const made = await Promise.all(Array.from({ length: 12 }, () => make(own, gold)));
  const numbers = made.map((body) => Number(valueOf(body, 'orderNumber')));
  t.deepEqual(
    numbers.toSorted((a, b) => a - b),
    Array.from({ length: 12 }, (_, index) => 1001 + index),
  );
});

test('an order must be addressed, and collections cannot be deleted', async (t) => {
  refused(t, await get('/order'), 400, 'query.required orderNumber');
  refused(t, await put('/orders', orderOf(gold)), 405, 'path.method');
  refused(t, await post('/order/5/canEdit'), 405, 'path.method');
});

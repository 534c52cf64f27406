/** Invoices and the test clock through the interface, against a real database. */
import test from 'ava';
import {
  golden,
  partOf,
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';

const api = await startTenantApi();

const gold = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';

/** A tenant of its own whose customer C1 has one order and its invoice 1001 of 78.95. */
async function withInvoice(): Promise<TenantApi> {
  const own = await api.another();
  const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
  const customer = `<customer><extCustomerRef>C1</extCustomerRef>${contact}</customer>`;
  await own.post('/customers', customer);
  const made = await own.post('/orders?extCustomerRef=C1&generateInvoice=true', gold);
  if (made.status !== 201) throw new Error(made.body);
  return own;
}

const charge = (inner: string) => `<invoiceLineItemCharge>${inner}</invoiceLineItemCharge>`;
const lineOf = (...charges: string[]) =>
  `<invoiceLineItem><invoiceLineItemCharges>${charges.map(charge).join('')}` +
  '</invoiceLineItemCharges></invoiceLineItem>';
const invoiceOf = (inner: string, ...items: string[]) =>
  `<invoice>${inner}<invoiceLineItems>${items.join('')}</invoiceLineItems></invoice>`;

test('an invoice is read with lines and charges, by id and by number', async (t) => {
  const own = await withInvoice();
  const byNumber = await own.get('/invoice?invoiceNumber=1001');
  golden(t, 'invoice', byNumber);
  const id = valueOf(byNumber.body, 'invoice@id');
  t.is((await own.get(`/invoice/${id}?format=xml`)).body, byNumber.body);
  refused(t, await own.get(`/invoice/${id}?format=doc`), 400, 'query.format format');
});

test('an invoice of another tenant is not found, by any address', async (t) => {
  const own = await withInvoice();
  const other = await api.another();
  const id = valueOf((await own.get('/invoice?invoiceNumber=1001')).body, 'invoice@id');
  refused(t, await other.get(`/invoice/${id}`), 404, 'invoice.unknown');
  refused(t, await other.get('/invoice?invoiceNumber=1001'), 404, 'invoice.unknown');
  refused(t, await other.get('/invoice?invoiceNumber=x'), 404, 'invoice.unknown');
  refused(t, await other.remove(`/invoice/${id}`), 404, 'invoice.unknown');
  t.is(valueOf((await own.get(`/invoice/${id}`)).body, 'status'), 'Outstanding');
});

test('a number must be written as it was assigned: other text is unknown, and is in the error', async (t) => {
  const own = await withInvoice();
  for (const text of ['01001', '1001.0', '1e3', 'x', '99999999999999999999']) {
    const where = `invoiceNumber=${text}`;
    refused(t, await own.get(`/invoice?${where}`), 404, 'invoice.unknown');
    const answer = await own.remove(`/invoice?${where}`);
    refused(t, answer, 404, 'invoice.unknown');
    t.true(answer.body.includes(`value="${text}"`), answer.body);
    const order = await own.put(`/order?orderNumber=${text}`, '<subscriptionOrder/>');
    refused(t, order, 404, 'order.unknown');
    t.true(order.body.includes(`value="${text}"`), order.body);
  }
});

test('an invoice by hand has stated or multiplied amounts, and percentages of the rest', async (t) => {
  const own = await withInvoice();
  const made = await own.post(
    '/invoices?extCustomerRef=C1',
    invoiceOf(
      '<dueDate>2027-01-20</dueDate><notes>By hand</notes><isAutoPay>false</isAutoPay>',
      lineOf(
        '<priceCode>WORK</priceCode><invoiceText>OperationContext</invoiceText><unitPrice>33.333</unitPrice>' +
          '<quantity>2</quantity>',
        '<isPercent>true</isPercent><unitPrice>10</unitPrice>',
        '<amount>-5</amount>',
      ),
    ),
  );
  t.is(made.status, 201, made.body);
  // 66.666 is 66.67; 10 percent of 66.67 - 5.00 is 6.167, so 6.17.
  t.deepEqual(valuesOf(made.body, 'amount'), ['66.67', '6.17', '-5.00']);
  t.deepEqual(valuesOf(made.body, 'unitPrice'), ['33.333', '10']);
  t.is(valueOf(made.body, 'currentAmountDue'), '67.84');
  t.is(valueOf(made.body, 'previousBalance'), '78.95');
  t.is(valueOf(made.body, 'totalDue'), '146.79');
  t.is(valueOf(made.body, 'dueDate'), '2027-01-20');
  t.is(valueOf(made.body, 'invoiceDate'), '2027-01-01');
  t.is(valueOf(made.body, 'invoiceNumber'), '1002');
  t.is((await own.get('/invoice?invoiceNumber=1002')).body, made.body);
});

test('an invoice by hand is taxed by the codes of its charges, unless calcTax is false', async (t) => {
  const rates = [
    { country: 'US', state: 'NY', percent: '8.875', taxCode: 'STANDARD', name: 'NY sales tax' },
  ];
  const own = await api.another({ file: { tax: { type: 'table', rates } } });
  const address = '<address><state>NY</state><countryCode>US</countryCode></address>';
  const contact = `<billingContact><firstName>Ada</firstName>${address}</billingContact>`;
  await own.post(
    '/customers',
    `<customer><extCustomerRef>C1</extCustomerRef>${contact}</customer>`,
  );
  const codes = '<taxCodes><taxCode>STANDARD</taxCode></taxCodes>';
  const visit = `<priceCode>VISIT</priceCode><unitPrice>60.00</unitPrice><quantity>1.5</quantity>`;
  const post = (inner: string, query = '') =>
    own.post(`/invoices?extCustomerRef=C1${query}`, invoiceOf('', lineOf(inner)));
  const made = await post(visit + codes);
  t.is(made.status, 201, made.body);
  t.deepEqual(valuesOf(made.body, 'amount'), ['90.00', '7.99']);
  t.is(valueOf(made.body, 'currentAmountDue'), '97.99');
  t.regex(made.body, /<priceCode>TAX<\/priceCode>/);
  for (const [inner, query] of [
    [visit + codes, '&calcTax=false'],
    [`${visit}<taxCodes/>`, '&calcTax=true'],
    [visit, ''],
  ] as const) {
    t.is(valueOf((await post(inner, query)).body, 'currentAmountDue'), '90.00', inner);
  }
  refused(t, await post(visit, '&calcTax=perhaps'), 400, 'query.invalid calcTax');
});

test('an invoice by hand may be due on its own date, 1 January', async (t) => {
  const own = await withInvoice();
  const body = invoiceOf('<dueDate>2027-01-01</dueDate>', lineOf('<amount>1</amount>'));
  const made = await own.post('/invoices?extCustomerRef=C1', body);
  t.is(made.status, 201, made.body);
  t.is(valueOf(made.body, 'invoiceDate'), '2027-01-01');
  t.is(valueOf(made.body, 'dueDate'), '2027-01-01');
});

test('an invoice by hand may have an order, an empty line, and its customer by id', async (t) => {
  const own = await withInvoice();
  const id = valueOf((await own.get('/customer?extCustomerRef=C1')).body, 'customer@id');
  const named =
    '<invoiceLineItem><enterpriseSubscription>1001</enterpriseSubscription>' +
    '<invoiceLineItemCharges/></invoiceLineItem>';
  const made = await own.post(`/invoices?customerId=${id}`, invoiceOf('', named));
  t.is(made.status, 201, made.body);
  t.is(valueOf(made.body, 'status'), 'Paid');
  t.is(valueOf(made.body, 'orderNumber'), '1001');
  t.is(valueOf(made.body, 'contractCode'), 'GOLD');
});

const path = 'invoice/invoiceLineItems/invoiceLineItem[1]';
const refusals: ReadonlyArray<
  readonly [rule: string, query: string, body: string, status: number, ...string[]]
> = [
  [
    'no customer',
    '',
    invoiceOf('', lineOf('<amount>1</amount>')),
    400,
    'query.required customerId',
  ],
  [
    'an unknown customer',
    'extCustomerRef=NO',
    invoiceOf('', lineOf('<amount>1</amount>')),
    404,
    'customer.unknown',
  ],
  ['no lines', 'extCustomerRef=C1', '<invoice/>', 400, 'field.required invoice/invoiceLineItems'],
  [
    'a contradiction',
    'extCustomerRef=C1',
    invoiceOf('', lineOf('<amount>5</amount><unitPrice>2</unitPrice><quantity>2</quantity>')),
    400,
    `field.invalid ${path}/invoiceLineItemCharges/invoiceLineItemCharge[1]/amount`,
  ],
  [
    'an unknown order',
    'extCustomerRef=C1',
    invoiceOf(
      '',
      '<invoiceLineItem><enterpriseSubscription>7</enterpriseSubscription></invoiceLineItem>',
    ),
    400,
    `field.invalid ${path}/enterpriseSubscription`,
  ],
  [
    'a wrong date',
    'extCustomerRef=C1',
    invoiceOf('<dueDate>2027-13-01</dueDate>', lineOf('<amount>1</amount>')),
    400,
    'field.invalid invoice/dueDate',
  ],
  [
    'a dueDate of 31 December for an invoice of 1 January',
    'extCustomerRef=C1',
    invoiceOf('<dueDate>2026-12-31</dueDate>', lineOf('<amount>1</amount>')),
    400,
    'field.invalid invoice/dueDate',
  ],
  ['another root', 'extCustomerRef=C1', '<bill/>', 400, 'document.root bill'],
];

for (const [rule, query, body, status, ...errors] of refusals) {
  test(`refused, nothing stored, no number used: ${rule}`, async (t) => {
    const own = await withInvoice();
    refused(t, await own.post(`/invoices?${query}`, body), status, ...errors);
    const next = await own.post(
      '/invoices?extCustomerRef=C1',
      invoiceOf('', lineOf('<amount>1</amount>')),
    );
    t.is(valueOf(next.body, 'invoiceNumber'), '1002');
    t.is(valueOf(next.body, 'previousBalance'), '78.95');
  });
}

test('cancelled without flags: the amount is reversed, the periods stay billed', async (t) => {
  const own = await withInvoice();
  const answer = await own.remove('/invoice?invoiceNumber=1001');
  t.is(answer.status, 200);
  t.is(valueOf(answer.body, 'success'), 'true');
  const invoice = await own.get('/invoice?invoiceNumber=1001');
  t.is(valueOf(invoice.body, 'status'), 'Cancelled');
  t.is(valueOf(invoice.body, 'outstandingBalance'), '0.00');
  const order = await own.get('/order?orderNumber=1001');
  t.is(valueOf(order.body, 'nextBillableDate'), '2027-02-01');
  t.is(valueOf(order.body, 'totalLifetimeValue'), '0.00');
  const customer = await own.get('/customer?extCustomerRef=C1');
  t.is(valueOf(partOf(customer.body, 'customerFinancials'), 'currentBalance'), '0.00');
  refused(t, await own.remove('/invoice?invoiceNumber=1001'), 400, 'invoice.notCancellable');
});

test('cancelled with rollback: the periods are billed again', async (t) => {
  const own = await withInvoice();
  const id = valueOf((await own.get('/invoice?invoiceNumber=1001')).body, 'invoice@id');
  t.is((await own.remove(`/invoice/${id}?rollbackBillingPeriod=true`)).status, 200);
  const order = await own.get('/order?orderNumber=1001');
  t.is(valueOf(order.body, 'nextBillableDate'), '2027-01-01');
  await own.post('/order?orderNumber=1001&action=generateInvoice');
  const again = await own.get('/invoice?invoiceNumber=1002');
  t.is(valueOf(again.body, 'currentAmountDue'), '78.95');
});

test('cancelled with its orders: they are Canceled and bill nothing more', async (t) => {
  const own = await withInvoice();
  t.is((await own.remove('/invoice?invoiceNumber=1001&cancelOrders=true')).status, 200);
  const order = await own.get('/order?orderNumber=1001');
  t.is(valueOf(order.body, 'orderStatus'), 'Canceled');
  t.regex(order.body, /<nextBillableDate\/>/);
});

test('cancelled with its orders suspended', async (t) => {
  const own = await withInvoice();
  t.is((await own.remove('/invoice?invoiceNumber=1001&suspendOrders=true')).status, 200);
  const order = await own.get('/order?orderNumber=1001');
  t.is(valueOf(order.body, 'orderStatus'), 'Suspended');
});

for (const [flags, error] of [
  ['rollbackBillingPeriod=true&suspendOrders=true', 'field.invalid rollbackBillingPeriod'],
  ['rollbackBillingPeriod=true&cancelOrders=true', 'field.invalid rollbackBillingPeriod'],
  ['suspendOrders=true&cancelOrders=true', 'field.invalid suspendOrders'],
  ['cancelOrders=perhaps', 'query.invalid cancelOrders'],
] as const) {
  test(`not cancelled with contradictory flags: ${flags}`, async (t) => {
    const own = await withInvoice();
    refused(t, await own.remove(`/invoice?invoiceNumber=1001&${flags}`), 400, error);
    const invoice = await own.get('/invoice?invoiceNumber=1001');
    t.is(valueOf(invoice.body, 'status'), 'Outstanding');
  });
}

test('lists begin with the latest due date, and have filters by status, customer and window', async (t) => {
  const own = await withInvoice();
  for (const due of ['2027-03-01', '2027-01-05', '2027-03-01']) {
    const body = invoiceOf(`<dueDate>${due}</dueDate>`, lineOf('<amount>1</amount>'));
    t.is((await own.post('/invoices?extCustomerRef=C1', body)).status, 201);
  }
  const id = valueOf((await own.get('/customer?extCustomerRef=C1')).body, 'customer@id');
  const numbers = async (query: string) =>
    valuesOf((await own.get(`/invoices?${query}`)).body, 'invoiceNumber');
  t.deepEqual(await numbers(''), ['1004', '1002', '1001', '1003']);
  t.deepEqual(await numbers('max=2&offset=1'), ['1002', '1001']);
  await own.remove('/invoice?invoiceNumber=1003');
  t.deepEqual(await numbers('status=Cancelled'), ['1003']);
  t.deepEqual(await numbers(`customerId=${id}&status=Outstanding&max=1`), ['1004']);
  t.deepEqual(await numbers('extCustomerRef=C1&max=1'), ['1004']);
  t.deepEqual(await numbers('extCustomerRef=C2'), []);
  t.deepEqual(await numbers('customerId=7777777'), []);
  t.deepEqual(await numbers('createEndTime=202701010659'), []);
  t.is((await numbers('createStartTime=202701010700')).length, 4);
});

test('the test clock shows its time and advances to a later day', async (t) => {
  const own = await api.another();
  const still = await own.get('/testClock');
  t.is(
    still.body.split('\n')[1],
    '<testClock><now>2027-01-01T12:00:00Z</now><target/><status>Ready</status>' +
      '<held>0</held></testClock>',
  );
  const same = await own.post('/testClock?advanceTo=2027-01-01');
  t.is(same.status, 202);
  t.is(same.body, still.body);
  refused(
    t,
    await own.post('/testClock?advanceTo=2026-12-31'),
    400,
    'testClock.backwards advanceTo',
  );
  refused(t, await own.post('/testClock?advanceTo=2032-01-02'), 400, 'testClock.tooFar advanceTo');
  refused(t, await own.post('/testClock?advanceTo=2027-02-30'), 400, 'query.invalid advanceTo');
  refused(t, await own.post('/testClock'), 400, 'query.required advanceTo');
  refused(t, await own.get('/customers?wait=true'), 400, 'query.unknown wait');
  t.is((await own.post('/testClock?advanceTo=2027-01-01&wait=true')).status, 200);
  const ahead = await own.post('/testClock?advanceTo=2027-02-01');
  t.is(ahead.status, 202);
  t.is(valueOf(ahead.body, 'target'), '2027-02-01');
  t.is(valueOf(ahead.body, 'status'), 'Advancing');
  t.is((await own.get('/testClock')).body, ahead.body);
  refused(t, await own.post('/testClock?advanceTo=2027-03-01'), 409, 'testClock.advancing');
  t.true(own.nudges.some((nudge) => nudge.kind === 'clock'));
});

test('a tenant in real time has no test clock', async (t) => {
  const real = await api.another({ isInRealTime: true });
  refused(t, await real.get('/testClock'), 404, 'testClock.unknown');
  refused(t, await real.post('/testClock?advanceTo=2027-02-01'), 404, 'testClock.unknown');
});

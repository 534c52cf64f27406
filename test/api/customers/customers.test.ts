/** Customers and contacts through the interface, against a real database. */
import test from 'ava';
import { errorsOf } from '../support.ts';
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
const { get, post, put, remove } = api;

const contact = (inner: string) => `<billingContact>${inner}</billingContact>`;
const named = contact('<firstName>Ada</firstName><lastName>Byron</lastName>');
const customer = (inner: string) => `<customer>${inner}</customer>`;

async function make(inner: string, at: TenantApi = api): Promise<string> {
  const made = await at.post('/customers', customer(inner));
  if (made.status !== 201) throw new Error(made.body);
  return valueOf(made.body, 'customer@id') ?? '';
}

const address =
  '<address><street1>1 Main St</street1><city>Albany</city><state>NY</state><zip>01220</zip>' +
  '<country>United States</country><countryCode>US</countryCode></address>';

test('a new customer is answered with 201, in the same form as it is read afterwards', async (t) => {
  const made = await post(
    '/customers',
    customer(
      '<extCustomerRef>GOLD-1</extCustomerRef><locale>en_US</locale><status>Overdue3</status>' +
        '<isBusinessAccount>true</isBusinessAccount>' +
        contact(
          '<username>ada</username><passwd> Secret1 </passwd><firstName>Ada</firstName>' +
            '<lastName>Byron</lastName><emailPrimary>ada@example.com</emailPrimary>' +
            `<workPhone>+1 555 0100</workPhone>${address}`,
        ) +
        '<salesContact><firstName>Sam</firstName></salesContact>' +
        '<paymentTermsValue>14</paymentTermsValue><taxId> US 98-7654321 </taxId>',
    ),
  );
  t.is(made.status, 201, made.body);
  golden(t, 'customer', made);
  const id = valueOf(made.body, 'customer@id');
  t.is((await get(`/customer/${id}`)).body, made.body);
  t.is((await get('/customer?extCustomerRef=GOLD-1')).body, made.body);
});

test('a customer has a purchase order of up to 100 characters, which a change keeps, sets or clears', async (t) => {
  const id = await make(`${named}<purchaseOrder>PO 4711</purchaseOrder>`);
  const orderOf = async () => valueOf((await get(`/customer/${id}`)).body, 'purchaseOrder');
  t.is(await orderOf(), 'PO 4711');
  await put(`/customer/${id}`, customer('<taxId>1</taxId>'));
  t.is(await orderOf(), 'PO 4711');
  const longest = 'x'.repeat(100);
  await put(`/customer/${id}`, customer(`<purchaseOrder>${longest}</purchaseOrder>`));
  t.is(await orderOf(), longest);
  const longer = customer(`<purchaseOrder>${longest}x</purchaseOrder>`);
  refused(t, await put(`/customer/${id}`, longer), 400, 'field.tooLong customer/purchaseOrder');
  const cleared = await put(`/customer/${id}`, customer('<purchaseOrder/>'));
  t.regex(cleared.body, /<purchaseOrder\/>/);
});

test('a password is stored as a hash and never returned', async (t) => {
  const id = await make(contact('<firstName>P</firstName><passwd>Secret1</passwd>'));
  const { rows } = await api.db.pool.query('select 1 from contact');
  t.is(rows.length, 0);
  t.false((await get(`/customer/${id}`)).body.includes('passwd'));
  t.false((await get(`/customer/${id}/billingContact`)).body.includes('Secret1'));
});

test("a customer without a name gets the company's name, else first and last name", async (t) => {
  const company = await make(contact('<companyName>ACME</companyName><firstName>A</firstName>'));
  t.is(valueOf((await get(`/customer/${company}`)).body, 'name'), 'ACME');
  const person = await make(contact('<lastName>Byron</lastName><firstName>Ada</firstName>'));
  t.is(valueOf((await get(`/customer/${person}`)).body, 'name'), 'Ada Byron');
  const [first, last] = ['a'.repeat(200), 'b'.repeat(100)];
  const long = await make(contact(`<firstName>${first}</firstName><lastName>${last}</lastName>`));
  const { body } = await get(`/customer/${long}`);
  // A name has at most 255 characters, so that a client may send back what it read.
  t.is(valueOf(body, 'name'), `${first} ${last.slice(0, 54)}`);
  t.is((await put(`/customer/${long}`, body)).status, 200);
  const nobody = await post('/customers', customer(contact('<emailPrimary>a@b</emailPrimary>')));
  refused(t, nobody, 400, 'field.required customer/name');
});

test('a contact is read and changed in both forms', async (t) => {
  const id = await make(`<extCustomerRef>CONTACT</extCustomerRef>${named}`);
  const byId = `/customer/${id}/billingContact`;
  const byRef = '/customer/billingContact?extCustomerRef=CONTACT';
  const changed = await put(byId, contact(`<workPhone>1</workPhone>${address}`));
  t.is(changed.status, 200, changed.body);
  t.is(valueOf(changed.body, 'firstName'), 'Ada');
  t.is(valueOf(changed.body, 'zip'), '01220');
  t.is((await get(byId)).body, changed.body);
  t.is((await get(byRef)).body, changed.body);
  const again = await put(
    byRef,
    contact('<firstName/><address><city/><street2>2nd floor</street2></address>'),
  );
  t.is(valueOf(again.body, 'firstName'), undefined);
  t.is(valueOf(again.body, 'lastName'), 'Byron');
  t.is(partOf(again.body, 'address').includes('<city/>'), true);
  t.is(valueOf(again.body, 'street1'), '1 Main St');
  t.is(valueOf(again.body, 'street2'), '2nd floor');
  t.is((await put(byRef, contact('<address/>'))).body.includes('<street1/>'), true);
});

test('the address of either contact is one to which a mail can go', async (t) => {
  const id = await make(`${named}<salesContact><firstName>Sam</firstName></salesContact>`);
  for (const element of ['billingContact', 'salesContact']) {
    const change = (email: string) =>
      put(
        `/customer/${id}/${element}`,
        `<${element}><emailPrimary>${email}</emailPrimary></${element}>`,
      );
    t.is((await change('ada@example.com')).status, 200);
    for (const none of ['&lt;a@b.zz&gt;', 'a@[127.0.0.1]', 'Ada (at work)@b.zz']) {
      refused(t, await change(none), 400, `field.invalid ${element}/emailPrimary`);
    }
    const read = await get(`/customer/${id}/${element}`);
    t.is(valueOf(read.body, 'emailPrimary'), 'ada@example.com');
  }
});

test('a sales contact is added and removed with its customer', async (t) => {
  const id = await make(`<extCustomerRef>SALES</extCustomerRef>${named}`);
  const byId = `/customer/${id}/salesContact`;
  refused(t, await get(byId), 404, 'contact.unknown');
  const change = '<salesContact><firstName>Sam</firstName></salesContact>';
  refused(t, await put(byId, change), 404, 'contact.unknown');
  const added = await put(`/customer/${id}`, customer(change));
  t.is(valueOf(partOf(added.body, 'salesContact'), 'firstName'), 'Sam');
  const read = await get('/customer/salesContact?extCustomerRef=SALES');
  t.is(valueOf(read.body, 'firstName'), 'Sam');
  const byRef = '/customer/salesContact?extCustomerRef=SALES';
  t.is((await put(byRef, change.replaceAll('Sam', 'Tom'))).status, 200);
  t.is(valueOf((await get(byId)).body, 'firstName'), 'Tom');
  t.regex((await put(`/customer/${id}`, customer('<salesContact/>'))).body, /<salesContact\/>/);
  refused(t, await get(byId), 404, 'contact.unknown');
});

test('a PUT keeps absent elements, clears empty ones, and accepts what was read', async (t) => {
  const id = await make(
    `<extCustomerRef>PUT</extCustomerRef><locale>de_DE</locale><name>Old</name>${named}` +
      '<paymentTermsValue>10</paymentTermsValue><paymentTermsUnits>Months</paymentTermsUnits>',
  );
  const taxed = await put(`/customer/${id}`, customer('<taxId>DE123456789</taxId>'));
  t.regex(taxed.body, /<taxId>DE123456789<\/taxId>/);
  const changed = await put(`/customer/${id}`, customer('<locale/><paymentTermsValue/><name/>'));
  t.is(changed.status, 200, changed.body);
  t.regex(changed.body, /<locale\/>/);
  t.regex(changed.body, /<taxId>DE123456789<\/taxId>/);
  t.regex(changed.body, /<paymentTermsValue\/><paymentTermsUnits\/>/);
  t.is(valueOf(changed.body, 'name'), 'Ada Byron');
  t.is(valueOf(changed.body, 'extCustomerRef'), 'PUT');
  const back = await put('/customer?extCustomerRef=PUT', changed.body);
  t.is(back.body, changed.body);
  const renamed = await put('/customer?extCustomerRef=PUT', customer('<extCustomerRef/><taxId/>'));
  t.regex(renamed.body, /<extCustomerRef\/>/);
  t.regex(renamed.body, /<taxId\/>/);
  refused(t, await get('/customer?extCustomerRef=PUT'), 404, 'customer.unknown');
});

test('the generic actions save and update like POST and PUT', async (t) => {
  const made = await post('/customers?action=saveCustomerRest', customer(named));
  t.is(made.status, 201);
  const id = valueOf(made.body, 'customer@id');
  const changed = await post(
    `/customer/${id}?action=updateCustomerRest`,
    customer('<name>New</name>'),
  );
  t.is(changed.status, 200);
  t.is(valueOf(changed.body, 'name'), 'New');
});

test('of two simultaneous customers with one reference, one is created and one refused', async (t) => {
  const body = customer(`<extCustomerRef>TWICE</extCustomerRef>${named}`);
  const answers = await Promise.all([1, 2, 3].map(() => post('/customers', body)));
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 400, 400],
  );
  for (const answer of answers.filter(({ status }) => status === 400)) {
    t.deepEqual(errorsOf(answer), ['customer.refTaken customer/extCustomerRef']);
  }
  const other = await make(named);
  const taking = await put(
    `/customer/${other}`,
    customer('<extCustomerRef>TWICE</extCustomerRef>'),
  );
  refused(t, taking, 400, 'customer.refTaken customer/extCustomerRef');
});

test('a username is that of one contact of the tenant, whoever writes it', async (t) => {
  const contact = (username: string) =>
    `<firstName>A</firstName><lastName>B</lastName><username>${username}</username>`;
  const withUsername = (username: string) =>
    `<name>N</name><billingContact>${contact(username)}</billingContact>`;
  const id = await make(withUsername('taken'));
  const taken = 'contact.usernameTaken customer/billingContact/username';
  refused(t, await post('/customers', customer(withUsername('taken'))), 400, taken);
  const other = await make(withUsername('free'));
  refused(t, await put(`/customer/${other}`, customer(withUsername('taken'))), 400, taken);
  const own = await put(`/customer/${id}`, customer(withUsername('taken')));
  t.is(own.status, 200);
  const body = `<billingContact>${contact('taken')}</billingContact>`;
  const answer = await put(`/customer/${other}/billingContact`, body);
  refused(t, answer, 400, 'contact.usernameTaken billingContact/username');
  await put(`/customer/${id}`, customer(withUsername('newer')));
  t.is((await put(`/customer/${other}/billingContact`, body)).status, 200);
  await make(withUsername('taken'), await api.another());
});

test('a reference belongs to its tenant: another tenant may use it too', async (t) => {
  const other = await api.another();
  await make(`<extCustomerRef>SHARED</extCustomerRef>${named}`);
  await make(`<extCustomerRef>SHARED</extCustomerRef>${named}`, other);
  t.is(valuesOf((await other.get('/customers')).body, 'extCustomerRef').length, 1);
});

test('the id of another tenant is answered like an unknown one', async (t) => {
  const other = await api.another();
  const id = await make(named, other);
  const missing = await get('/customer/9007199254740991');
  for (const answer of [
    await get(`/customer/${id}`),
    await get(`/customer/${id}/billingContact`),
    await put(`/customer/${id}`, customer('<name>X</name>')),
    await put(`/customer/${id}/billingContact`, named),
    await post(`/customer/${id}?actionName=suspend`),
  ]) {
    refused(t, answer, 404, 'customer.unknown');
    t.is(answer.status, missing.status);
  }
  t.is(valueOf((await other.get(`/customer/${id}`)).body, 'name'), 'Ada Byron');
});

const refusals: ReadonlyArray<readonly [body: string, ...errors: string[]]> = [
  ['', 'field.required customer/billingContact'],
  ['<billingContact/>', 'field.required customer/billingContact'],
  [`${named}<colour>red</colour>`, 'field.unknown customer/colour'],
  [`${named}<locale>english</locale>`, 'field.invalid customer/locale'],
  [`${named}<currency id="XXX"/>`, 'field.invalid customer/currency/@id'],
  [`${named}<currency id="usd"/>`, 'field.invalid customer/currency/@id'],
  [`${named}<currency/><name>${'x'.repeat(256)}</name>`, 'field.tooLong customer/name'],
  [
    `${named}<extCustomerRef>${'x'.repeat(51)}</extCustomerRef>`,
    'field.tooLong customer/extCustomerRef',
  ],
  [`${named}<taxId>${'x'.repeat(256)}</taxId>`, 'field.tooLong customer/taxId'],
  [`${named}<paymentTermsValue>-1</paymentTermsValue>`, 'field.range customer/paymentTermsValue'],
  [
    `${named}<paymentTermsUnits>Weeks</paymentTermsUnits><isBusinessAccount>yes</isBusinessAccount>`,
    'field.invalid customer/isBusinessAccount',
    'field.invalid customer/paymentTermsUnits',
  ],
  [
    contact('<emailPrimary>nowhere</emailPrimary><address><planet>Mars</planet></address>'),
    'field.unknown customer/billingContact/address/planet',
    'field.invalid customer/billingContact/emailPrimary',
  ],
  ...['&lt;a@b.zz&gt;', 'a@[127.0.0.1]', 'a(comment)@b.zz', 'a@b.zz, c@d.zz', 'a..b@c.zz'].map(
    (address) =>
      [
        contact(`<emailPrimary>${address}</emailPrimary>`),
        'field.invalid customer/billingContact/emailPrimary',
      ] as const,
  ),
  [
    contact(`<emailPrimary>${'a'.repeat(250)}@b.zz</emailPrimary>`),
    'field.tooLong customer/billingContact/emailPrimary',
  ],
  [
    contact(`<emailPrimary>${'a'.repeat(65)}@b.zz</emailPrimary>`),
    'field.invalid customer/billingContact/emailPrimary',
  ],
];

for (const [index, [inner, ...errors]] of refusals.entries()) {
  const shown = inner.replace(named, '').slice(0, 90);
  test(`refused, and nothing is stored (${index}): ${shown}`, async (t) => {
    const alone = await api.another();
    refused(t, await alone.post('/customers', customer(inner)), 400, ...errors);
    t.regex((await alone.get('/customers')).body, /<list\/>/);
  });
}

test('the currency is fixed once there is an order', async (t) => {
  const id = await make(`<extCustomerRef>EURO</extCustomerRef>${named}`);
  const euro = customer('<currency id="EUR"/>');
  t.is(valueOf((await put(`/customer/${id}`, euro)).body, 'currency@id'), 'EUR');
  await put(`/customer/${id}`, customer('<currency/>'));
  t.is(valueOf((await get(`/customer/${id}`)).body, 'currency@id'), 'USD');
  const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  t.is((await post('/orders?extCustomerRef=EURO', order)).status, 201);
  refused(t, await put(`/customer/${id}`, euro), 400, 'field.notEditable customer/currency/@id');
  t.is((await put(`/customer/${id}`, customer('<currency id="USD"/>'))).status, 200);
});

test('the currency is fixed once there is a credit, which is a payment', async (t) => {
  const id = await make(`<extCustomerRef>CREDITED</extCustomerRef>${named}`);
  const credit = '<processCredit><amount>5.00</amount></processCredit>';
  t.is((await post('/credits?extCustomerRef=CREDITED', credit)).status, 201);
  refused(
    t,
    await put(`/customer/${id}`, customer('<currency id="EUR"/>')),
    400,
    'field.notEditable customer/currency/@id',
  );
  t.is(valueOf((await get(`/customer/${id}`)).body, 'currency@id'), 'USD');
});

test('the error names an unknown key', async (t) => {
  for (const [path, value] of [
    ['/customer?extCustomerRef=NOBODY', 'NOBODY'],
    ['/customer/salesContact?extCustomerRef=NOBODY', 'NOBODY'],
    ['/plan?contractCode=SILVER', 'SILVER'],
    ['/order?orderNumber=1999', '1999'],
    ['/invoice?invoiceNumber=1999&format=pdf', '1999'],
  ]) {
    const { status, body } = await get(`${path}`);
    t.is(status, 404);
    t.true(body.includes(`value="${value}">there is no `) && body.includes(` ${value}<`), body);
  }
});

test('lists have pages by ascending id, and filters by status and search', async (t) => {
  const { another } = api;
  const own = await another();
  await make(`<extCustomerRef>A-100%</extCustomerRef><name>Alpha</name>${named}`, own);
  await make(
    `<name>Beta</name>${contact('<emailPrimary>b@x.example</emailPrimary><workPhone>555-2</workPhone>')}`,
    own,
  );
  const gamma = await make(`<name>Gamma_x</name>${named}`, own);
  await own.post(`/customer/${gamma}?actionName=suspend`);
  const names = async (query: string) =>
    valuesOf((await own.get(`/customers?${query}`)).body, 'name');
  t.deepEqual(await names(''), ['Alpha', 'Beta', 'Gamma_x']);
  t.deepEqual(await names('max=1&offset=1'), ['Beta']);
  t.deepEqual(await names('offset=3'), []);
  t.deepEqual(await names('max=0'), []);
  t.deepEqual(await names('status=Suspended1'), ['Gamma_x']);
  t.deepEqual(await names('status=Active&max=1&offset=1'), ['Beta']);
  t.deepEqual(await names('search=ALPH'), ['Alpha']);
  t.deepEqual(await names('search=x.EXAMPLE'), ['Beta']);
  t.deepEqual(await names('search=555'), ['Beta']);
  t.deepEqual(await names('search=ada+byron'), ['Alpha', 'Gamma_x']);
  t.deepEqual(await names('search=a-100%25'), ['Alpha']);
  t.deepEqual(await names('search=%25'), ['Alpha']);
  t.deepEqual(await names('search=_'), ['Gamma_x']);
  t.deepEqual(await names('search=nobody'), []);
  refused(t, await own.get('/customers?status=Sleepy'), 400, 'query.invalid status');
});

test("time windows are minutes of the tenant's zone and clock, including the end minute", async (t) => {
  // The clock stands at 12:00 UTC, which is 07:00 in New York.
  const own = await api.another();
  await make(named, own);
  const count = async (query: string) =>
    valuesOf((await own.get(`/customers?${query}`)).body, 'status').length;
  t.is(await count('createStartTime=202701010700&createEndTime=202701010700'), 1);
  t.is(await count('createStartTime=202701010701'), 0);
  t.is(await count('createStartTime=202612310000'), 1);
  t.is(await count('createEndTime=202701010659'), 0);
  t.is(await count('updateStartTime=202701010700&updateEndTime=202701010700'), 1);
  t.is(await count('updateEndTime=202701010659'), 0);
  for (const wrong of ['2027', '202702300000', '202701012500', 'now']) {
    const answer = await own.get(`/customers?createStartTime=${wrong}`);
    refused(t, answer, 400, 'query.invalid createStartTime');
  }
  const backwards = 'updateStartTime=202701010700&updateEndTime=202701010659';
  refused(t, await own.get(`/customers?${backwards}`), 400, 'query.invalid updateEndTime');
});

test('financials show what is owed, overdue and billed next, in both forms', async (t) => {
  const own = await api.another();
  const id = await make(`<extCustomerRef>MONEY</extCustomerRef>${named}`, own);
  const gold = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  await own.post('/orders?extCustomerRef=MONEY&generateInvoice=true', gold);
  const dueToday =
    '<invoice><dueDate>2027-01-01</dueDate><invoiceLineItems><invoiceLineItem>' +
    '<invoiceLineItemCharges><invoiceLineItemCharge><amount>10</amount></invoiceLineItemCharge>' +
    '</invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>';
  t.is((await own.post('/invoices?extCustomerRef=MONEY', dueToday)).status, 201);
  const overdue = async () => valueOf((await own.get(`/customer/${id}`)).body, 'overdueBalance');
  t.is(await overdue(), '0.00');
  await own.asOwner(
    `update test_clock set now = '2027-01-02T12:00:00Z' where tenant_id = ${own.tenantId}`,
  );
  const read = await own.get(`/customer/${id}`);
  // 49.00 + 29.95 for GOLD, due in 30 days, and 10.00 that were due yesterday.
  t.is(
    partOf(read.body, 'customerFinancials'),
    '<customerFinancials><currentBalance>88.95</currentBalance>' +
      '<outstandingBalance>88.95</outstandingBalance><overdueBalance>10.00</overdueBalance>' +
      '<unappliedBalance>0.00</unappliedBalance><lastPaymentAmount/><lastPaymentDate/>' +
      '<lastInvoiceAmount>10.00</lastInvoiceAmount>' +
      '<lastInvoicedDate>2027-01-01</lastInvoicedDate><lifetimePayments>0.00</lifetimePayments>' +
      '<lifetimeValue>88.95</lifetimeValue><nextBillDate>2027-02-01</nextBillDate>' +
      '</customerFinancials>',
  );
  t.is((await own.get('/customer?extCustomerRef=MONEY')).body, read.body);
});

test('suspend and activate pause and resume the billing of all orders, in both forms', async (t) => {
  const id = await make(`<extCustomerRef>REST</extCustomerRef>${named}`);
  const gold = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  const order = await post('/orders?extCustomerRef=REST&generateInvoice=true', gold);
  const orderId = valueOf(order.body, 'subscriptionOrder@id');
  const next = async () => valueOf((await get(`/order/${orderId}`)).body, 'nextBillableDate');
  t.is(await next(), '2027-02-01');
  const suspended = await post(`/customer/${id}?actionName=suspend`);
  t.is(suspended.status, 200);
  t.is(valueOf(suspended.body, 'success'), 'true');
  t.is((await post('/customer?extCustomerRef=REST&actionName=suspend')).status, 200);
  t.is(valueOf((await get(`/customer/${id}`)).body, 'status'), 'Suspended1');
  t.is(await next(), undefined);
  t.is((await post('/customer?extCustomerRef=REST&actionName=activate')).status, 200);
  t.is(valueOf((await get(`/customer/${id}`)).body, 'status'), 'Active');
  t.is(await next(), '2027-02-01');
});

test('a missing, unknown or repeated action is refused', async (t) => {
  const id = await make(named);
  refused(t, await post(`/customer/${id}`), 400, 'query.required action');
  refused(t, await post(`/customer/${id}?actionName=fly`), 400, 'query.invalid actionName');
  const twice = await post(`/customer/${id}?actionName=suspend&actionName=activate`);
  refused(t, twice, 400, 'query.repeated actionName');
  refused(
    t,
    await post('/customers?actionName=fly', customer(named)),
    400,
    'query.invalid actionName',
  );
});

test('a reference with a zero byte is refused before any lookup', async (t) => {
  refused(t, await get('/customers?search=%00'), 400, 'query.character search');
});

test('a customer must be addressed, and an unsupported method is refused', async (t) => {
  refused(t, await get('/customer'), 400, 'query.required extCustomerRef');
  refused(t, await get('/customer?extCustomerRef='), 400, 'query.required extCustomerRef');
  const removed = await remove('/customers');
  refused(t, removed, 405, 'path.method');
  t.is(removed.headers.allow, 'GET, HEAD, POST');
});

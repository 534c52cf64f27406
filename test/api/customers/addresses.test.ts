/** What calls answer if the tenant has the addresses validated that they send. */
import test from 'ava';
import { noteAsserted } from '../../support/asserted.ts';
import { schemaOfAnswer, violations } from '../../support/xsd.ts';
import type { Received } from '../support.ts';
import {
  partOf,
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';

const rates = [{ country: 'US', percent: '8.875', taxCode: 'STANDARD', name: 'Sales tax' }];
const tax = { type: 'table', validateAddresses: true, rates };
const api = await startTenantApi({ file: { tax } });
const { call, get, post, put } = api;

const customer = (inner: string) => `<customer>${inner}</customer>`;
const billing = (inner: string) => `<billingContact>${inner}</billingContact>`;
const sales = (inner: string) => `<salesContact>${inner}</salesContact>`;
const ada = '<firstName>Ada</firstName>';
const address = (more: string) =>
  `<address><street1>1 Main St</street1><city>Albany</city><state>NY</state>${more}</address>`;
const us = '<countryCode>US</countryCode>';
const good = address(`<zip>12207</zip>${us}`);
const bad = address(`<zip>1220</zip>${us}`);
const ZIP = 'must have 5 or 9 digits, not 1220';

/** The whole document, by the letter of the rule. */
const savedWith = (id: string | undefined, reference: string, ...faults: readonly string[]) =>
  '<?xml version="1.0" encoding="UTF-8"?>\n<status><success>true</success>' +
  '<message>saved, but the address is invalid</message><errors>' +
  `${faults.map((fault) => `<error code="address.invalid">${fault}</error>`).join('')}</errors>` +
  `<customer id="${id}">${reference}</customer></status>`;

const idOf = (answer: Received) => valueOf(answer.body, 'customer@id');

async function make(inner: string, at: TenantApi = api): Promise<string> {
  const made = await at.post('/customers', customer(inner));
  const id = idOf(made);
  if (id === undefined) throw new Error(made.body);
  return id;
}

test('a new customer with a valid address is answered with 200 and the customer', async (t) => {
  const made = await post('/customers', customer(billing(ada + good)));
  t.is(made.status, 200, made.body);
  t.is((await get(`/customer/${idOf(made)}`)).body, made.body);
});

test('a new customer with an invalid address is saved, and answered with 201 and a status', async (t) => {
  for (const path of ['/customers', '/customers?actionName=saveCustomerRest']) {
    const reference = `<extCustomerRef>BAD-${path.length}</extCustomerRef>`;
    const made = await post(path, customer(reference + billing(ada + bad)));
    t.is(made.status, 201);
    const id = idOf(made);
    t.is(made.body, savedWith(id, reference, `customer/billingContact/address/zip ${ZIP}`));
    t.deepEqual(violations(schemaOfAnswer(made.body), made.body), []);
    const read = await get(`/customer/${id}`);
    t.is(valueOf(read.body, 'zip'), '1220');
    t.is(made.headers.etag, read.headers.etag);
  }
  noteAsserted('address.invalid');
});

test('every fault of both contacts is listed, also of a customer without a reference', async (t) => {
  const made = await post(
    '/customers',
    customer(
      billing(`${ada}<address><state>New York</state>${us}</address>`) +
        sales('<address><street1>Am Markt 1</street1><country>Germany</country></address>'),
    ),
  );
  t.is(made.status, 201);
  const STATE = 'must be a code of two letters by the USPS, for example NY, not New York';
  t.is(
    made.body,
    savedWith(
      idOf(made),
      '<extCustomerRef/>',
      'customer/billingContact/address/street1 is required',
      'customer/billingContact/address/city is required',
      `customer/billingContact/address/state ${STATE}`,
      'customer/billingContact/address/zip is required',
      'customer/salesContact/address/city is required',
      'customer/salesContact/address/countryCode is required',
    ),
  );
});

test('a call that sends no address is answered with 200', async (t) => {
  for (const none of ['', '<address/>', '<address><street1/><zip/></address>']) {
    const made = await post('/customers', customer(billing(ada + none)));
    t.is(made.status, 200, made.body);
    t.is((await put(`/customer/${idOf(made)}`, customer('<name>New</name>'))).status, 200);
    // What was read has an address of empty elements.
    t.is((await put(`/customer/${idOf(made)}`, made.body)).status, 200);
  }
});

test('a change of a part of an address is validated as what is stored then', async (t) => {
  const id = await make(`<extCustomerRef>PART</extCustomerRef>${billing(ada + good)}`);
  const reference = '<extCustomerRef>PART</extCustomerRef>';
  const part = (inner: string) => customer(billing(`<address>${inner}</address>`));
  const street = await put(`/customer/${id}`, part('<street1>2 Main St</street1>'));
  t.is(street.status, 200, street.body);
  t.is(partOf(street.body, 'customer'), partOf((await get(`/customer/${id}`)).body, 'customer'));
  const fault = 'customer/billingContact/address/zip';
  const calls = [
    ['PUT', `/customer/${id}`],
    ['PUT', '/customer?extCustomerRef=PART'],
    ['POST', `/customer/${id}?action=updateCustomerRest`],
  ] as const;
  for (const [method, path] of calls) {
    const wrong = await call(method, path, { body: part('<zip>1220</zip>') });
    t.is(wrong.status, 201, path);
    t.is(wrong.body, savedWith(id, reference, `${fault} ${ZIP}`));
    t.is(valueOf((await get(`/customer/${id}`)).body, 'zip'), '1220');
    // Nobody sends the zip now, but it is part of what is stored.
    const still = await call(method, path, { body: part('<street1>3 Main St</street1>') });
    t.is(still.body, savedWith(id, reference, `${fault} ${ZIP}`));
    const cleared = await call(method, path, { body: part('<zip/>') });
    t.is(cleared.body, savedWith(id, reference, `${fault} is required`));
    const right = await call(method, path, { body: part('<zip>12207-1234</zip>') });
    t.is(right.status, 200, right.body);
    t.is(valueOf(right.body, 'zip'), '12207-1234');
  }
});

test('an invalid address that a change does not send is not named again', async (t) => {
  const id = await make(billing(ada + bad));
  t.is((await put(`/customer/${id}`, customer('<name>New</name>'))).status, 200);
  const phone = '<workPhone>1</workPhone>';
  t.is((await put(`/customer/${id}/billingContact`, billing(phone))).status, 200);
  t.is((await put(`/customer/${id}`, customer(billing(phone)))).status, 200);
});

test('a change that clears the address sends none', async (t) => {
  const id = await make(billing(ada + bad));
  const cleared = await put(`/customer/${id}`, customer(billing('<address/>')));
  t.is(cleared.status, 200);
  t.true(cleared.body.includes('<street1/>'));
  const empty = '<address><street1/><city/><state/><zip/><countryCode/></address>';
  await put(`/customer/${id}`, customer(billing(bad)));
  t.is((await put(`/customer/${id}/billingContact`, billing(empty))).status, 200);
});

test('a contact is answered with 200 and the contact, or 201 and a status', async (t) => {
  const reference = '<extCustomerRef>CONTACT</extCustomerRef>';
  const id = await make(reference + billing(ada + good));
  const forms = (name: string) => [
    `/customer/${id}/${name}`,
    `/customer/${name}?extCustomerRef=CONTACT`,
  ];
  for (const path of forms('billingContact')) {
    const wrong = await put(path, billing('<address><zip>1220</zip></address>'));
    t.is(wrong.status, 201);
    t.is(wrong.body, savedWith(id, reference, `billingContact/address/zip ${ZIP}`));
    t.is(wrong.headers.etag, (await get(`/customer/${id}`)).headers.etag);
    const right = await put(path, billing('<address><zip>12207</zip></address>'));
    t.is(right.status, 200);
    t.is((await get(path)).body, right.body);
  }
  for (const path of forms('salesContact')) {
    const wrong = await post(path, sales(bad));
    t.is(wrong.status, 201);
    t.is(wrong.body, savedWith(id, reference, `salesContact/address/zip ${ZIP}`));
    t.is(valueOf((await get(path)).body, 'zip'), '1220');
    const again = await put(path, sales('<address><city>Troy</city></address>'));
    t.is(again.body, savedWith(id, reference, `salesContact/address/zip ${ZIP}`));
    t.is((await put(path, sales(good))).status, 200);
    await api.remove(path);
    const right = await post(path, sales(good));
    t.is(right.status, 200);
    t.is((await get(path)).body, right.body);
    await api.remove(path);
    t.is((await post(path, sales('<firstName>Sam</firstName>'))).status, 200);
    await api.remove(path);
  }
});

test('a sales contact that a change adds has nothing of the billing contact', async (t) => {
  const id = await make(billing(ada + good));
  const part = '<address><city>Troy</city></address>';
  const added = await put(`/customer/${id}`, customer(sales(part)));
  t.deepEqual(valuesOf(added.body, 'success'), ['true']);
  t.true(added.body.includes('customer/salesContact/address/street1 is required'));
  t.is((await put(`/customer/${id}`, customer(sales(good)))).status, 200);
  t.is((await put(`/customer/${id}`, customer('<salesContact/>'))).status, 200);
});

test('a refused call stays refused, whatever its address is', async (t) => {
  const id = await make(billing(ada + good));
  refused(
    t,
    await put('/customer/9007199254740991', customer(billing(bad))),
    404,
    'customer.unknown',
  );
  const unknown = '/customer/salesContact?extCustomerRef=NOBODY';
  refused(t, await put(unknown, sales(bad)), 404, 'customer.unknown');
  refused(t, await put(`/customer/${id}/salesContact`, sales(bad)), 404, 'contact.unknown');
  refused(t, await post('/customers', customer(billing(bad))), 400, 'field.required customer/name');
  const stale = await call('PUT', `/customer/${id}`, {
    body: customer(billing(bad)),
    headers: { 'if-match': '"9"' },
  });
  refused(t, stale, 412, 'object.changed');
  t.is(valueOf((await get(`/customer/${id}`)).body, 'zip'), '12207');
});

test('a repeated key gets the same status and document again', async (t) => {
  for (const [key, sent, status] of [
    ['wrong', bad, 201],
    ['right', good, 200],
  ] as const) {
    const more = { body: customer(billing(ada + sent)), headers: { 'idempotency-key': key } };
    const first = await call('POST', '/customers', more);
    t.is(first.status, status);
    // What is stored meanwhile does not count.
    await put(`/customer/${idOf(first)}`, customer(billing(sent === bad ? good : bad)));
    const again = await call('POST', '/customers', more);
    t.is(again.headers['idempotency-replayed'], 'true');
    t.deepEqual(
      [again.status, again.body, again.headers.etag],
      [first.status, first.body, first.headers.etag],
    );
  }
});

test('a value is shown escaped, and cut to 60 characters', async (t) => {
  const sent = `<zip>&lt;b&gt; &amp; "1"</zip><countryCode>${'x'.repeat(61)}</countryCode>`;
  const made = await post(
    '/customers',
    customer(billing(`${ada}<address><street1>1</street1><city>A</city>${sent}</address>`)),
  );
  t.true(made.body.includes(`by ISO 3166, not ${'x'.repeat(60)}...</error>`), made.body);
  const id = idOf(made);
  const part = `<address>${us}<state>NY</state></address>`;
  const shown = await put(`/customer/${id}/billingContact`, billing(part));
  t.true(
    shown.body.includes('zip must have 5 or 9 digits, not &lt;b&gt; &amp; &quot;1&quot;<'),
    shown.body,
  );
});

test('the log of access has the status that was answered', async (t) => {
  const own = await api.another({ file: { tax } });
  await own.post('/customers', customer(billing(ada + good)));
  await own.post('/customers', customer(billing(ada + bad)));
  const rows = await api.asOwner<{ status: number }>(
    `select status from audit_log where tenant_id = ${own.tenantId} and action = 'write' order by id`,
  );
  t.deepEqual(
    rows.map(({ status }) => status),
    [200, 201],
  );
});

test('addCustomerAndOrder is not validated', async (t) => {
  const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  const made = await post(
    '/customers?actionName=addCustomerAndOrder',
    `<addCustomerAndOrder>${customer(billing(ada + bad))}<subscriptionOrders>${order}` +
      '</subscriptionOrders></addCustomerAndOrder>',
  );
  t.is(made.status, 201, made.body);
  t.true(made.body.includes('<addCustomerAndOrderResponse>'), made.body);
});

for (const file of [{}, { tax: { ...tax, validateAddresses: false } }]) {
  test(`without validation a new customer is answered with 201 and the customer: ${JSON.stringify(file)}`, async (t) => {
    const own = await api.another({ file });
    for (const sent of [good, bad]) {
      const made = await own.post('/customers', customer(billing(ada + sent)));
      t.is(made.status, 201);
      const path = `/customer/${idOf(made)}`;
      t.is((await own.get(path)).body, made.body);
      t.is((await own.put(path, customer(billing(sent)))).status, 200);
      t.is((await own.post(`${path}/salesContact`, sales(sent))).status, 201);
      t.is((await own.put(`${path}/salesContact`, sales(sent))).status, 200);
    }
  });
}

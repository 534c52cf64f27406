/** Metadata through the interface: where it is taken, where it goes, and what refuses it. */
import test from 'ava';
import {
  refused,
  startTenantApi,
  valueOf,
  type ApiTenantOptions,
  type TenantApi,
} from '../tenant-api.ts';

const api = await startTenantApi();

const entry = (key: string, value: string) =>
  `<entry><key>${key}</key><value>${value}</value></entry>`;
const metadata = (...entries: string[]) => `<metadata>${entries.join('')}</metadata>`;
const crm = metadata(entry('crm', 'A-1'));

const customer = (inner = '') =>
  `<customer><extCustomerRef>C1</extCustomerRef><billingContact><firstName>Ada</firstName>
   </billingContact>${inner}</customer>`;
const gold = (inner = '') =>
  `<subscriptionOrder><contractCode>GOLD</contractCode>${inner}</subscriptionOrder>`;

interface Made {
  readonly own: TenantApi;
  readonly id: string;
  /** `/order/[id]`, Active without an invoice. */
  readonly order: string;
}

/** A customer C1 with an order of GOLD. */
async function withOrder(ofOrder = '', options: ApiTenantOptions = {}): Promise<Made> {
  const own = await api.another(options);
  const made = await own.post('/customers', customer());
  const order = await own.post('/orders?extCustomerRef=C1', gold(ofOrder));
  if (order.status !== 201) throw new Error(order.body);
  return {
    own,
    id: valueOf(made.body, 'customer@id') ?? '',
    order: `/order/${valueOf(order.body, 'subscriptionOrder@id')}`,
  };
}

/** The metadata at the end of a document. */
const notedIn = (body: string): string =>
  /(<metadata>.*<\/metadata>|<metadata\/>)<\/\w+>$/s.exec(body)?.[1] ?? 'none at the end';

const generate = ({ own, order }: Made) => own.post(`${order}?action=generateInvoice`);

test('metadata is the last element of a document, by ascending key, and empty without entries', async (t) => {
  const own = await api.another();
  const sent = metadata(entry('b', '2'), entry('B', '1'), entry('a-long.key_9', '3'));
  const sorted = metadata(entry('B', '1'), entry('a-long.key_9', '3'), entry('b', '2'));
  const made = await own.post('/customers', customer(sent));
  t.is(made.status, 201, made.body);
  t.is(notedIn(made.body), sorted);
  t.is(notedIn((await own.get('/customer?extCustomerRef=C1')).body), sorted);
  const order = await own.post('/orders?extCustomerRef=C1', gold());
  t.is(notedIn(order.body), '<metadata/>');
});

test('a PUT without metadata keeps it, and any other replaces it', async (t) => {
  const { own, id, order } = await withOrder(crm);
  await own.put(`/customer/${id}`, `<customer>${crm}</customer>`);
  const renamed = await own.put(`/customer/${id}`, '<customer><name>Ada</name></customer>');
  t.is(notedIn(renamed.body), crm);
  const other = metadata(entry('po', '7'));
  const replaced = await own.put(`/customer/${id}`, `<customer>${other}</customer>`);
  t.is(notedIn(replaced.body), other);
  const cleared = await own.put(`/customer/${id}`, '<customer><metadata/></customer>');
  t.is(notedIn(cleared.body), '<metadata/>');
  const noted = await own.put(order, '<subscriptionOrder><notes>x</notes></subscriptionOrder>');
  t.is(notedIn(noted.body), crm);
  const changed = await own.put(order, `<subscriptionOrder>${other}</subscriptionOrder>`);
  t.is(notedIn(changed.body), other);
});

test('an order with invoices takes it only alone: a PUT may only repeat it', async (t) => {
  const made = await withOrder(crm);
  const { own, order } = made;
  await generate(made);
  const put = (inner: string) => own.put(order, `<subscriptionOrder>${inner}</subscriptionOrder>`);
  const other = metadata(entry('crm', 'A-2'));
  refused(t, await put(other), 400, 'field.notEditable subscriptionOrder/metadata');
  refused(t, await put('<metadata/>'), 400, 'field.notEditable subscriptionOrder/metadata');
  t.is((await put(crm)).status, 200);
  const alone = await own.put(`${order}/metadata`, other);
  t.is(alone.status, 200, alone.body);
  t.is(alone.body.replace(/^<\?xml.*\?>\n/, ''), other);
  t.is(notedIn((await own.get(order)).body), other);
});

test('an invoice takes the metadata of its orders, and keeps it when these change', async (t) => {
  const made = await withOrder(metadata(entry('crm', 'A-1'), entry('team', 'north')));
  const { own, order } = made;
  await own.post(
    '/orders?extCustomerRef=C1',
    gold(metadata(entry('crm', 'B'), entry('zone', '4'))),
  );
  await generate(made);
  const union = metadata(entry('crm', 'A-1'), entry('team', 'north'), entry('zone', '4'));
  const invoice = await own.get('/invoice?invoiceNumber=1001');
  t.is(notedIn(invoice.body), union);
  await own.put(`${order}/metadata`, metadata(entry('crm', 'A-2')));
  t.is(notedIn((await own.get('/invoice?invoiceNumber=1001')).body), union);
  const path = `/invoice/${valueOf(invoice.body, 'invoice@id')}`;
  t.is((await own.put(`${path}/metadata`, crm)).status, 200);
  const after = await own.get(path);
  t.is(notedIn(after.body), crm);
  t.not(after.headers['etag'], invoice.headers['etag']);
});

test('a credit note takes the metadata of its original, an invoice by hand its own or that of its orders', async (t) => {
  const made = await withOrder(crm);
  const { own } = made;
  await generate(made);
  const invoice = await own.get('/invoice?invoiceNumber=1001');
  const path = `/invoice/${valueOf(invoice.body, 'invoice@id')}`;
  const note = await own.post(
    `${path}/creditNote`,
    '<creditNote><reason>x</reason><amount>5</amount></creditNote>',
  );
  t.is(note.status, 201, note.body);
  t.is(notedIn(note.body), crm);
  const line = `<invoiceLineItems><invoiceLineItem><enterpriseSubscription>1001</enterpriseSubscription>
    <invoiceLineItemCharges><invoiceLineItemCharge><amount>5</amount></invoiceLineItemCharge>
    </invoiceLineItemCharges></invoiceLineItem></invoiceLineItems>`;
  const byHand = (inner: string) =>
    own.post('/invoices?extCustomerRef=C1', `<invoice>${line}${inner}</invoice>`);
  t.is(notedIn((await byHand('')).body), crm);
  const other = metadata(entry('po', '7'));
  t.is(notedIn((await byHand(other)).body), other);
  t.is(notedIn((await byHand('<metadata/>')).body), '<metadata/>');
});

test('a change order inherits metadata, unless its body has some', async (t) => {
  for (const [sent, expected] of [
    ['', crm],
    [metadata(entry('po', '7')), metadata(entry('po', '7'))],
    ['<metadata/>', '<metadata/>'],
  ] as const) {
    const made = await withOrder(crm);
    await generate(made);
    const changed = await made.own.post('/changeOrder?currentOrderNumber=1001', gold(sent));
    t.is(changed.status, 201, changed.body);
    t.is(notedIn(changed.body), expected);
  }
});

test('payments, credits and refunds take it, and replace it at any time, each at its own address', async (t) => {
  const { own } = await withOrder();
  const pay = (root: string, inner: string) =>
    own.post(
      `/${root.replace('process', '').toLowerCase()}s?extCustomerRef=C1`,
      `<${root}><amount>5</amount>${inner}</${root}>`,
    );
  const cash = '<paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO>';
  const other = metadata(entry('po', '7'));
  for (const [root, inner] of [
    ['processPayment', cash],
    ['processCredit', ''],
    ['processRefund', cash],
  ] as const) {
    const name = root.replace('process', '').toLowerCase();
    const made = await pay(root, `${inner}${crm}`);
    t.is(made.status, 201, made.body);
    t.is(notedIn(made.body), crm);
    const id = valueOf(made.body, 'payment@id');
    t.is((await own.put(`/${name}/${id}/metadata`, other)).status, 200);
    t.is(notedIn((await own.get(`/${name}/${id}`)).body), other);
    const stale = { 'If-Match': String(made.headers['etag']) };
    const again = await own.call('PUT', `/${name}/${id}/metadata`, { body: crm, headers: stale });
    refused(t, again, 412, 'object.changed');
    const wrong = name === 'payment' ? 'credit' : 'payment';
    refused(t, await own.put(`/${wrong}/${id}/metadata`, crm), 404, 'payment.unknown');
  }
});

test('keys and values are checked, and every mistake is named', async (t) => {
  const { own, id } = await withOrder();
  const path = `/customer/${id}/metadata`;
  const many = Array.from({ length: 21 }, (_, index) => entry(`k${index}`, 'x'));
  refused(t, await own.put(path, metadata(...many)), 400, 'metadata.tooMany metadata');
  t.is((await own.put(path, metadata(...many.slice(1)))).status, 200);
  const inCustomer = await own.put(`/customer/${id}`, `<customer>${metadata(...many)}</customer>`);
  refused(t, inCustomer, 400, 'metadata.tooMany customer/metadata');
  const twice = metadata(entry('crm', 'a'), entry('po', 'b'), entry('crm', 'c'));
  refused(t, await own.put(path, twice), 400, 'field.invalid metadata/entry[3]/key');
  for (const key of ['a b', 'ä', 'a:b', 'k'.repeat(41)]) {
    const answer = await own.put(path, metadata(entry(key, 'x')));
    refused(t, answer, 400, 'field.invalid metadata/entry[1]/key');
  }
  t.is((await own.put(path, metadata(entry('k'.repeat(40), 'x'.repeat(500))))).status, 200);
  const long = await own.put(path, metadata(entry('k', 'x'.repeat(501))));
  refused(t, long, 400, 'field.tooLong metadata/entry[1]/value');
  const empty = await own.put(path, '<metadata><entry><key/><value/></entry></metadata>');
  refused(
    t,
    empty,
    400,
    'field.required metadata/entry[1]/key',
    'field.required metadata/entry[1]/value',
  );
});

test('a card number in a value is masked', async (t) => {
  const { own, id } = await withOrder();
  const path = `/customer/${id}/metadata`;
  const answer = await own.put(path, metadata(entry('note', 'pays by 4111 1111 1111 1111')));
  t.false(answer.body.includes('4111 1111'), answer.body);
  t.false((await own.get(`/customer/${id}`)).body.includes('4111 1111'));
});

test('of another tenant no metadata is replaced', async (t) => {
  const { own, id, order } = await withOrder();
  const other = await api.another();
  refused(t, await other.put(`/customer/${id}/metadata`, crm), 404, 'customer.unknown');
  refused(t, await other.put(`${order}/metadata`, crm), 404, 'order.unknown');
  t.is(notedIn((await own.get(order)).body), '<metadata/>');
});

test('a replaced customer or order is told as updated', async (t) => {
  const { own, id, order } = await withOrder();
  const events = () =>
    own.asOwner<{ text: string }>(
      `select type || ' ' || object_version as text from event
       where tenant_id = ${own.tenantId} and type like '%.updated' order by id`,
    );
  await own.put(`/customer/${id}/metadata`, crm);
  await own.put(`${order}/metadata`, crm);
  t.deepEqual(
    (await events()).map(({ text }) => text),
    ['customer.updated 2', 'order.updated 2'],
  );
  t.true(own.nudges.some(({ kind }) => kind === 'order'));
});

test('the documents of events have it', async (t) => {
  const secret = 'whsec_c3VuZGlhbC1zZWNyZXQtb2YtYS10ZXN0';
  const events = ['customer.updated', 'order.created', 'invoice.created'];
  const callbacks = [{ url: 'https://example.com/hook', events, secret }];
  const made = await withOrder(crm, { file: { callbacks } });
  await generate(made);
  await made.own.put(`/customer/${made.id}/metadata`, crm);
  const kept = await made.own.asOwner<{ type: string; metadata: object }>(
    `select e.type, d.document->'metadata' as metadata
     from event e join event_document d on d.tenant_id = e.tenant_id and d.event_id = e.id
     where e.tenant_id = ${made.own.tenantId} order by e.id`,
  );
  const noted = { crm: 'A-1' };
  t.deepEqual(kept, [
    { type: 'order.created', metadata: noted },
    { type: 'invoice.created', metadata: noted },
    { type: 'customer.updated', metadata: noted },
  ]);
});

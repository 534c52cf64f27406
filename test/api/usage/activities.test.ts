/** Usage records through the interface: uploads, lists, deletions. */
import test from 'ava';
import { advance } from '../orders/change-calls.ts';
import { errorsOf } from '../support.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';
import {
  customerOf,
  lineIn,
  listOf,
  minute,
  ofOrder,
  order,
  recordsIn,
  withOrder,
} from './bodies.ts';

const api = await startTenantApi();

async function stored(own: TenantApi, path: string, ...inner: string[]): Promise<string> {
  const made = await own.post(path, listOf(...inner));
  if (made.status !== 201) throw new Error(made.body);
  return made.body;
}

test('an upload is answered in the order sent, each record as GET shows it', async (t) => {
  const { own, customer, order: orderId, line } = await withOrder(api);
  const body = await stored(
    own,
    '/activities',
    `<status>Processed</status><extRefId>B</extRefId><orderNumber>1001</orderNumber>
     <quantity>70.50</quantity><chargeDate>2027-01-06</chargeDate><invoiceNumber>7</invoiceNumber>
     <chargeEndDate>2027-01-07</chargeEndDate><unitPrice>9</unitPrice>`,
    `<extRefId>A</extRefId><extCustomerRef>C1</extCustomerRef><priceCode>MINUTES</priceCode>
     <amount>7.5</amount><chargeDate>2027-01-05</chargeDate><invoiceText>Calls</invoiceText>`,
    ofOrder('<quantity>-20</quantity><correctsExtRefId>B</correctsExtRefId>'),
  );
  const [first = '', second] = recordsIn(body);
  const id = valueOf(first, 'activity@id');
  const batch = valueOf(first, 'activityBatch@id');
  const names =
    `<extCustomerRef>C1</extCustomerRef><customer id="${customer}"/>` +
    `<orderNumber>1001</orderNumber><order id="${orderId}"/><orderLineItem id="${line}"/>` +
    '<priceCode>MINUTES</priceCode>';
  t.is(
    first,
    `<activity id="${id}"><status>Unbilled</status><extRefId>B</extRefId>${names}` +
      '<quantity>70.5</quantity><amount/><unitPrice/><chargeDate>2027-01-06</chargeDate>' +
      '<chargeEndDate>2027-01-07</chargeEndDate><invoiceText/><correctsExtRefId/>' +
      `<invoiceNumber/><activityBatch id="${batch}"/><dateCreated>2027-01-01</dateCreated>` +
      '</activity>',
  );
  t.regex(String(second), /<quantity>1<\/quantity><amount>7.50<\/amount>/);
  t.is(new Set(body.match(/<activityBatch id="\d+"\/>/g)).size, 1);
  const listed = recordsIn((await own.get('/activities')).body);
  t.deepEqual(valuesOf(listed.join(''), 'chargeDate'), ['2027-01-01', '2027-01-05', '2027-01-06']);
  t.deepEqual(listed.toSorted(), recordsIn(body).toSorted());
});

test('a record is found by every way of naming its line', async (t) => {
  const { own, customer, order: orderId, line } = await withOrder(api);
  const ways = [
    `<orderLineItem id="${line}"/>`,
    `<order id="${orderId}"/>`,
    '<orderNumber>1001</orderNumber>',
    `<order id="${orderId}"/><priceCode>MINUTES</priceCode>`,
    '<orderNumber>1001</orderNumber><priceCode>MINUTES</priceCode>',
    `<customer id="${customer}"/><priceCode>MINUTES</priceCode>`,
    '<extCustomerRef>C1</extCustomerRef><priceCode>MINUTES</priceCode>',
    `<orderLineItem id="${line}"/><order id="${orderId}"/><orderNumber>1001</orderNumber>
     <customer id="${customer}"/><extCustomerRef>C1</extCustomerRef><priceCode>MINUTES</priceCode>`,
  ];
  const body = await stored(
    own,
    '/activities',
    ...ways.map((way) => `${way}<quantity>1</quantity>`),
  );
  t.deepEqual(
    [...body.matchAll(/<orderLineItem id="(\d+)"\/>/g)].map(([, id]) => id),
    ways.map(() => line),
  );
  for (const path of [`/order/${orderId}/activities`, '/order/activities?orderNumber=1001']) {
    for (const way of ['', ...ways]) {
      const made = await own.post(path, listOf(`${way}<quantity>1</quantity>`));
      t.is(made.status, 201, made.body);
      t.is(valueOf(made.body, 'orderLineItem@id'), line);
    }
  }
});

test('of several orders of a customer, the one that spans the day has the record', async (t) => {
  const { own } = await withOrder(api);
  await own.post('/customers', customerOf('C2'));
  const dated = (from: string, to: string) =>
    '<contractCode>METERED</contractCode><isAutoRenew>false</isAutoRenew>' +
    `<startDate>${from}</startDate><endDate>${to}</endDate>`;
  await order(own, dated('2026-12-01', '2027-01-05'), 'C2');
  await order(own, dated('2027-01-01', '2027-03-31'), 'C2');
  await order(own, dated('2027-02-01', '2027-04-30'), 'C2');
  const record = (day: string) =>
    `<extCustomerRef>C2</extCustomerRef><priceCode>MINUTES</priceCode><quantity>1</quantity>
     <chargeDate>${day}</chargeDate>`;
  const body = await stored(own, '/activities', record('2026-12-31'), record('2027-01-06'));
  t.deepEqual(valuesOf(body, 'orderNumber'), ['1002', '1003']);
  refused(
    t,
    await own.post(
      '/activities',
      // The third order has not begun, so it takes no record yet.
      listOf(record('2027-02-01'), record('2027-01-01'), record('2027-04-01')),
    ),
    400,
    'activity.severalMatches list/activity[2]/priceCode',
    'activity.noMatch list/activity[3]/priceCode',
  );
});

test('a Suspended order takes records if it or its line is named', async (t) => {
  const { own, order: orderId, line } = await withOrder(api);
  await own.post(`/order/${orderId}?action=suspend`);
  await stored(own, '/activities', minute('A'), `<orderLineItem id="${line}"/><amount>1</amount>`);
  refused(
    t,
    await own.post(
      '/activities',
      listOf('<extCustomerRef>C1</extCustomerRef><priceCode>MINUTES</priceCode><amount>1</amount>'),
    ),
    400,
    'activity.noMatch list/activity[1]/priceCode',
  );
});

test('a billed record shows its invoice and its share of what its window cost', async (t) => {
  const { own } = await withOrder(api);
  await stored(
    own,
    '/activities',
    ofOrder('<extRefId>A</extRefId><quantity>70</quantity><chargeDate>2027-01-06</chargeDate>'),
    ofOrder('<extRefId>B</extRefId><quantity>110</quantity><chargeDate>2027-01-20</chargeDate>'),
    ofOrder('<extRefId>C</extRefId><amount>7.00</amount><chargeDate>2027-01-21</chargeDate>'),
  );
  await advance(own, '2027-01-01', '2027-02-01');
  const [last] = valuesOf((await own.get('/invoices?max=1')).body, 'invoiceNumber');
  const { body } = await own.get(`/activities?invoiceNumber=${last}`);
  // 100 x 0.10 + 80 x 0.08 = 16.40, of which 70 of 180 minutes are 6.38.
  t.deepEqual(valuesOf(body, 'amount'), ['6.38', '10.02', '7.00'], body);
  t.deepEqual(valuesOf(body, 'status'), ['Processed', 'Processed', 'Processed']);
  t.deepEqual(valuesOf(body, 'invoiceNumber'), [last, last, last]);
  t.deepEqual(recordsIn((await own.get('/activities?orderNumber=1001')).body), recordsIn(body));
  refused(t, await own.remove('/activity?extRefId=A'), 400, 'activity.billed');

  // 50 of 70 minutes of 6.38, and half of the supplied amount: in the window of February.
  const corrections = await stored(
    own,
    '/activities',
    '<quantity>-50</quantity><correctsExtRefId>A</correctsExtRefId>',
    '<quantity>-0.5</quantity><correctsExtRefId>C</correctsExtRefId><extRefId>D</extRefId>',
  );
  t.deepEqual(valuesOf(corrections, 'amount'), ['-4.56', '-3.50']);
  t.deepEqual(valuesOf(corrections, 'correctsExtRefId'), ['A', 'C']);
  refused(
    t,
    await own.post(
      '/activities',
      listOf(
        '<quantity>-20.1</quantity><correctsExtRefId>A</correctsExtRefId>',
        '<quantity>-0.1</quantity><correctsExtRefId>D</correctsExtRefId>',
      ),
    ),
    400,
    'activity.correction list/activity[1]/correctsExtRefId',
    'activity.correction list/activity[2]/correctsExtRefId',
  );
  // A late record of January is billed with February.
  await stored(own, '/activities', minute('LATE', '<chargeDate>2027-01-31</chargeDate>'));
  await advance(own, '2027-02-01', '2027-03-01');
  const [march] = valuesOf((await own.get('/invoices?max=1')).body, 'invoiceNumber');
  const later = await own.get(`/activities?invoiceNumber=${march}`);
  t.deepEqual(valuesOf(later.body, 'amount'), ['0.10', '-4.56', '-3.50'], later.body);
});

test('of an ended order, a record gets a bill day of its own', async (t) => {
  const { own, order: orderId } = await withOrder(api);
  await own.call('PUT', `/order/${orderId}`, {
    body: '<subscriptionOrder><orderStatus>Canceled</orderStatus></subscriptionOrder>',
  });
  await advance(own, '2027-01-01', '2027-01-05');
  t.regex((await own.get(`/order/${orderId}`)).body, /<nextBillableDate\/>/);
  await stored(own, '/activities', minute('A', '<chargeDate>2027-01-01</chargeDate>'));
  const after = await own.get(`/order/${orderId}`);
  t.is(valueOf(after.body, 'nextBillableDate'), '2027-01-02', after.body);
  t.true(own.nudges.some(({ kind, objectId }) => kind === 'order' && objectId === Number(orderId)));
  await advance(own, '2027-01-05', '2027-01-06');
  t.is(valueOf((await own.get('/activities')).body, 'amount'), '0.10');
});

test('a record is deleted by its id or its reference, once', async (t) => {
  const { own } = await withOrder(api);
  await stored(own, '/activities', minute('A'), ofOrder('<quantity>2</quantity>'));
  const gone = await own.remove('/activity?extRefId=A');
  t.is(gone.status, 200, gone.body);
  t.is(valueOf(gone.body, 'success'), 'true');
  const id = valueOf((await own.get('/activities')).body, 'activity@id');
  t.is((await own.remove(`/activity/${id}`)).status, 200);
  refused(t, await own.remove(`/activity/${id}`), 404, 'activity.unknown');
  refused(t, await own.remove('/activity?extRefId=A'), 404, 'activity.unknown');
  refused(t, await own.remove('/activity'), 400, 'query.required extRefId');
  t.regex((await own.get('/activities')).body, /<list\/>/);
  await stored(own, '/activities', minute('A'));
});

test('a record with a correction is not deleted before that', async (t) => {
  const { own } = await withOrder(api);
  const correction =
    '<extRefId>B</extRefId><quantity>-1</quantity><correctsExtRefId>A</correctsExtRefId>';
  await stored(own, '/activities', minute('A'), correction);
  refused(t, await own.remove('/activity?extRefId=A'), 400, 'activity.corrected');
  t.is((await own.remove('/activity?extRefId=B')).status, 200);
  t.is((await own.remove('/activity?extRefId=A')).status, 200);
});

test('with onDuplicate=skip the answer shows what is stored', async (t) => {
  const { own } = await withOrder(api);
  const [first = ''] = recordsIn(await stored(own, '/activities', minute('A')));
  const body = await stored(
    own,
    '/activities?onDuplicate=skip',
    '<extRefId>A</extRefId><orderNumber>none</orderNumber><amount>3</amount>',
    minute('B'),
    '<extRefId>B</extRefId><amount>3</amount>',
  );
  const [again = '', second = '', third = ''] = recordsIn(body);
  t.is(again.replace(' duplicate="true"', ''), first);
  t.notRegex(second, /duplicate/);
  t.is(third, second.replace(/^<activity id="\d+"/, '$& duplicate="true"'));
  t.is(recordsIn((await own.get('/activities')).body).length, 2);
  const all = await stored(own, '/activities?onDuplicate=skip', minute('B'), minute('A'));
  t.deepEqual(valuesOf(all, 'extRefId'), ['B', 'A']);
  const faulty = listOf(minute('A'), '<orderNumber>none</orderNumber><amount>3</amount>');
  refused(
    t,
    await own.post('/activities?onDuplicate=skip', faulty),
    400,
    'activity.reference list/activity[2]/orderNumber',
  );
  const other = await own.post('/activities?onDuplicate=replace', listOf(minute('C')));
  refused(t, other, 400, 'query.invalid onDuplicate');
});

test('the same Idempotency-Key stores records once, and a refusal of it stores nothing', async (t) => {
  const { own } = await withOrder(api);
  const headers = { 'Idempotency-Key': 'one' };
  const body = listOf(ofOrder('<quantity>1</quantity>'));
  const made = await own.call('POST', '/activities', { headers, body });
  const again = await own.call('POST', '/activities', { headers, body });
  t.is(again.body, made.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  const faulty = { headers: { 'Idempotency-Key': 'two' }, body: listOf(minute('A'), minute('A')) };
  t.is((await own.call('POST', '/activities', faulty)).status, 400);
  t.is((await own.call('POST', '/activities', faulty)).headers['idempotency-replayed'], 'true');
  t.is(recordsIn((await own.get('/activities')).body).length, 1);
  const written = await own.asOwner<{ count: string }>(
    `select count(*) from audit_log where tenant_id = ${own.tenantId} and path like '%/activities'`,
  );
  t.is(Number(written[0]?.count), 1);
});

test('other methods are not supported there', async (t) => {
  const { own, order: orderId } = await withOrder(api);
  for (const [method, path] of [
    ['PUT', '/activities'],
    ['DELETE', '/activities'],
    ['GET', `/order/${orderId}/activities`],
    ['DELETE', '/order/activities?orderNumber=1001'],
    ['GET', '/activity/1'],
    ['PUT', '/activity/1'],
    ['POST', '/activity?extRefId=A'],
  ] as const) {
    const answer = await own.call(method, path, method === 'PUT' ? { body: '<list/>' } : {});
    t.is(answer.status, 405, `${method} ${path}`);
    t.deepEqual(errorsOf(answer), ['path.method']);
  }
});

test('another tenant’s ids are unknown, and count as attempts', async (t) => {
  const { own: other, order: foreign, line } = await withOrder(api);
  const body = await stored(other, '/activities', minute('A'));
  const id = valueOf(body, 'activity@id');
  const crossTenantAttempts = { max: 3, withinMinutes: 60 };
  const { own } = await withOrder(api, { file: { settings: { crossTenantAttempts } } });
  refused(t, await own.remove(`/activity/${id}`), 404, 'activity.unknown');
  refused(
    t,
    await own.post(`/order/${foreign}/activities`, listOf('<quantity>1</quantity>')),
    404,
    'order.unknown',
  );
  const named = `<orderLineItem id="${line}"/><quantity>1</quantity>`;
  refused(
    t,
    // A call counts once.
    await own.post('/activities', listOf('<order id="999999"/><amount>1</amount>', named, named)),
    400,
    'activity.reference list/activity[1]/order/@id',
    'activity.reference list/activity[2]/orderLineItem/@id',
    'activity.reference list/activity[3]/orderLineItem/@id',
  );
  refused(t, await own.get('/plans'), 401, 'auth.invalid');
});

test('a line that was added later takes records from its first day on', async (t) => {
  const { own } = await withOrder(api);
  const body = await order(own, '<contractCode>MIXED</contractCode>');
  const id = lineIn(body, 'CALLS');
  await own.asOwner(`update order_line set starts_on = '2027-02-10' where id = ${id}`);
  const record = (day: string) =>
    `<orderLineItem id="${id}"/><quantity>1</quantity><chargeDate>${day}</chargeDate>`;
  refused(
    t,
    await own.post('/activities', listOf(record('2027-02-10'), record('2027-02-09'))),
    400,
    'activity.outsideTerm list/activity[2]/chargeDate',
  );
});

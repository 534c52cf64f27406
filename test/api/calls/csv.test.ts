/** Lists as CSV: their columns, what is in them, and streams that end as their callers or rows do. */
import { request, type IncomingMessage } from 'node:http';
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

const api = await startTenantApi();

const customer = `<customer><extCustomerRef>=C1</extCustomerRef><name>Ada "A", Ltd</name>
  <billingContact><firstName>Ada</firstName><address><city>New York</city></address></billingContact>
  <metadata><entry><key>po</key><value>7</value></entry><entry><key>10</key><value>x"y</value></entry>
  <entry><key>9</key><value>z</value></entry></metadata></customer>`;

/** A customer with an order of GOLD, its invoice 1001 of 78.95, and 8.95 of that paid in cash. */
async function withObjects(): Promise<TenantApi> {
  const own = await api.another();
  await own.post('/customers', customer);
  const order = await own.post(
    '/orders?extCustomerRef=%3DC1&generateInvoice=true',
    '<subscriptionOrder><contractCode>GOLD</contractCode><notes>+1 two\nlines</notes></subscriptionOrder>',
  );
  if (order.status !== 201) throw new Error(order.body);
  await own.post(
    '/payments?extCustomerRef=%3DC1',
    `<processPayment><amount>8.95</amount><paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO></processPayment>`,
  );
  return own;
}

/** The rows of a file whose cells have no line ends, by the names of their columns. */
async function rowsOf(own: TenantApi, path: string): Promise<Record<string, string>[]> {
  const answer = await own.get(path);
  if (answer.status !== 200) throw new Error(answer.body);
  const [head = [], ...rows] = cellsIn(answer.body.slice(1));
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}

/** By RFC 4180. */
function cellsIn(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, plain = '', end = ''] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

const columnsIn = async (own: TenantApi, path: string): Promise<string> =>
  ((await own.get(path)).body.slice(1).split('\r\n')[0] ?? '').replaceAll(',', ' ');

test('a file is UTF-8 with a mark, and an attachment', async (t) => {
  const own = await withObjects();
  const answer = await own.get('/orders?format=csv');
  t.is(answer.status, 200);
  t.is(answer.headers['content-type'], 'text/csv; charset=utf-8');
  t.is(answer.headers['content-disposition'], 'attachment; filename="orders.csv"');
  t.is(answer.body.codePointAt(0), 0xfeff);
  t.true(answer.body.endsWith('\r\n'));
});

test('the columns are the elements of the answer in their order, without lists', async (t) => {
  const own = await withObjects();
  t.is(
    await columnsIn(own, '/customers?format=csv'),
    'id name status suspendedUntil erasedDate extCustomerRef locale isBusinessAccount paymentTermsValue ' +
      'paymentTermsUnits currency taxId purchaseOrder electronicAddress buyerReference username ' +
      'firstName lastName companyName emailPrimary emailCc workPhone street1 street2 city state zip ' +
      'country countryCode metadata',
  );
  t.is(
    await columnsIn(own, '/orders?format=csv'),
    'id orderNumber orderStatus startDate endDate customerId extCustomerRef currency ' +
      'contractOfferingId contractOfferingName contractCode billingPeriod separateInvoice ' +
      'isSeparateInvoice jobCode purchaseOrder couponCode isAutoPay isAutoRenew dueDateValue ' +
      'dueDateUnits invoiceText invoiceNotes notes totalLifetimeValue nextBillableDate trialEndDate ' +
      'billedThrough renews cancelReason suspendedUntil priceChangeDate lastUpdated dateCreated ' +
      'previousOrderId nextOrderId metadata',
  );
  t.is(
    await columnsIn(own, '/invoices?format=csv'),
    'id invoiceNumber status invoiceDate dueDate billingStartDate billingEndDate delegatedInvoiceId ' +
      'customerId extCustomerRef billToName billToAddressStreet1 billToAddressStreet2 ' +
      'billToAddressCity billToAddressState billToAddressZip billToAddressCountry ' +
      'billToAddressCountryCode billToTaxId billToExtCustomerRef currency billingPeriod ' +
      'previousBalance paymentsAndAdjustments outstandingBalance currentAmountDue totalDue notes ' +
      'purchaseOrder creditNoteOfId refundId cancellationNumber dateCancelled lastUpdated ' +
      'dateCreated metadata',
  );
  const ofPayments =
    'id isSystemPayment customerId extCustomerRef paymentMethodType paymentMethodId ' +
    'paymentMethodContext currency amount balance effectiveDate status payerActionIsPayerPresent ' +
    'payerActionWaitsUntil paymentType isProcessedByBillingRun baseUserId baseUserUsername baseUserFirstName baseUserLastName ' +
    'paymentProcessorId paymentProcessorName notes lastUpdated dateCreated metadata';
  for (const list of ['payments', 'credits', 'refunds']) {
    t.is(await columnsIn(own, `/${list}?format=csv`), ofPayments, list);
  }
  t.is(
    await columnsIn(own, '/invoiceLines?format=csv'),
    'invoiceId invoiceNumber invoiceDate status customerId extCustomerRef orderNumber contractCode ' +
      'currency id accountingCode position priceCode contractChargeId isPercent billingStartDate ' +
      'billingEndDate chargeDate unitPrice amount quantity unitOfMeasure orderLineItemId invoiceText ' +
      'pricingTierId currencySymbol isUsageChargeSubTotal',
  );
});

test('the cells are what the answers say, and no text is taken for a formula', async (t) => {
  const own = await withObjects();
  const [ada] = await rowsOf(own, '/customers?format=csv');
  const id = valueOf((await own.get('/customers')).body, 'customer@id');
  t.like(ada, {
    id,
    name: 'Ada "A", Ltd',
    extCustomerRef: "'=C1",
    currency: 'USD',
    isBusinessAccount: 'false',
    firstName: 'Ada',
    city: 'New York',
    taxId: '',
    metadata: '{"10":"x\\"y","9":"z","po":"7"}',
  });
  const [order] = await rowsOf(own, '/orders?format=csv');
  t.like(order, {
    orderNumber: '1001',
    customerId: id,
    extCustomerRef: "'=C1",
    contractCode: 'GOLD',
    notes: "'+1 two\nlines",
    totalLifetimeValue: '78.95',
    metadata: '',
  });
  const [invoice] = await rowsOf(own, '/invoices?format=csv');
  t.like(invoice, {
    invoiceNumber: '1001',
    outstandingBalance: '70.00',
    billToName: 'Ada "A", Ltd',
  });
  const [payment] = await rowsOf(own, '/payments?format=csv');
  t.like(payment, { amount: '8.95', paymentMethodType: 'Cash', paymentProcessorId: '' });
  t.deepEqual(await rowsOf(own, '/credits?format=csv'), []);
});

test('a line is a charge, and their amounts sum to the invoices', async (t) => {
  const own = await withObjects();
  const lines = await rowsOf(own, '/invoiceLines?format=csv');
  t.deepEqual(
    lines.map((line) => [
      line['invoiceNumber'],
      line['orderNumber'],
      line['priceCode'],
      line['amount'],
    ]),
    [
      ['1001', '1001', 'GOLD-SETUP', '49.00'],
      ['1001', '1001', 'GOLD-FEE', '29.95'],
    ],
  );
  t.deepEqual(await rowsOf(own, '/invoiceLines?format=csv&orderNumber=1002'), []);
  t.is(
    (await rowsOf(own, '/invoiceLines?format=csv&status=Outstanding&priceCode=GOLD-FEE')).length,
    2,
  );
});

test('a file has the filters of its list, in its order', async (t) => {
  const own = await withObjects();
  await own.post('/customers', customer.replace('=C1', 'C2').replaceAll('po<', 'PO<'));
  const found = async (query: string) =>
    (await rowsOf(own, `/customers?format=csv&${query}`)).map((row) => row['extCustomerRef']);
  t.deepEqual(await found(''), ["'=C1", 'C2']);
  t.deepEqual(await found('metadata.PO=7'), ['C2']);
  t.deepEqual(await found('search=ada&extCustomerRef=C2'), ['C2']);
  t.deepEqual(await found('status=Suspended1'), []);
});

test('what is of pages is refused, and so are other formats of a file', async (t) => {
  const own = await api.another();
  for (const path of [
    '/customers',
    '/orders',
    '/invoices',
    '/payments',
    '/credits',
    '/refunds',
    '/invoiceLines',
  ]) {
    for (const parameter of ['offset=0', 'max=5', 'after=x', 'count=true']) {
      const answer = await own.get(`${path}?format=csv&${parameter}`);
      refused(t, answer, 400, `query.invalid ${parameter.split('=')[0]}`);
    }
  }
  for (const query of ['', '?format=xml', '?format=pdf']) {
    refused(t, await own.get(`/invoiceLines${query}`), 400, 'query.format format');
  }
  refused(t, await own.get('/invoiceLines?format=csv&colour=red'), 400, 'query.unknown colour');
  refused(t, await own.get('/plans?format=csv'), 400, 'query.format format');
  t.is((await own.call('GET', '/invoiceLines?format=csv', { auth: null })).status, 401);
});

/** A tenant with many customers, whose names are long. */
async function withMany(count: number): Promise<TenantApi> {
  const own = await api.another();
  await own.asOwner(
    `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
     select ${own.tenantId}, repeat('x', 250), 'Active', 'USD', now(), now()
     from generate_series(1, ${count})`,
  );
  return own;
}

function begin(own: TenantApi): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(
    {
      port: own.port,
      path: '/rest/customers?format=csv',
      auth: `api@test:${PASSWORD}`,
      headers: { Host: `${own.label}.localhost` },
    },
    resolve,
  );
  sent.once('error', reject).end();
  return promise;
}

/** Connections with the cursor of a file. */
const reading = async (own: TenantApi): Promise<number> => {
  const rows = await own.asOwner<{ pid: number }>(
    `select pid from pg_stat_activity where query like 'fetch%' and datname = current_database()`,
  );
  return rows.length;
};

test.serial('all rows are those of one moment, however slowly they are read', async (t) => {
  const own = await withMany(20_000);
  const answer = await begin(own);
  answer.pause();
  await own.post('/customers', customer);
  // The last ones: they are read long after the rows are gone, which takes no time either.
  await own.asOwner(
    `delete from customer where tenant_id = ${own.tenantId} and id in (
       select id from customer where tenant_id = ${own.tenantId} and name like 'xx%' order by id desc limit 100)`,
  );
  let lines = 0;
  for await (const chunk of answer) lines += String(chunk).split('\r\n').length - 1;
  t.is(lines, 20_001);
  await until('no file is read', async () => (await reading(own)) === 0);
});

test.serial('a caller that leaves ends the read, and so does one that reads no body', async (t) => {
  const own = await withMany(20_000);
  const answer = await begin(own);
  answer.pause();
  t.is(await reading(own), 1);
  answer.destroy();
  await until('no file is read', async () => (await reading(own)) === 0);
  const head = await own.call('HEAD', '/customers?format=csv');
  t.is(head.status, 200);
  await until('no file is read', async () => (await reading(own)) === 0);
});

test.serial('a fault after the first rows breaks the connection', async (t) => {
  const own = await withMany(20_000);
  const answer = await begin(own);
  answer.pause();
  await own.asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where query like 'fetch%' and datname = current_database()`,
  );
  await t.throwsAsync(async () => {
    for await (const _ of answer) continue;
  });
});

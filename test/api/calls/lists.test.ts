/** Lists: what they are filtered by, how many there are, and what leads from page to page. */
import test from 'ava';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

const crm = (value: string) =>
  `<metadata><entry><key>crm</key><value>${value}</value></entry></metadata>`;
const customerOf = (ref: string, inner = '') =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact><firstName>Ada</firstName>
   </billingContact>${inner}</customer>`;

/** C1 with an order of GOLD and its invoice 1001, C2 with one of WORK by hand, 1002. */
async function withObjects(): Promise<TenantApi> {
  const own = await api.another();
  await own.post('/customers', customerOf('C1', crm('A-1')));
  await own.post('/customers', customerOf('C2', crm('A-2')));
  await own.post(
    '/orders?extCustomerRef=C1&generateInvoice=true',
    `<subscriptionOrder><contractCode>GOLD</contractCode>${crm('A-1')}</subscriptionOrder>`,
  );
  await own.post(
    '/orders?extCustomerRef=C2',
    `<subscriptionOrder><orderStatus>Draft</orderStatus><contractCode>GOLD</contractCode>
     ${crm('A-2')}</subscriptionOrder>`,
  );
  await own.post(
    '/invoices?extCustomerRef=C2',
    `<invoice><dueDate>2027-01-01</dueDate><invoiceLineItems><invoiceLineItem>
     <invoiceLineItemCharges><invoiceLineItemCharge><priceCode>WORK</priceCode><amount>5</amount>
     </invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem></invoiceLineItems>
     ${crm('A-2')}</invoice>`,
  );
  return own;
}

const shownIn = async (own: TenantApi, path: string, element: string): Promise<string[]> => {
  const answer = await own.get(path);
  if (answer.status !== 200) throw new Error(answer.body);
  return valuesOf(answer.body, element);
};

test('customers are filtered by reference and metadata, together with a search', async (t) => {
  const own = await withObjects();
  const found = (query: string) => shownIn(own, `/customers?${query}`, 'extCustomerRef');
  t.deepEqual(await found('extCustomerRef=C2'), ['C2']);
  t.deepEqual(await found('extCustomerRef=nobody'), []);
  t.deepEqual(await found('metadata.crm=A-1'), ['C1']);
  t.deepEqual(await found('metadata.crm=A-1&metadata.po=7'), []);
  t.deepEqual(await found('metadata.crm='), ['C1', 'C2']);
  t.deepEqual(await found('search=ada'), ['C1', 'C2']);
  t.deepEqual(await found('search=ada&metadata.crm=A-2'), ['C2']);
  t.deepEqual(await found('search=ada&extCustomerRef=C1&metadata.crm=A-2'), []);
});

test('orders are filtered by number, by the code of a charge, and by metadata', async (t) => {
  const own = await withObjects();
  const found = (query: string) => shownIn(own, `/orders?${query}`, 'orderNumber');
  t.deepEqual(await found('orderNumber=1001'), ['1001']);
  t.deepEqual(await found('orderNumber=x'), []);
  t.deepEqual(await found('priceCode=GOLD-FEE'), ['1002', '1001']);
  t.deepEqual(await found('priceCode=NO-FEE'), []);
  t.deepEqual(await found('priceCode=GOLD-FEE&metadata.crm=A-2'), ['1002']);
});

test('invoices are filtered by order, by the code of a charge, and by metadata of their orders', async (t) => {
  const own = await withObjects();
  const found = (query: string) => shownIn(own, `/invoices?${query}`, 'invoiceNumber');
  t.deepEqual(await found('orderNumber=1001'), ['1001']);
  t.deepEqual(await found('orderNumber=1002'), []);
  t.deepEqual(await found('priceCode=GOLD-FEE'), ['1001']);
  t.deepEqual(await found('priceCode=WORK'), ['1002']);
  t.deepEqual(await found('metadata.crm=A-1'), ['1001']);
});

test('dates are a day, or two of which one may be left out', async (t) => {
  const own = await withObjects();
  const found = (query: string) => shownIn(own, `/invoices?${query}`, 'invoiceNumber');
  // 1001 is due 30 days after 2027-01-01, 1002 on that day.
  t.deepEqual(await found('dueDate=2027-01-31'), ['1001']);
  t.deepEqual(await found('dueDate=2027-01-01..2027-01-31'), ['1001', '1002']);
  t.deepEqual(await found('dueDate=2027-01-02..'), ['1001']);
  t.deepEqual(await found('dueDate=..2027-01-30'), ['1002']);
  t.deepEqual(await found('invoiceDate=2027-01-01&dueDate=..2027-01-30'), ['1002']);
  t.deepEqual(await found('invoiceDate=2027-01-02..'), []);
  for (const wrong of [
    '2027-02-30',
    '2027-01-01..2027-01-02..2027-01-03',
    '..',
    'today',
    '2027-01',
  ]) {
    refused(t, await own.get(`/invoices?dueDate=${wrong}`), 400, 'query.invalid dueDate');
  }
  const reversed = await own.get('/invoices?dueDate=2027-01-02..2027-01-01');
  refused(t, reversed, 400, 'query.invalid dueDate');
});

test('payments, credits and refunds are filtered by effectiveDate and metadata, each of its own type', async (t) => {
  const own = await withObjects();
  const credit = (inner: string) =>
    own.post('/credits?extCustomerRef=C1', `<processCredit>${inner}</processCredit>`);
  await credit(`<amount>1</amount><effectiveDate>2026-12-30</effectiveDate>${crm('A-1')}`);
  await credit('<amount>2</amount>');
  const found = (query: string) => shownIn(own, `/credits?${query}`, 'amount');
  t.deepEqual(await found('effectiveDate=2026-12-30'), ['1.00']);
  t.deepEqual(await found('effectiveDate=2026-12-31..'), ['2.00']);
  t.deepEqual(await found('effectiveDate=2026-12-30..2027-01-01'), ['2.00', '1.00']);
  t.deepEqual(await found('metadata.crm=A-1'), ['1.00']);
  t.deepEqual(await shownIn(own, '/payments?metadata.crm=A-1', 'amount'), []);
});

test('overdue is what is Outstanding from the day after its dueDate on, and who has such invoices', async (t) => {
  const own = await withObjects();
  const invoices = (is: boolean) => shownIn(own, `/invoices?overdue=${is}`, 'invoiceNumber');
  const customers = (is: boolean) => shownIn(own, `/customers?overdue=${is}`, 'extCustomerRef');
  t.deepEqual([await invoices(true), await invoices(false)], [[], ['1001', '1002']]);
  await own.asOwner(
    `update test_clock set now = '2027-01-02T12:00:00Z' where tenant_id = ${own.tenantId}`,
  );
  t.deepEqual([await invoices(true), await invoices(false)], [['1002'], ['1001']]);
  t.deepEqual([await customers(true), await customers(false)], [['C2'], ['C1']]);
  await own.post('/credits?extCustomerRef=C2', '<processCredit><amount>5</amount></processCredit>');
  t.deepEqual([await invoices(true), await customers(true)], [[], []]);
});

/** The path that leads to the next page; undefined at the end. */
const nextOf = (link: string | string[] | undefined): string | undefined =>
  /^<\/rest(\/[^>]*)>; rel="next"$/.exec(String(link))?.[1];

const lists = [
  ['/customers', 'extCustomerRef', ['C1', 'C2', 'C3', 'C4', 'C5']],
  ['/orders', 'orderNumber', ['1005', '1004', '1003', '1002', '1001']],
  ['/invoices', 'invoiceNumber', ['1005', '1004', '1003', '1002', '1001']],
  ['/credits', 'amount', ['5.00', '4.00', '3.00', '2.00', '1.00']],
] as const;

/** Five of each, with the same sort keys: all were made on one instant of the test clock. */
async function withFive(): Promise<TenantApi> {
  const own = await api.another();
  for (const n of [1, 2, 3, 4, 5]) {
    await own.post('/customers', customerOf(`C${n}`));
    await own.post(
      `/orders?extCustomerRef=C${n}&generateInvoice=true`,
      '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>',
    );
    const credit = `<processCredit><amount>${n}</amount></processCredit>`;
    await own.post(`/credits?extCustomerRef=C${n}`, credit);
  }
  return own;
}

test('the Link header leads through a list, and repeats and misses nothing', async (t) => {
  const own = await withFive();
  for (const [path, element, expected] of lists) {
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let next: string | undefined = `${path}?max=2&indent=false`; next !== undefined;) {
      const page = await own.get(next);
      const values = valuesOf(page.body, element).filter((value) =>
        expected.includes(value as never),
      );
      seen.push(...values);
      sizes.push(values.length);
      next = nextOf(page.headers['link']);
      if (next !== undefined) t.regex(next, /[?&]max=2&indent=false&after=[\w-]+$/);
    }
    t.deepEqual([seen, sizes], [[...expected], [2, 2, 1]], path);
  }
});

test('what is made or changed meanwhile moves no later page', async (t) => {
  const own = await withFive();
  const first = await own.get('/orders?max=2');
  await own.post(
    '/orders?extCustomerRef=C1',
    '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>',
  );
  const second = await own.get(nextOf(first.headers['link']) ?? '');
  t.deepEqual(valuesOf(second.body, 'orderNumber'), ['1003', '1002']);
});

test('a whole page at the end of a list leads nowhere, nor does an empty one', async (t) => {
  const own = await withFive();
  for (const query of ['max=5', 'max=0', 'max=2&offset=3', 'max=2&offset=9']) {
    t.is((await own.get(`/customers?${query}`)).headers['link'], undefined, query);
  }
  const next = nextOf((await own.get('/customers?max=2&offset=1&search=ada')).headers['link']);
  t.regex(next ?? '', /^\/customers\?max=2&search=ada&after=[\w-]+$/);
  t.deepEqual(await shownIn(own, next ?? '', 'extCustomerRef'), ['C4', 'C5']);
});

test('a place is of its own list, and excludes an offset', async (t) => {
  const own = await withFive();
  const next = nextOf((await own.get('/credits?max=2')).headers['link']) ?? '';
  const after = new URL(next, 'http://x').searchParams.get('after') ?? '';
  refused(t, await own.get(`/credits?after=${after}&offset=2`), 400, 'query.invalid offset');
  refused(t, await own.get(`/credits?after=${after}&offset=0`), 400, 'query.invalid offset');
  for (const path of ['/customers', '/orders', '/invoices', '/payments', '/refunds']) {
    refused(t, await own.get(`${path}?after=${after}`), 400, 'query.invalid after');
  }
  const forged = (text: string) => Buffer.from(text).toString('base64url');
  for (const place of [
    'x',
    forged('orders 99 1'),
    forged('credits 2027-02-30 1'),
    forged('credits  1'),
  ]) {
    refused(t, await own.get(`/credits?after=${place}`), 400, 'query.invalid after');
  }
});

test('count says how many the filters select, wherever the page begins', async (t) => {
  const own = await withFive();
  const counted = async (path: string) => (await own.get(path)).headers['x-total-count'];
  for (const [path] of lists) {
    t.is(await counted(`${path}?max=2&count=true`), '5', path);
    t.is(await counted(`${path}?max=2`), undefined, path);
  }
  t.is(await counted('/customers?count=true&max=1&offset=3&search=ada'), '5');
  t.is(await counted('/customers?count=true&extCustomerRef=C1&search=ada'), '1');
  t.is(await counted('/invoices?count=true&orderNumber=1002'), '1');
  const next = nextOf((await own.get('/orders?max=2&count=true')).headers['link']) ?? '';
  t.false(next.includes('count'), 'nobody counts twice');
  t.is(await counted(`${next}&count=true`), '5');
});

test('beyond 10,000 nobody counts', async (t) => {
  const own = await api.another();
  await own.asOwner(
    `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
     select ${own.tenantId}, 'C', 'Active', 'USD', now(), now() from generate_series(1, 10000)`,
  );
  const all = await own.get('/customers?max=1&count=true');
  t.is(all.headers['x-total-count'], '10000');
  t.is(all.headers['x-total-count-limited'], undefined);
  await own.post('/customers', customerOf('C1'));
  const more = await own.get('/customers?max=1&count=true');
  t.is(more.headers['x-total-count'], '10000');
  t.is(more.headers['x-total-count-limited'], 'true');
});

test('a key of metadata that can be none, and a value that is too long, are refused', async (t) => {
  const own = await api.another();
  const get = (query: string) => own.get(`/orders?${query}`);
  refused(t, await get('metadata.=1'), 400, 'query.invalid metadata.');
  refused(t, await get('metadata.a%20b=1'), 400, 'query.invalid metadata.a b');
  refused(t, await get(`metadata.a=${'x'.repeat(501)}`), 400, 'query.tooLong metadata.a');
  refused(t, await get('metadata.a=1&metadata.a=2'), 400, 'query.repeated metadata.a');
  refused(t, await own.get('/plans?metadata.a=1'), 400, 'query.unknown metadata.a');
  t.is(valueOf((await get('metadata.a=%2B1%26')).body, 'orderNumber'), undefined);
});

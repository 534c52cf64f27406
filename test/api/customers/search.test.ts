/** Search for customers by name, reference, e-mail and phone, in any case, among 100,000. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { startTenantApi, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi({ ownDatabase: true });

async function found(own: TenantApi, term: string, more = ''): Promise<string[]> {
  const list = await own.get(`/customers?search=${encodeURIComponent(term)}${more}`);
  return valuesOf(list.body, 'extCustomerRef');
}

const people: readonly (readonly [ref: string, contact: string, sales?: string])[] = [
  [
    'A-1',
    '<firstName>Ada</firstName><lastName>Öztürk</lastName><workPhone>+49 (0)30 123-45</workPhone>',
  ],
  [
    'B-2',
    '<companyName>Straße &amp; Söhne 100%</companyName><emailPrimary>Info@Example.COM</emailPrimary>',
  ],
  [
    'C-3',
    '<firstName>Bo</firstName><lastName>Lee</lastName><workPhone>555.010.2030</workPhone>',
    '<firstName>Sal</firstName><lastName>Ley_x</lastName>',
  ],
];

async function withPeople(): Promise<TenantApi> {
  const own = await api.another();
  for (const [ref, billing, sales] of people) {
    await own.post(
      '/customers',
      `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact>${billing}</billingContact>` +
        `${sales === undefined ? '' : `<salesContact>${sales}</salesContact>`}</customer>`,
    );
  }
  return own;
}

test('a term is found anywhere in names, reference, e-mail and phone, in any case', async (t) => {
  const own = await withPeople();
  for (const [term, ...refs] of [
    ['ada', 'A-1'],
    ['ADA ÖZ', 'A-1'],
    ['öztürk', 'A-1'],
    ['a-1', 'A-1'],
    ['STRASSE'],
    ['straße & sö', 'B-2'],
    ['100%', 'B-2'],
    ['%', 'B-2'],
    ['_x', 'C-3'],
    ['info@example.com', 'B-2'],
    ['EXAMPLE', 'B-2'],
    ['sal ley', 'C-3'],
    ['bo lee', 'C-3'],
    ['+49 30 12345', 'A-1'],
    ['030 123 45', 'A-1'],
    ['0049 30 12345', 'A-1'],
    ['(0)30 123-45', 'A-1'],
    ['555-010-2030', 'C-3'],
    ['5550102030', 'C-3'],
    ['-', 'A-1', 'B-2', 'C-3'],
    ['nobody'],
    ['ada\nöztürk'],
  ] as const) {
    t.deepEqual(await found(own, term), [...refs], term);
  }
});

test('a changed customer is found by its new values', async (t) => {
  const own = await withPeople();
  await own.put('/customer?extCustomerRef=A-1', '<customer><name>Zoe</name></customer>');
  t.deepEqual(await found(own, 'zoe'), ['A-1']);
  await own.put(
    '/customer/billingContact?extCustomerRef=A-1',
    '<billingContact><emailPrimary>z@z.example</emailPrimary><workPhone/></billingContact>',
  );
  t.deepEqual([await found(own, 'z@z.ex'), await found(own, '12345')], [['A-1'], []]);
  await own.remove('/customer/salesContact?extCustomerRef=C-3');
  t.deepEqual(await found(own, 'sal ley'), []);
  await own.post(
    '/customer/salesContact?extCustomerRef=C-3',
    '<salesContact><companyName>Reseller</companyName></salesContact>',
  );
  t.deepEqual(await found(own, 'RESELLER'), ['C-3']);
  await own.put(
    '/customer?extCustomerRef=C-3',
    '<customer><extCustomerRef>NEW</extCustomerRef><salesContact/></customer>',
  );
  t.deepEqual([await found(own, 'c-3'), await found(own, 'new')], [[], ['NEW']]);
});

test("a search has pages and filters, and finds only its own tenant's customers", async (t) => {
  const own = await withPeople();
  await own.post('/customer?extCustomerRef=B-2&actionName=suspend');
  t.deepEqual(await found(own, '-', '&max=1&offset=1'), ['B-2']);
  t.deepEqual(await found(own, '-', '&status=Active'), ['A-1', 'C-3']);
  t.deepEqual(await found(own, '-', '&createStartTime=202701010700&createEndTime=202701010700'), [
    'A-1',
    'B-2',
    'C-3',
  ]);
  t.deepEqual(await found(own, '-', '&updateStartTime=202701010701'), []);
  t.deepEqual(await found(await api.another(), '-'), []);
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test('among 100,000 customers a rare term uses the index, a frequent one the ascending ids', async (t) => {
  const own = await api.another();
  // As the owner, whom no statement timeout limits.
  await own.asOwner(`
    insert into customer (tenant_id, name, status, currency, created_at, updated_at, search_text)
    select ${own.tenantId}, 'Customer ' || n, 'Active', 'USD', now(), now(),
           'customer ' || n || E'\\nmail' || n || '@example.com'
    from generate_series(1, 100000) n`);
  await own.asOwner('analyze customer');
  const list = await own.get('/customers?search=MAIL54321@example');
  t.deepEqual(valuesOf(list.body, 'name'), ['Customer 54321']);
  t.is(valuesOf((await own.get('/customers?search=customer&max=7')).body, 'name').length, 7);
  // The statement that the function builds, without row-level security.
  const explained = async (term: string): Promise<Plan[]> => {
    const [row] = await own.asOwner<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (format json) select id from customer where tenant_id = ${own.tenantId}
       and search_text like '%${term}%' order by id offset 0 limit 50`,
    );
    return row?.['QUERY PLAN'].flatMap((each) => nodesOf(each.Plan)) ?? [];
  };
  const rare = await explained('mail54321@example');
  t.true(
    rare.some((node) => node['Index Name'] === 'customer_search'),
    JSON.stringify(rare),
  );
  const frequent = await explained('customer');
  t.true(
    frequent.some((node) => node['Index Name'] === 'customer_pkey'),
    JSON.stringify(frequent),
  );
  // And as the service: the search for a rare term reads few pages.
  const counted = await inTenant(own.db, own.tenantId, async (tx) => {
    const [row] = await tx.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json)
       select find_customers('%mail54321@example%', null, null, null, null, null, null, null, 0, 50)`,
    );
    return row?.['QUERY PLAN'][0]?.Plan;
  });
  t.is(counted?.['Actual Rows'], 1);
  const pages = (counted?.['Shared Hit Blocks'] ?? 0) + (counted?.['Shared Read Blocks'] ?? 0);
  const [table] = await own.asOwner<{ pages: number }>(
    `select relpages as pages from pg_class where relname = 'customer'`,
  );
  t.true(pages < (table?.pages ?? 0) / 3, `${pages} of ${table?.pages} pages`);
  t.log(`${counted?.['Actual Total Time']} ms, ${pages} of ${table?.pages} pages`);
});

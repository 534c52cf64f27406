/**
 * Attempts at other tenants' ids or hosts are counted and suspend the user, until a person enables
 * it.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { childEnvironment } from '../../../config.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import {
  amount,
  autopay,
  cash,
  invoices,
  makeCustomer,
  pay,
  payWithAutopay,
  token,
} from '../payments/bodies.ts';
import { suspendByName } from '../../../operations/access/users.ts';
import { testDatabase } from '../../support/database.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi({ ownDatabase: true });
const body = '<customer><billingContact><firstName>Ada</firstName></billingContact></customer>';
const settings = (max: number) => ({
  file: { settings: { crossTenantAttempts: { max, withinMinutes: 60 } } },
});

/** A customer of another tenant. */
async function foreignId(): Promise<string> {
  const other = await api.another();
  return String(valueOf((await other.post('/customers', body)).body, 'customer@id'));
}

interface Entry {
  readonly action: string;
  readonly username: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly code: string | null;
}

function audit(own: TenantApi): Promise<Entry[]> {
  return inTenant(own.db, own.tenantId, (tx) =>
    tx.query<Entry>('select action, username, path, status, code from audit_log order by id'),
  );
}

test("another tenant's id is answered like an unknown one, and the tenth attempt suspends the user", async (t) => {
  const own = await api.another();
  const id = await foreignId();
  const missing = await own.get('/customer/999999');
  for (let n = 1; n <= 10; n += 1) {
    const foreign = await own.get(`/customer/${id}`);
    t.is(foreign.status, 404, `attempt ${n}`);
    t.is(foreign.body, missing.body);
  }
  refused(t, await own.get('/plans'), 401, 'auth.invalid');
  const entries = await audit(own);
  t.is(entries.filter(({ action }) => action === 'foreignId').length, 10);
  t.deepEqual(entries.at(-2), {
    action: 'userSuspended',
    username: 'api@test',
    path: `/rest/customer/${id}`,
    status: null,
    code: null,
  });
  t.like(entries.at(-1), { action: 'refused', status: 401, code: 'auth.invalid' });
  const enabled = await inTenant(own.db, own.tenantId, (tx) =>
    suspendByName(tx, 'api@test', false),
  );
  t.is(enabled, 'done');
});

test('an id that nobody has does not count', async (t) => {
  const own = await api.another(settings(1));
  for (let n = 0; n < 3; n += 1) t.is((await own.get('/customer/999999')).status, 404);
  t.is((await own.get('/plans')).status, 200);
});

const addresses: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/customer/ID'],
  ['GET', '/customer/ID/billingContact'],
  ['PUT', '/customer/ID', '<customer/>'],
  ['POST', '/customer/ID?actionName=suspend'],
  ['DELETE', '/customer/ID'],
  ['DELETE', '/customer/ID/salesContact'],
  ['GET', '/orders?customerId=ID'],
  ['GET', '/invoices?customerId=ID'],
  ['POST', '/invoices?customerId=ID', '<invoice/>'],
  ['GET', '/payments?customerId=ID'],
  ['GET', '/customer/ID/autopay'],
  ['PUT', '/customer/ID/autopay', autopay(token())],
  ['GET', '/customers/ID/paymentPlan'],
  ['GET', '/customers/paymentPlan?id=ID'],
  ['POST', '/customers/paymentPlan?id=ID', '<paymentPlan/>'],
  ['PUT', '/customers/ID/paymentPlan', '<paymentPlan/>'],
  ['DELETE', '/customers/ID/paymentPlan'],
  ['POST', '/payments', pay(`<customer id="ID"/>${amount('1')}${cash()}`)],
  ['POST', '/payments?format=xml', pay(`<customer id="ID"/>${amount('1')}${token()}`)],
  ['POST', '/payments/autopay', payWithAutopay(`<customer id="ID"/>${amount('1')}`)],
  [
    'POST',
    '/orders',
    '<subscriptionOrder><customer id="ID"/><contractCode>GOLD</contractCode></subscriptionOrder>',
  ],
];

for (const [method, path, sent] of addresses) {
  test(`counted: ${method} ${path}`, async (t) => {
    const own = await api.another(settings(2));
    const id = await foreignId();
    const call = (which: string) =>
      own.call(
        method,
        path.replace('ID', which),
        sent === undefined ? {} : { body: sent.replace('ID', which) },
      );
    const missing = await call('999999');
    for (let n = 0; n < 2; n += 1) {
      const foreign = await call(id);
      t.is(foreign.status, missing.status);
      t.is(foreign.body.replaceAll(id, '999999'), missing.body);
    }
    refused(t, await own.get('/plans'), 401, 'auth.invalid');
  });
}

test("ids of other tenants' orders, invoices, payments and plans count like those of customers", async (t) => {
  const other = await api.another();
  const customer = String(valueOf((await other.post('/customers', body)).body, 'customer@id'));
  const order = await other.post(
    '/orders?generateInvoice=true',
    `<subscriptionOrder><customer id="${customer}"/><contractCode>GOLD</contractCode></subscriptionOrder>`,
  );
  const named = `<customer id="${customer}"/>`;
  const payment = await other.post('/payments', pay(named + amount('1') + cash()));
  const ids = {
    payment: valueOf(payment.body, 'payment@id'),
    order: valueOf(order.body, 'subscriptionOrder@id'),
    invoice: valueOf(order.body, 'invoice@id'),
    plan: valueOf(order.body, 'contractOffering@id'),
  };
  for (const [kind, id] of Object.entries(ids)) {
    const own = await api.another(settings(1));
    t.is((await own.get(`/${kind}/${id}`)).status, 404);
    refused(t, await own.get('/plans'), 401, 'auth.invalid');
  }
  const own = await api.another(settings(1));
  const ownCustomer = valueOf((await own.post('/customers', body)).body, 'customer@id');
  const byPlan = await own.post(
    '/orders',
    `<subscriptionOrder><customer id="${ownCustomer}"/><contractOffering id="${ids.plan}"/></subscriptionOrder>`,
  );
  refused(t, byPlan, 400, 'plan.unknown subscriptionOrder/contractOffering/@id');
  refused(t, await own.get('/plans'), 401, 'auth.invalid');
  const third = await api.another(settings(1));
  const payer = await makeCustomer(third);
  const byInvoice = await third.post(
    '/payments',
    pay(`<customer id="${payer}"/>${amount('1')}${invoices(String(ids.invoice))}${cash()}`),
  );
  refused(t, byInvoice, 400, 'payment.invoice processPayment/invoices/invoice[1]/@id');
  refused(t, await third.get('/plans'), 401, 'auth.invalid');
});

const line = (parts: string) =>
  `<orderLineItems><orderLineItem${parts}</orderLineItem></orderLineItems>`;
const orderBody = (parts: string) => `<subscriptionOrder>${parts}</subscriptionOrder>`;

/** The kinds of ids in bodies, and their places; OWN is the caller's customer. */
const inBodies: readonly (readonly [what: string, method: string, path: string, body: string])[] = [
  ['subscriptionOrder', 'PUT', '/order/ORDER', orderBody(line(' id="ID"><quantity>1</quantity>'))],
  ['orderLineItem', 'PUT', '/order/ORDER', orderBody(line(' id="ID"><quantity>1</quantity>'))],
  ['orderLineItem', 'PUT', '/order/BILLED', orderBody(line(' id="ID"><quantity>1</quantity>'))],
  ['contractCharge', 'PUT', '/order/ORDER', orderBody(line('><contractCharge id="ID"/>'))],
  [
    'contractCharge',
    'POST',
    '/orders',
    orderBody(
      '<customer id="OWN"/><contractCode>GOLD</contractCode>' + line('><contractCharge id="ID"/>'),
    ),
  ],
  [
    'contractCharge',
    'POST',
    '/orders',
    orderBody(
      '<customer id="OWN"/><contractCode>GOLD</contractCode>' +
        line('><contractCharge id="ID"/><priceCode>GOLD-FEE</priceCode>'),
    ),
  ],
  ['contractOffering', 'PUT', '/order/ORDER', orderBody('<contractOffering id="ID"/>')],
  ['customer', 'PUT', '/order/BILLED', orderBody('<customer id="ID"/>')],
  [
    'invoice',
    'POST',
    '/payments',
    pay(`<customer id="OWN"/>${amount('1')}${invoices('ID')}${cash()}`),
  ],
  [
    'orderLineItem',
    'POST',
    '/payments',
    pay(`<customer id="OWN"/>${amount('1')}${invoices('ID')}${cash()}`),
  ],
];

for (const [n, [what, method, path, sent]] of inBodies.entries()) {
  test(`an id in a body counts: id of ${what} in ${method} ${path} (${n + 1})`, async (t) => {
    const bought = async (tenant: TenantApi) => {
      const customer = String(valueOf((await tenant.post('/customers', body)).body, 'customer@id'));
      const gold = orderBody(`<customer id="${customer}"/><contractCode>GOLD</contractCode>`);
      const billed = await tenant.post('/orders?generateInvoice=true', gold);
      const order = await tenant.post('/orders', gold);
      t.deepEqual([billed.status, order.status], [201, 201]);
      return { customer, billed: billed.body, order: order.body };
    };
    const own = await api.another(settings(2));
    const mine = await bought(own);
    const id = String(valueOf((await bought(await api.another())).billed, `${what}@id`));
    const call = (which: string) =>
      own.call(
        method,
        path
          .replace('ORDER', String(valueOf(mine.order, 'subscriptionOrder@id')))
          .replace('BILLED', String(valueOf(mine.billed, 'subscriptionOrder@id'))),
        { body: sent.replace('OWN', mine.customer).replace('ID', which) },
      );
    const missing = await call('999999');
    t.is(missing.status, 400, missing.body);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const foreign = await call(id);
      t.is(foreign.status, missing.status);
      t.is(foreign.body.replaceAll(id, '999999'), missing.body);
    }
    refused(t, await own.get('/plans'), 401, 'auth.invalid');
  });
}

/** Tables of tenants with ids that no body can contain. */
const neverNamed: Readonly<Record<string, string>> = {
  accounting_codes: 'kept for the ledger alone',
  audit_log: 'listed, never addressed',
  billed_period: 'kept for billing alone',
  billing_note: 'kept for billing alone',
  callback_resumption: 'kept for operators alone',
  carry_over: 'kept for finance alone',
  charge_credit: 'kept for billing alone',
  collection_attempt: 'kept for collection alone',
  coupon: 'named by its code',
  card_decline: 'kept for the limits of declines alone',
  commission: 'listed, never addressed',
  customer_transition: 'listed, never addressed',
  event_resend: 'kept for the sequencer alone',
  debit_notice: 'kept for collection alone',
  dunning: "has its customer's id",
  dunning_note: 'shown to operators',
  foreign_attempt: 'kept for the lock-out alone',
  gateway_event: 'kept for the gateway alone',
  gateway_finding: 'shown to operators',
  invoice_payment: 'shown in its payment and its invoice',
  ledger_entry: 'kept for the books alone',
  mail: 'shown to operators',
  party: 'shown in its documents',
  password_reset: 'known by the token of its page',
  pay_link: 'known by the token of its page',
  payment_withdrawal: 'kept for the books alone',
  processor_result: 'shown in its payment',
  order_agent: 'listed by its order',
  refund_reservation: 'kept for refunds alone',
  refund_share: 'kept for refunds alone',
  rehearsal: 'kept for operators alone',
  sandbox_transaction: "the sandbox gateway's own",
  self_service_session: 'known by the token of its page',
  service_pause: 'kept for billing alone',
  signup_try: 'shown in its signup',
  usage_window: 'named by its line and period',
  workflow_unseen: 'kept for test clocks alone',
};

test('each table with ids is known to id_is_foreign, or no body can name its ids', async (t) => {
  const rows = await api.asOwner<{ name: string; isKnown: boolean }>(`
    select c.relname as name, exists (
             select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid
               and d.refobjid = c.oid) as "isKnown"
    from pg_class c, pg_proc f
    where f.proname = 'id_is_foreign' and c.relkind in ('r', 'p')
      and c.relnamespace = 'public'::regnamespace
      and (select count(*) from pg_attribute a where a.attrelid = c.oid
             and a.attname in ('id', 'tenant_id') and not a.attisdropped) = 2
    order by c.relname`);
  const unknown = rows.filter((row) => !row.isKnown).map(({ name }) => name);
  t.deepEqual(unknown, Object.keys(neverNamed).toSorted());
});

test('an own id that does not fit is not an attempt, and neither is one that is ignored', async (t) => {
  const own = await api.another(settings(1));
  const customer = String(valueOf((await own.post('/customers', body)).body, 'customer@id'));
  const order = await own.post(
    '/orders',
    orderBody(`<customer id="${customer}"/><contractCode>GOLD</contractCode>`),
  );
  const path = `/order/${valueOf(order.body, 'subscriptionOrder@id')}`;
  const wrong = await own.put(path, orderBody(line(` id="${customer}"><quantity>1</quantity>`)));
  t.is(wrong.status, 400);
  const readOnly = `<invoices><invoice id="${await foreignId()}"/></invoices>`;
  t.is((await own.put(path, orderBody(readOnly))).status, 200);
  t.is((await own.get('/plans')).status, 200);
});

test('attempts older than the window do not count', async (t) => {
  const own = await api.another(settings(2));
  const id = await foreignId();
  await own.get(`/customer/${id}`);
  await inTenant(own.db, own.tenantId, (tx) =>
    tx.query(`update foreign_attempt set attempted_at = now() - interval '1 hour'`),
  );
  await own.get(`/customer/${id}`);
  t.is((await own.get('/plans')).status, 200);
  await own.get(`/customer/${id}`);
  t.is((await own.get('/plans')).status, 401);
});

test('simultaneous attempts are all counted', async (t) => {
  const own = await api.another(settings(5));
  const id = await foreignId();
  await Promise.all(Array.from({ length: 5 }, () => own.get(`/customer/${id}`)));
  refused(t, await own.get('/plans'), 401, 'auth.invalid');
});

test("credentials used on another tenant's host count against their own tenant", async (t) => {
  const [own, other] = [await api.another(settings(3)), await api.another(settings(3))];
  const auth = `mine@test:${PASSWORD}`;
  await inTenant(own.db, own.tenantId, (tx) =>
    tx.query(`update base_user set username = 'mine@test'`),
  );
  t.is((await own.call('GET', '/plans', { auth })).status, 200);
  for (let n = 0; n < 3; n += 1) {
    refused(t, await other.call('GET', '/plans', { auth }), 401, 'auth.invalid');
  }
  await other.guarded();
  refused(t, await own.call('GET', '/plans', { auth }), 401, 'auth.invalid');
  t.is((await other.get('/plans')).status, 200);
  t.is((await audit(own)).filter(({ action }) => action === 'foreignHost').length, 3);
  const refusedThere = (await audit(other)).filter(({ action }) => action === 'refused');
  t.deepEqual(
    refusedThere.map(({ username, path }) => [username, path]),
    Array.from({ length: 3 }, () => ['mine@test', '/rest/plans']),
  );
});

test('a wrong password on another host does not reveal its owner', async (t) => {
  const [own, other] = [await api.another(settings(1)), await api.another(settings(1))];
  await other.call('GET', '/plans', { auth: 'api@test:wrong' });
  await other.guarded();
  t.is((await own.get('/plans')).status, 200);
});

test('the audit log has every write, without bodies and queries, and nobody can change it', async (t) => {
  const own = await api.another();
  await own.post('/customers', body);
  await own.put('/customer?extCustomerRef=secret', body);
  await own.get('/customers');
  t.deepEqual(await audit(own), [
    { action: 'write', username: 'api@test', path: '/rest/customers', status: 201, code: null },
  ]);
  const change = inTenant(own.db, own.tenantId, (tx) => tx.query('delete from audit_log'));
  await t.throwsAsync(change, { message: /permission denied|append-only/ });
});

test('npm run tenant -- user suspends, enables and lists users', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const options = { role: 'sundial_app', poolMax: 1, statementTimeoutMs: 5_000 } as const;
  const db = await openDatabase({ ...options, url: ownerUrl, name: 'test' });
  const { id, label } = await makeTenant({ db, realNow: Date.now });
  await inTenant(db, id, (tx) => tx.query('update base_user set suspended_at = now()'));
  const run = async (...args: string[]): Promise<string> => {
    const entry = join(import.meta.dirname, '../../../cli/tenant.ts');
    const env = childEnvironment({ DATABASE_URL: ownerUrl, OPERATOR: 'Anna' });
    try {
      const command = [entry, 'user', ...args];
      return (await promisify(execFile)(process.execPath, command, { env })).stdout;
    } catch (error) {
      return (error as { readonly stderr: string }).stderr;
    }
  };
  t.is(await run('enable', label, 'api@test'), `user api@test of ${label} is enabled\n`);
  t.is(await run('enable', label, 'api@test'), `User api@test of ${label} is not suspended.\n`);
  t.is(await run('enable', label, 'nobody'), `Tenant ${label} has no user nobody.\n`);
  t.is(await run('enable', 'nowhere', 'x'), 'There is no tenant nowhere.\n');
  t.regex(await run('enable', label), /^Usage: npm run tenant -- user suspend\|enable TENANT/);
  t.is(await run('suspend', label, 'api@test'), `user api@test of ${label} is suspended\n`);
  t.is(
    await run('suspend', label, 'api@test'),
    `User api@test of ${label} is suspended already.\n`,
  );
  t.is(await run('list', label), 'api@test: Suspended, all calls but those of admins\n');
  const entries = await inTenant(db, id, (tx) =>
    tx.query('select action, username, path from audit_log order by id'),
  );
  t.deepEqual(entries, [
    { action: 'userEnabled', username: 'api@test', path: null },
    { action: 'command', username: 'Anna', path: 'tenant user enable' },
    { action: 'userSuspended', username: 'api@test', path: null },
    { action: 'command', username: 'Anna', path: 'tenant user suspend' },
  ]);
  await db.close();
});

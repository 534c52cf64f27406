/** The audit log as callers read it: what writes, exports and refusals leave, and its filters. */
import { createHash } from 'node:crypto';
import test from 'ava';
import { NO_HASH } from '../../../domain/access/audit-log.ts';
import { chainTenant } from '../../../operations/access/audit-chain.ts';
import { type Said, overheard } from '../../operations/support/overheard.ts';
import {
  asAdmin,
  refused,
  startTenantApi,
  withAdmin,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';

/** The tenants in whose audit log no export can be written. */
const full = new Set<unknown>();
const watched: Said[] = [];
watched.push = ({ text, values }) => {
  if (/^insert into "?audit_log/.test(text) && values.includes('export') && full.has(values[0])) {
    throw new Error('no space left on device');
  }
  return 0;
};

const api = await startTenantApi({ overhear: (db) => overheard(db, watched) });
const another = (): Promise<TenantApi> => api.another({ file: withAdmin });
const auditLog = (own: TenantApi, query = '') => own.call('GET', `/auditLog${query}`, asAdmin);

/** As the worker does all the time. */
async function entries(own: TenantApi, query = ''): Promise<string[]> {
  await chainTenant(own, own.tenantId);
  const { status, body } = await auditLog(own, `?max=100${query}`);
  if (status !== 200) throw new Error(body);
  return body.match(/<auditEntry>.*?<\/auditEntry>/gs) ?? [];
}

/** `PUT customer paymentTermsValue 30 45, taxId` */
function told(entry: string): string {
  const changes = (entry.match(/<change>.*?<\/change>/gs) ?? []).map((change) =>
    ['field', 'before', 'after'].map((name) => valueOf(change, name) ?? '-').join(' '),
  );
  const of = valueOf(entry, 'object@type') ?? '';
  const done = valueOf(entry, 'method') ?? valueOf(entry, 'path') ?? '';
  return `${valueOf(entry, 'action')} ${done} ${of}: ${changes.join(', ')}`;
}

const customer = (inner: string) => `<customer>${inner}</customer>`;
const contact = '<billingContact><firstName>Ada</firstName></billingContact>';

async function withOrder(): Promise<{ own: TenantApi; customerId: string; orderId: string }> {
  const own = await another();
  const made = await own.post(
    '/customers',
    customer(
      `<extCustomerRef>C1</extCustomerRef><paymentTermsValue>30</paymentTermsValue>${contact}`,
    ),
  );
  const customerId = String(valueOf(made.body, 'customer@id'));
  const line =
    '<orderLineItems><orderLineItem><priceCode>SEAT</priceCode><quantity>3</quantity></orderLineItem></orderLineItems>';
  const ordered = await own.post(
    '/orders?extCustomerRef=C1',
    `<subscriptionOrder><contractCode>SEATS</contractCode>${line}</subscriptionOrder>`,
  );
  if (ordered.status !== 201) throw new Error(ordered.body);
  return { own, customerId, orderId: String(valueOf(ordered.body, 'subscriptionOrder@id')) };
}

test('a write leaves its object and what it changed, and of personal elements the field alone', async (t) => {
  const { own, customerId, orderId } = await withOrder();
  const put = await own.put(
    `/customer/${customerId}`,
    customer(
      '<paymentTermsValue>45</paymentTermsValue><taxId>DE123</taxId><name>Ada &amp; Co</name>' +
        '<billingContact><firstName>Grace</firstName><passwd>secret-of-grace</passwd></billingContact>',
    ),
  );
  t.is(put.status, 200, put.body);
  const noted = await own.put(
    `/customer/${customerId}/metadata`,
    '<metadata><entry><key>crm</key><value>A-1</value></entry></metadata>',
  );
  t.is(noted.status, 200, noted.body);
  await own.post('/customer?extCustomerRef=C1&actionName=suspend');
  await own.post(`/customer/${customerId}?actionName=activate`);
  await own.put(
    `/order/${orderId}`,
    '<subscriptionOrder><isAutoPay>true</isAutoPay><notes>call Ada</notes></subscriptionOrder>',
  );
  await own.post(`/order/${orderId}?actionName=suspend`);
  const all = await entries(own);
  t.deepEqual(all.map(told), [
    'write POST customer: ',
    'write POST subscriptionOrder: ',
    'write PUT customer: name - -, paymentTermsValue 30 45, taxId - -, billingContact.firstName - -, billingContact.passwd - -',
    'write PUT customer: metadata - -',
    'write POST customer: status Active Suspended1',
    'write POST customer: status Suspended1 Active',
    'write PUT subscriptionOrder: isAutoPay false true, notes - -',
    'write POST subscriptionOrder: status Active Suspended',
  ]);
  t.deepEqual(
    all.map((entry) => valueOf(entry, 'object@id')),
    [customerId, orderId, customerId, customerId, customerId, customerId, orderId, orderId],
  );
  t.false(/Grace|secret-of|DE123|A-1|call Ada/.test(all.join('')));
});

test('each entry has the hash of what it shows and of the entry before', async (t) => {
  const { own } = await withOrder();
  await own.put(
    '/customer?extCustomerRef=C1',
    customer('<paymentTermsValue>45</paymentTermsValue>'),
  );
  let before = NO_HASH;
  for (const [index, entry] of (await entries(own)).entries()) {
    const value = (name: string): string => valueOf(entry, name) ?? '';
    const ofEntry = [
      'sequence',
      'at',
      'action',
      'username',
      'user@id',
      'address',
      'method',
      'path',
    ];
    const shown = [...ofEntry, 'status', 'code', 'requestId', 'object@type', 'object@id'].map(
      value,
    );
    const changes = (entry.match(/<change>.*?<\/change>/gs) ?? []).flatMap((change) =>
      ['field', 'before', 'after'].map((name) => valueOf(change, name) ?? ''),
    );
    const text = [before, ...shown, ...changes].join('\n');
    t.is(value('sequence'), String(index + 1));
    t.regex(value('at'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    t.is(value('previousHash'), before);
    t.is(value('hash'), createHash('sha256').update(text).digest('hex'));
    before = value('hash');
  }
  t.not(before, NO_HASH);
});

test('exports are entries, and refusals of access; what a caller does not get is none', async (t) => {
  const own = await another();
  await own.get('/customers?format=csv');
  await own.get('/customers?format=csv&max=1');
  await own.get('/report/agedReceivables');
  await own.get('/report/nothing');
  await own.get('/customers');
  await own.call('GET', '/customers', { auth: 'api@test:wrong' });
  const all = await entries(own);
  const shown = all.map((entry) =>
    ['action', 'username', 'path', 'status', 'code']
      .map((name) => valueOf(entry, name) ?? '-')
      .join(' '),
  );
  t.deepEqual(shown, [
    'export api@test /rest/customers 200 -',
    'export api@test /rest/report/agedReceivables 200 -',
    'refused api@test /rest/customers 401 auth.invalid',
  ]);
});

test('an export whose entry cannot be written gives nothing out', async (t) => {
  const { own } = await withOrder();
  full.add(own.tenantId);
  for (const path of ['/customers?format=csv', '/report/agedReceivables', '/ledger?format=csv']) {
    const { status, body } = await own.get(path);
    t.is(status, 500, path);
    t.false(/extCustomerRef|<report|C1/.test(body), body);
  }
  full.delete(own.tenantId);
  t.regex((await own.get('/customers?format=csv')).body, /,C1,/);
  const exports = (await entries(own)).filter((entry) => valueOf(entry, 'action') === 'export');
  t.deepEqual(
    exports.map((entry) => valueOf(entry, 'path')),
    ['/rest/customers'],
  );
});

test('the list goes on after a number, and is filtered by each parameter', async (t) => {
  const { own, customerId } = await withOrder();
  await own.call('GET', '/customers', { auth: 'nobody:wrong' });
  await entries(own);
  const numbers = async (query: string): Promise<string> =>
    valuesOf((await auditLog(own, `?${query}`)).body, 'sequence').join(' ');
  t.is(await numbers('max=2'), '1 2');
  t.is(await numbers('after=2'), '3');
  t.is(await numbers('after=3'), '');
  t.is(await numbers('username=api@test'), '1 2');
  t.is(await numbers('action=refused'), '3');
  t.is(await numbers('code=auth.invalid'), '3');
  t.is(await numbers(`objectType=customer&objectId=${customerId}`), '1');
  t.is(await numbers('objectType=subscriptionOrder'), '2');
  const today = new Date();
  const day = (days: number): string =>
    new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  t.is(await numbers(`from=${day(-1)}&to=${day(1)}`), '1 2 3');
  t.is(await numbers(`from=${day(2)}`), '');
  t.is(await numbers(`to=${day(-2)}`), '');
  refused(t, await auditLog(own, `?from=${day(1)}&to=${day(0)}`), 400, 'query.invalid to');
  refused(t, await auditLog(own, '?action=nothing'), 400, 'query.invalid action');
});

test('an entry has no number, and is not listed, before it is chained', async (t) => {
  const { own } = await withOrder();
  t.is((await auditLog(own)).body.includes('<auditEntry>'), false);
  t.is((await entries(own)).length, 2);
});

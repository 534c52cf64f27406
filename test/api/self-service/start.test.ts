/** `GET /widget/start`: what it answers, stores and audits, and what it is refused for. */
import { createHash } from 'node:crypto';
import test from 'ava';
import { refused, valueOf } from '../tenant-api.ts';
import {
  customerOf,
  openSelfService,
  sessionsOf,
  SITE,
  start,
  startPath,
  withProfiles,
  type Parameters,
} from './calls.ts';

const api = await openSelfService();
const customerId = await customerOf(api, 'Ada');

test('without a format the answer is the address alone', async (t) => {
  const own = await api.another(withProfiles);
  const id = await customerOf(own, 'Ada');
  const answer = await start(own, { customerId: id });
  t.is(answer.status, 200, answer.body);
  t.is(answer.headers['content-type'], 'text/text; charset=utf-8');
  t.is(answer.headers['cache-control'], 'no-store');
  const form = `^http://${own.label}\\.localhost/widget/customerHome/([\\w-]{43})$`;
  const [, token = ''] = new RegExp(form).exec(answer.body) ?? [];
  const [row, ...others] = await sessionsOf(own);
  t.deepEqual(others, []);
  t.is(row?.['hash'], createHash('sha256').update(token).digest('hex'));
  t.is(String(row?.['customer_id']), id);
  t.like(row, {
    css_url: '/css/signup.css',
    login_url: `${SITE}/login`,
    lasts: 1_800,
    left: 30,
    ended_at: null,
  });
  t.false(JSON.stringify(row).includes(token), 'only its hash is stored');
});

test('with format=xml it is a document; the customer may be named by its reference', async (t) => {
  const own = await api.another(withProfiles);
  const id = await customerOf(own, 'Ada');
  const { body, status, headers } = await start(own, { format: 'xml', extCustomerRef: 'C-Ada' });
  t.is(status, 200, body);
  t.regex(String(headers['content-type']), /^application\/xml/);
  t.regex(
    body,
    /<widgetLink><url>http:\/\/[\w.]+\/widget\/customerHome\/[\w-]{43}<\/url><\/widgetLink>$/,
  );
  const [row] = await sessionsOf(own);
  t.is(String(row?.['customer_id']), id);
});

test('a start writes: HEAD is 405, and the audit has it without its query', async (t) => {
  const own = await api.another(withProfiles);
  const path = startPath({ customerId: await customerOf(own, 'Ada') });
  const head = await own.call('HEAD', path);
  t.is(head.status, 405);
  t.is(head.headers.allow, 'GET');
  t.deepEqual(await sessionsOf(own), []);
  t.is((await own.get(path)).status, 200);
  const written = await own.asOwner(
    `select username, method, path, status from audit_log
     where tenant_id = ${own.tenantId} and action = 'write' and method = 'GET'`,
  );
  t.deepEqual(written, [
    { username: 'api@test', method: 'GET', path: '/rest/widget/start', status: 200 },
  ]);
});

test('a start needs credentials', async (t) => {
  refused(t, await start(api, { customerId }, { auth: null }), 401, 'auth.required');
});

test('the same Idempotency-Key gets the same address, of which nothing is in clear', async (t) => {
  const own = await api.another(withProfiles);
  const parameters = { customerId: await customerOf(own, 'Ada') };
  const keyed = { headers: { 'idempotency-key': 'k' } };
  const first = await start(own, parameters, keyed);
  const again = await start(own, parameters, keyed);
  t.is(first.status, 200, first.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  t.is(again.body, first.body);
  t.is((await sessionsOf(own)).length, 1);
  const kept = await own.asOwner(
    `select k::text from idempotency_key k where tenant_id = ${own.tenantId} and key = 'k'`,
  );
  t.is(kept.length, 1);
  t.false(JSON.stringify(kept).includes('customerHome'));
});

const table: readonly (readonly [rule: string, parameters: Parameters, errors: string])[] = [
  ['cssURL is required', { cssURL: undefined }, 'query.required cssURL'],
  ['cssURL is an address', { cssURL: '/own.css' }, 'query.invalid cssURL'],
  ['cssURL is allowed', { cssURL: 'https://evil.example/a.css' }, 'query.invalid cssURL'],
  ['loginUrl is required', { loginUrl: '' }, 'query.required loginUrl'],
  ['loginUrl is absolute', { loginUrl: '/login' }, 'query.invalid loginUrl'],
  ['loginUrl runs nothing', { loginUrl: 'javascript:alert(1)' }, 'query.invalid loginUrl'],
  ['loginUrl is allowed', { loginUrl: 'https://evil.example/login' }, 'query.invalid loginUrl'],
  [
    'this host is no allowed origin by itself',
    { loginUrl: `http://${api.label}.localhost/login` },
    'query.invalid loginUrl',
  ],
  [
    'a customer is named',
    { customerId: undefined },
    'query.required customerId, query.required extCustomerRef',
  ],
  [
    'by one parameter only',
    { extCustomerRef: 'C-Ada' },
    'query.invalid customerId, query.invalid extCustomerRef',
  ],
  ['customerId is an id', { customerId: 'x' }, 'query.invalid customerId'],
  ['a switch is a boolean', { showStatements: 'yes' }, 'query.invalid showStatements'],
  ['each of them', { pdfMode: '2' }, 'query.invalid pdfMode'],
  ['an option is known', { editOrderOptions: 'Cancel,Pause' }, 'query.invalid editOrderOptions'],
  ['and written as it is', { editOrderOptions: 'cancel' }, 'query.invalid editOrderOptions'],
  ['none is left empty', { editOrderOptions: 'Cancel,,New' }, 'query.invalid editOrderOptions'],
  ['a profile is in the file', { profile: 'NONE' }, 'query.invalid profile'],
  ['an unknown parameter', { showAll: 'true' }, 'query.unknown showAll'],
  [
    'all faults at once',
    { cssURL: 'https://evil.example/', loginUrl: 'http://evil.example', profile: 'NONE' },
    'query.invalid loginUrl, query.invalid cssURL, query.invalid profile',
  ],
];

for (const [rule, parameters, errors] of table) {
  test(`refused: ${rule}`, async (t) => {
    const answer = await start(api, { customerId, ...parameters });
    refused(t, answer, 400, ...errors.split(', '));
  });
}

test('an unknown customer is 404, another tenant’s, too', async (t) => {
  const own = await api.another(withProfiles);
  const other = await customerOf(await api.another(withProfiles), 'Bea');
  for (const parameters of [
    { customerId: '999999' },
    { customerId: other },
    { extCustomerRef: 'C-Bea' },
  ]) {
    refused(t, await start(own, parameters), 404, 'customer.unknown');
  }
  t.deepEqual(await sessionsOf(own), []);
});

test('cssURL may be an address of this host, or of an allowed origin', async (t) => {
  for (const cssURL of [`http://${api.label}.localhost/css/signup.css`, `${SITE}/own.css`]) {
    t.is((await start(api, { customerId, cssURL })).status, 200, cssURL);
  }
});

const defaults = {
  show_navigation_bar: true,
  show_statements: true,
  show_payments: true,
  allow_payments: true,
  allow_profile_edit: false,
  edit_order_options: [],
  pdf_mode: false,
} as const;

const fromFile = {
  ...defaults,
  show_payments: false,
  allow_profile_edit: true,
  edit_order_options: ['New'],
} as const;

const switches: readonly (readonly [rule: string, given: Parameters, stored: object])[] = [
  ['DEFAULT is the profile that nobody names', {}, fromFile],
  ['DEFAULT may be named', { profile: 'DEFAULT' }, fromFile],
  [
    'a profile inherits nothing from DEFAULT',
    { profile: 'PDF' },
    { ...defaults, pdf_mode: true, show_navigation_bar: false },
  ],
  [
    'none switches off the options of a profile',
    { editOrderOptions: 'none' },
    { ...fromFile, edit_order_options: [] },
  ],
  [
    'each parameter overrides the profile',
    {
      profile: 'PDF',
      showNavigationBar: 'true',
      showStatements: 'false',
      showPayments: '0',
      allowPayments: 'false',
      allowProfileEdit: '1',
      editOrderOptions: 'Downgrade, Cancel',
      pdfMode: 'false',
    },
    {
      show_navigation_bar: true,
      show_statements: false,
      show_payments: false,
      allow_payments: false,
      allow_profile_edit: true,
      edit_order_options: ['Cancel', 'Downgrade'],
      pdf_mode: false,
    },
  ],
];

for (const [rule, given, stored] of switches) {
  test(`switches: ${rule}`, async (t) => {
    const own = await api.another(withProfiles);
    const id = await customerOf(own, 'Ada');
    const answer = await start(own, { customerId: id, ...given });
    t.is(answer.status, 200, answer.body);
    const [row] = await sessionsOf(own);
    t.like(row, stored);
  });
}

test('switches: without a profile DEFAULT in the file the defaults count', async (t) => {
  const own = await api.another({ file: { ...withProfiles.file, selfServiceProfiles: [] } });
  const id = await customerOf(own, 'Ada');
  t.is((await start(own, { customerId: id, profile: 'DEFAULT' })).status, 200);
  const [row] = await sessionsOf(own);
  t.like(row, defaults);
  const answer = await start(own, { customerId: id, profile: 'PDF', format: 'xml' });
  refused(t, answer, 400, 'query.invalid profile');
  t.is(valueOf(answer.body, 'url'), undefined);
});

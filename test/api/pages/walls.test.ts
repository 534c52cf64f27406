/**
 * What every hosted page has: its headers, where its forms may come from, and what logs show of it.
 * The routes are of this test.
 */
import { Writable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { credentialStore } from '../../../api/access/store.ts';
import { createFormKeys } from '../../../api/calls/form-keys.ts';
import { formRoute, pageRoute, tokenOf, unknownPage } from '../../../api/calls/page-route.ts';
import type { PageAnswer } from '../../../api/calls/answer.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { newPageToken } from '../../../operations/hosted-pages/tokens.ts';
import { cheapCost } from '../../../operations/access/passwords.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import {
  makeTenant,
  openTestDatabase,
  startApi,
  stopAtTheEnd,
  type Received,
  type Sent,
} from '../support.ts';

interface Line {
  readonly path: string;
  readonly status: number;
  readonly codes?: readonly string[];
}

const lines: Line[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Line);
    done();
  },
});

const db = await openTestDatabase();
const ids = { demo: await makeTenant(db, 'demo'), other: await makeTenant(db, 'other') };
await inTenant(db, ids.demo, (tx) =>
  tx.query('insert into allowed_origin (tenant_id, origin) values ($1, $2), ($1, $3)', [
    tx.tenantId,
    'https://www.example.com',
    'https://shop.example.com:8443',
  ]),
);

const { token } = newPageToken();
let now = Date.parse('2027-01-01T12:00:00Z');
const formKeys = createFormKeys(SECRET_KEY, () => now);
const taken: ReadonlyMap<string, string>[] = [];

const page = (html: string): PageAnswer => ({
  status: 200,
  html,
  cssUrl: 'https://cdn.example.com/style/own.css',
  leadsTo: ['https://www.example.com/ok?p=1', 'https://www.example.com/no', 'http://two.example'],
});
const find = (given: string): void => {
  if (given !== token) throw unknownPage();
};

const routes = [
  pageRoute({
    path: '/signup/:token',
    handler: async (call) => {
      find(tokenOf(call));
      return page(`${call.locale} ${call.path} ${'x'.repeat(2_000)}`);
    },
  }),
  formRoute(formKeys, {
    path: '/signup/:token',
    forms: ['details', 'pay'],
    waitsForOthers: true,
    async handler(call) {
      find(tokenOf(call));
      const { form, shown, fields } = await call.form();
      taken.push(fields);
      if (form === 'pay') return { to: 'https://www.example.com/ok?tracking=abc' };
      return page(`${form} ${shown}`);
    },
  }),
];
const api = await startApi(db, () => routes, {
  log: pino({ level: 'info' }, destination),
  // The minute of the limits never ends.
  credentials: { ...credentialStore(db, cheapCost), clock: () => 0 },
});
stopAtTheEnd(api);

const FORM_TYPE = 'application/x-www-form-urlencoded';
const here = `/signup/${token}`;
const get = (more: Partial<Sent> = {}) => api.send({ path: here, auth: null, ...more });
const key = (form = 'details', tenantId = ids.demo, of = token) =>
  formKeys.issue({ tenantId, token: of }, { form, shown: '73.44' });
const bodyOf = (formKey: string) => new URLSearchParams({ formKey, firstName: 'Ada' }).toString();

const post = (headers: Readonly<Record<string, string>> = {}, more: Partial<Sent> = {}) =>
  api.send({
    method: 'POST',
    path: here,
    auth: null,
    body: bodyOf(key()),
    headers: { 'content-type': FORM_TYPE, ...headers },
    ...more,
  });

/** A page for people, whose code only the log has. */
function refusedPage(t: ExecutionContext, answer: Received, status: number, code: string): void {
  t.is(answer.status, status, answer.body);
  t.is(answer.headers['content-type'], 'text/html; charset=utf-8');
  t.regex(answer.body, /^<!doctype html>\n<html lang="/);
  t.deepEqual(lines.at(-1)?.codes, [code]);
  t.false(answer.body.includes(code));
  noteAsserted(code);
}

test.serial('a page has its headers, and a HEAD has no body', async (t) => {
  const answer = await get({ headers: { 'accept-encoding': 'gzip' } });
  t.is(answer.status, 200);
  t.is(answer.headers['content-type'], 'text/html; charset=utf-8');
  t.is(answer.headers['referrer-policy'], 'same-origin');
  t.is(answer.headers['cache-control'], 'no-store');
  t.is(answer.headers['x-content-type-options'], 'nosniff');
  t.is(answer.headers['x-robots-tag'], 'noindex');
  t.is(answer.headers['x-frame-options'], undefined);
  t.is(answer.headers['set-cookie'], undefined);
  t.is(answer.headers['content-encoding'], undefined);
  t.true(answer.body.startsWith(`en ${here} `));
  const head = await get({ method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.body, '');
  t.is(head.headers['content-security-policy'], answer.headers['content-security-policy']);
});

test.serial(
  'the policy allows this host, the stylesheet, redirects and the own sites',
  async (t) => {
    t.deepEqual(String((await get()).headers['content-security-policy']).split('; '), [
      "default-src 'none'",
      "base-uri 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "style-src 'self' https://cdn.example.com",
      "font-src 'self' https://cdn.example.com",
      "img-src 'self' https://cdn.example.com",
      "form-action 'self' https://www.example.com http://two.example",
      'frame-ancestors https://shop.example.com:8443 https://www.example.com',
    ]);
    const elsewhere = await get({ host: 'other.localhost' });
    t.regex(String(elsewhere.headers['content-security-policy']), /frame-ancestors 'none'$/);
  },
);

test.serial('a form leads on by 303, with the headers of a page', async (t) => {
  const answer = await post({}, { body: bodyOf(key('pay')) });
  t.is(answer.status, 303);
  t.is(answer.headers.location, 'https://www.example.com/ok?tracking=abc');
  t.is(answer.headers['referrer-policy'], 'same-origin');
  t.is(answer.headers['cache-control'], 'no-store');
  t.is(answer.body, '');
});

test.serial('of a repeated field the first value counts, and UTF-8 is read', async (t) => {
  const body = `${bodyOf(key())}&firstName=Eve&city=M%C3%BCnchen+%26+Co`;
  const answer = await post({ 'content-type': `${FORM_TYPE}; charset=UTF-8` }, { body });
  t.is(answer.body, 'details 73.44');
  t.is(taken.at(-1)?.get('firstName'), 'Ada');
  t.is(taken.at(-1)?.get('city'), 'München & Co');
});

const origins: readonly (readonly [headers: Readonly<Record<string, string>>, status: number])[] = [
  [{ origin: 'http://demo.localhost' }, 200],
  [{ origin: 'https://DEMO.localhost:443' }, 200],
  [{ origin: 'http://demo.localhost', 'sec-fetch-site': 'same-origin' }, 200],
  [{ 'sec-fetch-site': 'same-origin' }, 200],
  [{ origin: 'http://other.localhost' }, 403],
  [{ origin: 'http://demo.localhost:8080' }, 403],
  [{ origin: 'http://demo.localhost.example.com' }, 403],
  [{ origin: 'https://www.example.com' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: '' }, 403],
  [{ origin: 'demo.localhost' }, 403],
  [{ origin: 'http://demo.localhost, http://evil.example' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'none' }, 403],
  [{ origin: 'http://demo.localhost', 'sec-fetch-site': 'cross-site' }, 403],
];

for (const [headers, status] of origins) {
  test.serial(`a form with ${JSON.stringify(headers)} is ${status}`, async (t) => {
    const before = taken.length;
    const answer = await post(headers);
    if (status === 200) t.is(answer.status, 200, answer.body);
    else refusedPage(t, answer, 403, 'page.foreignPost');
    t.is(taken.length, before + (status === 200 ? 1 : 0));
  });
}

test.serial(
  'a key of another token, tenant, form or hour is refused, and so is none',
  async (t) => {
    const wrong = [
      '',
      'details',
      `${key()}x`,
      key().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      key().replace('details', 'pay'),
      key('details', ids.demo, newPageToken().token),
      key('details', ids.other),
      key('profile'),
      createFormKeys('another secret', () => now).issue(
        { tenantId: ids.demo, token },
        { form: 'details', shown: '' },
      ),
    ];
    for (const each of wrong) {
      refusedPage(t, await post({}, { body: bodyOf(each) }), 403, 'page.formKey');
    }
    refusedPage(t, await post({}, { body: '' }), 403, 'page.formKey');
    const old = key();
    now += 3_599_000;
    t.is((await post({}, { body: bodyOf(old) })).status, 200);
    now += 1_000;
    refusedPage(t, await post({}, { body: bodyOf(old) }), 403, 'page.formKey');
  },
);

test.serial('a key is one text: none that stands for the same bytes is taken for it', (t) => {
  const at = { tenantId: ids.demo, token };
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const own = key();
  // The last letter has two bits too many, which decoding leaves out.
  const place = letters.indexOf(own.slice(-1));
  const others = [1, 2, 3].map((bits) => own.slice(0, -1) + letters.charAt(place + bits));
  t.deepEqual(
    others.map((other) => formKeys.read(at, other)),
    [undefined, undefined, undefined],
  );
  t.not(formKeys.read(at, own), undefined);
});

test.serial('the key says what was shown, and has an id of its own', (t) => {
  const at = { tenantId: ids.demo, token };
  const one = formKeys.read(at, key());
  const two = formKeys.read(at, key());
  t.like(one, { form: 'details', shown: '73.44' });
  t.regex(String(one?.id), /^[\w-]{22}$/);
  t.not(one?.id, two?.id);
});

test.serial('another type than a form is 415, and more than 64 KiB 413', async (t) => {
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
    const answer = await post({ 'content-type': type });
    refusedPage(t, answer, 415, 'document.contentType');
  }
  const latin = await post({ 'content-type': `${FORM_TYPE}; charset=iso-8859-1` });
  refusedPage(t, latin, 415, 'document.contentType');
  const filled = (length: number) => `${bodyOf(key())}&x=`.padEnd(length, 'x');
  t.is((await post({}, { body: filled(65_536) })).status, 200);
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
    const answer = await post(headers, { body: filled(65_537) });
    refusedPage(t, answer, 413, 'document.tooLarge');
    t.is(answer.headers.connection, 'close');
  }
  const announced = await api.send({
    method: 'POST',
    path: here,
    auth: null,
    headers: { 'content-type': FORM_TYPE },
    announcedBytes: 65_537,
  });
  refusedPage(t, announced, 413, 'document.tooLarge');
});

test.serial('an unknown token is 404 as a page in the language of the browser', async (t) => {
  const languages = [
    ['de-AT,de;q=0.9', 'de', 'Seite nicht gefunden'],
    ['nl, fr-CA;q=0.8, en;q=0.5', 'fr', 'Page introuvable'],
    ['es-419', 'es', 'Página no encontrada'],
    ['nl', 'en', 'Page not found'],
    ['"><script>', 'en', 'Page not found'],
  ] as const;
  const { token: unknown } = newPageToken();
  for (const [header, code, title] of languages) {
    const headers = { 'accept-language': header, accept: 'application/xml' };
    const answer = await get({ path: `/signup/${unknown}`, headers });
    refusedPage(t, answer, 404, 'page.unknown');
    t.true(answer.body.includes(`<html lang="${code}">`));
    t.true(answer.body.includes(`<h1>${title}</h1>`));
    t.is(answer.headers['referrer-policy'], 'same-origin');
    t.regex(
      String(answer.headers['content-security-policy']),
      /style-src 'self';.*form-action 'self'; frame-ancestors https:\/\/shop\.example\.com:8443 /,
    );
  }
  const posted = await post({}, { path: `/signup/${unknown}` });
  refusedPage(t, posted, 404, 'page.unknown');
});

test.serial('another method is 405 as a page', async (t) => {
  const answer = await api.send({ method: 'PUT', path: here, auth: null });
  refusedPage(t, answer, 405, 'path.method');
  t.is(answer.headers.allow, 'GET, HEAD, POST');
});

test.serial('a host of no tenant has no page', async (t) => {
  refusedPage(t, await get({ host: 'nobody.localhost' }), 401, 'host.unknown');
});

test.serial('neither the log nor the audit log has a token', async (t) => {
  const lower = token.toLowerCase();
  const asked: Partial<Sent>[] = [
    {},
    { method: 'HEAD' },
    { method: 'DELETE' },
    { path: `${here}?step=details` },
    { path: `${here}x` },
    { path: `${here}/` },
    { path: `${here}/more` },
    { path: `/SIGNUP/${token}` },
    { path: `//signup/${token}` },
    { path: `/%73ignup/${token}` },
    { path: `/signup%2F${token}` },
    { path: `/signup/%ZZ${token}` },
    { path: `http://demo.localhost${here}` },
    { path: here, host: 'a b' },
    { path: here, host: 'nobody.localhost' },
  ];
  const before = lines.length;
  for (const each of asked) await get(each);
  await post({ origin: 'null' });
  await post({}, { body: bodyOf('') });
  const shown = lines.slice(before);
  t.is(shown.length, asked.length + 2);
  t.deepEqual([...new Set(shown.map(({ path }) => path))], ['/signup/:token']);
  t.false(JSON.stringify(lines).toLowerCase().includes(lower));
  const audit = await inTenant(db, ids.demo, (tx) =>
    tx.query<{ path: string; code: string }>(
      'select path, code from audit_log where tenant_id = $1 order by id desc limit 2',
      [tx.tenantId],
    ),
  );
  t.deepEqual(audit, [
    { path: '/signup/:token', code: 'page.formKey' },
    { path: '/signup/:token', code: 'page.foreignPost' },
  ]);
});

test.serial('over plain HTTP beside a loopback address there is no page', async (t) => {
  const open = await startApi(db, () => routes, {
    log: pino({ level: 'info' }, destination),
    transport: { isLoopback: false, trustProxy: false },
  });
  t.teardown(open.stop);
  refusedPage(t, await open.send({ path: here, auth: null }), 403, 'transport.insecure');
});

test.serial('a page that fails is a page, and tells nothing of why', async (t) => {
  const failing = pageRoute({
    path: '/signup/:token',
    handler: () => Promise.reject(new Error('the reason')),
  });
  const broken = await startApi(db, () => [failing], {
    log: pino({ level: 'info' }, destination),
  });
  t.teardown(broken.stop);
  const answer = await broken.send({ path: here, auth: null });
  refusedPage(t, answer, 500, 'service.fault');
  t.false(answer.body.includes('reason'));
});

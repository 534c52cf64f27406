/** The session of a self-service page: when it ends, whose it is, its headers, and what logs have. */
import test from 'ava';
import { keptLog } from '../../support/kept-log.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { submit } from '../signups/page-calls.ts';
import {
  customerOf,
  pageOf,
  sessionsOf,
  setTimes,
  SITE,
  start,
  visit,
  withProfiles,
} from './calls.ts';

const { log, lines } = keptLog();
const api = await startTenantApi({
  ...withProfiles,
  log,
});

/** A tenant with the page of its customer Ada. */
async function opened(): Promise<{ readonly own: TenantApi; readonly path: string }> {
  const own = await api.another(withProfiles);
  return { own, path: await pageOf(own, { customerId: await customerOf(own, 'Ada') }) };
}

test('a click moves the end to 30 minutes later; a HEAD is one, too', async (t) => {
  const { own, path } = await opened();
  for (const method of ['GET', 'HEAD']) {
    await setTimes(
      own,
      `started_at = now() - interval '1 hour',
      expires_at = now() + interval '1 minute'`,
    );
    t.is((await visit(own, path, { method })).status, 200);
    const [row] = await sessionsOf(own);
    t.is(row?.['left'], 30, method);
  }
});

test('a page that loads itself again is no click, and is shown while the session is open', async (t) => {
  const { own, path } = await opened();
  await setTimes(own, `expires_at = started_at + interval '5 minutes'`);
  const [before] = await sessionsOf(own);
  const answer = await visit(own, `${path}?reload=1`);
  t.is(answer.status, 200);
  // What is left of the five minutes, and five seconds.
  const [, after = ''] = /data-reload-after="(\d+)"/.exec(answer.body) ?? [];
  t.true(Number(after) > 60 && Number(after) <= 305, after);
  t.true(answer.body.includes(`<a href="${path}">Stay here</a>`));
  t.deepEqual(await sessionsOf(own), [before]);
  await visit(own, path);
  t.is((await sessionsOf(own))[0]?.['left'], 30);
});

test('who logs out is led to loginUrl, and so is whoever comes after', async (t) => {
  const { own, path } = await opened();
  const { body } = await visit(own, path);
  const [, formKey = ''] = /name="formKey" value="([^"]+)"/.exec(body) ?? [];
  const out = await submit(own, `${path}/logout`, { formKey });
  t.is(out.status, 303);
  t.is(out.headers.location, `${SITE}/login`);
  t.is((await visit(own, path)).headers.location, `${SITE}/login`);
  t.is((await submit(own, `${path}/logout`, { formKey })).headers.location, `${SITE}/login`);
  const [audit] = await own.asOwner<{ path: string }>(
    `select path from audit_log where tenant_id = ${own.tenantId} order by id desc limit 1`,
  );
  t.is(audit?.path, '/widget/customerHome/:token/logout');
});

test('no click moves the end beyond 8 hours after the start', async (t) => {
  const { own, path } = await opened();
  await setTimes(
    own,
    `started_at = now() - interval '7 hours 50 minutes',
    expires_at = now() + interval '1 minute'`,
  );
  t.is((await visit(own, path)).status, 200);
  const [row] = await sessionsOf(own);
  t.is(row?.['lasts'], 8 * 3_600);
});

for (const [rule, ended] of [
  [
    '30 minutes after the last click',
    `started_at = now() - interval '31 minutes', expires_at = now() - interval '1 second'`,
  ],
  ['when it was ended', `ended_at = now() - interval '1 second'`],
  [
    'and for a day',
    `started_at = now() - interval '25 hours', expires_at = now() - interval '23 hours 59 minutes'`,
  ],
] as const) {
  test(`a session leads to loginUrl ${rule}, and no click moves its end`, async (t) => {
    const { own, path } = await opened();
    await setTimes(own, ended);
    const [before] = await sessionsOf(own);
    const answer = await visit(own, path);
    t.is(answer.status, 303);
    t.is(answer.headers.location, `${SITE}/login`);
    t.is(answer.body, '');
    t.is(answer.headers['cache-control'], 'no-store');
    const [after] = await sessionsOf(own);
    t.deepEqual(after?.['expires_at'], before?.['expires_at']);
  });
}

test('a day after its end it is 404, as an unknown address is', async (t) => {
  const { own, path } = await opened();
  const long = `started_at = now() - interval '26 hours'`;
  await setTimes(own, `${long}, expires_at = now() - interval '24 hours 1 second'`);
  for (const gone of [path, `/widget/customerHome/${'x'.repeat(43)}`, '/widget/customerHome/x']) {
    const answer = await visit(own, gone);
    t.is(answer.status, 404);
    t.regex(answer.body, /<h1>Page not found<\/h1>/);
    t.regex(String(answer.headers['content-security-policy']), /^default-src 'none'/);
  }
});

test('a start removes sessions that ended more than a day ago, ten at a time', async (t) => {
  const { own } = await opened();
  for (let each = 0; each < 11; each += 1) await start(own, { extCustomerRef: 'C-Ada' });
  await setTimes(
    own,
    `started_at = now() - interval '26 hours',
    expires_at = now() - interval '24 hours 1 second'`,
  );
  await start(own, { extCustomerRef: 'C-Ada' });
  t.is((await sessionsOf(own)).length, 3);
  await start(own, { extCustomerRef: 'C-Ada' });
  t.is((await sessionsOf(own)).length, 2);
});

test('a page is of one tenant and one customer', async (t) => {
  const { own, path } = await opened();
  const bea = await pageOf(own, { customerId: await customerOf(own, 'Bea') });
  const foreign = await api.another(withProfiles);
  t.is((await visit(foreign, path)).status, 404);
  const [ada, other] = [await visit(own, path), await visit(own, bea)];
  t.deepEqual([ada.status, other.status], [200, 200]);
  t.true(ada.body.includes('>Ada<') && !ada.body.includes('>Bea<'));
  t.true(other.body.includes('>Bea<') && !other.body.includes('>Ada<'));
});

test('a deleted customer takes its sessions along', async (t) => {
  const { own, path } = await opened();
  const [row] = await sessionsOf(own);
  t.is((await own.remove(`/customer/${String(row?.['customer_id'])}`)).status, 200);
  t.is((await visit(own, path)).status, 404);
  t.deepEqual(await sessionsOf(own), []);
});

test('a page has the headers of all pages: no cookie, its frames, its styles', async (t) => {
  const own = await api.another(withProfiles);
  const customerId = await customerOf(own, 'Ada');
  const path = await pageOf(own, { customerId, cssURL: `${SITE}/own.css` });
  const { headers, body } = await visit(own, path);
  t.like(headers, {
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
  t.is(headers['set-cookie'], undefined);
  const policy = String(headers['content-security-policy']).split('; ');
  t.true(policy.includes(`style-src 'self' ${SITE}`));
  t.true(policy.includes(`form-action 'self' ${SITE}`));
  t.true(policy.includes(`frame-ancestors ${SITE}`));
  t.true(body.includes(`<link rel="stylesheet" href="${SITE}/own.css">`));
});

test('a page takes no form', async (t) => {
  const { own, path } = await opened();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await visit(own, path, { method: 'POST', headers });
  t.is(answer.status, 405);
  t.regex(answer.body, /^<!doctype html>/);
});

test('an address outside of ASCII leads to the same login', async (t) => {
  const own = await api.another(withProfiles);
  const customerId = await customerOf(own, 'Ada');
  const path = await pageOf(own, { customerId, loginUrl: `${SITE}/caf\u00e9` });
  await setTimes(own, `ended_at = now()`);
  t.is((await visit(own, path)).headers.location, `${SITE}/caf%C3%A9`);
});

test('no log and no audit has the token', async (t) => {
  const { own, path } = await opened();
  const token = path.replace(/.*\//, '');
  await visit(own, path);
  await visit(own, `${path}/more`);
  await visit(own, `/WIDGET/${token}`);
  await setTimes(own, 'ended_at = now()');
  await visit(own, path);
  const audit = JSON.stringify(await own.asOwner('select a::text from audit_log a'));
  const logged = lines.join('');
  t.true(logged.includes('"path":"/widget/customerHome/:token"'));
  t.true(logged.includes('"path":"/widget/:token"'));
  t.false(`${logged}${audit}`.includes(token));
});

/** Refusals within a session: they keep the account's head, a way back, and nothing of others. */
import test from 'ava';
import { TOKEN_POSTS_MAX } from '../../../api/access/post-limits.ts';
import { submit, titleOf } from '../signups/page-calls.ts';
import type { Received } from '../support.ts';
import { startTenantApi } from '../tenant-api.ts';
import { customerOf, pageOf, sessionsOf, setTimes, visit, withProfiles } from './calls.ts';

const api = await startTenantApi(withProfiles);

async function opened(more: Readonly<Record<string, string>> = {}) {
  const own = await api.another(withProfiles);
  const home = await pageOf(own, { customerId: await customerOf(own, 'Ada'), ...more });
  return { own, home };
}

const isInAccount = ({ body }: Received): boolean =>
  body.includes('<p class="account-name">Ada</p>') && body.includes('class="log-out"');
const leadsTo = ({ body }: Received): string | undefined =>
  /<p class="actions"><a class="button" href="([^"]+)"/.exec(body)?.[1];

test('a page that is switched off, and an object that there is not, lead home', async (t) => {
  const { own, home } = await opened({ showStatements: 'false' });
  const off = await visit(own, `${home}/invoices`);
  t.deepEqual([off.status, titleOf(off), leadsTo(off)], [403, 'Not available', home]);
  t.true(isInAccount(off));
  t.false(off.body.includes(`href="${home}/invoices"`));
  const on = await opened();
  const unknown = await visit(on.own, `${on.home}/invoices/987654321`);
  t.deepEqual(
    [unknown.status, titleOf(unknown), leadsTo(unknown)],
    [404, 'Page not found', on.home],
  );
  t.true(isInAccount(unknown));
  t.true(unknown.body.includes(`href="${on.home}/invoices"`));
  // It has the headers of every page, and the idle page goes on to the login.
  t.is(unknown.headers['cache-control'], 'no-store');
  t.true(unknown.body.includes(`data-reload-to="${on.home}?reload=1"`));
});

test('a form that is too old, or of another site, leads back to it', async (t) => {
  const { own, home } = await opened();
  const path = `${home}/profile`;
  const old = await submit(own, path, { formKey: 'x' });
  t.deepEqual([old.status, leadsTo(old)], [403, path]);
  t.true(isInAccount(old));
  const foreign = await submit(own, path, { formKey: 'x' }, { origin: 'https://evil.example' });
  t.deepEqual([foreign.status, leadsTo(foreign)], [403, path]);
  // There is no page at the address of the way out.
  t.is(leadsTo(await submit(own, `${home}/logout`, { formKey: 'x' })), home);
  const codes = await own.asOwner<{ code: string }>(
    `select code from audit_log where tenant_id = ${own.tenantId} and action = 'refused' order by id`,
  );
  t.deepEqual(
    codes.map(({ code }) => code),
    ['page.formKey', 'page.foreignPost', 'page.formKey'],
  );
});

test('too many forms say when they are taken again, and keep no session open', async (t) => {
  const { own, home } = await opened();
  const path = `${home}/profile`;
  for (let each = 0; each < TOKEN_POSTS_MAX; each += 1) await submit(own, path, { formKey: 'x' });
  await setTimes(own, `expires_at = now() + interval '5 minutes'`);
  const limited = await submit(own, path, { formKey: 'x' });
  t.deepEqual([limited.status, titleOf(limited), leadsTo(limited)], [429, 'Too many tries', path]);
  const wait = Number(limited.headers['retry-after']);
  t.true(wait > 0 && wait <= 60, String(wait));
  t.true(isInAccount(limited));
  t.is((await sessionsOf(own))[0]?.['left'], 5);
});

test('without an open session nothing of the account shows', async (t) => {
  const { own, home } = await opened();
  const unknown = await visit(own, `/widget/customerHome/${'x'.repeat(43)}/invoices`);
  t.is(unknown.status, 404);
  t.false(unknown.body.includes('account'));
  await setTimes(
    own,
    `started_at = now() - interval '3 hours', expires_at = now() - interval '1 hour'`,
  );
  const ended = await submit(own, `${home}/profile`, { formKey: 'x' }, { origin: 'null' });
  t.is(ended.status, 403);
  t.false(isInAccount(ended));
});

/** The operator's page by HTTP: who sees what, what a form needs, and what is kept of both. */
import test from 'ava';
import { USER_FAILURES_MAX } from '../../../api/access/login-limits.ts';
import { keyIn, linksIn, openDesk, operatorSettings, saidIn, titleOf } from './desk.ts';
import { OPERATOR_PASSWORD } from '../../support/tenants.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { openCallsOf, withAdmins } from './people.ts';

const api = await startTenantApi({
  ownDatabase: true,
  ...withAdmins,
  operator: (dependencies, loginUrl) => operatorSettings(dependencies, loginUrl).settings,
});

const all = { port: api.port, host: 'localhost' } as const;
const atTenant = ({ port, label }: TenantApi) => openDesk({ port, host: `${label}.localhost` });

const loginsOf = (): Promise<
  readonly { readonly outcome: string; readonly name: string | null }[]
> => api.asOwner('select outcome, name from operator_login order by id');

const refusalsOf = ({ asOwner, tenantId }: TenantApi) =>
  asOwner<{ code: string; username: string | null; path: string }>(
    `select code, username, path from audit_log where tenant_id = ${tenantId}
       and action = 'refused' order by id`,
  );

test.serial('without a login every page leads to it, and no form does anything', async (t) => {
  for (const desk of [openDesk(all), atTenant(api)]) {
    for (const path of ['/ops', '/ops/tenants/demo', '/ops/acts/release/1']) {
      const answer = await desk.get(path);
      t.deepEqual([answer.status, answer.headers.location], [303, '/ops/login'], path);
      t.is((await desk.post(path, {})).status, 303, path);
    }
    const page = await desk.get('/ops/login');
    t.is(page.status, 200);
    t.is(
      page.headers['content-security-policy'],
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    t.is(page.headers['cache-control'], 'no-store');
    t.notRegex(page.body, /<script/);
  }
  const other = await openDesk({ port: api.port, host: 'elsewhere.example' }).get('/ops');
  t.is(other.status, 404);
});

test.serial('the operator logs in by a name and the password, and sees all tenants', async (t) => {
  const other = await api.another(withAdmins);
  const desk = openDesk(all);
  const answer = await desk.logIn('Anna of operations');
  t.deepEqual([answer.status, answer.headers.location], [303, '/ops']);
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  t.regex(cookie, /^sundial-ops=[\w.-]+; path=\/; samesite=lax; httponly$/);
  t.false(cookie.includes(OPERATOR_PASSWORD));
  const page = await desk.get('/ops');
  t.is(titleOf(page), 'All tenants');
  t.is(page.headers['content-encoding'], undefined);
  for (const { label } of [api, other]) {
    t.true(linksIn(page).includes(`/ops/tenants/${label}`), label);
    const own = await desk.get(`/ops/tenants/${label}`);
    t.deepEqual([own.status, titleOf(own)], [200, label]);
  }
  t.is((await desk.get('/ops/tenants/nobody')).status, 404);
  t.deepEqual((await loginsOf()).at(-1), { outcome: 'in', name: 'Anna of operations' });
});

test.serial('a session ends with its log-out, and its cookie lets nobody in again', async (t) => {
  const desk = openDesk(all);
  await desk.logIn();
  const kept = [...desk.cookies];
  t.is((await desk.logOut()).headers.location, '/ops/login');
  t.is(desk.cookies.size, 0);
  for (const [name, value] of kept) desk.cookies.set(name, value);
  t.is((await desk.get('/ops')).status, 303);
  for (const [name, value] of kept) desk.cookies.set(name, `${value.slice(0, -2)}AA`);
  t.is((await desk.get('/ops')).status, 303);
  t.deepEqual((await loginsOf()).at(-1), { outcome: 'out', name: 'Anna' });
});

test.serial(
  'a wrong password is refused and kept, without the name that came with it',
  async (t) => {
    const desk = openDesk(all);
    const answer = await desk.logIn('Anna', 'the wrong password');
    t.is(answer.status, 400);
    t.is(saidIn(answer), 'This name or password is not right, or may not log in here.');
    t.false(answer.body.includes('the wrong password'));
    t.is((await desk.get('/ops')).status, 303);
    t.deepEqual((await loginsOf()).at(-1), { outcome: 'refused', name: null });
    const empty = await desk.submit('/ops/login', { name: ' ', password: '' });
    t.deepEqual(
      [empty.status, saidIn(empty)],
      [400, 'Your name: Please fill in this field., Password: Please fill in this field.'],
    );
  },
);

test.serial(
  'ten wrong passwords make everybody of a network wait, whatever the names',
  async (t) => {
    const desk = openDesk({ ...all, from: '127.0.0.7' });
    for (let each = 0; each < USER_FAILURES_MAX; each += 1) {
      t.is((await desk.logIn(`Guesser ${each}`, `guess ${each}`)).status, 400);
    }
    const limited = await desk.logIn();
    t.is(limited.status, 429);
    t.regex(String(limited.headers['retry-after']), /^\d+$/);
    const elsewhere = openDesk({ ...all, from: '127.0.0.8' });
    t.is((await elsewhere.logIn()).status, 303);
    const [counted] = await api.asOwner<{ count: number }>(
      'select count(*)::int as count from attempt_window where failures >= 10',
    );
    t.true((counted?.count ?? 0) > 0, 'all processes count them');
  },
);

test.serial('an admin of a tenant sees this tenant alone, from its own host', async (t) => {
  const other = await api.another(withAdmins);
  const desk = atTenant(api);
  t.is((await desk.logInAs('admin@test')).status, 303);
  const page = await desk.get('/ops');
  t.deepEqual([page.status, titleOf(page)], [200, api.label]);
  t.false(page.body.includes(other.label));
  t.false(page.body.includes('temporal.example'), 'the Web UI shows all tenants');
  for (const path of [`/ops/tenants/${other.label}`, `/ops/tenants/${api.label}`]) {
    t.is((await desk.get(path)).status, 404, path);
  }
  // The cookie of one host is none of another.
  for (const host of [`${other.label}.localhost`, 'localhost']) {
    const foreign = openDesk({ port: api.port, host });
    for (const [name, value] of desk.cookies) foreign.cookies.set(name, value);
    t.is((await foreign.get('/ops')).headers.location, '/ops/login', host);
  }
  const [entry] = await api.asOwner(
    `select action, username, path, status from audit_log where tenant_id = ${api.tenantId}
       and path = '/ops/login' and action = 'write'`,
  );
  t.deepEqual(entry, { action: 'write', username: 'admin@test', path: '/ops/login', status: 303 });
});

test.serial(
  'a user without the right admin, or with a wrong password, is refused alike',
  async (t) => {
    const own = await api.another(withAdmins);
    const desk = atTenant(own);
    const role = await desk.logInAs('api@test');
    const wrong = await desk.logInAs('admin@test', 'wrong');
    for (const answer of [role, wrong]) {
      t.is(answer.status, 400);
      t.is(saidIn(answer), 'This name or password is not right, or may not log in here.');
    }
    t.is((await desk.get('/ops')).status, 303);
    t.deepEqual(await refusalsOf(own), [
      { code: 'auth.role', username: 'api@test', path: '/ops/login' },
      { code: 'auth.invalid', username: null, path: '/ops/login' },
    ]);
  },
);

test.serial('a suspended user and a changed password end the session', async (t) => {
  const own = await api.another(withAdmins);
  for (const change of [
    'suspended_at = now()',
    `suspended_at = null, password_hash = password_hash || 'x'`,
  ]) {
    await own.asOwner(`update base_user set suspended_at = null where tenant_id = ${own.tenantId}`);
    const desk = atTenant(own);
    t.is((await desk.logInAs('admin@test')).status, 303, change);
    t.is((await desk.get('/ops')).status, 200);
    await own.asOwner(
      `update base_user set ${change} where tenant_id = ${own.tenantId} and username = 'admin@test'`,
    );
    t.is((await desk.get('/ops')).status, 303, change);
  }
});

test.serial(
  'a customer that is held is released, and the audit log has who, what and why',
  async (t) => {
    const own = await api.another(withAdmins);
    const { held, logOf, statusOf } = openCallsOf(own);
    const desk = openDesk(all);
    await desk.logIn('Anna');
    const id = await held('ADA');
    const base = `/ops/tenants/${own.label}`;
    const page = await desk.get(base);
    t.regex(page.body, /quantity\.outOfRange/);
    t.true(linksIn(page).includes(`${base}/acts/release/${id}`));
    t.is((await desk.get(`${base}/acts/release/${id}`)).status, 200);
    t.deepEqual(await statusOf(id), { isHeld: true }, 'a page that is read changes nothing');
    const path = `${base}/acts/release/${id}`;
    const formKey = keyIn(await desk.get(path), path);
    const missing = await desk.post(path, { formKey, reason: ' ' });
    t.deepEqual([missing.status, saidIn(missing)], [400, 'Reason: Please fill in this field.']);
    const reason = 'ticket 7: the plan was mended';
    const code = { field: 'billingHeldCode', before: 'quantity.outOfRange' };
    const done = await desk.post(path, { formKey, reason });
    t.is(done.status, 200);
    t.is(
      saidIn(done),
      `Customer ${id} is released (quantity.outOfRange); the next 00:00 bills what is due.`,
    );
    t.deepEqual(await statusOf(id), { isHeld: false });
    t.like(await logOf('ops release'), [
      {
        action: 'command',
        username: 'operator Anna',
        objectType: 'customer',
        objectId: id,
      },
    ]);
    const [{ changes } = {}] = await logOf('ops release');
    t.like(changes, [{ field: 'billingHeldAt' }, code, { field: 'reason', after: reason }]);
    t.is(saidIn(await desk.post(path, { formKey, reason: 'again' })), 'This was done already.');
    const over = await desk.submit(path, { reason: 'once more' });
    t.deepEqual([over.status, saidIn(over)], [409, `customer ${id} is not held from billing`]);
    t.is((await logOf('ops release')).length, 1);
  },
);

test.serial(
  'findings of a payment are closed with a reason; without one it is refused',
  async (t) => {
    const own = await api.another(withAdmins);
    const { finding, logOf } = openCallsOf(own);
    const desk = atTenant(own);
    await desk.logInAs('money@test');
    const id = await finding();
    t.regex((await desk.get('/ops')).body, /lateApproval/);
    const done = await desk.submit(`/ops/acts/close/${id}`, { reason: 'refunded by hand' });
    t.is(saidIn(done), `The findings of payment ${id} are closed.`);
    const [row] = await own.asOwner(
      `select closed_reason from gateway_finding where tenant_id = ${own.tenantId}`,
    );
    t.deepEqual(row, { closed_reason: 'refunded by hand' });
    t.like(await logOf('ops close'), [
      { username: 'money@test', objectType: 'payment', objectId: id },
    ]);
    const over = await desk.submit(`/ops/acts/close/${id}`, { reason: 'again' });
    t.deepEqual([over.status, saidIn(over)], [409, `payment ${id} has no open finding`]);
  },
);

test.serial(
  'an act asks for its rights, and its page links what the visitor may do alone',
  async (t) => {
    const own = await api.another(withAdmins);
    const { finding, held, logOf } = openCallsOf(own);
    const [payment, customer] = [await finding(), await held('ADA')];
    const desk = atTenant(own);
    await desk.logInAs('admin@test');
    const links = linksIn(await desk.get('/ops'));
    t.true(links.includes(`/ops/acts/release/${customer}`));
    t.false(links.includes(`/ops/acts/close/${payment}`));
    for (const act of [`close/${payment}`, 'resolve/1', 'retry/1', 'restart', 'resume-import/1']) {
      const answer = await desk.get(`/ops/acts/${act}`);
      t.is(answer.status, 403, act);
      t.is((await desk.post(`/ops/acts/${act}`, { reason: 'x' })).status, 403, act);
    }
    t.deepEqual(await logOf('ops close'), []);
    t.is((await refusalsOf(own)).at(-1)?.code, 'auth.role');
    const finds = await desk.get('/ops/acts?act=hold&id=17');
    t.is(finds.headers.location, '/ops/acts/hold/17');
  },
);

test.serial(
  'a form without its key, of another form, of another site, or of another visitor is refused',
  async (t) => {
    const own = await api.another(withAdmins);
    const { held, statusOf } = openCallsOf(own);
    const [ada, bo] = [await held('ADA'), await held('BO')];
    const desk = atTenant(own);
    await desk.logInAs('admin@test');
    const path = `/ops/acts/release/${ada}`;
    const reason = 'no reason';
    const formKey = keyIn(await desk.get(path), path);
    t.is((await desk.post(path, { reason })).status, 403);
    t.is((await desk.post(`/ops/acts/release/${bo}`, { reason, formKey })).status, 403);
    t.is((await desk.post(`/ops/acts/hold/${ada}`, { reason, formKey })).status, 403);
    const foreign = { origin: 'http://elsewhere.example' };
    t.is((await desk.post(path, { reason, formKey }, foreign)).status, 403);
    t.is((await desk.post(path, { reason, formKey }, { origin: 'null' })).status, 403);
    const site = { 'sec-fetch-site': 'cross-site' };
    t.is((await desk.post(path, { reason, formKey }, site)).status, 403);
    const json = { 'content-type': 'application/json' };
    t.is((await desk.post(path, { reason, formKey }, json)).status, 415);
    const other = atTenant(own);
    await other.logInAs('money@test');
    t.is((await other.post(path, { reason, formKey })).status, 403);
    t.is((await desk.call('DELETE', path)).status, 405);
    for (const id of [ada, bo]) t.deepEqual(await statusOf(id), { isHeld: true });
  },
);

test.serial(
  'while Temporal is down an Update says that nobody knows whether it was done',
  async (t) => {
    const desk = openDesk(all);
    await desk.logIn();
    const path = `/ops/tenants/${api.label}/acts/hold/17`;
    const answer = await desk.submit(path, { reason: 'ticket 7' });
    t.is(answer.status, 503);
    t.regex(
      saidIn(answer),
      /^Temporal or the database does not answer\. It may be done all the same/,
    );
  },
);

test.serial('a reason with the number of a card is not taken, and is in no page', async (t) => {
  const desk = openDesk(all);
  await desk.logIn();
  const path = `/ops/tenants/${api.label}/acts/release/17`;
  const answer = await desk.submit(path, { reason: 'card 4111 1111 1111 1111' });
  t.deepEqual([answer.status, saidIn(answer)], [400, 'Reason: Please check this entry.']);
});

test.serial(
  'a proxy names the operator by a header, which counts only if it is configured',
  async (t) => {
    const header = { 'x-forwarded-user': 'bo@example.com' };
    const unasked = openDesk(all, header);
    t.is((await unasked.get('/ops')).headers.location, '/ops/login');
    const behind = await startTenantApi({
      ownDatabase: true,
      ...withAdmins,
      operator: (dependencies, loginUrl) =>
        operatorSettings(dependencies, loginUrl, {
          password: undefined,
          header: 'x-forwarded-user',
        }).settings,
    });
    const { held, logOf } = openCallsOf(behind);
    const id = await held('ADA');
    const at = { port: behind.port, host: 'localhost' };
    t.is((await openDesk(at).get('/ops')).status, 401);
    t.is((await openDesk(at, { 'x-forwarded-user': '' }).get('/ops')).status, 401);
    const desk = openDesk(at, header);
    t.is((await desk.get('/ops')).status, 200);
    t.is((await desk.get('/ops/login')).status, 404);
    const path = `/ops/tenants/${behind.label}/acts/release/${id}`;
    t.is((await desk.submit(path, { reason: 'ticket 7' })).status, 200);
    t.like(await logOf('ops release'), [{ username: 'operator bo@example.com' }]);
    // On a tenant's host nobody is an operator.
    const own = openDesk({ port: behind.port, host: `${behind.label}.localhost` }, header);
    t.is((await own.get('/ops')).headers.location, '/ops/login');
  },
);

test.serial('without a password and a header there is no page of all tenants', async (t) => {
  const plain = await startTenantApi({
    ownDatabase: true,
    ...withAdmins,
    operator: (dependencies, loginUrl) =>
      operatorSettings(dependencies, loginUrl, { password: undefined }).settings,
  });
  const desk = openDesk({ port: plain.port, host: 'localhost' });
  for (const path of ['/ops', '/ops/login']) t.is((await desk.get(path)).status, 404, path);
  const own = openDesk({ port: plain.port, host: `${plain.label}.localhost` });
  t.is((await own.logInAs('admin@test')).status, 303);
  t.is((await own.get('/ops')).status, 200);
});

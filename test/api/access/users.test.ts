/** Until when, from where and how often a user may call, and how its admins see and suspend it. */
import test from 'ava';
import { createRequestLimits } from '../../../api/access/request-limits.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { cheapCost, hashBeside, hashPassword } from '../../../operations/access/passwords.ts';
import { sharedAttempts } from '../../../operations/access/shared-attempts.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { quiet, startApi, stopAtTheEnd } from '../support.ts';
import {
  type TenantApi,
  CLOCK,
  admin,
  asAdmin,
  refused,
  startTenantApi,
  valueOf,
} from '../tenant-api.ts';

const api = await startTenantApi({ ownDatabase: true });
const roles = ['ROLE_API'];
const byName = (username: string, password = PASSWORD) => ({ auth: `${username}:${password}` });

const statusOf = async (own: TenantApi, auth: { readonly auth: string }): Promise<number> =>
  (await own.call('GET', '/plans', auth)).status;

/** Applies other users to a tenant. */
const apply = ({ db, label }: TenantApi, users: readonly object[]) =>
  makeTenant({ db, realNow: Date.now }, { label, testClock: CLOCK, file: { users } });

/** The element of a user in the list. */
async function shown(own: TenantApi, username: string): Promise<string> {
  const { body } = await own.call('GET', '/users', asAdmin);
  return body.split('<user ').find((each) => each.includes(`>${username}<`)) ?? '';
}

test('the old password is taken, too, until its last day, and its last use is shown', async (t) => {
  const rotated = { username: 'rotated@test', password: 'new-secret', roles };
  const old = { oldPassword: PASSWORD, oldPasswordUntil: '2999-12-31' };
  const own = await api.another({ file: { users: [{ ...rotated, ...old }, admin] } });
  t.is(await statusOf(own, byName('rotated@test', 'new-secret')), 200);
  t.regex(
    await shown(own, 'rotated@test'),
    /<oldPasswordUntil>2999-12-31<.*<oldPasswordLastUsed\/>/s,
  );
  t.is(await statusOf(own, byName('rotated@test', PASSWORD)), 200);
  t.is(await statusOf(own, byName('rotated@test', 'neither')), 401);
  const used = /<oldPasswordLastUsed>(.*)<\/oldPasswordLastUsed>/.exec(
    await shown(own, 'rotated@test'),
  );
  t.regex(used?.[1] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  // Applied again nothing changes, and the last use stays.
  await apply(own, [{ ...rotated, ...old }, admin]);
  t.true((await shown(own, 'rotated@test')).includes(used?.[0] ?? 'nothing'));
  await apply(own, [{ ...rotated, ...old, oldPasswordUntil: '2026-01-31' }, admin]);
  t.is(await statusOf(own, byName('rotated@test', PASSWORD)), 401);
  t.is(await statusOf(own, byName('rotated@test', 'new-secret')), 200);
  await apply(own, [rotated, admin]);
  t.regex(await shown(own, 'rotated@test'), /<oldPasswordUntil\/>\s*<oldPasswordLastUsed\/>/);
});

test('a comparison with two passwords derives one key', async (t) => {
  const hash = await hashPassword('new', cheapCost);
  const old = await hashBeside('old', hash);
  t.is(old.split('$').slice(0, 5).join('$'), hash.split('$').slice(0, 5).join('$'));
  t.not(old, hash);
});

test('the last days are days of the tenant in real time, and end with it', async (t) => {
  const own = await api.another({ timezone: 'Pacific/Kiritimati' });
  const today = `(now() at time zone 'Pacific/Kiritimati')::date`;
  // One transaction has one time.
  const rows = await inTenant(own.db, own.tenantId, async (tx) => {
    const found: unknown[] = [];
    for (const days of [0, 1]) {
      await tx.query(
        `update base_user set expires_on = ${today} - $1::int,
           old_password_until = ${today} - $1::int, old_password_hash = 'old'`,
        [days],
      );
      const [row] = await tx.query(
        `select is_barred, old_password_hash from user_at_login($1, 'api@test')`,
        [tx.tenantId],
      );
      found.push(row);
    }
    return found;
  });
  t.deepEqual(rows, [
    { isBarred: false, oldPasswordHash: 'old' },
    { isBarred: true, oldPasswordHash: null },
  ]);
});

test('an expired user is refused like a wrong password, and shown as Expired', async (t) => {
  const late = { username: 'late@test', password: PASSWORD, roles, expires: '2026-01-31' };
  const own = await api.another({ file: { users: [late, admin] } });
  const wrong = await own.call('GET', '/plans', byName('late@test', 'wrong'));
  const expired = await own.call('GET', '/plans', byName('late@test'));
  refused(t, expired, 401, 'auth.invalid');
  t.is(expired.body, wrong.body);
  t.regex(await shown(own, 'late@test'), /<status>Expired<.*<expires>2026-01-31</s);
});

test('from other networks the right password is as wrong as any, and the audit log knows', async (t) => {
  const bound = { username: 'bound@test', password: PASSWORD, roles };
  const own = await api.another({
    file: { users: [{ ...bound, allowedNetworks: ['127.0.0.1/32', '2001:db8::/32'] }, admin] },
  });
  t.is(await statusOf(own, byName('bound@test')), 200);
  await apply(own, [{ ...bound, allowedNetworks: ['10.0.0.0/8'] }, admin]);
  const wrong = await own.call('GET', '/plans', byName('bound@test', 'wrong'));
  const elsewhere = await own.call('GET', '/plans', byName('bound@test'));
  refused(t, elsewhere, 401, 'auth.invalid');
  t.is(elsewhere.body, wrong.body);
  // As ten wrong passwords do.
  for (let n = 3; n <= 10; n += 1) await own.call('GET', '/plans', byName('bound@test'));
  refused(t, await own.call('GET', '/plans', byName('bound@test')), 429, 'auth.tooManyAttempts');
  const entries = await inTenant(own.db, own.tenantId, (tx) =>
    tx.query<{ code: string }>(`select code from audit_log where status = 401 order by id`),
  );
  t.deepEqual(
    entries.map(({ code }) => code),
    ['auth.invalid', ...Array.from({ length: 9 }, () => 'auth.network')],
  );
});

test('requests of a user count over all processes, and not those of others', async (t) => {
  const file = {
    users: [
      { username: 'busy@test', password: PASSWORD, roles, requestsPerMinute: 4 },
      { username: 'api@test', password: PASSWORD, roles },
    ],
  };
  const own = await api.another({ file });
  const second = await startApi(own.db, (dependencies) => allRoutes(quiet(dependencies)));
  stopAtTheEnd(second);
  const there = (username: string) =>
    second.send({
      path: '/rest/plans',
      host: `${own.label}.localhost`,
      auth: `${username}:${PASSWORD}`,
    });
  for (let n = 1; n <= 2; n += 1) {
    t.is(await statusOf(own, byName('busy@test')), 200);
    t.is((await there('busy@test')).status, 200);
  }
  for (const answer of [
    await own.call('GET', '/plans', byName('busy@test')),
    await there('busy@test'),
  ]) {
    refused(t, answer, 429, 'auth.tooManyRequests');
    const seconds = Number(answer.headers['retry-after']);
    t.true(seconds >= 1 && seconds <= 60, String(seconds));
  }
  t.is((await there('api@test')).status, 200);
  // A wrong password is no request of the user.
  t.is(await statusOf(own, byName('busy@test', 'wrong')), 401);
});

// Nobody else counts meanwhile: it ends all minutes.
test.serial('a minute later the requests begin anew, however many were refused', async (t) => {
  let now = 0;
  let statements = 0;
  const { begin } = sharedAttempts(api.db, 'requests');
  const limits = createRequestLimits(() => now, {
    begin(attempt) {
      statements += 1;
      return begin(attempt);
    },
  });
  const request = { tenantId: 1, userId: 1, max: 2 };
  t.is(await limits.take(request), 0);
  t.is(await limits.take(request), 0);
  const wait = await limits.take(request);
  t.true(wait >= 1 && wait <= 60);
  for (let n = 0; n < 20; n += 1) t.is(await limits.take(request), wait);
  t.is(statements, 3, 'a flood costs none');
  await api.asOwner(`update attempt_window set ends_at = now() - interval '1 second'`);
  now = wait * 1_000;
  t.is(await limits.take(request), 0);
});

test('an admin suspends and enables users, in other processes within seconds', async (t) => {
  const file = {
    users: [{ username: 'api@test', password: PASSWORD, roles }, admin],
  };
  const own = await api.another({ file });
  const { body } = await own.call('GET', '/users', asAdmin);
  t.deepEqual(
    [...body.matchAll(/<username>(.*?)</g)].map(([, name]) => name),
    ['api@test', 'admin@test'],
  );
  const id = valueOf(body, 'user@id');
  const self = /<user id="(\d+)"><username>admin@test/.exec(body)?.[1];
  t.is(await statusOf(own, byName('api@test')), 200);
  const suspended = await own.call('POST', `/user/${id}?action=suspend`, asAdmin);
  t.is(suspended.status, 200);
  t.regex(suspended.body, /<status>Suspended</);
  await until('the user is refused', async () => (await statusOf(own, byName('api@test'))) === 401);
  const again = await own.call('POST', `/user/${id}?action=suspend`, asAdmin);
  t.is(again.body, suspended.body);
  await inTenant(own.db, own.tenantId, (tx) =>
    tx.query('insert into foreign_attempt (tenant_id, user_id) values ($1, $2)', [tx.tenantId, id]),
  );
  const enabled = await own.call('POST', `/user/${id}?action=enable`, asAdmin);
  t.regex(enabled.body, /<status>Active</);
  await until('the user is taken', async () => (await statusOf(own, byName('api@test'))) === 200);
  const rows = await inTenant(own.db, own.tenantId, async (tx) => ({
    attempts: await tx.query('select id from foreign_attempt'),
    entries: await tx.query<{ action: string }>(
      `select action, username from audit_log where action <> 'refused' order by id`,
    ),
  }));
  t.deepEqual(rows.attempts, []);
  t.deepEqual(
    rows.entries.map((entry) => Object.values(entry).join(' ')),
    [
      'userSuspended api@test',
      'write admin@test',
      'write admin@test',
      'userEnabled api@test',
      'write admin@test',
    ],
  );
  for (const action of ['suspend', 'enable']) {
    const answer = await own.call('POST', `/user/${self}?action=${action}`, asAdmin);
    refused(t, answer, 400, 'user.self');
  }
  const path = '/user/999999999?action=suspend';
  refused(t, await own.call('POST', path, asAdmin), 404, 'user.unknown');
});

test('a user of another tenant is unknown, and trying it counts as an attempt', async (t) => {
  const other = await api.another({ file: { users: [admin] } });
  const id = valueOf((await other.call('GET', '/users', asAdmin)).body, 'user@id');
  const own = await api.another({ file: { users: [admin] } });
  const answer = await own.call('POST', `/user/${id}?action=suspend`, asAdmin);
  refused(t, answer, 404, 'user.unknown');
  const entries = await inTenant(own.db, own.tenantId, (tx) =>
    tx.query(`select action from audit_log where action = 'foreignId'`),
  );
  t.is(entries.length, 1);
});

test('a user whom the file no longer has is Disabled, whatever an admin does', async (t) => {
  const users = [{ username: 'api@test', password: PASSWORD, roles }, admin];
  const own = await api.another({ file: { users } });
  await apply(own, [admin]);
  const id = valueOf((await own.call('GET', '/users', asAdmin)).body, 'user@id');
  for (const action of ['suspend', 'enable']) {
    const { body } = await own.call('POST', `/user/${id}?action=${action}`, asAdmin);
    t.regex(body, /<status>Disabled</);
  }
  t.is(await statusOf(own, byName('api@test')), 401);
});

/**
 * Credentials: how they are stored, how often they are hashed, and how soon a barred user is
 * refused.
 */
import test from 'ava';
import { createAttempts } from '../../../api/access/attempts.ts';
import { createCredentialCheck, type StoredUser } from '../../../api/access/credentials.ts';
import { networkOf } from '../../../api/access/login-limits.ts';
import {
  cheapCost,
  hashPassword,
  standardCost,
  verifyPassword,
} from '../../../operations/access/passwords.ts';

test('a password is stored as argon2id with its parameters and its own salt', async (t) => {
  const one = await hashPassword('demo-secret');
  const two = await hashPassword('demo-secret', standardCost);
  t.regex(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  t.not(one, two);
  t.true(await verifyPassword('demo-secret', one));
  t.false(await verifyPassword('Demo-secret', one));
  t.false(await verifyPassword('', one));
});

test('a stored hash keeps its cost, whatever the present standard is', async (t) => {
  const hash = await hashPassword('p\u00e4ss', cheapCost);
  t.regex(hash, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  t.true(await verifyPassword('p\u00e4ss', hash));
});

test('a malformed stored hash is a fault, not a wrong password', async (t) => {
  await t.throwsAsync(verifyPassword('x', 'plain'), { message: /not in the expected format/ });
});

async function checkedUser() {
  const state = {
    now: 0,
    reads: 0,
    user: {
      id: 1,
      username: 'api',
      roles: ['ROLE_API'],
      granted: [],
      requestsPerMinute: null,
      passwordHash: await hashPassword('right', cheapCost),
      isBarred: false,
    } as StoredUser,
  };
  const check = createCredentialCheck({
    hashCost: cheapCost,
    clock: () => state.now,
    findUser(_tenantId, username) {
      state.reads += 1;
      return Promise.resolve(username === 'api' ? state.user : undefined);
    },
  });
  const verify = (password: string, username = 'api') =>
    check.verify({ tenantId: 1, username, password }, { lane: '1' });
  return { state, check, verify };
}

test('a valid credential is accepted, a wrong one and an unknown user are not', async (t) => {
  const { verify } = await checkedUser();
  t.like(await verify('right'), { id: 1, username: 'api', roles: ['ROLE_API'] });
  t.is(await verify('wrong'), undefined);
  t.is(await verify('right', 'nobody'), undefined);
});

test('the user is read again after a second, so a barred user is refused', async (t) => {
  const { state, verify } = await checkedUser();
  await Promise.all([verify('right'), verify('right'), verify('right')]);
  t.is(state.reads, 1);
  state.user = { ...state.user, isBarred: true };
  state.now = 999;
  t.truthy(await verify('right'));
  state.now = 1_000;
  t.is(await verify('right'), undefined);
  t.is(state.reads, 2);
});

test('a changed password applies as soon as the user is read again', async (t) => {
  const { state, verify } = await checkedUser();
  t.truthy(await verify('right'));
  state.user = { ...state.user, passwordHash: await hashPassword('new', cheapCost) };
  state.now = 1_000;
  t.is(await verify('right'), undefined);
  t.truthy(await verify('new'));
});

test('a credential is hashed once a minute', async (t) => {
  const { state, check, verify } = await checkedUser();
  const credentials = { tenantId: 1, username: 'api', password: 'right' };
  t.false(check.isKnownGood(credentials));
  await verify('right');
  t.true(check.isKnownGood(credentials));
  t.false(check.isKnownGood({ ...credentials, password: 'wrong' }));
  // A hash that cannot be read throws as soon as it is used, which shows when hashing happens.
  const sound = state.user.passwordHash;
  state.now = 60_000;
  t.true(check.isKnownGood(credentials), 'it was right lately');
  state.user = { ...state.user, passwordHash: 'unreadable' };
  await t.throwsAsync(verify('right'), { message: /not in the expected format/ });
  state.user = { ...state.user, passwordHash: sound };
  state.now = 66_000;
  t.truthy(await verify('right'));
});

test('a valid credential is known for an hour, and only as long as it is valid', async (t) => {
  const { state, check, verify } = await checkedUser();
  const credentials = { tenantId: 1, username: 'api', password: 'right' };
  await verify('right');
  state.now = 3_599_999;
  t.true(check.isKnownGood(credentials));
  state.now = 3_600_000;
  t.false(check.isKnownGood(credentials));
  await verify('right');
  state.user = { ...state.user, passwordHash: await hashPassword('new', cheapCost) };
  state.now = 3_605_000;
  await verify('right');
  t.false(check.isKnownGood(credentials));
});

test('failures count for a minute, for each key separately', (t) => {
  let now = 0;
  const attempts = createAttempts(() => now);
  attempts.end('a', true);
  t.is(attempts.waitSeconds('a', 2), 0);
  now = 1_000;
  attempts.end('a', true);
  t.is(attempts.waitSeconds('a', 2), 59);
  t.is(attempts.waitSeconds('b', 2), 0);
  now = 60_000;
  t.is(attempts.waitSeconds('a', 2), 0);
});

test('attempts in progress count, and those that succeed are uncounted', (t) => {
  const attempts = createAttempts(() => 0);
  attempts.begin('a');
  attempts.begin('a');
  t.false(attempts.isNew('a'));
  t.is(attempts.waitSeconds('a', 2), 1, 'they may turn out well');
  attempts.end('a', false);
  t.is(attempts.waitSeconds('a', 2), 0);
  attempts.end('a', true);
  attempts.end('a', true);
  t.is(attempts.waitSeconds('a', 2), 60);
});

test('an IPv6 caller is identified by its network, another caller by its address', (t) => {
  const same = (...addresses: string[]) => new Set(addresses.map(networkOf)).size === 1;
  t.true(same('2001:db8::1', '2001:0DB8:0:0:ffff::2', '2001:db8::ffff:0:0:0%eth0'));
  t.false(same('2001:db8::1', '2001:db8:0:1::1'));
  t.true(same('::1', '0:0:0:0:1:2:3:4'));
  t.is(networkOf('fe80::1:2:3:4'), 'fe80:0:0:0');
  t.is(networkOf('1:2:3:4:5:6:7:8'), '1:2:3:4');
  t.is(networkOf('1:2:3::'), '1:2:3:0');
  t.true(same('::ffff:192.0.2.1', '192.0.2.1'));
  t.false(same('192.0.2.1', '192.0.2.2'));
});

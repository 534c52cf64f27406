/** Simultaneous logins: which are compared, which wait, and which are never refused. */
import test from 'ava';
import {
  type StoredUser,
  createCredentialCheck,
  createLogins,
} from '../../../api/access/credentials.ts';
import { createLoginLimits, NETWORK_FIRST_TRIES_MAX } from '../../../api/access/login-limits.ts';
import { credentialStore } from '../../../api/access/store.ts';
import { createTurns } from '../../../db/connection/turns.ts';
import { hashTurnsOptions } from '../../../operations/access/hash-turns.ts';
import { cheapCost } from '../../../operations/access/passwords.ts';
import { errorsOf, openTestDatabase, startApi } from '../support.ts';
import { makeTenant, PASSWORD } from '../../support/tenants.ts';

interface Comparison {
  readonly password: string;
  readonly hash: string;
  readonly answer: () => void;
}

/** Every user's password is `right`; a comparison ends when the test says so. */
function made({ sleep }: { readonly sleep?: (ms: number) => Promise<void> } = {}) {
  let now = 0;
  const open: Comparison[] = [];
  const all: string[] = [];
  const check = createCredentialCheck({
    hashCost: cheapCost,
    clock: () => now,
    turns: createTurns(hashTurnsOptions),
    ...(sleep === undefined ? {} : { sleep }),
    findUser: (tenantId, username): Promise<StoredUser | undefined> =>
      Promise.resolve({
        id: 1,
        username,
        roles: ['ROLE_API'],
        granted: [],
        requestsPerMinute: null,
        passwordHash: `${tenantId} ${username}`,
        isBarred: false,
      }),
    compare(password, hash) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      all.push(`${hash} ${password}`);
      open.push({ password, hash, answer: () => resolve(password === 'right') });
      return promise;
    },
  });
  const logins = createLogins({ check, limits: createLoginLimits(() => now) });
  const login = (password: string, where: { tenant?: number; user?: string; from?: string } = {}) =>
    logins
      .login(
        { tenantId: where.tenant ?? 1, username: where.user ?? 'api', password },
        where.from ?? '192.0.2.1',
      )
      .then(
        (user) => (user === undefined ? 'wrong' : 'in'),
        (error: { readonly status?: number; readonly name: string }) => error.status ?? error.name,
      );
  /** Ends comparisons, including new ones, until none is left. */
  async function finishAll(): Promise<void> {
    await turn();
    while (open.length > 0) {
      open.shift()?.answer();
      await turn();
    }
  }
  return { login, open, all, finishAll, later: (ms: number) => void (now += ms) };
}

/** Everything that can happen by itself has happened. */
const turn = () => new Promise(setImmediate);

const times = (count: number) => Array.from({ length: count }, (_, n) => n);

function counted(outcomes: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of outcomes) counts[String(each)] = (counts[String(each)] ?? 0) + 1;
  return counts;
}

test('of 200 simultaneous guesses ten are compared, one at a time', async (t) => {
  const { login, open, all, finishAll } = made();
  const guesses = times(200).map((n) => login(`guess ${n}`));
  await turn();
  t.is(open.length, 2, 'the first try, and one of the others');
  open.shift()?.answer();
  await turn();
  t.is(open.length, 1, 'one at a time');
  await finishAll();
  t.is(all.length, 10);
  t.deepEqual(counted(await Promise.all(guesses)), { wrong: 10, 429: 190 });
});

test('the lane of guesses pauses three times as long as a comparison, valid logins do not', async (t) => {
  const rests: { readonly ms: number; readonly end: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((end) => void rests.push({ ms, end }));
  const { login, open, later } = made({ sleep });
  const answerAll = async (): Promise<void> => {
    later(40);
    for (const each of open.splice(0)) each.answer();
    await turn();
  };
  // Of two networks at two tenants, each after its first attempt.
  const guesses = [1, 2].flatMap((tenant) =>
    times(2).map((n) => login(`guess ${n}`, { tenant, from: `198.51.100.${tenant}` })),
  );
  await turn();
  t.deepEqual(
    open.map(({ hash }) => hash),
    ['1 api', '1 api', '2 api'],
  );
  await answerAll();
  t.deepEqual(counted(await Promise.all(guesses.slice(0, 3))), { wrong: 3 });
  t.deepEqual(
    rests.map(({ ms }) => ms),
    [120],
  );
  t.is(open.length, 0, 'the other waits');
  const good = login('right', { from: '192.0.2.9' });
  await turn();
  t.is(open[0]?.password, 'right', 'a first try from elsewhere does not');
  await answerAll();
  t.is(await good, 'in');
  rests[0]?.end();
  await turn();
  t.is(open[0]?.hash, '2 api');
  await answerAll();
  t.is(rests.length, 2);
  // A right password, although it is not the first attempt of its network.
  rests[1]?.end();
  await turn();
  const late = login('right', { tenant: 2, from: '198.51.100.2' });
  await turn();
  await answerAll();
  t.is(await late, 'in');
  t.is(rests.length, 2);
});

test('the first login at another tenant does not wait behind them', async (t) => {
  const { login, open, finishAll } = made();
  const guesses = times(40).map((n) => login(`guess ${n}`, { user: `user ${n}` }));
  await turn();
  const other = login('right', { tenant: 2 });
  await turn();
  t.deepEqual(
    open.map(({ hash }) => hash),
    ['1 user 0', '1 user 1', '2 api'],
  );
  open.pop()?.answer();
  t.is(await other, 'in');
  await finishAll();
  t.deepEqual(counted(await Promise.all(guesses)), { wrong: 40 });
});

test('within a tenant a caller from another network is next, not last', async (t) => {
  const { login, all, finishAll } = made();
  const guesses = times(20).map((n) => login(`guess ${n}`, { user: `user ${n}` }));
  await turn();
  const good = login('right', { from: '192.0.2.9' });
  await finishAll();
  t.is(await good, 'in');
  t.true(all.indexOf('1 api right') <= 2, all.join());
  await Promise.all(guesses);
});

test('simultaneous equal guesses are hashed once and counted once', async (t) => {
  const { login, all, finishAll } = made();
  const wrong = times(50).map(() => login('wrong'));
  await finishAll();
  t.deepEqual(counted(await Promise.all(wrong)), { wrong: 50 });
  const right = times(50).map(() => login('right'));
  await finishAll();
  t.deepEqual(counted(await Promise.all(right)), { in: 50 });
  t.deepEqual(all, ['1 api wrong', '1 api right']);
});

test('guesses from elsewhere do not lock out a user with the right password', async (t) => {
  const { login, finishAll } = made();
  const guesses = times(30).map((n) => login(`guess ${n}`, { from: '198.51.100.1' }));
  await finishAll();
  t.deepEqual(counted(await Promise.all(guesses)), { wrong: 10, 429: 20 });
  const good = login('right');
  await finishAll();
  t.is(await good, 'in');
  const there = login('right', { from: '198.51.100.1' });
  t.is(await there, 'in', 'it is known by now');
});

test('after too many guesses from all networks new callers of the user wait, known ones do not', async (t) => {
  const { login, finishAll, later } = made();
  const known = login('right');
  await finishAll();
  t.is(await known, 'in');
  for (const network of times(6)) {
    const guesses = times(10).map((n) => login(`guess ${n}`, { from: `198.51.100.${network}` }));
    await finishAll();
    t.deepEqual(counted(await Promise.all(guesses)), network < 5 ? { wrong: 10 } : { 429: 10 });
  }
  t.is(await login('right', { from: '203.0.113.1' }), 'in', 'by what it is known');
  t.is(await login('wrong', { from: '203.0.113.1' }), 429);
  later(60_000);
  const after = login('wrong', { from: '203.0.113.1' });
  await finishAll();
  t.is(await after, 'wrong');
});

test("users at an address where others failed have a first attempt, up to the address's limit", async (t) => {
  const { login, finishAll } = made();
  const outcomesOf = async (users: readonly string[], passwords: readonly string[]) => {
    const all = users.flatMap((user) => passwords.map((password) => login(password, { user })));
    await finishAll();
    return counted(await Promise.all(all));
  };
  const ten = times(10).map((n) => `guess ${n}`);
  // All 50 attempts of an address in a minute.
  t.deepEqual(await outcomesOf(['a', 'b', 'c', 'd', 'e'], ten), { wrong: 50 });
  t.deepEqual(await outcomesOf(['good'], ['right']), { in: 1 });
  t.deepEqual(await outcomesOf(['f'], ['guess']), { wrong: 1 });
  t.deepEqual(await outcomesOf(['f'], ['another guess']), { 429: 1 });
  const sprayed = times(NETWORK_FIRST_TRIES_MAX).map((n) => `user ${n}`);
  t.deepEqual(await outcomesOf(sprayed, ['Winter2027']), { wrong: 49, 429: 51 });
  t.deepEqual(await outcomesOf(['late'], ['right']), { 429: 1 });
  t.deepEqual(await outcomesOf(['good'], ['right']), { in: 1 });
});

test('a right password is uncounted, so a caller that logs in often never waits', async (t) => {
  const { login, finishAll, later } = made();
  for (const n of times(30)) {
    const user = `user ${n % 3}`;
    const trying = login('right', { user });
    await finishAll();
    t.is(await trying, 'in');
    later(3_600_000);
  }
});

test('the queue is bounded: beyond its limit the answer is 503', async (t) => {
  const { login, finishAll } = made();
  const guesses = times(80).map((n) => login('guess', { user: `user ${n}` }));
  await finishAll();
  // Two were compared and 50 of their network waited; the others got 503.
  t.deepEqual(counted(await Promise.all(guesses)), { wrong: 52, UnavailableError: 28 });
});

test('parallel logins over HTTP: ten are compared, and others at that address continue', async (t) => {
  const db = await openTestDatabase();
  // Beside other work ten comparisons may take longer than a caller waits for its turn.
  const turns = createTurns({ ...hashTurnsOptions, waitMs: 120_000 });
  // The minute of the attempts does not end while a slow machine compares.
  const credentials = { ...credentialStore(db, cheapCost), turns, clock: () => 0 };
  const api = await startApi(db, () => [], { credentials });
  t.teardown(() => api.stop().then(db.close));
  const dependencies = { db, realNow: Date.now };
  const file = {
    users: ['one', 'two', 'three'].map((username) => ({
      username,
      password: PASSWORD,
      roles: ['ROLE_API'],
    })),
  };
  const [own, other] = [await makeTenant(dependencies, { file }), await makeTenant(dependencies)];
  const call = (label: string, auth: string) =>
    api.send({ path: '/rest/nothing', host: `${label}.localhost`, auth });
  // 404 comes after the check of credentials.
  t.is((await call(own.label, `one:${PASSWORD}`)).status, 404);
  const guesses = times(200).map((n) => call(own.label, `two:guess ${n}`));
  const beside = [call(own.label, `one:${PASSWORD}`), call(other.label, `api@test:${PASSWORD}`)];
  t.deepEqual(counted((await Promise.all(beside)).map(({ status }) => status)), { 404: 2 });
  const answers = await Promise.all(guesses);
  t.deepEqual(counted(answers.map(({ status }) => status)), { 401: 10, 429: 190 });
  t.deepEqual(counted(answers.flatMap(errorsOf)), {
    'auth.invalid': 10,
    'auth.tooManyAttempts': 190,
  });
  t.is((await call(own.label, `three:${PASSWORD}`)).status, 404);
  t.is((await call(own.label, `two:${PASSWORD}`)).status, 429, 'it has failed there itself');
});

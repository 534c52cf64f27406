/** Limits that several processes count together: each limiter here stands for one of them. */
import test from 'ava';
import { createLoginLimits } from '../../../api/access/login-limits.ts';
import { createPostLimits } from '../../../api/access/post-limits.ts';
import { sharedAttempts } from '../../../operations/access/shared-attempts.ts';
import { openTestDatabase } from '../support.ts';

const db = await openTestDatabase();
const still = (): number => 0;
const process = () => createLoginLimits(still, sharedAttempts(db, 'users'));

let networks = 0;
/** A network that no other test uses. */
const network = (): string => `10.0.${(networks += 1)}.1`;

const ofUser = (address: string, username = `ada ${address}`, tenantId = 1) => ({
  tenantId,
  username,
  address,
});

type Reserved = Awaited<ReturnType<ReturnType<typeof process>['reserve']>>;
const waits = (reserved: Reserved): number =>
  'waitSeconds' in reserved ? reserved.waitSeconds : 0;
const isFirst = (reserved: Reserved): boolean => 'isFirst' in reserved && reserved.isFirst;
async function end(reserved: Reserved, isFailure: boolean): Promise<void> {
  if ('end' in reserved) await reserved.end(isFailure);
}

test.serial(
  'wrong passwords of one user count together, and right ones do not count',
  async (t) => {
    const processes = [process(), process()];
    const guess = ofUser(network());
    for (let each = 0; each < 12; each += 1) {
      const reserved = await processes[each % 2]?.reserve(guess);
      if (reserved === undefined) return t.fail();
      t.is(waits(reserved), 0, String(each));
      t.is(isFirst(reserved), each === 0, String(each));
      await end(reserved, each !== 3 && each !== 4);
    }
    for (const each of processes) {
      const waited = waits(await each.reserve(guess));
      t.true(waited > 1 && waited <= 60, String(waited));
    }
    t.is(waits(await process().reserve(ofUser(guess.address, 'bo'))), 0);
  },
);

test.serial('attempts under way in another process make the next one wait a second', async (t) => {
  const guess = ofUser(network());
  const begun = await Promise.all(Array.from({ length: 10 }, () => process().reserve(guess)));
  t.deepEqual(
    begun.map(waits),
    Array.from({ length: 10 }, () => 0),
  );
  t.is(waits(await process().reserve(guess)), 1);
  for (const each of begun) await end(each, false);
  t.is(waits(await process().reserve(guess)), 0);
});

test.serial('a network counts at all tenants together, and a minute later no more', async (t) => {
  const address = network();
  for (let each = 0; each < 50; each += 1) {
    await end(await process().reserve(ofUser(address, `u${each}`, each)), true);
  }
  const again = ofUser(address, 'u0', 0);
  t.true(waits(await process().reserve(again)) > 1);
  t.is(waits(await process().reserve(ofUser(address, 'new'))), 0, 'a first try');
  await db.pool.query(`update attempt_window set ends_at = now() - interval '1 second'`);
  t.is(waits(await process().reserve(again)), 0);
});

test.serial('users of the interface and customers count apart', async (t) => {
  const guess = ofUser(network());
  for (let each = 0; each < 10; each += 1) await end(await process().reserve(guess), true);
  t.true(waits(await process().reserve(guess)) > 1);
  const contacts = createLoginLimits(still, sharedAttempts(db, 'contacts'));
  t.is(waits(await contacts.reserve(guess)), 0);
});

test.serial('forms of a page count together', async (t) => {
  const post = { tenantId: 1, token: 'shared', address: network() };
  const pages = [1, 2].map(() => createPostLimits(still, sharedAttempts(db, 'forms')));
  for (let each = 0; each < 60; each += 1) t.is(await pages[each % 2]?.take(post), 0);
  for (const each of pages) t.true((await each.take(post)) > 1);
});

test.serial('windows that are over are deleted by later attempts', async (t) => {
  const own = ofUser(network());
  await end(await process().reserve(own), true);
  const count = async (): Promise<number> => {
    const { rows } = await db.pool.query<{ count: number }>(
      `select count(*)::int as count from attempt_window where ends_at < now()`,
    );
    return rows[0]?.count ?? 0;
  };
  await db.pool.query(`update attempt_window set ends_at = now() - interval '1 second'`);
  t.true((await count()) > 0);
  for (let each = 0; (await count()) > 0; each += 1) {
    t.true(each < 50);
    await process().reserve(ofUser(network()));
  }
});

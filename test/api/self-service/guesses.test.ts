/** Guesses at one user name over hours: what a row of wrong passwords makes of the next one. */
import test from 'ava';
import { wallFor } from '../../../domain/self-service/session.ts';
import { titleOf } from '../signups/page-calls.ts';
import { type ApiTenantOptions, type TenantApi, startTenantApi } from '../tenant-api.ts';
import { withProfiles } from './calls.ts';
import {
  LOGIN,
  PASSWORD,
  locationOf,
  logIn,
  pathsIn,
  personOf,
  postOf,
  resetRows,
  send,
  withMails,
  without,
} from './people.ts';

const api = await startTenantApi({ ...withMails, ownDatabase: true });
const NEW = 'Another-two-22';

/** A tenant with the customer `ada`, who has logged in from here, and a stranger's network. */
async function opened(options: ApiTenantOptions = withMails) {
  const own = await api.another(options);
  const id = await personOf(own, 'ada');
  t303(await logIn(own, 'ada'));
  return { own, id, elsewhere: { ...own, from: '127.0.0.2' } };
}

function t303({ status }: { readonly status: number }): void {
  if (status !== 303) throw new Error(`the login answers ${status}`);
}

const rowsOf = (own: TenantApi) =>
  own.asOwner<{ key: string; failures: number }>(
    `select key, failures from login_guess where tenant_id = ${own.tenantId} order by key`,
  );

/** As many wrong passwords in a row as there may be before a link is needed. */
async function guessedAt(own: TenantApi, username = 'ada'): Promise<void> {
  const answer = await logIn(own, username, 'Wrong-one-1');
  if (answer.status !== 400) throw new Error(`a guess is ${answer.status}`);
  await own.asOwner(`update login_guess set failures = 100 where tenant_id = ${own.tenantId}`);
}

test('the wall stands from 100 wrong passwords on, before networks that nobody came from', (t) => {
  const guesses = { failures: 100, isKnownNetwork: false, sendsMails: true };
  t.is(wallFor(guesses), 'link');
  t.is(wallFor({ ...guesses, sendsMails: false }), 'slow');
  t.is(wallFor({ ...guesses, failures: 99 }), 'none');
  t.is(wallFor({ ...guesses, isKnownNetwork: true }), 'none');
});

test('wrong passwords of a name count in a row, whoever has it; a right one ends the row', async (t) => {
  const { own } = await opened();
  for (const each of [1, 2]) {
    for (const name of ['ada', 'Typed-Secret-9', 'nul\u0000'])
      await logIn(own, name, `Wrong-${each}`);
  }
  const rows = await rowsOf(own);
  t.deepEqual(
    rows.map(({ failures }) => failures),
    [2, 2, 2],
  );
  t.false(JSON.stringify(rows).includes('Secret'));
  await logIn(own, 'ada');
  t.is((await rowsOf(own)).length, 2);
});

test('after 100 a new network needs a mailed link, and one that logged in before does not', async (t) => {
  const { own, elsewhere } = await opened();
  const post = await postOf(t, own);
  await guessedAt(elsewhere);
  const barred = await logIn(elsewhere, 'ada', 'Wrong-two-2');
  t.is(barred.status, 403);
  t.is(titleOf(barred), 'Please check your mail');
  t.true(barred.body.includes('Too many wrong passwords were typed for this user name.'));
  t.is((await rowsOf(own))[0]?.failures, 100, 'nothing was compared');
  t.is((await resetRows(own)).length, 1);
  await post.send();
  const [path = ''] = pathsIn(post.inbox.mails[0]?.text);
  t.is(locationOf(await send(elsewhere, path, { newPassword: NEW })), '/widget/login?reset=done');
  // Others go on guessing.
  await guessedAt({ ...own, from: '127.0.0.3' });
  t.is((await logIn({ ...own, from: '127.0.0.4' }, 'ada', NEW)).status, 403);
  t.is((await logIn(elsewhere, 'ada', NEW)).status, 303);
  t.deepEqual(await rowsOf(own), []);
});

test('the network of before logs in on, until the password changes', async (t) => {
  const { own, id, elsewhere } = await opened();
  await guessedAt(elsewhere);
  t.is((await logIn(own, 'ada', 'Wrong-two-2')).status, 400);
  t.is((await rowsOf(own))[0]?.failures, 101);
  const changed = `<billingContact><passwd>${NEW}</passwd></billingContact>`;
  t.is((await own.put(`/customer/${id}/billingContact`, changed)).status, 200);
  t.deepEqual(await rowsOf(own), [], 'a new password, a new row');
  await guessedAt(elsewhere);
  t.is((await logIn(own, 'ada', NEW)).status, 403);
});

test('a name that nobody has is answered alike, and nobody is mailed', async (t) => {
  const { own, elsewhere } = await opened();
  await guessedAt(elsewhere, 'ada');
  await guessedAt(elsewhere, 'nobody');
  const known = await logIn(elsewhere, 'ada', PASSWORD.toLowerCase());
  t.is(without(await logIn(elsewhere, 'nobody', PASSWORD)), without(known));
  t.is((await resetRows(own)).length, 1);
  // Nor is a customer whose address, and not whose name, was typed.
  await guessedAt(elsewhere, 'ada@field.example');
  t.is((await logIn(elsewhere, 'ada@field.example')).status, 403);
  t.is((await resetRows(own)).length, 1);
});

test('without mails new networks have one guess a minute, all together', async (t) => {
  const { own, elsewhere } = await opened(withProfiles);
  await guessedAt(elsewhere);
  t.is((await logIn(elsewhere, 'ada', 'Wrong-two-2')).status, 400);
  for (const from of ['127.0.0.2', '127.0.0.3']) {
    const limited = await logIn({ ...own, from }, 'ada', 'Wrong-three-3');
    t.is(limited.status, 429);
    const wait = Number(limited.headers['retry-after']);
    t.true(wait > 0 && wait <= 60, String(wait));
  }
  t.is((await logIn(own, 'ada')).status, 303);
  t.is((await logIn(elsewhere, 'nobody', 'Wrong')).status, 400);
});

test('a row of wrong passwords is forgotten after 30 days without one', async (t) => {
  const { own, elsewhere } = await opened();
  await guessedAt(elsewhere, 'nobody');
  await own.asOwner(
    `update login_guess set failed_at = now() - interval '31 days' where tenant_id = ${own.tenantId}`,
  );
  await send(own, LOGIN, { username: 'ada', password: 'Wrong-one-1' });
  t.is((await rowsOf(own)).length, 1);
});

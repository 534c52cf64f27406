/** The login of self-service: who gets a session, what all others are told, and its limits. */
import test from 'ava';
import { admissionDefaults } from '../../../api/access/admission.ts';
import { createVault } from '../../../providers/vault.ts';
import { passwordContext } from '../../../operations/imports/passwords.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { faultsIn, keyIn, submit, titleOf, valueIn } from '../signups/page-calls.ts';
import { keptLog } from '../../support/kept-log.ts';
import { startTenantApi } from '../tenant-api.ts';
import { sessionsOf, SITE, visit, withProfiles } from './calls.ts';
import {
  locationOf,
  LOGIN,
  logIn,
  PASSWORD,
  personOf,
  send,
  withMails,
  without,
} from './people.ts';

const { log, lines } = keptLog();
const api = await startTenantApi({ ownDatabase: true, ...withMails, log });

test('user name and password begin a session of the profile DEFAULT', async (t) => {
  const own = await api.another(withMails);
  const id = await personOf(own, 'ada.field');
  const answer = await logIn(own, ' ada.field ');
  t.is(answer.status, 303);
  t.regex(locationOf(answer), /^\/widget\/customerHome\/[\w-]{43}$/);
  t.is(answer.headers['set-cookie'], undefined);
  const page = await visit(own, locationOf(answer));
  t.is(page.status, 200);
  t.true(page.body.includes('<p class="account-name">Ada Field</p>'));
  const [session] = await sessionsOf(own);
  t.like(session, {
    customer_id: id,
    css_url: '/css/signup.css',
    login_url: `http://${own.label}.localhost/widget/login`,
    show_payments: false,
    allow_profile_edit: true,
  });
  // A second login has a session and a token of its own.
  t.not(locationOf(await logIn(own, 'ada.field')), locationOf(answer));
});

test('whatever is wrong, the answer is the same', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  await own.post(
    '/customers',
    '<customer><name>Bo</name><billingContact><username>bo</username></billingContact></customer>',
  );
  await personOf(own, 'old');
  await own.asOwner(
    `update contact set login = null where tenant_id = ${own.tenantId} and username = 'old'`,
  );
  const wrong = await logIn(own, 'ada', 'Wrong-one-1');
  t.is(wrong.status, 400);
  t.true(wrong.body.includes('This user name or password is not right. Please check both.'));
  t.is(valueIn(wrong, 'username'), 'ada');
  t.is(valueIn(wrong, 'password'), '');
  t.false(wrong.body.includes('Wrong-one-1'));
  for (const [username, password] of [
    ['nobody', PASSWORD],
    ['bo', PASSWORD],
    // An older duplicate.
    ['old', PASSWORD],
    ['ADA', PASSWORD],
    ['a\u0000b', PASSWORD],
  ] as const) {
    const answer = await logIn(own, username, password);
    t.is(
      without(answer).replace(/value="[^"]*" autocomplete="username"/, ''),
      without(wrong).replace(/value="[^"]*" autocomplete="username"/, ''),
      username,
    );
  }
  t.deepEqual(await sessionsOf(own), []);
  const missing = await logIn(own, '', '');
  t.deepEqual([missing.status, faultsIn(missing)], [400, ['username', 'password']]);
});

test('a customer that is not active sees its account, too: it may have something to pay', async (t) => {
  const own = await api.another(withMails);
  const id = await personOf(own, 'ada');
  await own.asOwner(`update customer set status = 'InActive1' where id = ${id}`);
  t.is((await logIn(own, 'ada')).status, 303);
});

test('ten wrong passwords in a minute make a user name wait, and no user of the interface', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'api@test');
  for (let each = 0; each < 10; each += 1) {
    t.is((await logIn(own, 'api@test', `Wrong-${each}`)).status, 400);
  }
  const limited = await logIn(own, 'api@test');
  t.is(limited.status, 429);
  t.regex(String(limited.headers['retry-after']), /^\d+$/);
  t.is(titleOf(limited), 'Too many tries');
  t.is((await own.get('/customers')).status, 200);
});

test('guesses from one address keep out no customer, and no other call of the tenant', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  const formKey = keyIn(await visit(own, LOGIN));
  const headers = { origin: `http://${own.label}.localhost` };
  const elsewhere = { ...own, from: '127.0.0.2' };
  // More than the places of a tenant's calls.
  const guesses = Array.from({ length: (admissionDefaults.calls.lanePlacesMax ?? 0) + 8 }, (_, n) =>
    submit(elsewhere, LOGIN, { formKey, username: `u${n}`, password: 'x' }, headers),
  );
  const statuses = [
    await logIn(own, 'ada'),
    await own.get('/customers'),
    ...(await Promise.all(guesses)),
  ].map(({ status }) => status);
  t.deepEqual(statuses, [303, 200, ...guesses.map(() => 400)]);
});

test('an imported password that waits logs in, and is hashed by that', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  const [contact] = await own.asOwner<{ id: string }>(
    `update contact set password_hash = null where tenant_id = ${own.tenantId} returning id`,
  );
  const id = Number(contact?.id);
  const sealed = createVault(SECRET_KEY).seal('Imported-1', passwordContext(own.tenantId, id));
  await own.asOwner(
    `set session_replication_role = replica;
     insert into password_to_hash (tenant_id, contact_id, batch_id, sealed)
     values (${own.tenantId}, ${id}, 1, '${sealed}')`,
  );
  const waiting = () =>
    own.asOwner(`select from password_to_hash where tenant_id = ${own.tenantId}`);
  t.is((await logIn(own, 'ada', PASSWORD)).status, 400);
  t.is((await waiting()).length, 1);
  t.is((await logIn(own, 'ada', 'Imported-1')).status, 303);
  t.is((await waiting()).length, 0);
  t.is((await logIn(own, 'ada', 'Imported-1')).status, 303);
  // One that nobody can open is no password.
  await own.asOwner(
    `set session_replication_role = replica;
     insert into password_to_hash (tenant_id, contact_id, batch_id, sealed)
     values (${own.tenantId}, ${id}, 1, 'v1.x')`,
  );
  t.is((await logIn(own, 'ada', 'Imported-1')).status, 400);
});

test('the form of another site, of none, or of a sandbox is refused', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: SITE },
    { origin: `http://${own.label}.localhost`, 'sec-fetch-site': 'cross-site' },
  ]) {
    t.is((await logIn(own, 'ada', PASSWORD, headers)).status, 403, JSON.stringify(headers));
  }
  const headers = { origin: `http://${own.label}.localhost` };
  for (const formKey of ['', keyIn(await visit(own, '/widget/login/reset'))]) {
    const fields = { formKey, username: 'ada', password: PASSWORD };
    t.is((await submit(own, LOGIN, fields, headers)).status, 403);
  }
  // Of another tenant.
  const formKey = keyIn(await visit(api, LOGIN));
  const fields = { formKey, username: 'ada', password: PASSWORD };
  t.is((await submit(own, LOGIN, fields, headers)).status, 403);
  t.deepEqual(await sessionsOf(own), []);
});

test('the page has no parameters, is framed by the tenant alone, and speaks as the browser does', async (t) => {
  const own = await api.another(withMails);
  const plain = await visit(own, LOGIN);
  t.is(plain.status, 200);
  t.is(titleOf(plain), 'Log in');
  t.regex(plain.body, /<a href="\/widget\/login\/reset">/);
  t.true(String(plain.headers['content-security-policy']).includes(`frame-ancestors ${SITE}`));
  const odd = `${LOGIN}?loginUrl=https://evil.example&token=x&cssURL=https://evil.example/x.css`;
  t.is(without(await visit(own, odd)), without(plain));
  const german = await visit(own, LOGIN, { headers: { 'accept-language': 'de-AT' } });
  t.true(german.body.includes('<html lang="de">'));
  t.is(titleOf(german), 'Anmelden');
  // Without a sender nobody can reset a password.
  const mailless = await api.another(withProfiles);
  t.false((await visit(mailless, LOGIN)).body.includes('/widget/login/reset'));
  t.is((await visit(mailless, '/widget/login/reset')).status, 404);
});

test('the audit log has logins and refused ones; no log has a password, and none has a token', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  const path = locationOf(await logIn(own, 'ada'));
  await logIn(own, 'Typed-Secret-9', 'Typed-Secret-8');
  await send(own, LOGIN, { username: '4111111111111111', password: 'Typed-Secret-7' });
  const audit = await own.asOwner<{ action: string; username: string | null }>(
    `select action, username, path, status, code from audit_log
     where tenant_id = ${own.tenantId} and path like '/widget/%' order by id`,
  );
  const refused = {
    action: 'refused',
    username: null,
    path: LOGIN,
    status: 400,
    code: 'auth.invalid',
  };
  t.deepEqual(audit, [
    { action: 'write', username: 'ada', path: LOGIN, status: 303, code: null },
    refused,
    refused,
  ]);
  const rows = await own.asOwner(`select s::text from self_service_session s`);
  const said = lines.join('') + JSON.stringify(rows);
  t.notRegex(said, /Typed-Secret|Secret-one|4111111111111111/);
  t.false(said.includes(path.split('/').at(-1) ?? ''));
});

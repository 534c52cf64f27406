/** A forgotten password: who gets a mail, what its link does, and what nobody learns. */
import test from 'ava';
import { inOperation } from '../../../operations/context/context.ts';
import { pageTokenHash } from '../../../operations/hosted-pages/tokens.ts';
import { logIn as beginSession, passwordMark } from '../../../operations/self-service/login.ts';
import { keptLog } from '../../support/kept-log.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { faultsIn, keyIn, submit, titleOf } from '../signups/page-calls.ts';
import { pageOf, SITE, visit } from './calls.ts';
import {
  locationOf,
  logIn,
  PASSWORD,
  pathsIn,
  personOf,
  postOf,
  RESET,
  resetRows,
  send,
  withMails,
  without,
} from './people.ts';

const { log, lines } = keptLog();
const api = await startTenantApi({ ownDatabase: true, ...withMails, log });
const NEW = 'Another-two-22';

const ask = (own: TenantApi, name: string) => send(own, RESET, { name });
const choose = (own: TenantApi, path: string, newPassword = NEW) =>
  send(own, path, { newPassword });
const mailsOf = (own: TenantApi) =>
  own.asOwner<{ text: string }>(
    `select concat_ws(' ', kind, state, error_code, event_id) as text from mail
     where tenant_id = ${own.tenantId} order by id`,
  );

test('the mailed link takes a new password once, and ends all sessions', async (t) => {
  const own = await api.another(withMails);
  const post = await postOf(t, own);
  const id = await personOf(own, 'ada.field');
  const sessions = [
    await pageOf(own, { customerId: id }),
    locationOf(await logIn(own, 'ada.field')),
  ];
  t.is((await ask(own, 'ada.field')).status, 200);
  t.true(api.nudges.some(({ kind }) => kind === 'mail'));
  // Until the mail is made there is no token.
  t.like((await resetRows(own))[0], { customer_id: id, token_hash: null, expires_at: null });
  t.like(await post.send(), { sent: 1, open: 0 });
  const [mail] = post.inbox.mails;
  t.is(mail?.subject, 'Your password at Test tenant');
  t.is([mail?.to].flat()[0]?.text, '"Ada Field" <ada.field@field.example>');
  t.true(mail?.text?.includes('User name: ada.field'));
  const [path = ''] = pathsIn(mail?.text);
  t.true(String(mail?.html).includes(`href="http://${own.label}.localhost${path}"`));
  const [row] = await own.asOwner<{ left: number }>(
    `select round(extract(epoch from expires_at - now()) / 60)::int as left
     from password_reset where tenant_id = ${own.tenantId}`,
  );
  t.is(row?.left, 30);
  const page = await visit(own, path);
  t.is(page.status, 200);
  t.true(page.body.includes('For the user name ada.field.'));
  t.true(page.body.includes('autocomplete="new-password"'));
  const weak = await choose(own, path, 'secret-one');
  t.deepEqual([weak.status, faultsIn(weak)], [400, ['newPassword']]);
  t.false(weak.body.includes('secret-one'));
  const [customer] = await own.asOwner<{ version: number }>(
    `select version from customer where id = ${id}`,
  );
  const fields = { formKey: keyIn(page), newPassword: NEW };
  const headers = { origin: `http://${own.label}.localhost` };
  // Sent twice, the form leads there again.
  for (let each = 0; each < 2; each += 1) {
    const answer = await submit(own, path, fields, headers);
    t.is(answer.status, 303);
    t.is(locationOf(answer), '/widget/login?reset=done');
  }
  const after = await visit(own, '/widget/login?reset=done');
  t.true(after.body.includes('Your password was changed. Please log in with the new one.'));
  const raised = await own.asOwner(
    `select type, object_version - ${customer?.version} as more from event
     where tenant_id = ${own.tenantId} and type = 'customer.updated'`,
  );
  t.deepEqual(raised, [{ type: 'customer.updated', more: 1 }]);
  for (const session of sessions) t.is((await visit(own, session)).status, 303);
  t.is((await logIn(own, 'ada.field', PASSWORD)).status, 400);
  t.is((await logIn(own, 'ada.field', NEW)).status, 303);
  t.is((await visit(own, path)).status, 410);
  t.is(titleOf(await visit(own, path)), 'This link has expired');
});

test('nobody learns who has an account', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  const known = await ask(own, 'ada');
  t.is(known.status, 200);
  t.is(titleOf(known), 'Please check your mail');
  for (const name of ['nobody', 'nobody@field.example', 'ADA@FIELD.example']) {
    t.is(without(await ask(own, name)), without(known), name);
  }
  // Beyond the limit it is the same, too.
  for (let each = 0; each < 3; each += 1) t.is(without(await ask(own, 'ada')), without(known));
  t.is((await resetRows(own)).length, 3);
  const empty = await ask(own, ' ');
  t.deepEqual([empty.status, faultsIn(empty)], [400, ['name']]);
});

test('a customer gets three mails an hour, however many ask at once', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  await personOf(own, 'bo');
  await Promise.all(Array.from({ length: 6 }, () => ask(own, 'ada')));
  t.is((await mailsOf(own)).length, 3);
  await ask(own, 'bo');
  t.is((await mailsOf(own)).length, 4);
  await own.asOwner(
    `update password_reset set requested_at = now() - interval '61 minutes'
     where tenant_id = ${own.tenantId}`,
  );
  await ask(own, 'ada');
  t.is((await mailsOf(own)).length, 5);
  t.deepEqual((await mailsOf(own))[0], { text: 'passwordReset queued' });
});

test('by an address, each billing contact that logs in gets a mail; by a name, its own contact', async (t) => {
  const own = await api.another(withMails);
  const post = await postOf(t, own);
  for (const username of ['ada', 'bo', 'cy']) await personOf(own, username);
  await own.asOwner(
    `update contact set email_primary = 'Home@field.example' where tenant_id = ${own.tenantId}`,
  );
  // An older duplicate cannot log in, and has no password to reset.
  await own.asOwner(
    `update contact set login = null where tenant_id = ${own.tenantId} and username = 'cy'`,
  );
  const [ada] = await own.asOwner<{ id: string }>(
    `select customer_id as id from contact where tenant_id = ${own.tenantId} and login = 'ada'`,
  );
  const sales = `<salesContact><username>sal</username><firstName>Sal</firstName>
    <emailPrimary>sal@field.example</emailPrimary></salesContact>`;
  t.is((await own.post(`/customer/${ada?.id}/salesContact`, sales)).status, 201);
  await ask(own, 'home@FIELD.example');
  await ask(own, 'sal@field.example');
  await ask(own, 'sal');
  t.like(await post.send(), { sent: 3, ended: 0 });
  const sent = post.inbox.mails.map(({ to, text = '' }) =>
    [
      [to].flat()[0]?.value[0]?.address,
      /Dear (.*),/.exec(text)?.[1],
      /User name: (.*)/.exec(text)?.[1],
    ].join(' '),
  );
  t.deepEqual(sent.toSorted(), [
    'Home@field.example Ada Field ada',
    'Home@field.example Ada Field bo',
    'sal@field.example Sal sal',
  ]);
});

test('a mail that is sent again has another link, which ends the one before', async (t) => {
  const own = await api.another(withMails);
  let isRefused = true;
  const refused: string[] = [];
  const post = await postOf(t, own, {
    afterData({ text = '' }) {
      refused.push(...pathsIn(text));
      return isRefused ? '451 4.7.1 later' : null;
    },
  });
  await personOf(own, 'ada');
  await ask(own, 'ada');
  t.like(await post.send(), { sent: 0, deferred: 1 });
  isRefused = false;
  await own.asOwner(`update mail set next_attempt_at = now() where tenant_id = ${own.tenantId}`);
  t.like(await post.send(), { sent: 1 });
  const [first = '', second = ''] = refused;
  t.is((await visit(own, first)).status, 404);
  t.is((await visit(own, second)).status, 200);
});

test('a link ends after 30 minutes, and when the contact gets a password otherwise', async (t) => {
  const own = await api.another(withMails);
  const post = await postOf(t, own);
  const id = await personOf(own, 'ada');
  await ask(own, 'ada');
  await ask(own, 'ada');
  await post.send();
  const [first = '', second = ''] = post.inbox.mails.flatMap(({ text }) => pathsIn(text));
  const opened = keyIn(await visit(own, first));
  await own.asOwner(
    `update password_reset set expires_at = now() - interval '1 second'
     where token_hash = '\\x${pageTokenHash(first.split('/').at(-1) ?? '').toString('hex')}'`,
  );
  const headers = { origin: `http://${own.label}.localhost` };
  const late = await submit(own, first, { formKey: opened, newPassword: NEW }, headers);
  t.is(late.status, 410);
  t.is((await visit(own, first)).status, 410);
  t.is((await visit(own, second)).status, 200);
  await ask(own, 'ada');
  const changed = await own.put(
    `/customer/${id}/billingContact`,
    '<billingContact><passwd>Third-three-3</passwd></billingContact>',
  );
  t.is(changed.status, 200);
  t.is((await visit(own, second)).status, 410);
  // The mail that was not sent yet says nothing that holds.
  t.like(await post.send(), { sent: 0, ended: 1 });
  t.is((await mailsOf(own)).at(-1)?.text, 'passwordReset obsolete object.gone');
  for (const path of ['/widget/reset/x', `/widget/reset/${'x'.repeat(43)}`]) {
    t.is((await visit(own, path)).status, 404);
  }
  const foreign = await api.another(withMails);
  t.is((await visit(foreign, second)).status, 404);
});

test('of two forms at once one wins, and the other finds the link used', async (t) => {
  const own = await api.another(withMails);
  const post = await postOf(t, own);
  await personOf(own, 'ada');
  await ask(own, 'ada');
  await post.send();
  const [path = ''] = pathsIn(post.inbox.mails[0]?.text);
  const keys = [keyIn(await visit(own, path)), keyIn(await visit(own, path))];
  const headers = { origin: `http://${own.label}.localhost` };
  const answers = await Promise.all(
    keys.map((formKey, each) =>
      submit(own, path, { formKey, newPassword: `Another-${each}-22` }, headers),
    ),
  );
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 410],
  );
  const winner = answers.findIndex(({ status }) => status === 303);
  t.is((await logIn(own, 'ada', `Another-${winner}-22`)).status, 303);
  t.is((await logIn(own, 'ada', `Another-${1 - winner}-22`)).status, 400);
});

test('a login whose password was changed since it was verified begins no session', async (t) => {
  const own = await api.another(withMails);
  await personOf(own, 'ada');
  const [contact] = await own.asOwner<{ hash: string }>(
    `select password_hash as hash from contact where tenant_id = ${own.tenantId}`,
  );
  const mark = passwordMark({ passwordHash: contact?.hash ?? '', sealed: null });
  const begin = () =>
    inOperation({ db: own.db, realNow: Date.now }, own.tenantId, (context) =>
      beginSession(context, {
        login: 'ada',
        mark,
        hashed: null,
        loginUrl: 'http://demo.localhost/widget/login',
        cssUrl: '/css/signup.css',
      }),
    );
  t.regex((await begin()) ?? '', /^[\w-]{43}$/);
  await own.asOwner(`update contact set password_hash = 'other' where tenant_id = ${own.tenantId}`);
  t.is(await begin(), undefined);
});

test('the forms of other sites are refused', async (t) => {
  const own = await api.another(withMails);
  const post = await postOf(t, own);
  await personOf(own, 'ada');
  await ask(own, 'ada');
  await post.send();
  const [path = ''] = pathsIn(post.inbox.mails[0]?.text);
  for (const headers of [{}, { origin: 'null' }, { origin: SITE }]) {
    t.is((await send(own, RESET, { name: 'ada' }, headers)).status, 403);
    t.is((await send(own, path, { newPassword: NEW }, headers)).status, 403);
  }
  t.is((await resetRows(own)).length, 1);
  t.is((await logIn(own, 'ada')).status, 303);
  // The key of one page is none of another.
  const formKey = keyIn(await visit(own, RESET));
  const headers = { origin: `http://${own.label}.localhost` };
  t.is((await submit(own, path, { formKey, newPassword: NEW }, headers)).status, 403);
});

test('a customer that waits for its mail can be deleted, and old requests are', async (t) => {
  const own = await api.another(withMails);
  const id = await personOf(own, 'ada');
  await personOf(own, 'bo');
  await ask(own, 'ada');
  t.is((await own.remove(`/customer/${id}`)).status, 200);
  t.deepEqual([await resetRows(own), await mailsOf(own)], [[], []]);
  await ask(own, 'bo');
  await own.asOwner(
    `update password_reset set requested_at = now() - interval '49 hours'
     where tenant_id = ${own.tenantId}`,
  );
  await ask(own, 'nobody');
  t.deepEqual(await resetRows(own), []);
});

test('no log and no row has a token or a password', async (t) => {
  const own = await api.another(withMails);
  const post = await postOf(t, own);
  await personOf(own, 'ada');
  await ask(own, 'ada');
  await post.send();
  const [path = ''] = pathsIn(post.inbox.mails[0]?.text);
  const token = path.split('/').at(-1) ?? '';
  t.is(token.length, 43);
  await choose(own, path, 'Weak-not');
  await choose(own, path);
  await visit(own, `${path}/x`);
  await visit(own, `/widget/resett/${token}`);
  const rows = await own.asOwner(
    `select (select json_agg(m) from mail m)::text, (select json_agg(r) from password_reset r)::text,
       (select json_agg(a) from audit_log a)::text, (select json_agg(o) from outbox o)::text,
       (select json_agg(e) from event e)::text, (select json_agg(c) from contact c)::text`,
  );
  const said = lines.join('') + JSON.stringify(rows);
  t.false(said.includes(token));
  t.notRegex(said, /Weak-not|Another-two|Secret-one/);
});

/** Another e-mail address on the profile page: what it needs, who is told, where resets go then. */
import test, { type ExecutionContext } from 'ava';
import { faultsIn, submit, titleOf } from '../signups/page-calls.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { pageOf, visit, withProfiles } from './calls.ts';
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
} from './people.ts';

const api = await startTenantApi(withMails);

const base = { firstName: 'Ada', lastName: 'Field', email: 'ada@field.example' } as const;

async function opened(more = '', options = withMails) {
  const own = await api.another(options);
  const id = await personOf(own, 'ada', more);
  return { own, id, path: `${await pageOf(own, { customerId: id })}/profile` };
}

async function save(own: TenantApi, path: string, fields: Readonly<Record<string, string>>) {
  const { body } = await visit(own, path);
  const formKey = [...body.matchAll(/name="formKey" value="([^"]+)"/g)].at(-1)?.[1] ?? '';
  return submit(own, path, { formKey, ...base, ...fields });
}

const forgetPassword = (own: TenantApi) =>
  own.asOwner(`update contact set password_hash = null where tenant_id = ${own.tenantId}`);

/** To whom a link for a new password goes that is asked for now. */
async function linkFor(t: ExecutionContext, own: TenantApi, name: string) {
  const post = await postOf(t, own);
  await send(own, RESET, { name });
  await post.send();
  const [mail] = post.inbox.mails.filter(({ text = '' }) => pathsIn(text).length > 0);
  const [path = ''] = pathsIn(mail?.text);
  return { to: [mail?.to].flat()[0]?.value[0]?.address, path };
}

test('another e-mail address needs the password, and the old one is told without any name', async (t) => {
  const { own, path } = await opened('<companyName>Buy at evil.example</companyName>');
  const post = await postOf(t, own);
  const email = 'new@field.example';
  for (const oldPassword of ['', 'Wrong-one-1']) {
    const refused = await save(own, path, { email, oldPassword });
    t.deepEqual([refused.status, faultsIn(refused)], [400, ['oldPassword']]);
  }
  // Anything else does not.
  t.is((await save(own, path, { city: 'Rome' })).status, 303);
  t.is((await save(own, path, { email, oldPassword: PASSWORD })).status, 303);
  t.is((await logIn(own, 'ada')).status, 303, 'the password stays');
  await post.send();
  t.is(post.inbox.mails.length, 1);
  const [mail] = post.inbox.mails;
  t.is([mail?.to].flat()[0]?.text, 'ada@field.example');
  t.is(mail?.subject, 'Your e-mail addresses at Test tenant');
  t.true(mail?.text?.startsWith('Hello,'));
  t.notRegex(`${mail?.text}${String(mail?.html)}`, /evil|Ada|Field|field\.example/);
  t.is((await linkFor(t, own, 'ada')).to, email);
});

test('the old address is told at most three times an hour, and by nobody who sends no mails', async (t) => {
  const { own, path } = await opened();
  for (let each = 0; each < 5; each += 1) {
    const email = `stranger${each}@field.example`;
    t.is((await save(own, path, { email, oldPassword: PASSWORD })).status, 303);
  }
  const mails = await own.asOwner<{ kind: string; address: string }>(
    `select kind, address from mail where tenant_id = ${own.tenantId} order by id`,
  );
  t.deepEqual(
    mails.map(({ kind, address }) => `${kind} ${address}`),
    ['ada@field.example', 'stranger0@field.example', 'stranger1@field.example'].map(
      (address) => `contactChanged ${address}`,
    ),
  );
  const silent = await opened('', withProfiles);
  const changed = { email: 'new@field.example', oldPassword: PASSWORD };
  t.is((await save(silent.own, silent.path, changed)).status, 303);
  const none = await silent.own.asOwner(
    `select from mail where tenant_id = ${silent.own.tenantId}`,
  );
  t.is(none.length, 0);
});

test('who changes the address without a password gets no link for a new one', async (t) => {
  const { own, id, path } = await opened();
  await forgetPassword(own);
  t.is((await save(own, path, { email: 'eve@evil.example' })).status, 303);
  t.is((await save(own, path, { email: 'eve2@evil.example' })).status, 303);
  const link = await linkFor(t, own, 'eve2@evil.example');
  t.is(link.to, 'ada@field.example');
  t.is((await send(own, link.path, { newPassword: PASSWORD })).status, 303);
  t.is((await linkFor(t, own, 'ada')).to, 'ada@field.example', 'a new password is no proof of it');
  const contact =
    '<billingContact><emailPrimary>ada2@field.example</emailPrimary></billingContact>';
  t.is((await own.put(`/customer/${id}/billingContact`, contact)).status, 200);
  t.is((await linkFor(t, own, 'ada')).to, 'ada2@field.example');
});

test('a contact that had no address gets no link, until a call gives it one', async (t) => {
  const { own, path } = await opened();
  await forgetPassword(own);
  await own.asOwner(`update contact set email_primary = null where tenant_id = ${own.tenantId}`);
  t.is((await save(own, path, { email: 'eve@evil.example' })).status, 303);
  t.is((await linkFor(t, own, 'ada')).to, undefined);
});

test('a link that was mailed to the address of before opens nothing', async (t) => {
  const { own, path } = await opened();
  const link = await linkFor(t, own, 'ada');
  const email = 'new@field.example';
  t.is(
    locationOf(await save(own, path, { email, oldPassword: PASSWORD })),
    `${path}?message=saved`,
  );
  t.not((await resetRows(own))[0]?.['used_at'], null);
  t.is(titleOf(await visit(own, link.path)), 'This link has expired');
});

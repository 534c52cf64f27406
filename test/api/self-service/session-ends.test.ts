/** What ends all sessions of a customer: each change of a password, and the call that does so. */
import test from 'ava';
import { inOperation } from '../../../operations/context/context.ts';
import { logIn as beginSession, passwordMark } from '../../../operations/self-service/login.ts';
import { until } from '../../support/until.ts';
import { refused, startTenantApi, type TenantApi } from '../tenant-api.ts';
import { customerOf, pageOf, SITE, visit } from './calls.ts';
import { locationOf, logIn, personOf, resetRows, send, RESET, withMails } from './people.ts';

const api = await startTenantApi(withMails);

const sales = `<salesContact><username>sal</username><passwd>Secret-one-1</passwd>
  <firstName>Sal</firstName></salesContact>`;
const passwd = '<passwd>Another-two-22</passwd>';

type Change = (own: TenantApi, id: string) => Promise<{ readonly status: number }>;
const changes: readonly (readonly [string, Change])[] = [
  [
    'PUT customer',
    (own, id) =>
      own.put(`/customer/${id}`, `<customer><billingContact>${passwd}</billingContact></customer>`),
  ],
  [
    'the action updateCustomerRest',
    (own, id) =>
      own.post(
        `/customer/${id}?actionName=updateCustomerRest`,
        `<customer><salesContact>${passwd}</salesContact></customer>`,
      ),
  ],
  [
    'PUT billingContact',
    (own, id) =>
      own.put(`/customer/${id}/billingContact`, `<billingContact>${passwd}</billingContact>`),
  ],
  [
    'PUT salesContact, whose password goes',
    (own, id) => own.put(`/customer/${id}/salesContact`, '<salesContact><passwd/></salesContact>'),
  ],
  ['DELETE salesContact', (own, id) => own.remove(`/customer/${id}/salesContact`)],
];

for (const [what, change] of changes) {
  test(`${what} ends the sessions of the customer, and of no other`, async (t) => {
    const own = await api.another(withMails);
    const id = await personOf(own, 'ada');
    t.is((await own.post(`/customer/${id}/salesContact`, sales)).status, 201);
    const other = await pageOf(own, { customerId: await customerOf(own, 'Bo') });
    const pages = [await pageOf(own, { customerId: id }), locationOf(await logIn(own, 'ada'))];
    const named = '<billingContact><firstName>Eve</firstName></billingContact>';
    t.is((await own.put(`/customer/${id}/billingContact`, named)).status, 200);
    for (const page of pages) t.is((await visit(own, page)).status, 200, 'not by another change');
    t.is((await change(own, id)).status, 200);
    t.is(locationOf(await visit(own, pages[0] ?? '')), `${SITE}/login`);
    t.is((await visit(own, pages[1] ?? '')).status, 303);
    t.is((await visit(own, other)).status, 200);
  });
}

test('a password that a call changes ends mailed links for a new one', async (t) => {
  const own = await api.another(withMails);
  const id = await personOf(own, 'ada');
  await send(own, RESET, { name: 'ada' });
  await own.put(`/customer/${id}/billingContact`, `<billingContact>${passwd}</billingContact>`);
  t.not((await resetRows(own))[0]?.['used_at'], null);
});

test('a login that is under way while a call changes the password leaves no session', async (t) => {
  const own = await api.another(withMails);
  const id = await personOf(own, 'ada');
  const [contact] = await own.asOwner<{ hash: string }>(
    `select password_hash as hash from contact where tenant_id = ${own.tenantId}`,
  );
  const dependencies = { db: own.db, realNow: Date.now };
  const { changed } = await inOperation(dependencies, own.tenantId, async (context) => {
    const token = await beginSession(context, {
      login: 'ada',
      mark: passwordMark({ sealed: null, passwordHash: contact?.hash ?? '' }),
      hashed: null,
      loginUrl: `${SITE}/login`,
      cssUrl: '/css/signup.css',
    });
    t.truthy(token);
    const [backend] = await context.tx.query<{ pid: number }>('select pg_backend_pid() as pid', []);
    const change = own.put(
      `/customer/${id}/billingContact`,
      `<billingContact>${passwd}</billingContact>`,
    );
    await until('the change waits for the login', async () => {
      const waiting = await own.asOwner(
        `select from pg_stat_activity where ${backend?.pid} = any(pg_blocking_pids(pid))`,
      );
      return waiting.length > 0;
    });
    return { changed: change };
  });
  t.is((await changed).status, 200);
  const rows = await own.asOwner<{ open: boolean }>(
    `select ended_at is null as open from self_service_session where tenant_id = ${own.tenantId}`,
  );
  t.deepEqual(rows, [{ open: false }]);
});

test('DELETE sessions ends those of a customer, by id or reference, and says how many', async (t) => {
  const own = await api.another(withMails);
  const id = await customerOf(own, 'Ada');
  const other = await pageOf(own, { customerId: await customerOf(own, 'Bo') });
  for (const path of [`/customer/${id}/sessions`, '/customer/sessions?extCustomerRef=C-Ada']) {
    const pages = [await pageOf(own, { customerId: id }), await pageOf(own, { customerId: id })];
    const answer = await own.remove(path);
    t.is(answer.status, 200);
    t.regex(answer.body, /<status>\s*<success>true<\/success>\s*<message>2 sessions have ended</);
    for (const page of pages) t.is(locationOf(await visit(own, page)), `${SITE}/login`);
    t.true((await own.remove(path)).body.includes('0 sessions have ended'));
  }
  t.is((await visit(own, other)).status, 200);
  for (const path of ['/customer/987654321/sessions', '/customer/sessions?extCustomerRef=C-0']) {
    refused(t, await own.remove(path), 404, 'customer.unknown');
  }
});

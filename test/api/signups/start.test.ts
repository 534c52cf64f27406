/** `GET /signup/start`: what it answers, stores and audits. */
import { createHash } from 'node:crypto';
import test from 'ava';
import { verifyPassword } from '../../../operations/access/passwords.ts';
import { golden, partOf, refused, valueOf, valuesOf } from '../tenant-api.ts';
import {
  hiddenCustomer,
  likeDemo,
  openSignups,
  required,
  signupsOf,
  SITE,
  start,
  startPath,
  steady,
} from './calls.ts';

const api = await openSignups();

test('without a format the answer is the address alone', async (t) => {
  const own = await api.another(likeDemo);
  const answer = await own.get(startPath());
  t.is(answer.status, 200, answer.body);
  t.is(answer.headers['content-type'], 'text/text; charset=utf-8');
  t.is(answer.headers['cache-control'], 'no-store');
  const [, token = ''] =
    new RegExp(`^http://${own.label}\\.localhost/signup/([\\w-]{43})$`).exec(answer.body) ?? [];
  const [row, ...others] = await signupsOf(own);
  t.deepEqual(others, []);
  t.is(row?.['hash'], createHash('sha256').update(token).digest('hex'));
  t.like(row, { status: 'DRAFT', endsInTime: true, version: 1, has_details: false });
  t.regex(String(row?.['tracking']), /^[\w-]{22}$/);
  t.false(JSON.stringify(row).includes(token), 'only its hash is stored');
});

test('with format=xml it is the address with the record, which verify shows, too', async (t) => {
  const own = await api.another(likeDemo);
  const answer = await start(own);
  t.is(answer.status, 200, answer.body);
  t.regex(String(answer.headers['content-type']), /^application\/xml/);
  t.regex(
    answer.body,
    /<signupLink><url>http:\/\/[\w.]+\/signup\/[\w-]{43}<\/url><signup id="\d+"/,
  );
  const tracking = valueOf(answer.body, 'tracking') ?? '';
  const { body, status, headers } = await own.get(`/signup/verify/${tracking}`);
  t.is(status, 200, body);
  t.is(headers.etag, '"1"');
  t.is(partOf(body, 'signup'), partOf(answer.body, 'signup'));
  t.is((await own.call('HEAD', `/signup/verify/${tracking}`)).status, 200);
});

test('the record has the elements of the specification in its order, then additions', async (t) => {
  const own = await api.another(likeDemo);
  const answer = await start(own, {
    ...hiddenCustomer,
    successURL: `${SITE}/ok?p=1#top`,
    companyName: 'Field & Sons',
    phone: '+1 555 0100',
    street: '1 Main St',
    city: 'Albany',
    state: 'NY',
    zipcode: '12207',
    country: 'US',
    login: 'ada.field',
    passwd: 'Secret-word-1',
    hideOrderFields: 'true',
    contractCode: 'GOLD',
    quantity: '2.00',
    startDate: '2027-02-01',
    couponCode: 'WELCOME10',
    billerCode: 'AGENT-1',
    tosLink: 'https://terms.example/tos',
    displayAmount: 'none',
    profileId: 'FULL',
  });
  const { body } = answer;
  golden(t, 'signup-link', { ...answer, body: steady(body) });
  const [row] = await signupsOf(own);
  t.like(row, {
    has_details: true,
    display_amount: 'none',
    profile_id: 'FULL',
    link_has_password: true,
    starts: '2027-02-01',
    login: 'ada.field',
  });
  t.true(await verifyPassword('Secret-word-1', String(row?.['password_hash'])));
});

test('there is something to enter unless both blocks are hidden', async (t) => {
  const own = await api.another(likeDemo);
  const hiddenOrder = { hideOrderFields: '1', contractCode: 'GOLD' };
  for (const parameters of [hiddenCustomer, hiddenOrder, { ...hiddenCustomer, ...hiddenOrder }]) {
    t.is((await start(own, parameters)).status, 200);
  }
  const rows = await signupsOf(own);
  t.deepEqual(
    rows.map((row) => row['has_details']),
    [false, false, true],
  );
});

test('each start is a signup of its own, and nudges its workflow', async (t) => {
  const own = await api.another(likeDemo);
  const [first, second] = await Promise.all([own.get(startPath()), own.get(startPath())]);
  t.not(first.body, second.body);
  const rows = await signupsOf(own);
  t.is(rows.length, 2);
  const nudged = await own.asOwner<{ object_id: string; workflow_id: string }>(
    `select object_id, workflow_id from outbox
     where tenant_id = ${own.tenantId} and kind = 'signup' order by object_id`,
  );
  t.deepEqual(
    nudged.map(({ object_id: id, workflow_id: workflow }) => [Number(id), workflow]),
    rows.map(({ id }) => [Number(id), `signup/${own.label}/${String(id)}`]),
  );
});

test('a start writes: HEAD is 405, and the audit has it without its query', async (t) => {
  const own = await api.another(likeDemo);
  const secret = { login: 'ada.field', passwd: 'Secret-word-1' };
  const head = await own.call('HEAD', startPath(secret));
  t.is(head.status, 405);
  t.is(head.headers.allow, 'GET');
  t.deepEqual(await signupsOf(own), []);
  t.is((await own.get(startPath(secret))).status, 200);
  const written = await own.asOwner(
    `select action, username, method, path, status from audit_log
     where tenant_id = ${own.tenantId} and action = 'write'`,
  );
  t.deepEqual(written, [
    {
      action: 'write',
      username: 'api@test',
      method: 'GET',
      path: '/rest/signup/start',
      status: 200,
    },
  ]);
});

test('a start needs credentials, and is not on the host alone', async (t) => {
  t.is((await api.call('GET', startPath(), { auth: null })).status, 401);
  t.is((await api.call('GET', '/signup/verify/x', { auth: null })).status, 401);
  refused(t, await api.post(startPath()), 405, 'path.method');
});

test('an unknown tracking is 404, and so is that of another tenant', async (t) => {
  const own = await api.another(likeDemo);
  const other = await api.another(likeDemo);
  const tracking = valueOf((await start(other)).body, 'tracking') ?? '';
  t.is((await other.get(`/signup/verify/${tracking}`)).status, 200);
  for (const unknown of [tracking, 'Zk3Pq', '%00', 'x'.repeat(300), '4711']) {
    refused(t, await own.get(`/signup/verify/${unknown}`), 404, 'signup.unknown');
  }
});

test('an absent optional parameter and an empty one mean the same', async (t) => {
  const own = await api.another(likeDemo);
  const empty = Object.fromEntries(
    ['contractCode', 'quantity', 'startDate', 'tosLink', 'displayAmount', 'passwd', 'country'].map(
      (name) => [name, ''],
    ),
  );
  const { body, status } = await start(own, { ...empty, hideOrderFields: '' });
  t.is(status, 200, body);
  t.is(valueOf(body, 'quantity'), '1');
  t.deepEqual(valuesOf(body, 'hideOrderFields'), ['false']);
  const [row] = await signupsOf(own);
  t.like(row, { display_amount: 'allCharges', start_date: null, password_hash: null });
});

test('the stylesheet is ours, on this host, or on an allowed one', async (t) => {
  const own = await api.another(likeDemo);
  for (const cssURL of [
    required.cssURL,
    `http://${own.label}.localhost/css/signup.css?v=2`,
    `${SITE}/look.css`,
    'HTTPS://WWW.DEMO.EXAMPLE:443/look.css',
  ]) {
    const { status, body } = await start(own, { cssURL });
    t.is(status, 200, cssURL);
    t.is(valueOf(body, 'cssURL'), cssURL);
  }
});

/** How many forms are taken in a minute. */
import test from 'ava';
import pino from 'pino';
import { createPostLimits } from '../../../api/access/post-limits.ts';
import { credentialStore } from '../../../api/access/store.ts';
import { createFormKeys } from '../../../api/calls/form-keys.ts';
import { formRoute } from '../../../api/calls/page-route.ts';
import { cheapCost } from '../../../operations/access/passwords.ts';
import { newPageToken } from '../../../operations/hosted-pages/tokens.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { makeTenant, openTestDatabase, startApi, stopAtTheEnd } from '../support.ts';

const times = async (count: number, run: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await run(index);
};

test('60 posts a minute for a token, whatever their network', async (t) => {
  let now = 0;
  const limits = createPostLimits(() => now);
  const take = (index: number, token = 'one', tenantId = 1) =>
    limits.take({ tenantId, token, address: `10.0.0.${index}` });
  await times(60, async (index) => t.is(await take(index), 0));
  now = 20_000;
  t.is(await take(60), 40);
  t.is(await take(60, 'two'), 0);
  t.is(await take(60, 'one', 2), 0);
  now = 60_000;
  t.is(await take(60), 0);
});

test('120 posts a minute for a network and a tenant, whatever their tokens', async (t) => {
  const limits = createPostLimits(() => 0);
  const take = (token: string, address = '2001:db8::1', tenantId = 1) =>
    limits.take({ tenantId, token, address });
  await times(120, async (index) => t.is(await take(`${index}`), 0));
  t.is(await take('120'), 60);
  t.is(await take('120', '2001:db8::2'), 60);
  t.is(await take('120', '2001:db8:1::1'), 0);
  t.is(await take('120', '2001:db8::1', 2), 0);
});

test('beyond the limit a form is 429, and says how long to wait', async (t) => {
  const db = await openTestDatabase();
  await makeTenant(db, 'demo');
  const route = formRoute(createFormKeys(SECRET_KEY, Date.now), {
    path: '/signup/:token',
    forms: [],
    waitsForOthers: false,
    handler: () => Promise.resolve({ to: 'https://www.example.com' }),
  });
  const credentials = { ...credentialStore(db, cheapCost), clock: () => 0 };
  const lines: { codes?: string[] }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = pino({ level: 'info' }, destination);
  const api = await startApi(db, () => [route], { credentials, log });
  stopAtTheEnd(api);
  const { token } = newPageToken();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = () =>
    api.send({ method: 'POST', path: `/signup/${token}`, auth: null, headers, body: '' });
  await times(60, async () => t.is((await post()).status, 303));
  const answer = await post();
  t.is(answer.status, 429);
  t.is(answer.headers['retry-after'], '60');
  t.deepEqual(lines.at(-1)?.codes, ['page.tooManyPosts']);
  noteAsserted('page.tooManyPosts');
  t.regex(answer.body, /<h1>Too many tries<\/h1>/);
  t.is(answer.headers['cache-control'], 'no-store');
});

/**
 * Sends numbers of cards and accounts and security codes through a whole system, in valid and
 * invalid calls, and then searches for them in all answers, logs, histories and rows. In the latter
 * three it also searches for the secrets of links, and for those by which Stripe’s script knows a
 * payer’s intent, which stand on their page alone.
 *
 * The requests in api/resources (examples) and docs/guides are excluded on purpose: they show what
 * callers send, with numbers of the sandbox. An answer never repeats them, as the answers there
 * show.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { send } from '../../api/support.ts';
import { startParts } from '../crash/parts.ts';
import { openTestDatabase, openTill } from '../crash/till.ts';
import { startStripeDouble } from '../../support/stripe/double.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { until } from '../../support/until.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { leaksIn, withoutMeasures } from '../../support/leaks.ts';
import { callsOf, secrets, silent } from './calls.ts';
import { throughDoors } from './doors.ts';
import { hostedPages, selfServiceProfiles, signUp } from './pages.ts';
import { payByLinks } from './payers.ts';
import { cellsOf, filesOf, historiesOf, type Place } from './places.ts';

const { numbers } = secrets;

const inbox = await openInbox();
const double = await startStripeDouble();
const parts = await startParts({ LOG_LEVEL: 'trace', SMTP_URL: inbox.url });
const db = await openTestDatabase(parts, 'sundial_app');
const till = await openTill(parts, db, {
  testClock: '2027-01-01T12:00:00Z',
  plans: [recurring('P', 10, prepaid)],
  file: { hostedPages, notifications: { from: 'billing@demo.example' }, selfServiceProfiles },
});

test.after.always(async () => {
  await parts.stop();
  await inbox.close();
  await double.stop();
  await db.close();
});

/** Of the links to pages, and of Stripe's intents. */
const tokens: string[] = [];
const tenantIds = [till.tenantId];

/** Each place with its content; answers alone have tokens. */
function leaky(texts: Iterable<readonly [where: string, text: string]>): string[] {
  const found = [...texts].flatMap(([where, text]) =>
    leaksIn(text, secrets).map((leak) => `${where} ${leak}`),
  );
  return [...new Set(found)];
}

const withTokens = (texts: Iterable<readonly [where: string, text: string]>): string[] =>
  Array.from(texts)
    .filter(([, text]) => tokens.some((token) => text.includes(token)))
    .map(([where]) => where);

test.serial.before('a life with payments, and every mistake', async (t) => {
  const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
  const customer = `<customer><extCustomerRef>C1</extCustomerRef>${contact}</customer>`;
  await till.call('POST', '/customers', customer);
  const order =
    '<subscriptionOrder><contractCode>P</contractCode><isAutoPay>true</isAutoPay>' +
    '</subscriptionOrder>';
  await till.call('POST', '/orders?extCustomerRef=C1&generateInvoice=true', order);
  const statuses = new Set<number>();
  const answers: Place[] = [];
  for (const [index, { method, path, body, key }] of callsOf('C1').entries()) {
    for (const _ of key === undefined ? [1] : [1, 2]) {
      const { status, headers, body: answer } = await till.call(method, path, body, key);
      statuses.add(status);
      t.not(status, 500, `${method} ${path}`);
      answers.push([`call ${index}`, withoutMeasures(JSON.stringify(headers) + answer)]);
    }
  }
  t.true(statuses.isSupersetOf(new Set([200, 201, 400])));
  const late = await till.call('POST', '/payments?extCustomerRef=C1', silent, 'silent');
  answers.push(['the silent card', late.body]);
  // A caller who mixes up the fields of the request.
  const { port } = new URL(parts.apiUrl);
  const refused = { path: `/rest/payment/${numbers[0]}`, host: `${till.label}.localhost` };
  for (const auth of [`${numbers[0]}:${numbers[1]}`, `api@test:${numbers[0]}`]) {
    const { status, body } = await send(Number(port), { ...refused, auth });
    t.is(status, 401);
    answers.push(['a login', body]);
  }
  const visited = await signUp({ ...till, port: Number(port) });
  tokens.push(...visited.tokens);
  t.true(visited.statuses.isSupersetOf(new Set([200, 303, 400, 403, 404, 413, 415])));
  t.false(visited.statuses.has(500));
  answers.push(...visited.answers);
  const doors = await throughDoors({ ...till, port: Number(port) }, inbox);
  tokens.push(...doors.tokens);
  t.deepEqual(
    [...doors.statuses].toSorted((one, other) => one - other),
    [200, 303, 400, 410],
  );
  answers.push(...doors.answers);
  const paid = await payByLinks(parts, db, double);
  tokens.push(...paid.tokens);
  tenantIds.push(...paid.tenantIds);
  t.true(paid.statuses.isSupersetOf(new Set([200, 303, 400, 410])), [...paid.statuses].join());
  t.false(paid.statuses.has(500));
  t.deepEqual(double.faults, []);
  answers.push(...paid.answers);
  t.deepEqual(leaky(answers), []);
  await till.call('POST', '/testClock?advanceTo=2027-02-02');
  await until('the clock has seen all payments end', async () => {
    const rows = await till.read(`select from test_clock where status = 'Ready'`);
    return rows.length === 1;
  });
});

test('no row of any table contains a secret', async (t) => {
  const values: [string, string][] = [];
  // A code may be the whole value of a column.
  for (const { table, column, value } of await cellsOf(parts)) {
    // The duration of a gateway call may be any number.
    if (column !== 'response_time_ms') values.push([`${table}.${column}`, `>${value}<`]);
  }
  t.deepEqual(leaky(values), []);
  t.deepEqual(withTokens(values), []);
  const seen = new Set(values.map(([column]) => column));
  const kept = [
    'payment.notes',
    'sandbox_method.sealed',
    'idempotency_key.body',
    'audit_log.path',
    'signup_try.token',
  ];
  t.deepEqual(
    kept.filter((column) => !seen.has(column)),
    [],
  );
});

test('no history of any workflow contains a secret', async (t) => {
  const { histories, types } = await historiesOf(parts);
  t.deepEqual(leaky(histories), []);
  t.deepEqual(withTokens(histories), []);
  // The payloads are in the histories, unencrypted.
  for (const [where, text] of histories)
    t.true(
      tenantIds.some((id) => text.includes(`"tenantId":"${id}"`)),
      where,
    );
  t.true(
    types.isSupersetOf(new Set(['payment', 'testClock', 'signup', 'mail'])),
    [...types].join(),
  );
});

test('no log, and no file of the engine contains a secret', (t) => {
  const contents = filesOf(parts);
  t.deepEqual(leaky(contents), []);
  t.deepEqual(withTokens(contents), []);
  const names = new Set(contents.map(([name]) => name));
  t.true(names.isSupersetOf(new Set(['api.log', 'worker.log', 'temporal.log', 'temporal.db'])));
  const api = readFileSync(join(parts.folder, 'api.log'), 'utf8');
  t.regex(api, /"path":"\/rest\/payments"/);
  t.regex(api, /"path":"\/signup\/:token"/);
  t.regex(api, /"path":"\/widget\/reset\/:token"/);
  t.regex(api, /"status":400,"codes":\["/);
  t.regex(api, /"workflows":\["order\/[^\n]*"msg":"delivery"/);
  const worker = readFileSync(join(parts.folder, 'worker.log'), 'utf8');
  t.regex(worker, /"invoices":\d+,"amounts":\["\d+\.00 USD"\],[^\n]*"msg":"billing batch"/);
  t.regex(worker, /"status":"Paid",[^\n]*"milliseconds":[\d.]+,"msg":"payment"/);
});

/**
 * PostgreSQL is killed with all its processes while writes are committed. After its restart it has
 * everything that was answered, and a retry with the same key ends with exactly one object. Invoices
 * and cancellations share the numbers of one series.
 */
import test from 'ava';
import { allRoutes } from '../../../api/resources/routes.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { migrate } from '../../../db/connection/migrate.ts';
import { errorsOf, quiet, startApi, type Received } from '../../api/support.ts';
import { valueOf, valuesOf } from '../../api/tenant-api.ts';
import { testFolder } from '../../support/folder.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { killAll, startDurable } from './postgres.ts';

const WRITES = 40;
const CANCELLED = 16;
const ANSWERED_BEFORE = [1, 7, 15] as const;

test('after a kill during commits, answered writes exist, and retries make the rest once', async (t) => {
  const folder = testFolder(t);
  let postgres = await startDurable(folder);
  t.teardown(() => postgres.stop());
  await migrate(postgres.url);
  const port = Number(new URL(postgres.url).port);
  const db = await openDatabase({
    url: postgres.url,
    role: 'sundial_app',
    poolMax: 6,
    statementTimeoutMs: 30_000,
    name: 'test',
  });
  db.pool.on('error', () => undefined);
  const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)));
  t.teardown(() => api.stop().then(db.close));
  const file = { documents: { cancellation: 'document' } };
  const { label } = await makeTenant({ db, realNow: Date.now }, { file });
  const base = { auth: `api@test:${PASSWORD}`, host: `${label}.localhost` };
  const get = (path: string) => api.send({ ...base, path: `/rest${path}` });
  const post = (path: string, body: string, key: string) =>
    api.send({
      ...base,
      method: 'POST',
      path: `/rest${path}`,
      body,
      headers: { 'idempotency-key': key },
    });
  const customer =
    '<customer><billingContact><firstName>Ada</firstName></billingContact></customer>';
  const id = valueOf((await post('/customers', customer, 'customer')).body, 'customer@id');
  // Nothing is rated, because a customer under rating would wait for a worker, and there is none
  // here.
  const invoice = (note: string) =>
    `<invoice><notes>${note}</notes><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges>` +
    '<invoiceLineItemCharge><priceCode>WORK</priceCode><amount>10.00</amount>' +
    '</invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>';
  const send = (note: string) => post(`/invoices?customerId=${id}`, invoice(note), note);
  const notes = async () => valuesOf((await get('/invoices?max=1000')).body, 'notes');
  /** Sends each once, and kills the database when so many are answered. */
  const killedDuring = async (
    keys: readonly string[],
    write: (key: string) => Promise<Received>,
    before: number,
  ) => {
    let answered = 0;
    let killing: Promise<void> | undefined;
    const sendOnce = async (key: string): Promise<readonly [string, Received]> => {
      const answer = await write(key);
      if (answer.status < 300) answered += 1;
      if (answered >= before) killing ??= killAll(postgres);
      return [key, answer];
    };
    const answers = await Promise.all(keys.map(sendOnce));
    await killing;
    t.truthy(killing, 'it was killed');
    postgres = await startDurable(folder, port);
    await until('the database answers', async () => (await get('/plans')).status === 200);
    return answers;
  };
  let expected = 0;

  for (const [round, before] of ANSWERED_BEFORE.entries()) {
    const keys = Array.from({ length: WRITES }, (_, n) => `round ${round} invoice ${n}`);
    const answers = await killedDuring(keys, send, before);
    const there = new Set(await notes());
    for (const [note, answer] of answers) {
      if (answer.status === 201) t.true(there.has(note), `answered, and lost: ${note}`);
      else t.is(answer.status, 503, answer.body);
      if (answer.body.includes('nothing was changed')) t.false(there.has(note), note);
      else if (answer.status !== 201) t.deepEqual(errorsOf(answer), ['service.outcomeUnknown']);
    }
    t.true(answers.some(([, { status }]) => status === 503));
    for (const [note] of answers) {
      const again = await send(note);
      t.is(again.status, 201, again.body);
      t.is(again.headers['idempotency-replayed'], there.has(note) ? 'true' : undefined);
    }
    expected += WRITES;
    t.is(new Set(await notes()).size, expected);
    t.is((await notes()).length, expected);
  }

  const made = (await get('/invoices?max=1000')).body.matchAll(/<invoice id="(\d+)"/g);
  const cancelled = [...made].map(([, its = '']) => its).slice(0, CANCELLED);
  const cancel = (its: string) =>
    api.send({
      ...base,
      method: 'DELETE',
      path: `/rest/invoice/${its}`,
      headers: { 'idempotency-key': `cancel ${its}` },
    });
  const statusOf = async (its: string) => valueOf((await get(`/invoice/${its}`)).body, 'status');
  for (const [its, { status }] of await killedDuring(cancelled, cancel, CANCELLED / 2)) {
    if (status === 200) t.is(await statusOf(its), 'Cancelled', `answered, and lost: ${its}`);
    t.is((await cancel(its)).status, 200);
    t.is(await statusOf(its), 'Cancelled');
  }
  const { body } = await get('/invoices?max=1000');
  const numbers = ['invoiceNumber', 'cancellationNumber'].flatMap((name) => valuesOf(body, name));
  t.deepEqual(
    numbers.map(Number).toSorted((a, b) => a - b),
    Array.from({ length: expected + CANCELLED }, (_, n) => 1001 + n),
  );
});

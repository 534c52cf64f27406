/**
 * PostgreSQL is killed with all its processes while uploads of usage are committed. After its restart
 * each upload is there as a whole or not at all, and retries store each record once.
 */
import test from 'ava';
import { allRoutes } from '../../../api/resources/routes.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { migrate } from '../../../db/connection/migrate.ts';
import { quiet, startApi, type Received } from '../../api/support.ts';
import { valueOf, valuesOf } from '../../api/tenant-api.ts';
import { testFolder } from '../../support/folder.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { killAll, startDurable } from './postgres.ts';

const UPLOADS = 30;
const SIZE = 3;
const ANSWERED_BEFORE = 6;

/** Those with an even number have a key; the others have references, which a retry passes over. */
const isKeyed = (nth: number): boolean => nth % 2 === 0;

function bodyOf(nth: number): string {
  const records = Array.from({ length: SIZE }, (_, place) => {
    const ref = isKeyed(nth) ? '' : `<extRefId>${nth}-${place}</extRefId>`;
    return `<activity>${ref}<quantity>1</quantity><invoiceText>${nth}</invoiceText></activity>`;
  });
  return `<list>${records.join('')}</list>`;
}

test('after a kill during uploads each is whole or absent, and retries store each record once', async (t) => {
  const folder = testFolder(t);
  let postgres = await startDurable(folder);
  t.teardown(() => postgres.stop());
  await migrate(postgres.url);
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
  const { label } = await makeTenant({ db, realNow: Date.now });
  const base = { auth: `api@test:${PASSWORD}`, host: `${label}.localhost` };
  const get = (path: string) => api.send({ ...base, path: `/rest${path}` });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    api.send({ ...base, method: 'POST', path: `/rest${path}`, body, headers });
  const customer =
    '<customer><extCustomerRef>C</extCustomerRef><billingContact><firstName>Ada</firstName>' +
    '</billingContact></customer>';
  t.is((await post('/customers', customer)).status, 201);
  const order = '<subscriptionOrder><contractCode>METERED</contractCode></subscriptionOrder>';
  const made = await post('/orders?extCustomerRef=C', order);
  const path = `/order/activities?orderNumber=${valueOf(made.body, 'orderNumber')}`;
  const upload = (nth: number): Promise<Received> =>
    isKeyed(nth)
      ? post(path, bodyOf(nth), { 'idempotency-key': `upload ${nth}` })
      : post(`${path}&onDuplicate=skip`, bodyOf(nth));
  /** How many records of each upload are stored. */
  const stored = async (): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    const texts = valuesOf((await get('/activities?max=100')).body, 'invoiceText');
    for (const nth of texts) counts.set(nth, (counts.get(nth) ?? 0) + 1);
    return counts;
  };

  let answered = 0;
  let killing: Promise<void> | undefined;
  const all = Array.from({ length: UPLOADS }, (_, nth) => nth);
  const answers = await Promise.all(
    all.map(async (nth) => {
      const answer = await upload(nth);
      if (answer.status === 201) answered += 1;
      if (answered >= ANSWERED_BEFORE) killing ??= killAll(postgres);
      return [nth, answer.status] as const;
    }),
  );
  await killing;
  t.true(answers.some(([, status]) => status === 503));
  postgres = await startDurable(folder, Number(new URL(postgres.url).port));
  await until('the database answers', async () => (await get('/plans')).status === 200);

  const there = await stored();
  t.deepEqual(
    [...there.values()].filter((count) => count !== SIZE),
    [],
  );
  for (const [nth, status] of answers) {
    t.true([201, 503].includes(status), `${nth}: ${status}`);
    if (status === 201) t.true(there.has(String(nth)), `answered, and lost: ${nth}`);
  }
  for (const nth of all) t.is((await upload(nth)).status, 201);
  const once = await stored();
  t.deepEqual(
    all.filter((nth) => once.get(String(nth)) !== SIZE),
    [],
  );
});

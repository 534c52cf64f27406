/**
 * The API and the worker are killed with SIGKILL among erasures, and while the sandbox is asked to remove
 * methods. Each customer is erased wholly or not at all; sent again, all are, and nothing of them is left
 * in any table, history or log.
 */
import test from 'ava';
import { withAdmin } from '../../api/tenant-api.ts';
import { send, type Received } from '../../api/support.ts';
import { isLong } from '../../support/random.ts';
import { suffix } from '../../support/temporal.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { cellsOf, filesOf, historiesOf } from '../secrets/places.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';

const CUSTOMERS = isLong ? 60 : 8;
/** So many answers come before a kill. */
const ANSWERED_BEFORE = Math.ceil(CUSTOMERS / 4);
/** In what no document says of a customer. */
const MARK = 'zq7mark';

const parts = await startParts({ PAYMENT_WAIT_SECONDS: '20' });
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const till = await openTill(parts, db, { label: `crash-${suffix()}`, file: withAdmin });

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

const erase = (id: number): Promise<Received | null> =>
  send(Number(new URL(parts.apiUrl).port), {
    method: 'POST',
    path: `/rest/customer/${id}?actionName=erase`,
    host: `${till.label}.localhost`,
    auth: `admin@test:${PASSWORD}`,
    headers: { 'idempotency-key': `erase ${id}` },
  }).catch(() => null);

async function customer(): Promise<number> {
  const id = await till.customer();
  const contact = `<billingContact><emailPrimary>${MARK}-${id}@example.com</emailPrimary>
    <workPhone>${MARK} ${id}</workPhone></billingContact>`;
  await till.call('PUT', `/customer/${id}`, `<customer>${contact}</customer>`, `change ${id}`);
  await till.onFile(id, '4111111111111111', '4929420573595709');
  await until('the customer pays', async () => (await till.payByFile(id)).status < 300);
  return id;
}

test('after kills among erasures each customer is erased wholly, and nothing is left of it', async (t) => {
  t.timeout(10 * 60_000);
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, customer));
  await till.settled(...customers);
  let answered = 0;
  let killing: Promise<unknown> | undefined;
  await Promise.all(
    customers.map(async (id) => {
      if ((await erase(id))?.status === 200) answered += 1;
      if (answered >= ANSWERED_BEFORE) {
        killing ??= Promise.all([parts.api.kill(), parts.worker.kill()]);
      }
    }),
  );
  await killing;
  await Promise.all([endConnections(parts, 'api'), endConnections(parts, 'worker')]);
  const half = await till.read(
    `select from customer c join contact k on k.tenant_id = c.tenant_id and k.customer_id = c.id
     where (c.erased_on is null) <> (k.email_primary is not null)`,
  );
  t.deepEqual(half, []);
  await Promise.all([parts.api.start(), parts.worker.start()]);
  await Promise.all(
    customers.map((id) =>
      until('the customer is erased', async () => (await erase(id))?.status === 200),
    ),
  );
  await until('the gateway has removed all methods', async () => {
    const [left] = await till.read<{ methods: number; sandbox: number }>(
      `select (select count(*)::int from payment_method where token <> '') as methods,
         (select count(*)::int from sandbox_method) as sandbox`,
    );
    return left?.methods === 0 && left.sandbox === 0;
  });
  t.deepEqual(
    (
      await till.read<{ count: number }>(
        `select count(*)::int as count from event where type = 'customer.erased'`,
      )
    )[0]?.count,
    CUSTOMERS,
  );
  await auditIsClean(t, parts, { db, relayDb });
  const cells = (await cellsOf(parts)).filter(({ value }) => value.includes(MARK));
  t.deepEqual(
    cells.map(({ table, column }) => `${table}.${column}`),
    [],
  );
  const { histories } = await historiesOf(parts);
  t.true(histories.length > 0);
  // The engine's own files have what they have of its histories.
  for (const [where, text] of [...histories, ...filesOf(parts)])
    t.false(text.includes(MARK), where);
});

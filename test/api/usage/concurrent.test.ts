/** Uploads of usage beside each other, beside billing and beside deletions. */
import test from 'ava';
import type { Client } from 'pg';
import { locksCustomers, overheard, type Said } from '../../operations/support/overheard.ts';
import { until } from '../../support/until.ts';
import { errorsOf } from '../support.ts';
import { startTenantApi, valuesOf, type TenantApi } from '../tenant-api.ts';
import { listOf, minute, ofOrder, withOrder } from './bodies.ts';

const said: Said[] = [];
const api = await startTenantApi({ ownDatabase: true, overhear: (db) => overheard(db, said) });

/** A transaction of the tenant on a connection of its own, and a look at who waits for it. */
async function holding(own: TenantApi, lock: string): Promise<Client> {
  const holder = await own.db.openBeside();
  await holder.query(`begin; select set_config('app.tenant', '${own.tenantId}', true)`);
  await holder.query(lock);
  return holder;
}

function waiting(own: TenantApi, count: number): Promise<void> {
  return until(`${count} wait for a lock`, async () => {
    const [row] = await own.asOwner<{ count: number }>(
      `select count(*)::int from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count === count;
  });
}

const upload = (own: TenantApi, ...inner: string[]) => own.post('/activities', listOf(...inner));

test.serial('uploads of the same references in opposite orders do not deadlock', async (t) => {
  const { own } = await withOrder(api);
  const refs = Array.from({ length: 50 }, (_, n) => `R${n}`);
  const bodies = Array.from({ length: 8 }, (_, n) =>
    listOf(...(n % 2 === 0 ? refs : refs.toReversed()).map((ref) => minute(ref))),
  );
  const plain = await Promise.all(bodies.map((body) => own.post('/activities', body)));
  const statuses = plain.map(({ status }) => status).toSorted((a, b) => a - b);
  t.deepEqual(statuses, [201, 400, 400, 400, 400, 400, 400, 400]);
  const refused = plain.find(({ status }) => status === 400);
  t.is(refused && new Set(errorsOf(refused)).size, 50);

  const { own: other } = await withOrder(api);
  const skipping = await Promise.all(
    bodies.map((body) => other.post('/activities?onDuplicate=skip', body)),
  );
  const ids = skipping.map(({ status, body }) => {
    t.is(status, 201, body);
    const all = [...body.matchAll(/<activity id="(\d+)"/g)].map(([, id]) => Number(id));
    return all.toSorted((a, b) => a - b);
  });
  for (const each of ids) t.deepEqual(each, ids[0]);
  const duplicates = skipping.flatMap(({ body }) => body.match(/duplicate="true"/g) ?? []);
  t.is(duplicates.length, 7 * 50);
});

test.serial('a record whose window is billed meanwhile goes to the next one', async (t) => {
  const { own } = await withOrder(api);
  t.is((await upload(own, minute('A'))).status, 201);
  const holder = await holding(own, 'select from usage_window for update');
  const late = upload(own, minute('B'));
  await waiting(own, 1);
  await holder.query('update usage_window set closed_at = now(); commit');
  t.is((await late).status, 201, (await late).body);
  const rows = await own.asOwner(
    `select a.ext_ref_id as ref, w.period_index as period from activity a
     join usage_window w on w.id = a.window_id where a.tenant_id = ${own.tenantId} order by 1`,
  );
  t.deepEqual(rows, [
    { ref: 'A', period: 0 },
    { ref: 'B', period: 1 },
  ]);
});

test.serial('concurrent corrections take away no more than their record has', async (t) => {
  const { own } = await withOrder(api);
  await upload(own, ofOrder('<extRefId>A</extRefId><quantity>10</quantity>'));
  const holder = await holding(own, 'select from activity for no key update');
  const six = ofOrder('<quantity>-6</quantity><correctsExtRefId>A</correctsExtRefId>');
  const both = [upload(own, six), upload(own, six)];
  await waiting(own, 2);
  await holder.query('rollback');
  const answers = await Promise.all(both);
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 400],
  );
  const refused = answers.find(({ status }) => status === 400);
  t.deepEqual(refused && errorsOf(refused), [
    'activity.correction list/activity[1]/correctsExtRefId',
  ]);
});

test.serial('of a correction and the deletion of its record one succeeds', async (t) => {
  const { own } = await withOrder(api);
  await upload(own, minute('A'));
  const holder = await holding(own, 'select from usage_window for update');
  const correction = upload(
    own,
    ofOrder('<quantity>-1</quantity><correctsExtRefId>A</correctsExtRefId>'),
  );
  const deletion = own.remove('/activity?extRefId=A');
  await waiting(own, 2);
  await holder.query('rollback');
  const [corrected, deleted] = [await correction, await deletion];
  const outcome = [corrected.status, deleted.status, ...errorsOf(corrected), ...errorsOf(deleted)];
  const element = 'list/activity[1]/correctsExtRefId';
  t.true(
    [`201 400 activity.corrected`, `400 200 activity.correction ${element}`].includes(
      outcome.join(' '),
    ),
    outcome.join(' '),
  );
});

test.serial(
  'an upload locks no customer whose order is running, and takes few statements',
  async (t) => {
    const { own, customer } = await withOrder(api);
    const holder = await holding(
      own,
      `select from customer where id = ${customer} for no key update`,
    );
    said.length = 0;
    const records = Array.from({ length: 1_000 }, (_, n) =>
      n % 2 === 0
        ? minute(`R${n}`)
        : '<extCustomerRef>C1</extCustomerRef><priceCode>MINUTES</priceCode><quantity>1</quantity>',
    );
    const made = await upload(own, ...records);
    await holder.query('rollback');
    t.is(made.status, 201, made.body.slice(0, 500));
    t.is(valuesOf(made.body, 'quantity').length, 1_000);
    const texts = said.map(({ text }) => text);
    t.false(texts.some((text) => locksCustomers.test(text)));
    // Those of the call itself too: begin, clock, audit, savepoint, commit.
    t.true(texts.length <= 14, `${texts.length} statements`);
  },
);

test.serial(
  'an upload to an ended order that needs a bill day locks the customer first',
  async (t) => {
    const { own, order } = await withOrder(api);
    await own.put(
      `/order/${order}`,
      '<subscriptionOrder><orderStatus>Canceled</orderStatus></subscriptionOrder>',
    );
    await own.asOwner(
      `update subscription_order set next_billable_date = null, bill_on = null where id = ${order}`,
    );
    said.length = 0;
    const made = await upload(own, minute('A'));
    t.is(made.status, 201, made.body);
    const texts = said.map(({ text }) => text);
    const locks = texts.findIndex((text) => locksCustomers.test(text));
    const windows = texts.findIndex((text) => text.startsWith('insert into usage_window'));
    t.true(locks !== -1 && locks < windows, texts.join('\n'));
  },
);

/** Limits that hold for all processes together, tried by several parts as processes have them. */
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { BusyError } from '../../../db/connection/faults.ts';
import { openSharedLanes } from '../../../db/connection/shared-lanes.ts';
import { fetched, inSnapshot } from '../../../db/connection/snapshot.ts';
import { createAdmission } from '../../../api/access/admission.ts';
import { sharedDatabase } from '../../support/shared-database.ts';
import { until } from '../../support/until.ts';

const { loginUrl, owner } = await sharedDatabase();

/** Tests run at once on one database. */
let used = 0;
const newTenant = (): number => Date.now() * 1_000 + (used += 1);

function process(t: ExecutionContext, waitMs = 60_000) {
  const name = `lanes ${newTenant()}`;
  const lanes = openSharedLanes({ url: loginUrl, name, of: 'tests', waitMs });
  t.teardown(() => lanes.close());
  return { ...lanes, name };
}

/** How many of its sessions wait for a lane. */
async function waiting(name: string): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where application_name = $1 and wait_event_type = 'Lock'`,
    [name],
  );
  return rows[0]?.count ?? 0;
}

test('one process at a time has a lane, in the order of asking, and other lanes are free', async (t) => {
  const [first, second, third] = [process(t), process(t), process(t)];
  const lane = String(newTenant());
  const order: string[] = [];
  const leave = await first.take(lane);
  const then = second.take(lane).then((next) => (order.push('second'), next));
  await until('the second waits', async () => (await waiting(second.name)) === 1);
  const last = third.take(lane).then((next) => (order.push('third'), next));
  await until('the third waits', async () => (await waiting(third.name)) === 1);
  (await second.take(String(newTenant())))();
  t.deepEqual(order, []);
  leave();
  leave();
  // The one that had it asks again, and is the last now.
  const again = first.take(lane).then((next) => (order.push('first'), next));
  (await then)();
  (await last)();
  (await again)();
  t.deepEqual(order, ['second', 'third', 'first']);
});

test('the lane of a process that is gone is free', async (t) => {
  const [first, second] = [process(t), process(t)];
  const lane = String(newTenant());
  const leave = await first.take(lane);
  await owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [first.name],
  );
  (await second.take(lane))();
  // The first process notices, and goes on with a new session.
  leave();
  await until('it has a lane again', async () => {
    const next = await first.take(lane).catch(() => undefined);
    next?.();
    return next !== undefined;
  });
  t.pass();
});

test('who waits too long is told that it is busy, and waits no more', async (t) => {
  const [first, hasty] = [process(t), process(t, 50)];
  const lane = String(newTenant());
  const leave = await first.take(lane);
  await t.throwsAsync(hasty.take(lane), { instanceOf: BusyError });
  leave();
  (await hasty.take(lane).catch(() => hasty.take(lane)))();
});

test('a tenant with two API processes has one heavy call at a time; other tenants and light calls do not wait', async (t) => {
  const [tenant, another] = [newTenant(), newTenant()];
  const begun: string[] = [];
  const [first, second] = [process(t), process(t)].map(({ take, name }) => ({
    name,
    admission: createAdmission({ sharedLane: (tenantId) => take(String(tenantId)) }),
  }));
  const call = (of: typeof first, name: string, tenantId: number, isHeavy = true) => {
    const gate = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const asked = { tenantId, kind: name, isHeavy, waitsForOthers: false, isStream: false };
    const ended = of?.admission.admit(asked, async (visit) => {
      await visit.begin(0);
      begun.push(name);
      began.resolve();
      await gate.promise;
    });
    return { began: began.promise, end: async () => (gate.resolve(), await ended) };
  };
  const heavy = call(first, 'heavy', tenant);
  await heavy.began;
  const waits = call(second, 'heavy in another process', tenant);
  await until('it waits', async () => (await waiting(second?.name ?? '')) === 1);
  // It occupies none of the places of its process.
  const others = [call(second, 'of another', another), call(second, 'of a third', newTenant())];
  const light = call(second, 'light', tenant, false);
  for (const each of [...others, light]) {
    await each.began;
    await each.end();
  }
  t.false(begun.includes('heavy in another process'));
  await heavy.end();
  await waits.began;
  await waits.end();
  t.is(begun.at(-1), 'heavy in another process');
});

test('a tenant reads two snapshots at once in all processes, and another one as many', async (t) => {
  const [tenant, another] = [newTenant(), newTenant()];
  const open = async () => {
    const options = {
      role: 'sundial_app',
      poolMax: 1,
      statementTimeoutMs: 5_000,
      name: 'test',
    } as const;
    const db = await openDatabase({ ...options, url: loginUrl });
    t.teardown(() => db.close());
    return db;
  };
  const processes = [await open(), await open(), await open()];
  const statement = { text: 'select g from generate_series(1, 1000) g', values: [] };
  const reading = (index: number, tenantId: number) => {
    const db = processes[index] ?? processes[0];
    if (db === undefined) throw new Error('no process');
    return inSnapshot(db, tenantId, (reader) => fetched(reader, statement));
  };
  const [one, two] = [reading(0, tenant), reading(1, tenant)];
  await one.next();
  await two.next();
  const third = reading(2, tenant);
  let hasBegun = false;
  const began = third.next().then((part) => ((hasBegun = true), part));
  for await (const rows of reading(2, another)) t.true(rows.length > 0);
  t.false(hasBegun);
  for (const each of [one, two]) await each.return();
  t.is((await began).done, false);
  await third.return();
});

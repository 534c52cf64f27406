/**
 * Supervision: what is terminated and needed by rows is back, what no row needs ends, in one process
 * at a time. There is no worker, so no workflow ends or goes on by itself.
 */

import test from 'ava';
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { endSupervision, readSupervision } from '../../../db/queries/processes/supervision.ts';
import { auditWorkflows } from '../../../operations/books/workflows.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { firstLookAt } from '../../../operations/due/first-looks.ts';
import { openEngine } from '../../../operations/outbox/engine.ts';
import { startAgain } from '../../../operations/outbox/deliver.ts';
import { readMark, writeMark } from '../../../operations/outbox/engine-mark.ts';
import { newestRun } from '../../../operations/outbox/running-workflows.ts';
import { engineGeneration } from '../../../operations/processes/engine-generation.ts';
import { supervisionPass } from '../../../operations/processes/supervision.ts';
import { newWatch, type Watch } from '../../../operations/processes/watch.ts';
import {
  objectWorkflowKinds,
  tenantWorkflowKinds,
} from '../../../operations/workflow-kinds/table.ts';
import { holdRelay, testDatabase } from '../../support/database.ts';
import { suffix, testTemporal } from '../../support/temporal.ts';
import { isRunning, openTenant, order, until } from '../harness.ts';
import { openNeeds } from './needs.ts';

const { ownerUrl: url } = await testDatabase();
await holdRelay(url);
const pool = { url, poolMax: 4, statementTimeoutMs: 30_000, name: 'test' };
const db = await openDatabase({ ...pool, role: 'sundial_app' });
const relayDb = await openDatabase({ ...pool, role: 'sundial_relay' });
const { address, namespace } = await testTemporal();
const taskQueue = `test-${suffix()}`;
const engine = openEngine({ address, namespace, taskQueue, identity: 'test', firstLookAt });
test.after.always(async () => {
  await engine.close();
  await relayDb.close();
  await db.close();
});

const dependencies = { db, realNow: () => Date.now() };
const place = { dependencies, engine };
const handle = (workflowId: string) => engine.client.getHandle(workflowId);
const quiet = { dependencies, relayDb, engine, isPaced: false };

/** A pass that fails at once if anything of it does. */
function pass(watch: Watch, more: { readonly relayDb?: Database } = {}): Promise<void> {
  const onError = (error: unknown): never => {
    throw error;
  };
  return supervisionPass({ ...quiet, ...more, onError }, watch);
}

/** As of a process that has just swept: it only looks at what has ended. */
const looking = (holder: string): Watch => ({ ...newWatch(holder), sweptAt: Date.now() });
const isUp = async (workflowId: string): Promise<boolean> =>
  (await newestRun(engine, workflowId))?.status === 'RUNNING';
const allUp = async (ids: readonly string[]): Promise<boolean> =>
  (await Promise.all(ids.map(isUp))).every(Boolean);
const figuresOf = async (kind: string) =>
  (await readSupervision(db.pool))?.figures?.kinds[kind] ?? null;

test.serial('what is terminated comes back, whatever its kind, and says why', async (t) => {
  const { books, needed } = await openNeeds(place);
  const ids = needed.map(({ workflowId }) => workflowId);
  t.deepEqual(
    needed.map(({ nudge }) => nudge.kind).toSorted(),
    [...tenantWorkflowKinds, ...objectWorkflowKinds].toSorted(),
    'each kind is in it',
  );
  const tenant = await tenantInfo(dependencies, books.tenantId);
  const checks = async () =>
    (await auditWorkflows(dependencies, tenant, engine)).map(({ check }) => check).toSorted();
  const ofTenant = needed.map(({ nudge }) => nudge.kind).filter((kind) => kind !== 'clock');
  t.deepEqual(await checks(), ofTenant.map((kind) => `${kind}.workflow`).toSorted());

  await pass(newWatch('one'));
  t.true(await allUp(ids), 'a sweep starts what the engine does not know');
  t.deepEqual(await checks(), []);
  t.like(await figuresOf('order'), { needed: 1, missing: 1, restarted: 1, unneeded: 0 });

  const before = new Map<string, string>();
  for (const id of ids) {
    const run = await newestRun(engine, id);
    before.set(id, run?.runId ?? '');
    await handle(id).terminate('by hand');
  }
  // The engine's list of what has ended lags behind.
  const watch = looking('one');
  await until('all are back', async () => {
    await pass(watch);
    return allUp(ids);
  });
  for (const id of ids) {
    const { memo, runId } = await handle(id).describe();
    t.not(runId, before.get(id), id);
    t.regex(
      String(memo?.['restarted']),
      /^restarted by supervision at [\d-]+ [\d:]+ UTC: it was terminated, but rows need it$/,
      id,
    );
  }
  const [delayed] = needed.filter(({ nudge }) => nudge.kind === 'order');
  const { staticDetails } = await handle(delayed?.workflowId ?? '').describe();
  t.regex((await staticDetails()) ?? '', /^restarted by supervision at .*\n\n\*\*At its start on/);
  t.deepEqual(await checks(), []);

  // What ends at once again is not started at once again.
  const [first = ''] = ids;
  await handle(first).terminate('by hand once more');
  await until('its end is known', async () => {
    await pass(watch);
    return watch.starts.due().includes(first);
  });
  t.false(await isUp(first));
  await until('another process starts it', async () => {
    await pass(looking('one'));
    return isUp(first);
  });
  for (const id of ids)
    await handle(id)
      .terminate('the test is over')
      .catch(() => undefined);
});

test.serial('what no row needs is a finding, nudged, and ended with a reason', async (t) => {
  const books = await openTenant(place, {});
  const tenant = await tenantInfo(dependencies, books.tenantId);
  const gone = `order/${books.label}/999`;
  await startAgain(dependencies, engine, tenant, [{ kind: 'order', objectId: 999, note: null }]);
  const nobody = `order/nobody-${suffix()}/1`;
  await engine.client.start('subscription', { workflowId: nobody, taskQueue, args: [{}] });
  const foreign = `something/${suffix()}`;
  await engine.client.start('subscription', { workflowId: foreign, taskQueue, args: [{}] });
  const listed = async () => {
    const { count } = await engine.client.count(`TaskQueue = '${taskQueue}' and
      WorkflowId in ('${gone}', '${nobody}', '${foreign}') and ExecutionStatus = 'Running'`);
    return count === 3;
  };
  await until('they are listed', listed);
  t.deepEqual(await auditWorkflows(dependencies, tenant, engine, 1), [
    {
      check: 'billing.workflow',
      object: `workflow billing/${books.label}`,
      detail: 'is needed, but there is no running workflow, and no outbox row would start one',
    },
    { check: 'workflow.unneeded', object: `workflow ${gone}`, detail: 'runs, but no row needs it' },
  ]);
  const watch = newWatch('one', 0);
  await pass(watch);
  t.true(await isUp(gone), 'it could end by itself');
  t.like(await figuresOf('order'), { unneeded: 1, ended: 0 });
  t.is((await readSupervision(db.pool))?.figures?.unknown, 1, 'of a tenant that is not here');
  await pass(watch);
  const { events } = await handle(gone).fetchHistory();
  const end = events?.at(-1)?.workflowExecutionTerminatedEventAttributes;
  t.is(end?.reason, 'ended by supervision: no row needs it, and it does not end by itself');
  for (const id of [nobody, foreign]) {
    t.true(await isRunning(handle(id)), id);
    await handle(id).terminate();
  }
  await books.workflow({ kind: 'billing', objectId: null }).terminate();
});

test.serial('one process supervises at a time, and another one takes over', async (t) => {
  const books = await openTenant(place, {});
  const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await books.work(({ tx }) => tx.query('delete from outbox'));
  const [one, two] = [looking('one'), newWatch('two')];
  await pass(one);
  await pass(two);
  t.is((await readSupervision(db.pool))?.holder, 'one');
  t.false(await isUp(books.workflow(order(id)).workflowId));
  await endSupervision(db.pool, 'two');
  await pass(two);
  t.is((await readSupervision(db.pool))?.holder, 'one', 'only the holder gives it up');
  const { restarted = 0 } = (await figuresOf('order')) ?? {};
  await endSupervision(db.pool, 'one');
  await pass(two);
  t.is((await readSupervision(db.pool))?.holder, 'two');
  t.true(await isUp(books.workflow(order(id)).workflowId));
  t.is((await figuresOf('order'))?.restarted, restarted + 1, 'it goes on with the sums');
  await endSupervision(db.pool, 'two');
});

test.serial('a tenant that cannot be compared is reported, and stops no other', async (t) => {
  const books = await openTenant(place, {});
  const rows = [{ id: 987_654_321 }, { id: books.tenantId }];
  const both = { pool: { query: () => Promise.resolve({ rows }) } } as unknown as Database;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  await supervisionPass({ ...quiet, relayDb: both, onError }, newWatch('one'));
  t.is(errors.length, 1);
  t.true(await isUp(`billing/${books.label}`));
  t.like((await readSupervision(db.pool))?.figures, { failed: 1, tenants: 2 });
  await endSupervision(db.pool, 'one');
});

test.serial('while the engine is away a pass fails, and the next one does all of it', async (t) => {
  const away = openEngine({ address: '127.0.0.1:1', namespace, taskQueue, identity: 'test' });
  t.teardown(() => away.close());
  const books = await openTenant(place, {});
  const watch = newWatch('one');
  const failing = supervisionPass(
    { ...quiet, engine: away, onError: (error: unknown) => t.fail(String(error)) },
    watch,
  );
  await t.throwsAsync(failing, { message: /UNAVAILABLE/ });
  t.is(watch.sweptAt, null);
  await pass(watch);
  t.true(await isUp(`billing/${books.label}`));
  await endSupervision(db.pool, 'one');
});

test.serial(
  'an engine that was restored from its own backup is noticed, and compared at once',
  async (t) => {
    const books = await openTenant(place, {});
    const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    await books.work(({ tx }) => tx.query('delete from outbox'));
    await pass(newWatch('one'));
    const { workflowId } = books.workflow(order(id));
    for (let mark = 0; mark < 3; mark += 1) await pass(looking('one'));
    const known = await readMark(engine);
    t.is(await engineGeneration(dependencies), 0);

    // The backup is of before the order.
    await books.work(({ tx }) => tx.query('delete from outbox'));
    const workflowExecution = { workflowId };
    await engine.client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
    await until('it is gone', async () => (await newestRun(engine, workflowId)) === undefined);
    await writeMark(engine, known - 2);
    await pass(looking('one'));
    t.is(await engineGeneration(dependencies), 1, 'a worker whose cache is older begins anew');
    t.true(await isUp(workflowId), 'although the last sweep was a moment ago');
    await pass(looking('one'));
    t.is(await engineGeneration(dependencies), 1);

    // An answer that was lost leaves the engine behind by one.
    await writeMark(engine, (await readMark(engine)) - 1);
    await pass(looking('one'));
    t.is(await engineGeneration(dependencies), 1);

    const alerts: string[] = [];
    await writeMark(engine, known + 100);
    const onAlert = (text: string) => void alerts.push(text);
    const alerting = {
      ...quiet,
      dependencies: { ...dependencies, onAlert },
      onError: (error: unknown) => t.fail(String(error)),
    };
    await supervisionPass(alerting, looking('one'));
    t.regex(alerts.join(), /^the database knows less than Temporal: mark \d+, there \d+\./);
    t.is(await readMark(engine), known + 100, 'what shows it stays');
    t.is(await engineGeneration(dependencies), 1);
    await handle(workflowId).terminate();
    await endSupervision(db.pool, 'one');
  },
);

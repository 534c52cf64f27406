/**
 * Builds of the workflows: workers of one build have the work until another is made current, or none of
 * them lives; what is pinned to a build ends with it, or begins again.
 */
import test from 'ava';
import type { WorkflowHandle } from '@temporalio/client';
import { Client } from 'pg';
import { openDatabase } from '../../../db/connection/database.ts';
import { openEngine } from '../../../operations/outbox/engine.ts';
import { startWorker, type RunningWorker } from '../../../activities/run-worker.ts';
import { buildsOf, makeCurrent, takeOverPass } from '../../../operations/processes/builds.ts';
import { holdRelay, testDatabase } from '../../support/database.ts';
import { unsentMail } from '../../support/mail.ts';
import { testStorage } from '../../support/storage.ts';
import { suffix, testBundle, testTemporal } from '../../support/temporal.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { openTenant, order, until } from '../harness.ts';

const { ownerUrl } = await testDatabase();
await holdRelay(ownerUrl);
const { address, namespace } = await testTemporal();
const workflowBundle = await testBundle();
const taskQueue = `test-${suffix()}`;
const pool = { url: ownerUrl, poolMax: 2, statementTimeoutMs: 30_000, name: 'test' };
const db = await openDatabase({ ...pool, role: 'sundial_app' });
const engine = openEngine({ address, namespace, taskQueue, identity: 'test' });
const dependencies = { db, realNow: Date.now };
const running = new Set<RunningWorker>();
test.after.always(async () => {
  await Promise.all([...running].map((worker) => worker.stop()));
  await engine.close();
  await db.close();
});

/** What a worker of this build does every few seconds. */
const look = (buildId: string) => takeOverPass({ dependencies, engine, buildId, isAlone: false });
const builds = () => buildsOf({ db, engine });
const current = async () =>
  (await builds()).filter(({ isCurrent }) => isCurrent).map(({ buildId }) => buildId);

/** @param buildId absent of a worker of a release before there were builds */
async function workerOf(buildId?: string): Promise<RunningWorker> {
  const worker = await startWorker({
    databaseUrl: ownerUrl,
    temporalAddress: address,
    temporalNamespace: namespace,
    taskQueue,
    build: buildId === undefined ? undefined : { buildId, isAlone: false },
    identity: `${buildId ?? 'without'} ${suffix()}`,
    workflowBundle,
    gateway: { secretKeys: SECRET_KEY },
    mail: unsentMail(),
    storage: testStorage(),
    realNow: Date.now,
    supervises: false,
    looksFirst: false,
    onError: () => undefined,
  });
  running.add(worker);
  return worker;
}

/** The builds of the workers that have processed its tasks, in turn. */
async function processedBy(workflow: WorkflowHandle): Promise<readonly (string | null)[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
    done ? [done.deploymentVersion?.buildId || null] : [],
  );
}

async function stop(worker: RunningWorker): Promise<void> {
  running.delete(worker);
  await worker.stop();
}

test('work passes to another build when it is made current, or when no worker of the last one lives', async (t) => {
  const without = await workerOf();
  const books = await openTenant({ dependencies, engine }, {});
  const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  const workflow = books.workflow(order(id));
  let tasks: readonly (string | null)[] = [];
  const nextTask = async (): Promise<string | null | undefined> => {
    const { length } = tasks;
    await books.start(order(id));
    await until('a task of it is done', async () => {
      tasks = await processedBy(workflow);
      return tasks.length > length;
    });
    return tasks.at(-1);
  };
  t.is(await nextTask(), null);

  const one = await workerOf('1.0-one');
  await look('1.0-one');
  t.deepEqual(await current(), [null], 'a worker without builds lives');
  await stop(without);
  await look('1.0-one');
  t.deepEqual(await current(), ['1.0-one']);
  t.is(await nextTask(), '1.0-one');

  // Its activity waits for the lock, as long as the first build lives.
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin; lock table password_to_hash');
  const tenant = { tenantId: String(books.tenantId) };
  const pinned = await engine.client.start('passwords', {
    args: [tenant],
    workflowId: `passwords/${books.label}`,
    taskQueue,
  });
  await until('it has begun', async () => (await processedBy(pinned)).length > 0);

  const two = await workerOf('1.0-two');
  await look('1.0-two');
  t.is(await nextTask(), '1.0-one', 'a new build waits');
  await makeCurrent(engine, '1.0-two');
  t.is(await nextTask(), '1.0-two');
  await until('the pinned one is listed', async () =>
    (await builds()).some(({ buildId, pinned: count }) => buildId === '1.0-one' && count === 1),
  );
  await look('1.0-two');
  t.is((await pinned.describe()).status.name, 'RUNNING', 'its build lives');
  await stop(one);
  await look('1.0-two');
  t.is((await pinned.describe()).status.name, 'TERMINATED');
  await client.query('rollback');

  // Nobody says that the next one is current.
  await workerOf('1.0-three');
  await stop(two);
  await look('1.0-three');
  t.like(
    (await builds()).find(({ isCurrent }) => isCurrent),
    { buildId: '1.0-three', workers: 1, pinned: 0 },
  );
});

/**
 * Releases beside each other on one database and one Temporal, under load: the release before with its
 * own processes on the new schema, the new one beside it, and back again; and a change of a workflow while
 * orders are open. Books are right afterwards, nobody gets a mail twice, and no task of a workflow failed.
 */
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { allTenantIds } from '../../../db/queries/outbox/missing-workflows.ts';
import { openEngine, type Engine } from '../../../operations/outbox/engine.ts';
import { listedRuns } from '../../../operations/outbox/running-workflows.ts';
import { auditIsClean } from '../crash/aftermath.ts';
import { patientSession } from '../../support/database.ts';
import { testFolder } from '../../support/folder.ts';
import { isLong } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { advance, openFleet, placeOrders, tenantFile, type Api, type Fleet } from './fleet.ts';
import { changedRelease, previousRelease, thisRelease, type Release } from './releases.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Orders that are placed in each month. */
const LOAD = isLong ? 40 : 8;

async function tenantOf(t: ExecutionContext, fleet: Fleet, release: Release): Promise<void> {
  const file = join(testFolder(t), 'rolling.yaml');
  writeFileSync(file, tenantFile);
  await fleet.command(release, 'cli/tenant.ts', 'apply', file);
}

/** What is left to do is done; then the books are audited. */
async function settled(t: ExecutionContext, fleet: Fleet): Promise<void> {
  const pool = { ...patientSession, url: fleet.ownerUrl, poolMax: 2, name: 'test' };
  const db = await openDatabase({ ...pool, role: 'sundial_app' });
  const relayDb = await openDatabase({ ...pool, role: 'sundial_relay' });
  t.teardown(async () => {
    await relayDb.close();
    await db.close();
  });
  const [tenantId = 0] = await allTenantIds(relayDb.pool);
  const left = `
    select 'outbox' as of from outbox
    union all select 'event' from event where sequence is null
    union all select 'mail' from mail where state in ('queued', 'sending')
    union all select 'payment' from payment where status = 'Pending'`;
  await until('all is delivered, numbered, mailed and paid', async () => {
    const rows = await inTenant(db, tenantId, (tx) => tx.query(left), { readOnly: true });
    return rows.length === 0;
  });
  await auditIsClean(t, fleet, { db, relayDb });
}

/** Each mail once: by its recipient and what it says. */
function mailsOnce(t: ExecutionContext, { inbox }: Fleet, atLeast: number): void {
  const ids = inbox.mails.map(({ messageId }) => messageId);
  t.is(new Set(ids).size, ids.length, 'a mail twice');
  const said = inbox.mails.map(
    ({ to, subject, text }) => `${to && 'text' in to ? to.text : ''} ${subject} ${text}`,
  );
  t.deepEqual(
    said.filter((each, index) => said.indexOf(each) !== index),
    [],
    'a mail twice, by two rows',
  );
  t.true(ids.length >= atLeast, `${ids.length} mails`);
}

/** Something came for a workflow that was about to end: it is told of it by another task. */
const UNHANDLED = 'UnhandledCommand';

/** A worker that cannot go on with a history fails its task. */
async function failedTasks(engine: Engine): Promise<readonly string[]> {
  const failed: string[] = [];
  for await (const page of listedRuns(engine, `TaskQueue = '${engine.taskQueue}'`)) {
    for (const { workflowId, runId } of page) {
      const { events } = await engine.client.getHandle(workflowId, runId).fetchHistory();
      for (const { workflowTaskFailedEventAttributes: task } of events ?? []) {
        const message = task?.failure?.message;
        if (task && message !== UNHANDLED) failed.push(`${workflowId}: ${message}`);
      }
    }
  }
  return failed;
}

async function noTaskFailed(t: ExecutionContext, fleet: Fleet): Promise<void> {
  const engine = openEngine({ ...fleet.engine, identity: 'test' });
  t.teardown(() => engine.close());
  t.deepEqual(await failedTasks(engine), []);
}

test.serial(
  'the release before and this one run beside each other on the new schema, under load',
  async (t) => {
    t.timeout(900_000);
    const before = previousRelease(testFolder(t));
    const fleet = await openFleet(t);
    await fleet.command(before, 'cli/migrate.ts');
    await tenantOf(t, fleet, before);
    const oldWorker = await fleet.worker(before);
    const oldApi = await fleet.api(before);
    let placed = await placeOrders([oldApi], 'first', LOAD);
    /** A month passes while orders are placed by each of the APIs. */
    const month = async (to: string, prefix: string, ...apis: readonly [Api, ...Api[]]) => {
      const [, count] = await Promise.all([
        advance(apis[0], to),
        placeOrders(apis.toReversed(), prefix, LOAD),
      ]);
      placed += count;
    };

    // Old processes on the new schema, which comes while they work.
    const [migrated] = await Promise.all([
      fleet.command(thisRelease, 'cli/migrate.ts'),
      month('2027-02-02', 'migrating', oldApi),
    ]);
    t.log(migrated);

    // New ones beside them; the old worker has the tasks, until the work is passed on.
    const newApi = await fleet.api(thisRelease);
    const newWorker = await fleet.worker(thisRelease);
    await month('2027-03-02', 'beside', newApi, oldApi);
    await Promise.all([
      fleet.command(thisRelease, 'cli/workflows.ts', 'promote'),
      month('2027-04-02', 'promoting', oldApi, newApi),
    ]);
    await Promise.all([oldWorker.stop(), oldApi.stop(), month('2027-05-02', 'stopping', newApi)]);

    // And back: processes of the release before join, and take over.
    const backApi = await fleet.api(before);
    const backWorker = await fleet.worker(before);
    await Promise.all([
      fleet.command(thisRelease, 'cli/workflows.ts', 'promote', 'none'),
      month('2027-06-02', 'returning', newApi, backApi),
    ]);
    await Promise.all([newWorker.stop(), newApi.stop(), month('2027-07-02', 'back', backApi)]);
    t.log(`${placed} orders`);
    await settled(t, fleet);
    mailsOnce(t, fleet, 4 * placed);
    await noTaskFailed(t, fleet);
    await backWorker.stop();
  },
);

/** An order looks once more before it sleeps, which no history of before has. */
const looksTwice = {
  file: 'workflows/subscription.ts',
  from: 'look: (why) => lookAtOrder(why, { tenantId, orderId, yields, seen }),',
  to: `look: async (why) => {
      const found = await lookAtOrder(why, { tenantId, orderId, yields, seen });
      if (!patched('looks-twice')) return found;
      await sleep(1);
      const again = await lookAtOrder('once more', { tenantId, orderId, yields, seen });
      return { ...again, happened: [...(found.happened ?? []), ...(again.happened ?? [])] };
    },`,
};
const importsPatched = {
  file: 'workflows/subscription.ts',
  from: `import { continueAsNew } from '@temporalio/workflow';`,
  to: `import { continueAsNew, patched, sleep } from '@temporalio/workflow';`,
};
const ORDERS = isLong ? 200 : 20;

test.serial(
  'a change of the workflow of orders while many are open: old tasks go to old workers',
  async (t) => {
    t.timeout(900_000);
    const changed = changedRelease(testFolder(t), [importsPatched, looksTwice]);
    t.not(changed.buildId, thisRelease.buildId);
    const fleet = await openFleet(t);
    await fleet.command(thisRelease, 'cli/migrate.ts');
    await tenantOf(t, fleet, thisRelease);
    const worker = await fleet.worker(thisRelease);
    const api = await fleet.api(thisRelease);
    let placed = await placeOrders([api], 'open', ORDERS);
    await advance(api, '2027-02-02');
    const next = await fleet.worker(changed);
    await advance(api, '2027-03-02');
    t.regex(
      await fleet.command(changed, 'cli/workflows.ts', 'builds'),
      new RegExp(`^\\* ${thisRelease.buildId}: 1 workers`),
      'the new build waits',
    );
    // In the middle of a day's work.
    const middle = Promise.all([advance(api, '2027-04-02'), placeOrders([api], 'beside', LOAD)]);
    const promoted = await fleet.command(changed, 'cli/workflows.ts', 'promote');
    t.regex(promoted, new RegExp(`^\\* ${changed.buildId}: 1 workers.*this release`, 'm'));
    placed += (await middle)[1];
    await advance(api, '2027-05-02');
    // Back in the middle of the next one, to a build that does not know the change: orders that began a
    // run under it go on by a new build only, so the operator goes forward again.
    await worker.stop();
    await advance(api, '2027-06-02');
    await settled(t, fleet);
    mailsOnce(t, fleet, 4 * placed);
    await noTaskFailed(t, fleet);
    await next.stop();
  },
);

/** `npm run workflows`: what it lists, restarts and ends, what it notes, and what it refuses. */

import test from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { openEngine } from '../../../operations/outbox/engine.ts';
import { startAgain } from '../../../operations/outbox/deliver.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { command, type Ended } from '../../support/commands.ts';
import { holdRelay, testDatabase } from '../../support/database.ts';
import { testTemporal } from '../../support/temporal.ts';
import { isRunning, openTenant, order, until } from '../harness.ts';

const { ownerUrl } = await testDatabase();
await holdRelay(ownerUrl);
const { address, namespace } = await testTemporal();
const pool = { url: ownerUrl, poolMax: 2, statementTimeoutMs: 30_000, name: 'test' };
const db = await openDatabase({ ...pool, role: 'sundial_app' });
// In the queue of all workers: the command starts in it. There is no worker.
const engine = openEngine({ address, namespace, identity: 'test' });
test.after.always(async () => {
  await engine.close();
  await db.close();
});

const place = { dependencies: { db, realNow: () => Date.now() }, engine };

function workflows(...args: readonly string[]): Promise<Ended> {
  const servers = {
    DATABASE_URL: ownerUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  };
  const env = { ...servers, OPERATOR: 'Anna of operations' };
  return command({ entry: 'cli/workflows.ts', args, env });
}

async function opened() {
  const books = await openTenant(place, {});
  const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await books.work(({ tx }) => tx.query('delete from outbox'));
  const commands = () =>
    books.read((tx) =>
      tx.query(`select username, path, changes from audit_log where action = 'command'
        and path like 'workflows %' order by id`),
    );
  return { books, id, workflow: books.workflow(order(id)), commands };
}

test('it lists what is missing and what is not needed, and reconciles both', async (t) => {
  const { books, id, workflow, commands } = await opened();
  const { label, tenantId } = books;
  const tenant = await tenantInfo(place.dependencies, tenantId);
  await startAgain(place.dependencies, engine, tenant, [
    { kind: 'dunning', objectId: 77, note: null },
  ]);
  const unneeded = books.workflow({ kind: 'dunning', objectId: 77 });
  await until('the engine lists it', async () => {
    const { count } = await engine.client.count(`WorkflowId = '${unneeded.workflowId}'`);
    return count === 1;
  });
  const listed = await workflows('list', '--tenant', label);
  t.is(listed.code, 0, listed.stderr);
  t.is(
    listed.stdout,
    `${label}:\n  missing: billing/${label}: unknown to Temporal\n` +
      `  missing: order/${label}/${id} (Active): unknown to Temporal\n` +
      `  unneeded: dunning/${label}/77\n` +
      '2 workflows are needed, 2 do not run, 1 run that no row needs (no worker has compared them yet)\n',
  );
  t.deepEqual(await commands(), [], 'a list changes nothing');
  const done = await workflows('reconcile', '--tenant', label, '--json');
  t.is(done.code, 0, done.stderr);
  t.deepEqual(JSON.parse(done.stdout).tenants, [
    {
      tenant: label,
      needed: 2,
      missing: [
        { workflow: `billing/${label}`, status: null, ended: null, isRestarted: true },
        { workflow: `order/${label}/${id}`, status: 'Active', ended: null, isRestarted: true },
      ],
      unneeded: [{ workflow: `dunning/${label}/77`, isEnded: true }],
    },
  ]);
  t.true(await isRunning(workflow));
  t.false(await isRunning(unneeded));
  t.deepEqual(await commands(), [
    {
      username: 'Anna of operations',
      path: 'workflows reconcile',
      changes: [
        { field: 'restarted', after: '2' },
        { field: 'ended', after: '1' },
      ],
    },
  ]);
  const again = await workflows('list', '--tenant', label);
  t.regex(again.stdout, /^2 workflows are needed, 0 do not run, 0 run that no row needs/);
  await workflow.terminate();
  await books.workflow({ kind: 'billing', objectId: null }).terminate();
});

test('it restarts one workflow, which says who did it and why', async (t) => {
  const { books, workflow, commands } = await opened();
  await books.start(order(Number(workflow.workflowId.split('/').at(-1))));
  const before = await workflow.describe();
  const done = await workflows('restart', workflow.workflowId, '--reason', 'it hangs');
  t.is(done.code, 0, done.stderr);
  t.is(done.stdout, `${workflow.workflowId} is started again\n`);
  const { runId, memo, status } = await workflow.describe();
  t.not(runId, before.runId);
  t.is(status.name, 'RUNNING');
  t.regex(
    String(memo?.['restarted']),
    /^restarted by Anna of operations: it hangs at .* UTC: it was terminated, but rows need it$/,
  );
  const { events } = await engine.client
    .getHandle(workflow.workflowId, before.runId)
    .fetchHistory();
  t.is(
    events?.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason,
    'restarted by Anna of operations: it hangs',
  );
  t.deepEqual(await commands(), [
    {
      username: 'Anna of operations',
      path: `workflows restart ${workflow.workflowId}`,
      changes: null,
    },
  ]);
  await workflow.terminate();
});

test('it refuses what it does not know, says why, and does nothing', async (t) => {
  const { books, commands } = await opened();
  for (const [args, why] of [
    [['mend'], /^Unknown command mend\./],
    [['list', '--tenant', 'nobody'], /^There is no tenant nobody\.\n$/],
    [['restart', 'order/17'], /^order\/17 is no id of a workflow: order\/demo\/17\.\n$/],
    [['restart', `order/${books.label}/999`], /^No row needs order\/.*\/999, or another/],
    [
      ['restart', `billing/${books.label}`, '--reason', '4111 1111 1111 1111'],
      /^--reason must not contain a card number\.\n$/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await workflows(...args);
    t.is(code, 1, stderr);
    t.is(stdout, '');
    t.regex(stderr, why);
  }
  t.deepEqual(await commands(), []);
});

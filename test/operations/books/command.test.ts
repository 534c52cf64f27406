/** `npm run audit` as a command: how it finds the system, what it prints, its exit codes. */

import test, { type ExecutionContext } from 'ava';
import { audit } from '../../support/audit.ts';
import { alone, command, type Ended } from '../../support/commands.ts';
import { writeEndpoints } from '../../../providers/embedded/endpoints.ts';
import { processStartedAt } from '../../../providers/embedded/process.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { testFolder } from '../../support/folder.ts';
import { testTemporal } from '../../support/temporal.ts';

const db = await sharedDatabase();
const temporal = await testTemporal();
const plans = [recurring('P', 10, prepaid)];

type Variables = Readonly<Record<string, string>>;

function audits(
  t: ExecutionContext,
  args: readonly string[],
  variables: Variables = {},
  run: typeof command = command,
): Promise<Ended> {
  const found = { DATABASE_URL: db.ownerUrl, TEMPORAL_ADDRESS: temporal.address };
  const env = { DATA_DIR: testFolder(t), ...found, ...variables };
  return run({ entry: 'cli/audit.ts', args, env });
}

/** A tenant with a new, billed order whose workflow is about to be started. */
async function freshBooks() {
  // The command reads the real time, so the books are of today.
  const today = new Date().toISOString().slice(0, 10);
  const books = await openBooks(db, { today, timezone: 'UTC', plans });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  return books;
}

test('the audit of clean books exits with 0, as a table and as JSON', async (t) => {
  const { label } = await freshBooks();
  const human = await audits(t, ['--tenant', label], {}, alone);
  t.is(human.code, 0, human.stderr);
  t.regex(human.stdout, /^tenant +today +customers +orders +invoices +held +faults\n/);
  t.regex(human.stdout, new RegExp(`^${label} +\\d{4}-\\d{2}-\\d{2} +1 +1 +1 +0 +0$`, 'm'));
  t.regex(human.stdout, /\nNo inconsistencies found\.\n$/);
  const machine = await audits(t, ['--json', '--tenant', label]);
  t.is(machine.code, 0);
  t.like(JSON.parse(machine.stdout), { clean: true, workflows: 'checked' });
});

test('the audit exits with 1 and names the fault', async (t) => {
  const books = await freshBooks();
  await books.work(({ tx }) => tx.query('update customer_balance set balance = 11'));
  const human = await audits(t, ['--tenant', books.label], {}, alone);
  t.is(human.code, 1);
  t.regex(human.stdout, /balance\.ledger: customer \d+ in USD: balance 11, ledger 10\n/);
  t.regex(human.stdout, /\nInconsistencies found\.\n$/);
  const machine = await audits(t, ['--json', '--tenant', books.label]);
  t.is(machine.code, 1);
  t.is(JSON.parse(machine.stdout).tenants[0].faults[0].check, 'balance.ledger');
});

test('the audit recomputes the newest invoices, says what it left out, and counts what differs', async (t) => {
  const books = await freshBooks();
  await books.work(({ tx }) =>
    tx.query(`update subscription_order set due_date_value = 10, due_date_units = 'Days'`),
  );
  const { code, stdout } = await audits(t, ['--tenant', books.label]);
  t.is(code, 1);
  t.regex(stdout, /^ {2}recomputed: 1 charges of the newest 1 invoices$/m);
  t.regex(stdout, /^ {2}recompute\.dueDate: invoice 1001: dueDate is .*, should be .*$/m);
  const none = await audits(t, ['--tenant', books.label, '--recompute', '0']);
  t.is(none.code, 0);
  t.notRegex(none.stdout, /recomputed/);
  await books.manualInvoice(await books.customer(), {
    invoiceLineItems: [{ invoiceLineItemCharges: [{ priceCode: 'WORK', amount: '7.50' }] }],
  });
  const left = await audits(t, ['--tenant', books.label, '--recompute', '1', '--json']);
  t.is(left.code, 0);
  t.deepEqual(JSON.parse(left.stdout).tenants[0].recomputed, {
    invoices: 1,
    charges: 0,
    notRecomputed: {
      'a charge made by hand or imported, with an amount alone': 1,
      'a previousBalance of an invoice before the sample': 1,
    },
  });
});

test('without Temporal the audit says so and exits with 1, unless the workflows are left out', async (t) => {
  const { label } = await freshBooks();
  const nowhere = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const failed = await audits(t, ['--tenant', label], nowhere);
  t.is(failed.code, 1);
  t.regex(failed.stdout, /Temporal does not answer/);
  const without = await audits(t, ['--tenant', label, '--without-workflows'], nowhere);
  t.is(without.code, 0);
  t.regex(without.stdout, /were not checked/);
});

test('the audit finds the running system of DATA_DIR', async (t) => {
  const { label } = await freshBooks();
  const folder = testFolder(t);
  writeEndpoints(folder, {
    status: 'ready',
    databaseUrl: db.ownerUrl,
    temporalAddress: temporal.address,
    temporalNamespace: temporal.namespace,
    // The file counts only while the start that wrote it runs: here, this process.
    processes: { start: { pid: process.pid, startedAt: processStartedAt(process.pid) ?? '' } },
  });
  const unset = { DATABASE_URL: '', TEMPORAL_ADDRESS: '' };
  const found = await audits(t, ['--tenant', label], { DATA_DIR: folder, ...unset });
  t.is(found.code, 0, found.stderr);
  const none = await audits(t, [], unset);
  t.is(none.code, 1);
  t.regex(none.stderr, /^No running system found: run npm start, or set DATABASE_URL\.\n$/);
});

test('--help exits with 0; a wrong option and an unknown tenant exit with 1 and a message', async (t) => {
  const help = await audits(t, ['--help']);
  t.is(help.code, 0);
  t.regex(help.stdout, /^npm run audit/);
  for (const args of [['--wrong'], ['--tenant', 'nobody'], ['--recompute', 'nobody']]) {
    const ended = await audits(t, args);
    t.is(ended.code, 1);
    t.regex(ended.stderr, /wrong|nobody|--recompute takes a number/);
    t.notRegex(ended.stderr, /\n +at /);
  }
});

test('an order without a workflow is a fault if no outbox row would start one', async (t) => {
  const books = await freshBooks();
  const look = () =>
    audit(books.dependencies, { relayDb: db.relay, engine: temporal, only: books.label });
  t.true((await look()).clean);
  await books.work(({ tx }) => tx.query(`delete from outbox where kind = 'order'`));
  const report = await look();
  t.deepEqual(report.tenants[0]?.faults, [
    {
      check: 'order.workflow',
      object: 'order 1001',
      detail: 'is Active, but it has no running workflow, and no outbox row would start one',
    },
  ]);
  t.false(report.clean);
});

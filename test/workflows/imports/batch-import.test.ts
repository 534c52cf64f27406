/** The workflow of batch jobs, from finalize to the result, and what people see and do meanwhile. */
import { text } from 'node:stream/consumers';
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { createCarryOver } from '../../../operations/imports/carry-over-create.ts';
import { createReport } from '../../../operations/ledger/report-job.ts';
import { verifyPassword } from '../../../operations/access/passwords.ts';
import { cancelImport, resumeImport } from '../../../workflows/contract/imports.ts';
import { testStorage } from '../../support/storage.ts';
import { csv } from '../../operations/support/imports.ts';
import { attributesOf, detailsOf, openTenant, until } from '../harness.ts';
import { refusedUpdate } from '../refused-update.ts';
import { startHarness } from '../setup.ts';
import { batch, importsIn } from './imported.ts';

/** What is done before a file of a job is read. */
const reading = new Map<number, () => unknown>();
const storage = testStorage();
const harness = await startHarness({}, undefined, undefined, {
  ...storage,
  async get(name, options) {
    if (name.kind === 'upload') await reading.get(name.batchId)?.();
    return storage.get(name, options);
  },
});
const names = ['emailPrimary', 'extCustomerRef', 'firstName', 'lastName', 'username', 'passwd'];
const mail = 'ada@example.com';
const invoiceColumns = ['invoiceNumber', 'extCustomerRef', 'invoiceDate', 'dueDate'];
const lineColumns = ['invoiceNumber', 'position', 'amount'];

async function opened() {
  const books = await openTenant(harness, { timezone: 'UTC' });
  return { books, imports: importsIn(harness, books) };
}

test('a file of customers is imported, its passwords are hashed, and its history holds no secret', async (t) => {
  const { books, imports } = await opened();
  const id = await imports.uploaded(
    'customers',
    csv(names, [
      [mail, 'A-1', 'Ada', 'Byron', 'ada', 'Secret-one-1'],
      [mail, 'A-2', '', 'Hopper', '', ''],
    ]),
  );
  await imports.finalize(id);
  const workflow = books.workflow(batch(id));
  t.deepEqual(await workflow.result(), {
    status: 'PartialSuccess',
    successes: 1,
    failures: 1,
    codes: { 'field.required': 1 },
  });
  t.is(await imports.status(id), 'PartialSuccess 1 1');
  t.deepEqual(await imports.result(id), [
    '2 Success',
    '3 Failure line 3: firstName: field.required: firstName is required',
  ]);
  t.is(
    await detailsOf(workflow),
    `**Batch job ${id}, ${books.label}: Done**\n\n- customers\n- 2 of 2 rows done\n` +
      '- 1 row failed: field.required\n- 1 password left to be hashed\n' +
      '- PartialSuccess: 1 succeeded, 1 failed',
  );
  t.regex(await attributesOf(workflow), /Phase=Done/);
  await books.deliver({ kind: 'passwords', objectId: null });
  const passwords = books.workflow({ kind: 'passwords', objectId: null });
  t.like(await passwords.result(), { hashed: 1 });
  const [contact] = await books.read((tx) =>
    tx.query<{ hash: string }>(`select password_hash as hash from contact where login = 'ada'`),
  );
  t.true(await verifyPassword('Secret-one-1', contact?.hash ?? ''));
  const lines = harness.lines.filter(
    ({ work, tenant }) => work === 'import' && tenant === books.label,
  );
  t.like(lines[0], { batchId: id, of: 'customers', failed: 1, rowsDone: 2 });
  const histories = [await workflow.fetchHistory(), await passwords.fetchHistory()];
  t.notRegex(JSON.stringify(histories), /Secret|Ada|Byron|A-1/);
  const upload = { tenantId: books.tenantId, batchId: id, kind: 'upload' } as const;
  t.is(await storage.head(upload), null);
});

test('a report is written to a file, and its workflow shows how many rows are done', async (t) => {
  const { books } = await opened();
  await books.order({ customerId: await books.customer('A-1'), contractCode: 'GOLD' });
  const asked = { name: 'mrr', from: null, to: null } as const;
  const id = await books.work((context) =>
    createReport(context, asked, ({ why }) => new Error(why)),
  );
  const report = { kind: 'report', objectId: id } as const;
  await books.deliver(report);
  const workflow = books.workflow(report);
  t.is(workflow.workflowId, `report/${books.label}/${id}`);
  t.deepEqual(await workflow.result(), { name: 'mrr', rowsDone: 1 });
  const days = String.raw`\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d`;
  const title = String.raw`\*\*Report ${id}, mrr ${days}, ${books.label}: Done\*\*`;
  const facts = `- 1 row done\n- its file: GET /rest/batchProcess\\?id=${id}`;
  t.regex(await detailsOf(workflow), new RegExp(`^${title}\n\n${facts}$`));
  t.regex(await attributesOf(workflow), /Phase=Done/);
  const { content } = await storage.get({ tenantId: books.tenantId, batchId: id, kind: 'result' });
  t.regex(await text(content), /\r\nGOLD,USD,1,0.00,29.95,0.00,0.00,0.00,0.00,29.95\r\n$/);
});

test('invoices wait for their line items, whose workflows are below theirs', async (t) => {
  const { books, imports } = await opened();
  await books.customer('A');
  const id = await imports.uploaded(
    'invoices',
    csv(invoiceColumns, [['X-1', 'A', '2020-01-01', '2020-02-01']]),
  );
  const lines = [
    await imports.uploaded('lines', csv(lineColumns, [['X-1', 1, '10.00']]), id),
    await imports.uploaded(
      'lines',
      csv(lineColumns, [
        ['X-1', 2, '5.00'],
        ['X-9', 1, '5.00'],
      ]),
      id,
    ),
  ];
  await imports.finalize(id);
  const workflow = books.workflow(batch(id));
  t.like(await workflow.result(), { status: 'PartialSuccess', successes: 3, failures: 1 });
  t.deepEqual(await Promise.all([id, ...lines].map((each) => imports.status(each))), [
    'PartialSuccess 1 0',
    'Success 1 0',
    'PartialSuccess 1 1',
  ]);
  const child = books.workflow(batch(lines[1] ?? 0));
  t.like(await child.result(), { status: 'PartialSuccess', successes: 1, failures: 1 });
  t.regex(await detailsOf(child), /- invoice line items\n- 2 of 2 rows done\n/);
  const events = await books.read((tx) => tx.query('select type, object_id as id from event'));
  t.deepEqual(events, [{ type: 'batch.finished', id }]);
});

test('a file that is not what was finalized fails, and one that cannot be read waits for a person', async (t) => {
  const { books, imports } = await opened();
  const id = await imports.uploaded(
    'customers',
    csv(names, [[mail, 'A-1', 'Ada', 'Byron', '', '']]),
  );
  await books.work(async ({ tx }) => {
    tx.send(
      `update batch set status = 'Queued', finalized_at = now(), upload_etag = 'other' where id = $1`,
      [id],
    );
  });
  await books.start(batch(id));
  t.like(await books.workflow(batch(id)).result(), { status: 'Failure', successes: 0 });
  t.is(await imports.status(id), 'Failure 0 0 The file is no longer the one that was finalized.');
  t.deepEqual(await imports.result(id), [
    '1 Failure The file is no longer the one that was finalized.',
  ]);
});

test('a job that waits after a fault goes on when a person resumes it', async (t) => {
  const { books, imports } = await opened();
  const id = await imports.uploaded(
    'customers',
    csv(names, [[mail, 'A-1', 'Ada', 'Byron', '', '']]),
  );
  reading.set(id, () => {
    throw new DomainError('update.refused', 'the disk is not there');
  });
  await imports.finalize(id);
  const workflow = books.workflow(batch(id));
  await until('it waits', async () =>
    (await detailsOf(workflow)).includes('Waiting after a fault'),
  );
  t.regex(
    await detailsOf(workflow),
    /- waits after a fault: the disk is not there; the Update resume goes on/,
  );
  const resume = (reason: string) =>
    workflow.executeUpdate(resumeImport, { args: [{ reason, by: 'Anna' }] });
  await refusedUpdate(t, resume(' '), 'reason is required, in at most 255 characters');
  reading.delete(id);
  await resume('the disk is back');
  t.like(await workflow.result(), { status: 'Success', successes: 1 });
});

test('a person cancels an import: the rows under way are done, and the others left out', async (t) => {
  const { books, imports } = await opened();
  const rows = Array.from({ length: 1_500 }, (_, n) => [mail, `A-${n}`, 'Ada', 'Byron', '', '']);
  const id = await imports.uploaded('customers', csv(names, rows));
  const begun = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let reads = 0;
  // The first reading checks the file, the second one imports it.
  reading.set(id, async () => {
    reads += 1;
    if (reads !== 2) return;
    begun.resolve();
    await open.promise;
  });
  await imports.finalize(id);
  const workflow = books.workflow(batch(id));
  await begun.promise;
  await refusedUpdate(
    t,
    workflow.executeUpdate(resumeImport, { args: [{ reason: 'why', by: 'Anna' }] }),
    'the job does not wait after a fault',
  );
  await workflow.executeUpdate(cancelImport, { args: [{ reason: 'the wrong file', by: 'Anna' }] });
  open.resolve();
  t.like(await workflow.result(), { status: 'Failure', successes: 0, failures: 0 });
  t.is(await imports.status(id), 'Failure 0 0 Cancelled: the wrong file');
  t.is((await imports.result(id)).at(-1), '1501 Cancelled');
});

test('jobs of a tenant are processed in the order of their finalizing, one at a time', async (t) => {
  const { books, imports } = await opened();
  const columns = ['updateMode', ...names];
  const files = [
    ['I', mail, 'A-1', 'Ada', 'Byron', '', ''],
    // Each of them fails unless the one before has ended.
    ['U', mail, 'A-1', 'Augusta', '', 'ada', 'Secret-one-1'],
    ['I', mail, 'A-2', 'Eve', 'Other', 'ada', 'Secret-two-2'],
    ['I', mail, 'A-3', 'Cut', 'Off', '', ''],
  ];
  const ids: number[] = [];
  for (const cells of files) ids.push(await imports.uploaded('customers', csv(columns, [cells])));
  const [first = 0, second = 0, third = 0, last = 0] = ids;
  const open = Promise.withResolvers<void>();
  reading.set(first, () => open.promise);
  // Not in the order in which they were made.
  for (const id of [first, last, second, third]) await imports.finalize(id);
  for (const id of [second, third, last]) {
    await until('it waits', async () =>
      (await detailsOf(books.workflow(batch(id)))).includes('Waiting for its turn'),
    );
  }
  t.regex(
    await detailsOf(books.workflow(batch(third))),
    new RegExp(`waits for batch job ${first}`),
  );
  const other = await opened();
  const theirs = await other.imports.uploaded('customers', csv(columns, [files[0] ?? []]));
  await other.imports.finalize(theirs);
  t.like(await other.books.workflow(batch(theirs)).result(), { status: 'Success' });
  const cancelled = books.workflow(batch(last));
  await cancelled.executeUpdate(cancelImport, { args: [{ reason: 'the wrong file', by: 'Anna' }] });
  t.like(await cancelled.result(), { status: 'Failure', successes: 0, failures: 0 });
  t.regex(await imports.status(first), /^Queued/);
  open.resolve();
  t.like(await books.workflow(batch(first)).result(), { status: 'Success' });
  await books.deliver(batch(second));
  t.like(await books.workflow(batch(second)).result(), { status: 'Success' });
  await books.deliver(batch(third));
  t.like(await books.workflow(batch(third)).result(), { status: 'Failure' });
  t.deepEqual(await imports.result(third), [
    '2 Failure line 2: username: contact.usernameTaken: another customer has the username ada',
  ]);
});

test('to cancel invoices cancels a file of line items that waits after a fault', async (t) => {
  const { books, imports } = await opened();
  await books.customer('A');
  const id = await imports.uploaded(
    'invoices',
    csv(invoiceColumns, [['X-1', 'A', '2020-01-01', '2020-02-01']]),
  );
  const childId = await imports.uploaded('lines', csv(lineColumns, [['X-1', 1, '10.00']]), id);
  reading.set(childId, () => {
    throw new DomainError('update.refused', 'the disk is not there');
  });
  await imports.finalize(id);
  const child = books.workflow(batch(childId));
  await until('it waits', async () => {
    const details = await detailsOf(child).catch(() => '');
    return details.includes('Waiting after a fault');
  });
  // Nobody resumes it: it goes on by itself, and its file can be read again.
  reading.delete(childId);
  const workflow = books.workflow(batch(id));
  await workflow.executeUpdate(cancelImport, { args: [{ reason: 'the wrong file', by: 'Anna' }] });
  t.like(await workflow.result(), { status: 'Failure', successes: 0, failures: 0 });
  t.is(await imports.status(childId), 'Failure 0 0 Cancelled: the wrong file');
  t.deepEqual(await imports.result(childId), ['2 Cancelled']);
});

test('a BatchInit is carried by the same workflow', async (t) => {
  const { books, imports } = await opened();
  await books.customer('A');
  const id = await books.work((context) =>
    createCarryOver(context, {
      jobId: 'init-1',
      carryForwardInvoices: true,
      carryForwardCreditMemos: true,
      carryForwardDebitMemos: true,
      zeroOutCustomerBalance: false,
    }),
  );
  await books.deliver(batch(id));
  t.like(await books.workflow(batch(id)).result(), {
    status: 'Success',
    successes: 1,
    failures: 0,
  });
  await until('it is over', async () => (await imports.status(id)).startsWith('Success'));
  t.regex(
    await detailsOf(books.workflow(batch(id))),
    /- books carried over\n- 1 of 1 customer done\n/,
  );
});

test('an import whose workflow was ended goes on in a new one, whatever its files have done', async (t) => {
  const { books, imports } = await opened();
  await books.customer('A');
  const id = await imports.uploaded(
    'invoices',
    csv(invoiceColumns, [['X-1', 'A', '2020-01-01', '2020-02-01']]),
  );
  const lines: number[] = [];
  for (const position of [1, 2]) {
    const text = csv(lineColumns, [['X-1', position, '10.00']]);
    lines.push(await imports.uploaded('lines', text, id));
  }
  const [, last = 0] = lines;
  // The second file of lines cannot be finished before a person has seen to it.
  let readings = 0;
  reading.set(last, () => {
    readings += 1;
    if (readings === 3) throw new DomainError('update.refused', 'the disk is not there');
  });
  await imports.finalize(id);
  const child = books.workflow(batch(last));
  // It is there once the file of invoices was read.
  const detailed = () => detailsOf(child).catch(() => '');
  await until('it waits', async () => (await detailed()).includes('Waiting after a fault'));
  await until('the first file has ended', async () =>
    (await imports.status(lines[0] ?? 0)).startsWith('Success'),
  );
  const workflow = books.workflow(batch(id));
  await child.terminate('by hand');
  await until('its job says so', async () =>
    (await detailsOf(workflow)).includes(`the workflow of batch ${last} was ended`),
  );
  const { events } = await workflow.fetchHistory();
  const timers = events?.flatMap((each) => each.timerStartedEventAttributes ?? []) ?? [];
  const waits = timers.map(({ startToFireTimeout }) => Number(startToFireTimeout?.seconds));
  t.deepEqual(waits, [60], 'and starts it again after a minute');
  await workflow.terminate('by hand');
  reading.delete(last);
  await books.start(batch(id));
  t.like(await books.workflow(batch(id)).result(), { status: 'Success', successes: 3 });
  t.is(await imports.status(id), 'Success 1 0');
});

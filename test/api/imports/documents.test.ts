/** The documents of batch jobs in each of their states: their elements, their order, what is empty. */
import test from 'ava';
import { until } from '../../support/until.ts';
import { partOf, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';
import { batch, change, draft, end, finalize, linesOf, queued, stable, upload } from './calls.ts';

const api = await startTenantApi();
const quick = await startTenantApi({ waitSeconds: 0 });
const address = '<uploadUrl>http://LABEL.localhost/rest/file?token=T</uploadUrl>';
const result = '<downloadUrl>http://LABEL.localhost/rest/file?token=T</downloadUrl>';

test('a Draft shows the address of its upload, and nothing of what is to come', async (t) => {
  const own = await api.another();
  const more = '<jobId>cus-1</jobId><inputFilename>c.csv</inputFilename>';
  const job = await draft(own, 'Customer', more);
  const expected =
    '<batchProcess><id>#1</id><jobId>cus-1</jobId><status>Draft</status>' +
    '<operation>eBill-Import</operation><subOperation>Customer</subOperation>' +
    '<inputType>API</inputType><inputFilename>c.csv</inputFilename><parentBatchProcess/>' +
    '<parentBatchProcessJobId/><successCount>0</successCount><failCount>0</failCount>' +
    `<successMessage/><errorMessage/>${address}<downloadUrl/><progress/><child/></batchProcess>`;
  t.is(stable(job.body, job), expected);
  const get = await own.get(`/batchProcess?id=${job.id}`);
  t.is(get.status, 200);
  t.is(stable(get.body, job), expected);
  t.is((await own.get('/batchProcess?jobId=cus-1')).status, 200);
  t.is((await own.get(`/batchProcess?jobId=cus-1&id=${job.id}`)).status, 200);
});

test('jobId is the id by default', async (t) => {
  const job = await draft(await api.another(), 'Invoice');
  t.is(job.jobId, job.id);
});

test('the interface is at both prefixes', async (t) => {
  const own = await api.another();
  const { id } = await draft(own, 'Invoice');
  t.is((await own.call('GET', `_v1/batchProcess?id=${id}`)).status, 200);
});

test('a job that is Queued shows its progress, and takes no file', async (t) => {
  const own = await api.another();
  const job = await queued(own);
  const read = async () => stable((await own.get(`/batchProcess?id=${job.id}`)).body, job);
  const [before = '', after] = (await read()).split('<progress>');
  t.true(before.endsWith('<successMessage/><errorMessage/><uploadUrl/><downloadUrl/>'));
  t.is(
    after,
    '<rowsDone>0</rowsDone><rowsPerSecond>0</rowsPerSecond><secondsRemaining/></progress>' +
      '<child/></batchProcess>',
  );
  await change(own, job.id, 'success_count = 400, fail_count = 1');
  t.regex(await read(), /<rowsDone>401<.*<rowsPerSecond>0<.*<secondsRemaining\/>/);
  await change(own, job.id, "row_count = 802, started_at = now() - interval '20 seconds'");
  const running = await read();
  t.regex(running, /<rowsDone>401</);
  t.true(Number(valueOf(running, 'rowsPerSecond')) > 0);
  t.true(Number(valueOf(running, 'secondsRemaining')) >= 20);
  t.is(valueOf(running, 'status'), 'Queued');
});

const endings = [
  ['Success', 'success_count = 3, fail_count = 0', 'Success, 3 records', '0 failed', ''],
  ['PartialSuccess', 'success_count = 2, fail_count = 1', 'Success, 2 records', '1 failed', ''],
  [
    'Failure',
    "success_count = 0, fail_count = 0, error_message = 'The file has no rows.'",
    'Success, 0 records',
    '0 failed',
    'The file has no rows.',
  ],
] as const;

for (const [status, columns, first, last, error] of endings) {
  test(`a job that ended as ${status} shows its counts, its messages and its result`, async (t) => {
    const own = await api.another();
    const job = await queued(own);
    await end(own, job.id, status, columns);
    const body = stable((await own.get(`/batchProcess?id=${job.id}`)).body, job);
    t.is(valueOf(body, 'status'), status);
    const counts = /success_count = (\d), fail_count = (\d)/.exec(columns) ?? [];
    t.is(valueOf(body, 'successCount'), counts[1]);
    t.is(valueOf(body, 'failCount'), counts[2]);
    t.is(valueOf(body, 'successMessage'), `${first} successfully processed, ${last}`);
    t.is(valueOf(body, 'errorMessage') ?? '', error);
    t.true(body.includes(`<uploadUrl/>${result}<progress/>`));
    await change(own, job.id, 'result_deleted_at = now()');
    const later = (await own.get(`/batchProcess?id=${job.id}`)).body;
    t.true(later.includes('<downloadUrl/>'));
  });
}

test('a job of invoices lists the jobs of its line items', async (t) => {
  const own = await api.another();
  const invoices = await draft(own, 'Invoice', '<jobId>inv-1</jobId>');
  t.true(invoices.body.includes('<child/>'));
  const first = await draft(own, ...linesOf(invoices, '<jobId>lin-1</jobId>'));
  const byJob = '<parentBatchProcessJobId>inv-1</parentBatchProcessJobId><jobId>lin-2</jobId>';
  const second = await draft(own, 'Invoice Line Item', byJob);
  const { body } = await own.get('/batchProcess?jobId=inv-1');
  const shown = (id: string, job: string): string =>
    `<batchProcess><id>${id}</id><jobId>${job}</jobId><status>Draft</status>` +
    '<operation>eBill-Import</operation><subOperation>Invoice Line Item</subOperation>' +
    '<inputType>API</inputType><inputFilename/><parentBatchProcess>#1</parentBatchProcess>' +
    '<parentBatchProcessJobId>inv-1</parentBatchProcessJobId><successCount>0</successCount>' +
    `<failCount>0</failCount><successMessage/><errorMessage/>${address}<downloadUrl/>` +
    '<progress/><child/></batchProcess>';
  const text = stable(body, invoices, first, second);
  const [, child] = /<child>(.*)<\/child>/.exec(text) ?? [];
  t.is(child, shown('#2', 'lin-1') + shown('#3', 'lin-2'));
  t.is(stable(first.body, invoices, first), shown('#2', 'lin-1'));
  for (const job of [invoices, first, second]) await upload(own, job.uploadUrl);
  const done = await finalize(own, '<jobId>inv-1</jobId>');
  t.deepEqual(valuesOf(done.body, 'status'), ['Queued', 'Queued', 'Queued']);
  t.deepEqual(valuesOf(done.body, 'rowsDone'), ['0', '0', '0']);
  for (const { id } of [invoices, first, second]) await end(own, id);
  const ended = await own.get('/batchProcess?jobId=inv-1');
  t.is(valuesOf(ended.body, 'downloadUrl').length, 3);
  t.is(new Set(valuesOf(ended.body, 'downloadUrl')).size, 3);
});

const init = (own: TenantApi, inner: string) =>
  own.post('/batchProcess?mode=BatchInit', batch(inner));

test('BatchInit that is not finished in time answers Queued, with the kinds that were asked for', async (t) => {
  const own = await quick.another();
  const flags = '<carryForwardInvoices>true</carryForwardInvoices>';
  const answer = await init(own, `<jobId>init-1</jobId>${flags}`);
  t.is(answer.status, 201, answer.body);
  const ids = valuesOf(answer.body, 'id').map((id) => ({ id }));
  t.is(
    stable(answer.body, ...ids),
    '<batchProcess><id>#1</id><jobId>init-1</jobId><status>Queued</status>' +
      '<operation>BatchInit</operation><subOperation/><inputType/><inputFilename/>' +
      '<parentBatchProcess/><parentBatchProcessJobId/><successCount>0</successCount>' +
      '<failCount>0</failCount><successMessage/><errorMessage/><uploadUrl/><downloadUrl/>' +
      '<progress><rowsDone>0</rowsDone><rowsPerSecond>0</rowsPerSecond><secondsRemaining/>' +
      '</progress><child><carryForwardInvoice><id>#2</id><jobId>init-1-invoice</jobId>' +
      '<status>Queued</status><operation>CarryForward</operation>' +
      '<subOperation>Invoice</subOperation><successCount>0</successCount><successMessage/>' +
      '<errorMessage/><failCount>0</failCount></carryForwardInvoice>' +
      '<carryForwardCreditMemo/><carryForwardDebitMemo/></child></batchProcess>',
  );
});

test('BatchInit waits until it is finished, and shows that', async (t) => {
  const own = await api.another();
  const flags =
    '<carryForwardCreditMemos>true</carryForwardCreditMemos>' +
    '<carryForwardDebitMemos>true</carryForwardDebitMemos>';
  const answering = init(own, `<jobId>init-2</jobId>${flags}`);
  let rows: readonly { readonly id: string }[] = [];
  await until('the job is stored', async () => {
    rows = await own.asOwner<{ id: string }>(
      // The job itself last: the call waits for that.
      `select id from batch where tenant_id = ${own.tenantId} order by parent_id nulls last`,
    );
    return rows.length === 3;
  });
  for (const { id } of rows) await end(own, id);
  const { status, body } = await answering;
  t.is(status, 201);
  t.deepEqual(valuesOf(body, 'status'), ['Success', 'Success', 'Success']);
  const message = 'Success, 3 records successfully processed, 0 failed';
  t.deepEqual(valuesOf(body, 'successMessage'), [message, message, message]);
  t.true(body.includes('<child><carryForwardInvoice/><carryForwardCreditMemo>'));
  t.is(valueOf(partOf(body, 'carryForwardDebitMemo'), 'subOperation'), 'DebitMemo');
  t.is(valueOf(partOf(body, 'carryForwardCreditMemo'), 'subOperation'), 'CreditMemo');
  t.true(body.includes('<uploadUrl/><downloadUrl/><progress/>'));
  t.is((await own.get('/batchProcess?jobId=init-2')).body, body);
});

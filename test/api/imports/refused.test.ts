/** What the calls of batch jobs are refused for: each code, with the element that it names. */
import test from 'ava';
import { refused, startTenantApi } from '../tenant-api.ts';
import {
  batch,
  change,
  create,
  draft,
  elements,
  finalize,
  linesOf,
  queued,
  upload,
} from './calls.ts';

const api = await startTenantApi({ waitSeconds: 0 });
const own = await api.another();
const invoices = await draft(own, 'Invoice', '<jobId>inv-1</jobId>');
const customers = await draft(own, 'Customer', '<jobId>cus-1</jobId>');
const done = await queued(own, 'Invoice', '<jobId>inv-2</jobId>');

const parent = ({ id }: { readonly id: string }): string =>
  `<parentBatchProcess>${id}</parentBatchProcess>`;
const parentJob = (jobId: string): string =>
  `<parentBatchProcessJobId>${jobId}</parentBatchProcessJobId>`;
const line = (more: string): string => elements('Invoice Line Item', more);
const at = (name: string): string => `batchProcess/${name}`;

const uploads: readonly (readonly [rule: string, inner: string, status: number, error: string])[] =
  [
    [
      'another inputType',
      elements('Customer').replace('API', 'SFTP'),
      400,
      `field.invalid ${at('inputType')}`,
    ],
    [
      'another operation',
      elements('Customer').replace('eBill-Import', 'Import'),
      400,
      `field.invalid ${at('operation')}`,
    ],
    ['another subOperation', elements('CreditMemo'), 400, `field.invalid ${at('subOperation')}`],
    [
      'no inputType',
      elements('Customer').replace(/<inputType>.*<.inputType>/, ''),
      400,
      `field.required ${at('inputType')}`,
    ],
    [
      'no operation',
      elements('Customer').replace(/<operation>.*<.operation>/, ''),
      400,
      `field.required ${at('operation')}`,
    ],
    [
      'no subOperation',
      '<inputType>API</inputType><operation>eBill-Import</operation>',
      400,
      `field.required ${at('subOperation')}`,
    ],
    [
      'a jobId of 101 characters',
      elements('Customer', `<jobId>${'j'.repeat(101)}</jobId>`),
      400,
      `field.tooLong ${at('jobId')}`,
    ],
    [
      'a jobId that is taken',
      elements('Invoice', '<jobId>cus-1</jobId>'),
      400,
      `batch.duplicate ${at('jobId')}`,
    ],
    [
      'a flag of BatchInit',
      elements('Invoice', '<carryForwardInvoices>true</carryForwardInvoices>'),
      400,
      `field.unknown ${at('carryForwardInvoices')}`,
    ],
    [
      'a parent of customers',
      elements('Customer', parent(invoices)),
      400,
      `field.invalid ${at('parentBatchProcess')}`,
    ],
    [
      'a parent of invoices',
      elements('Invoice', parentJob('inv-1')),
      400,
      `field.invalid ${at('parentBatchProcessJobId')}`,
    ],
    ['line items without a parent', line(''), 400, `field.required ${at('parentBatchProcess')}`],
    [
      'line items of customers',
      line(parent(customers)),
      400,
      `field.invalid ${at('parentBatchProcess')}`,
    ],
    [
      'line items of a finalized job',
      line(parentJob('inv-2')),
      400,
      `field.invalid ${at('parentBatchProcessJobId')}`,
    ],
    ['line items of an unknown id', line(parent({ id: '999999999' })), 404, 'batch.unknown'],
    ['line items of a text', line(parent({ id: 'inv-1' })), 404, 'batch.unknown'],
    ['line items of an unknown jobId', line(parentJob('inv-9')), 404, 'batch.unknown'],
    ['line items of two jobs', line(parent(invoices) + parentJob('inv-2')), 404, 'batch.unknown'],
  ];

for (const [rule, inner, status, error] of uploads) {
  test(`an upload job is refused for ${rule}`, async (t) => {
    refused(t, await create(own, inner), status, error);
  });
}

test('a job of 100 characters in its jobId is made', async (t) => {
  t.is((await create(own, elements('Customer', `<jobId>${'j'.repeat(100)}</jobId>`))).status, 201);
});

const flags = ['Invoices', 'CreditMemos', 'DebitMemos'].map((kind) => `carryForward${kind}`);
const element = (name: string, value = 'true'): string => `<${name}>${value}</${name}>`;
const zero = element('zeroOutCustomerBalance');
const init = (inner: string) => own.post('/batchProcess?mode=BatchInit', batch(inner));

for (const missing of flags) {
  test(`balances become zero only with ${missing}`, async (t) => {
    const given = flags.filter((flag) => flag !== missing).map((flag) => element(flag));
    const expected = `field.invalid ${at('zeroOutCustomerBalance')}`;
    refused(t, await init(given.join('') + zero), 400, expected);
    refused(t, await init(given.join('') + element(missing, 'false') + zero), 400, expected);
  });
}

test('BatchInit is refused for a flag in words and for a jobId that is taken', async (t) => {
  refused(
    t,
    await init(element('carryForwardInvoices', 'yes')),
    400,
    `field.invalid ${at('carryForwardInvoices')}`,
  );
  const answer = await init('<jobId>cus-1</jobId>');
  t.is(answer.status, 400);
  t.regex(answer.body, /code="batch.duplicate"/);
  t.is((await init(flags.map((flag) => element(flag)).join('') + zero)).status, 201);
});

test('the mode is one of those of the method', async (t) => {
  const body = batch(elements('Customer'));
  for (const mode of ['Other', 'BatchFinalize', 'storageFileUpload']) {
    refused(t, await own.post(`/batchProcess?mode=${mode}`, body), 400, 'query.invalid mode');
  }
  refused(t, await own.put('/batchProcess?mode=BatchInit', body), 400, 'query.invalid mode');
  refused(t, await own.post('/batchProcess', body), 400, 'query.required mode');
  refused(t, await own.put('/batchProcess', body), 400, 'query.required mode');
});

test('a job that does not exist is not read, and its name is needed', async (t) => {
  const both = `id=${invoices.id}&jobId=cus-1`;
  for (const query of ['id=999999999', 'jobId=none', both]) {
    refused(t, await own.get(`/batchProcess?${query}`), 404, 'batch.unknown');
  }
  refused(t, await own.get('/batchProcess'), 400, 'query.required id');
  refused(t, await own.get('/batchProcess?id=x'), 400, 'query.invalid id');
  refused(t, await own.get(`/batchProcess?id=1&mode=BatchInit`), 400, 'query.unknown mode');
  refused(t, await own.get(`/batchProcess?jobId=${'j'.repeat(101)}`), 400, 'query.tooLong jobId');
});

test('finalize names one job that exists', async (t) => {
  refused(t, await finalize(own, ''), 400, `field.required ${at('id')}`);
  refused(t, await finalize(own, '<id>999999999</id>'), 404, 'batch.unknown');
  refused(t, await finalize(own, '<jobId>none</jobId>'), 404, 'batch.unknown');
  const two = `<id>${invoices.id}</id><jobId>cus-1</jobId>`;
  refused(t, await finalize(own, two), 404, 'batch.unknown');
  refused(t, await finalize(own, '<id>x</id>'), 400, `field.invalid ${at('id')}`);
});

test('finalize needs the files of a job and of its line items, and names the job without one', async (t) => {
  const its = await api.another();
  const root = await draft(its, 'Invoice', '<jobId>inv-3</jobId>');
  const child = await draft(its, ...linesOf(root, '<jobId>lin-3</jobId>'));
  const first = await finalize(its, `<id>${root.id}</id>`);
  refused(t, first, 400, 'batch.noFile');
  t.regex(first.body, /the file of the job inv-3 has not been uploaded/);
  await upload(its, root.uploadUrl);
  const second = await finalize(its, `<id>${root.id}</id>`);
  refused(t, second, 400, 'batch.noFile');
  t.regex(second.body, /value="lin-3"/);
  refused(t, await finalize(its, `<id>${child.id}</id>`), 400, 'batch.child');
  await upload(its, child.uploadUrl);
  t.is((await finalize(its, `<id>${root.id}</id>`)).status, 200);
  refused(t, await finalize(its, `<id>${child.id}</id>`), 400, 'batch.child');
});

test('a job that has changed since it was read is not finalized', async (t) => {
  const its = await api.another();
  const { id, uploadUrl } = await draft(its, 'Customer');
  await upload(its, uploadUrl);
  const etag = (await its.get(`/batchProcess?id=${id}`)).headers.etag ?? 'none';
  t.is(etag, '"1"');
  await change(its, id, 'version = version + 1');
  const body = batch(`<id>${id}</id>`);
  const stale = await its.call('PUT', '/batchProcess?mode=BatchFinalize', {
    body,
    headers: { 'If-Match': etag },
  });
  refused(t, stale, 412, 'object.changed');
});

test('a job of another tenant is unknown, whichever element names it, and counts as an attempt', async (t) => {
  const other = await api.another();
  const attempts = async () =>
    Number(
      (
        await own.asOwner<{ count: string }>(
          `select count(*) from audit_log where tenant_id = ${other.tenantId}
           and action = 'foreignId'`,
        )
      )[0]?.count,
    );
  t.is(await attempts(), 0);
  const calls = [
    () => other.get(`/batchProcess?id=${invoices.id}`),
    () => finalize(other, `<id>${invoices.id}</id>`),
    () => create(other, line(parent(invoices))),
  ];
  for (const [index, call] of calls.entries()) {
    refused(t, await call(), 404, 'batch.unknown');
    t.is(await attempts(), index + 1);
  }
  refused(t, await other.get('/batchProcess?jobId=inv-1'), 404, 'batch.unknown');
  refused(t, await finalize(other, '<jobId>inv-1</jobId>'), 404, 'batch.unknown');
  t.is(await attempts(), 3);
  t.is((await create(other, elements('Invoice', '<jobId>inv-1</jobId>'))).status, 201);
  t.truthy(done);
});

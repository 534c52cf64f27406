/** Finalizing jobs: what it stores, which workflow it wakes, and that it happens once. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { StorageError } from '../../../providers/storage/storage.ts';
import { testStorage } from '../../support/storage.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';
import {
  batch,
  change,
  create,
  draft,
  elements,
  end,
  finalize,
  linesOf,
  queued,
  upload,
} from './calls.ts';

const files = testStorage();
/** Before the storage answers whether there is a file. */
let beforeLook = (): Promise<unknown> => Promise.resolve();
const api = await startTenantApi({
  storage: {
    ...files,
    head: async (name) => {
      await beforeLook();
      return files.head(name);
    },
  },
});

interface Row {
  readonly job_id: string;
  readonly status: string;
  readonly upload_etag: string | null;
  readonly upload_bytes: string | null;
  readonly finalized: string | null;
  readonly is_validate_only: boolean;
}

const rowsOf = (own: TenantApi): Promise<Row[]> =>
  own.asOwner<Row>(
    `select job_id, status, upload_etag, upload_bytes, finalized_at::text as finalized,
       is_validate_only from batch where tenant_id = ${own.tenantId} order by id`,
  );

const outboxOf = async (own: TenantApi): Promise<string[]> =>
  (
    await own.asOwner<{ text: string }>(
      `select concat(workflow_id, ' ', kind, ' ', version) as text from outbox
       where tenant_id = ${own.tenantId} and kind = 'batch'`,
    )
  ).map(({ text }) => text);

test.serial(
  'finalize queues a job and those below it with their files, and wakes one workflow',
  async (t) => {
    const own = await api.another();
    const root = await draft(own, 'Invoice', '<jobId>inv-1</jobId>');
    const child = await draft(own, ...linesOf(root, '<jobId>lin-1</jobId>'));
    await upload(own, root.uploadUrl, 'invoiceNumber\nA1\n');
    await upload(own, child.uploadUrl, 'invoiceNumber,position\nA1,1\n');
    const before = own.nudges.length;
    const answer = await finalize(own, '<jobId>inv-1</jobId>');
    t.is(answer.status, 200, answer.body);
    t.is(valueOf(answer.body, 'status'), 'Queued');
    const rows = await rowsOf(own);
    t.deepEqual(
      rows.map(({ job_id: job, status, upload_bytes: bytes }) => `${job} ${status} ${bytes}`),
      ['inv-1 Queued 17', 'lin-1 Queued 28'],
    );
    const heads = await Promise.all(
      [root, child].map(({ id }) =>
        files.head({ tenantId: own.tenantId, batchId: Number(id), kind: 'upload' }),
      ),
    );
    t.deepEqual(
      rows.map((row) => row.upload_etag),
      heads.map((file) => file?.etag),
    );
    // On the tenant's clock.
    t.true(rows.every(({ finalized }) => finalized?.startsWith('2027-01-01')));
    t.deepEqual(await outboxOf(own), [`batch/${own.label}/${root.id} batch 1`]);
    t.deepEqual(own.nudges.slice(before), [{ kind: 'batch', objectId: Number(root.id) }]);
  },
);

test.serial(
  'a second finalize is 200 and changes nothing, whatever has become of the job',
  async (t) => {
    const own = await api.another();
    const { id, jobId } = await queued(own);
    const [before, outbox] = [await rowsOf(own), await outboxOf(own)];
    for (const inner of [
      `<id>${id}</id>`,
      `<jobId>${jobId}</jobId>`,
      `<id>${id}</id><jobId>${jobId}</jobId>`,
    ]) {
      const again = await finalize(own, inner);
      t.is(again.status, 200);
      t.is(valueOf(again.body, 'status'), 'Queued');
    }
    t.deepEqual(await rowsOf(own), before);
    t.deepEqual(await outboxOf(own), outbox);
    await end(own, id, 'PartialSuccess', 'success_count = 1, fail_count = 1');
    const ended = await finalize(own, `<id>${id}</id>`);
    t.is(ended.status, 200);
    t.is(valueOf(ended.body, 'status'), 'PartialSuccess');
    t.regex(ended.body, /<downloadUrl>http/);
    t.deepEqual(await outboxOf(own), outbox);
  },
);

test.serial('no call about a job waits for the rows of it that are being imported', async (t) => {
  const own = await api.another();
  const { id } = await queued(own, 'Invoice');
  await inTenant(own.db, own.tenantId, async (tx) => {
    // As a chunk holds it until its commit.
    await tx.query('select 1 from batch where id = $1 for no key update', [Number(id)]);
    const again = await finalize(own, `<id>${id}</id>`);
    t.is(again.status, 200, again.body);
    t.is(valueOf(again.body, 'status'), 'Queued');
    const child = await create(own, elements(...linesOf({ id })));
    refused(t, child, 400, 'field.invalid batchProcess/parentBatchProcess');
    // Still there: a transaction that has idled for long is ended, and its locks with it.
    t.is((await tx.query('select 1')).length, 1);
  });
});

test.serial('of two that finalize at once one queues the job', async (t) => {
  const own = await api.another();
  const job = await draft(own, 'Customer');
  await upload(own, job.uploadUrl);
  const answers = await Promise.all([1, 2, 3].map(() => finalize(own, `<id>${job.id}</id>`)));
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.deepEqual(await outboxOf(own), [`batch/${own.label}/${job.id} batch 1`]);
});

test.serial(
  'a job of line items that is made while its parent is finalized counts as one without a file',
  async (t) => {
    const own = await api.another();
    const root = await draft(own, 'Invoice');
    await upload(own, root.uploadUrl);
    beforeLook = async () => {
      beforeLook = () => Promise.resolve();
      await draft(own, ...linesOf(root, '<jobId>late</jobId>'));
    };
    const answer = await finalize(own, `<id>${root.id}</id>`);
    refused(t, answer, 400, 'batch.noFile');
    t.regex(answer.body, /value="late"/);
    t.deepEqual(
      (await rowsOf(own)).map(({ status }) => status),
      ['Draft', 'Draft'],
    );
  },
);

test.serial('a storage that does not answer is 503, and the job stays a Draft', async (t) => {
  const own = await api.another();
  const job = await draft(own, 'Customer');
  await upload(own, job.uploadUrl);
  beforeLook = () => Promise.reject(new StorageError('failed', 'timeout'));
  const answer = await finalize(own, `<id>${job.id}</id>`);
  beforeLook = () => Promise.resolve();
  refused(t, answer, 503, 'service.unavailable');
  t.is(answer.headers['retry-after'], '1');
  t.is((await finalize(own, `<id>${job.id}</id>`)).status, 200);
});

test.serial(
  'a file above 1 GiB in a bucket is finalized with its size: its job fails later',
  async (t) => {
    const size = 2 * 1024 ** 3;
    const bucket = await startTenantApi({
      storage: {
        ...files,
        address: () => Promise.resolve('https://bucket.example.com/7/2101-upload.csv'),
        head: () => Promise.resolve({ size, etag: '"e"' }),
        verify: null,
      },
    });
    const { id, uploadUrl } = await draft(bucket, 'Customer');
    t.is(uploadUrl, 'https://bucket.example.com/7/2101-upload.csv');
    t.is((await finalize(bucket, `<id>${id}</id>`)).status, 200);
    t.like(await rowsOf(bucket), [
      { status: 'Queued', upload_bytes: String(size), upload_etag: '"e"' },
    ]);
  },
);

test.serial('a job of line items only validates if its parent does', async (t) => {
  const own = await api.another();
  const root = await draft(own, 'Invoice', '<validateOnly>true</validateOnly>');
  await draft(own, ...linesOf(root, '<validateOnly>false</validateOnly>'));
  const other = await draft(own, 'Invoice');
  await draft(own, ...linesOf(other, '<validateOnly>true</validateOnly>'));
  t.deepEqual(
    (await rowsOf(own)).map((row) => row.is_validate_only),
    [true, true, false, false],
  );
});

test.serial(
  'a repeated request has the same job with a new address, and no address is kept',
  async (t) => {
    const own = await api.another();
    const send = () =>
      own.call('POST', '/batchProcess?mode=StorageFileUpload', {
        body: batch(elements('Customer')),
        headers: { 'Idempotency-Key': 'k1' },
      });
    const [first, second] = [await send(), await send()];
    t.is(second.status, 201);
    t.is(second.headers['idempotency-replayed'], 'true');
    t.is(valueOf(second.body, 'id'), valueOf(first.body, 'id'));
    t.is((await upload(own, valueOf(second.body, 'uploadUrl') ?? '')).status, 201);
    const kept = await own.asOwner<{ body: string }>(
      `select body from idempotency_key where tenant_id = ${own.tenantId}`,
    );
    t.regex(kept[0]?.body ?? '', /<uploadUrl\/>/);
    const id = valueOf(first.body, 'id') ?? '';
    const done = () =>
      own.call('PUT', '/batchProcess?mode=BatchFinalize', {
        body: batch(`<id>${id}</id>`),
        headers: { 'Idempotency-Key': 'k2' },
      });
    t.is(valueOf((await done()).body, 'status'), 'Queued');
    await end(own, id);
    t.is(valueOf((await done()).body, 'status'), 'Success', 'the current state');
    t.is((await create(own, elements('Customer'))).status, 201);
    await change(own, id, 'version = version + 1');
    t.deepEqual(valuesOf((await done()).body, 'status'), ['Success']);
  },
);

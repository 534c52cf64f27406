/** Withdrawing a Draft: what goes with it, and what cannot be withdrawn. */
import test from 'ava';
import { StorageError } from '../../../providers/storage/storage.ts';
import { testStorage } from '../../support/storage.ts';
import { refused, startTenantApi, type TenantApi } from '../tenant-api.ts';
import { create, draft, elements, end, finalize, linesOf, queued, upload } from './calls.ts';

const files = testStorage();
let isBroken = false;
const api = await startTenantApi({
  storage: {
    ...files,
    delete: (name) => (isBroken ? Promise.reject(new StorageError('failed')) : files.delete(name)),
  },
});

const withdraw = (own: TenantApi, by: string) => own.call('DELETE', `/batchProcess?${by}`);

const sizeOf = async (own: TenantApi, id: string): Promise<number | undefined> =>
  (await files.head({ tenantId: own.tenantId, batchId: Number(id), kind: 'upload' }))?.size;

test.serial(
  'a Draft is gone with its file and its line items, and its jobId is free',
  async (t) => {
    const own = await api.another();
    const root = await draft(own, 'Invoice', '<jobId>inv-1</jobId>');
    const child = await draft(own, ...linesOf(root, '<jobId>lin-1</jobId>'));
    for (const { uploadUrl } of [root, child]) await upload(own, uploadUrl, 'a,b\n');
    const answer = await withdraw(own, 'jobId=inv-1');
    t.is(answer.status, 200, answer.body);
    t.regex(answer.body, /<success>true<\/success><message>The job is withdrawn<\/message>/);
    for (const { id, uploadUrl } of [root, child]) {
      refused(t, await own.get(`/batchProcess?id=${id}`), 404, 'batch.unknown');
      t.is(await sizeOf(own, id), undefined);
      refused(t, await upload(own, uploadUrl, 'a,b\n'), 409, 'file.used');
      t.is(await sizeOf(own, id), undefined);
    }
    refused(t, await withdraw(own, `id=${root.id}`), 404, 'batch.unknown');
    t.is((await create(own, elements('Customer', '<jobId>inv-1</jobId>'))).status, 201);
  },
);

test.serial('a file of line items is withdrawn alone', async (t) => {
  const own = await api.another();
  const root = await draft(own, 'Invoice');
  const child = await draft(own, ...linesOf(root));
  await upload(own, root.uploadUrl, 'invoiceNumber\nA1\n');
  refused(t, await finalize(own, `<id>${root.id}</id>`), 400, 'batch.noFile');
  t.is((await withdraw(own, `id=${child.id}&jobId=${child.jobId}`)).status, 200);
  t.is((await finalize(own, `<id>${root.id}</id>`)).status, 200);
});

test.serial('a job that was finalized is not withdrawn, nor one of another tenant', async (t) => {
  const own = await api.another();
  const job = await queued(own);
  refused(t, await withdraw(own, `id=${job.id}`), 400, 'batch.notDraft');
  await end(own, job.id);
  refused(t, await withdraw(own, `id=${job.id}`), 400, 'batch.notDraft');
  t.is((await own.get(`/batchProcess?id=${job.id}`)).status, 200);
  const theirs = await draft(await api.another(), 'Customer');
  refused(t, await withdraw(own, `id=${theirs.id}`), 404, 'batch.unknown');
  refused(t, await withdraw(own, ''), 400, 'query.required id');
});

test.serial('a Draft whose file cannot be deleted stays', async (t) => {
  const own = await api.another();
  const job = await draft(own, 'Customer');
  await upload(own, job.uploadUrl);
  isBroken = true;
  const answer = await withdraw(own, `id=${job.id}`);
  isBroken = false;
  refused(t, answer, 503, 'service.unavailable');
  t.is((await finalize(own, `<id>${job.id}</id>`)).status, 200);
});

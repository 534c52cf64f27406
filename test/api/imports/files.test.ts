/** Uploads and downloads at signed addresses: once, in time, of this tenant, and never in a log. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable, Writable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { errorSerializers } from '../../../operations/context/describe-error.ts';
import type { FileStorage } from '../../../providers/storage/storage.ts';
import { testStorage } from '../../support/storage.ts';
import { until } from '../../support/until.ts';
import type { Received } from '../support.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { change, download, draft, end, finalize, queued, upload } from './calls.ts';

const UPLOAD_BYTES_MAX = 256;
const MINUTE_MS = 60_000;

const lines: string[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});

let laterMs = 0;
const realNow = (): number => Date.now() + laterMs;
const folder = testStorage({ realNow });
/** The jobs whose uploads have begun. */
const begun = new Set<number>();
const storage: FileStorage = {
  ...folder,
  put(name, content, options) {
    begun.add(name.batchId);
    return folder.put(name, content, options);
  },
};
const hasBegun = (id: string): Promise<void> =>
  until('the upload has begun', () => Promise.resolve(begun.has(Number(id))));
const api = await startTenantApi({
  storage,
  uploadBytesMax: UPLOAD_BYTES_MAX,
  log: pino({ serializers: errorSerializers }, destination),
});

const fileOf = (own: TenantApi, id: string, kind: 'upload' | 'result') =>
  ({ tenantId: own.tenantId, batchId: Number(id), kind }) as const;

const uploaded = (own: TenantApi, id: string) => storage.head(fileOf(own, id, 'upload'));

/** A finished job with a result. */
async function finished(own: TenantApi, text: string): Promise<{ id: string; url: string }> {
  const { id } = await queued(own);
  await storage.put(fileOf(own, id, 'result'), Readable.from([Buffer.from(text)]));
  await end(own, id);
  return { id, url: await resultUrl(own, id) };
}

const resultUrl = async (own: TenantApi, id: string): Promise<string> =>
  valueOf((await own.get(`/batchProcess?id=${id}`)).body, 'downloadUrl') ?? '';

function isUsed(t: ExecutionContext, answer: Received): void {
  refused(t, answer, 409, 'file.used');
}

test.serial('a file is uploaded without credentials, once', async (t) => {
  const own = await api.another();
  const { id, uploadUrl } = await draft(own, 'Customer');
  const answer = await upload(own, uploadUrl, 'extCustomerRef\nC1\n');
  t.is(answer.status, 201, answer.body);
  t.is(answer.body, '');
  t.is((await uploaded(own, id))?.size, 18);
  isUsed(t, await upload(own, uploadUrl, 'other'));
  t.is((await uploaded(own, id))?.size, 18);
});

test.serial('of two uploads to one address at once one wins', async (t) => {
  const own = await api.another();
  const { uploadUrl } = await draft(own, 'Customer');
  const answers = await Promise.all(
    ['a\n1\n', 'b\n2\n'].map((text) => upload(own, uploadUrl, text)),
  );
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409],
  );
});

test.serial('every address of a Draft takes its one file', async (t) => {
  const own = await api.another();
  const first = await draft(own, 'Customer');
  const url = valueOf((await own.get(`/batchProcess?id=${first.id}`)).body, 'uploadUrl') ?? '';
  t.is((await upload(own, url)).status, 201);
  isUsed(t, await upload(own, first.uploadUrl));
});

test.serial('an address that is made for a Draft with a file replaces it, once', async (t) => {
  const own = await api.another();
  const { id, uploadUrl } = await draft(own, 'Customer');
  const address = async (): Promise<string> =>
    valueOf((await own.get(`/batchProcess?id=${id}`)).body, 'uploadUrl') ?? '';
  t.is((await upload(own, uploadUrl, 'first\n')).status, 201);
  const [second, other] = [await address(), await address()];
  t.is((await upload(own, second, 'the second\n')).status, 201);
  t.is((await uploaded(own, id))?.size, 11);
  for (const url of [uploadUrl, second, other]) {
    const used = await upload(own, url, 'a third one\n');
    isUsed(t, used);
    t.regex(used.body, /The job has its file; a new uploadUrl of the job takes another one/);
  }
  t.is((await uploaded(own, id))?.size, 11);
  const third = await address();
  await finalize(own, `<id>${id}</id>`);
  const late = await upload(own, third, 'late\n');
  isUsed(t, late);
  t.regex(late.body, /The job takes no file: it is finalized or withdrawn/);
  t.is((await uploaded(own, id))?.size, 11);
});

test.serial('a finalized job takes no upload, also once its file is deleted', async (t) => {
  const own = await api.another();
  const { id, uploadUrl } = await draft(own, 'Customer');
  await upload(own, uploadUrl);
  await finalize(own, `<id>${id}</id>`);
  isUsed(t, await upload(own, uploadUrl));
  await storage.delete(fileOf(own, id, 'upload'));
  isUsed(t, await upload(own, uploadUrl));
  await end(own, id);
  isUsed(t, await upload(own, uploadUrl));
  t.is(await uploaded(own, id), null);
});

test.serial(
  'an upload that ends after another file was finalized and processed is deleted',
  async (t) => {
    const own = await api.another();
    const { id, uploadUrl } = await draft(own, 'Customer');
    const slow = begin(own, uploadUrl, 10);
    await hasBegun(id);
    await change(own, id, "status = 'Queued', upload_etag = 'another'");
    slow.socket.write('67890');
    t.regex(await slow.answer, /^HTTP\/1.1 409 /);
    t.is(await uploaded(own, id), null);
  },
);

/** A connection that has sent the head of an upload, and five bytes of it. */
function begin(own: TenantApi, url: string, announced: number) {
  const { pathname, search, hostname } = new URL(url);
  const socket = connect({ port: own.port, host: '127.0.0.1' });
  const chunks: string[] = [];
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n` +
      `Content-Length: ${announced}\r\n\r\n12345`,
  );
  const answer = once(socket, 'close').then(() => chunks.join(''));
  return { socket, answer };
}

test.serial('an upload that breaks off leaves the address usable', async (t) => {
  const own = await api.another();
  const { id, uploadUrl } = await draft(own, 'Customer');
  const broken = begin(own, uploadUrl, 10);
  await hasBegun(id);
  const before = lines.length;
  broken.socket.destroy();
  await until('the API has noticed', () =>
    Promise.resolve(lines.slice(before).some((line) => line.includes('request.aborted'))),
  );
  t.is(await uploaded(own, id), null);
  t.is((await upload(own, uploadUrl, 'whole\n')).status, 201);
  t.is((await uploaded(own, id))?.size, 6);
});

test.serial('a file of the largest size is taken, and one more byte is refused', async (t) => {
  const own = await api.another();
  const large = await draft(own, 'Customer');
  const tooLarge = await upload(own, large.uploadUrl, 'x'.repeat(UPLOAD_BYTES_MAX + 1));
  refused(t, tooLarge, 413, 'document.tooLarge');
  t.is(await uploaded(own, large.id), null);
  t.is((await upload(own, large.uploadUrl, 'x'.repeat(UPLOAD_BYTES_MAX))).status, 201);
});

test.serial(
  'an address ends after 30 minutes of real time, and a GET shows a new one',
  async (t) => {
    const own = await api.another();
    const { id, uploadUrl } = await draft(own, 'Customer');
    laterMs = 30 * MINUTE_MS;
    t.teardown(() => (laterMs = 0));
    refused(t, await upload(own, uploadUrl), 410, 'file.expired');
    const fresh = valueOf((await own.get(`/batchProcess?id=${id}`)).body, 'uploadUrl') ?? '';
    t.is((await upload(own, fresh)).status, 201);
  },
);

test.serial('an address that was not signed here is refused', async (t) => {
  const own = await api.another();
  const other = await api.another();
  const mine = await draft(own, 'Customer');
  const theirs = await draft(other, 'Customer');
  const { url } = await finished(own, 'a\n');
  const foreign = theirs.uploadUrl.replace(other.label, own.label);
  const forged = [
    mine.uploadUrl.replace(/token=.*/, 'token=nonsense'),
    mine.uploadUrl.replace(/\?token=.*/, ''),
    mine.uploadUrl.replace(`.${mine.id}.`, `.${theirs.id}.`),
    `${mine.uploadUrl}&token=x`,
    foreign,
    url,
  ];
  for (const each of forged) refused(t, await upload(own, each), 403, 'file.forged');
  for (const each of [...forged.slice(0, 5), mine.uploadUrl]) {
    refused(t, await download(own, each), 403, 'file.forged');
  }
  t.is(await uploaded(other, theirs.id), null);
  const [row] = await own.asOwner<{ count: string }>(
    `select count(*) from audit_log where tenant_id = ${own.tenantId} and action = 'refused'
     and path = '/rest/file'`,
  );
  t.is(Number(row?.count), 12);
});

test.serial('a result is downloaded as a file, as often as its addresses are valid', async (t) => {
  const own = await api.another();
  const { id, url } = await finished(own, 'extCustomerRef,importLine\nC1,2\n');
  for (let nth = 0; nth < 2; nth += 1) {
    const { status, headers, body } = await download(own, url);
    t.is(status, 200);
    t.is(body, 'extCustomerRef,importLine\nC1,2\n');
    t.is(headers['content-type'], 'text/csv; charset=utf-8');
    t.is(headers['content-length'], '31');
    t.is(headers['content-disposition'], `attachment; filename="batch-${id}-result.csv"`);
    t.is(headers['cache-control'], 'no-store');
  }
  const again = await resultUrl(own, id);
  t.is((await download(own, again)).status, 200);
  laterMs = 30 * MINUTE_MS;
  t.teardown(() => (laterMs = 0));
  refused(t, await download(own, url), 410, 'file.expired');
});

test.serial('a result that is deleted is missing', async (t) => {
  const own = await api.another();
  const { id, url } = await finished(own, 'a\n');
  await storage.delete(fileOf(own, id, 'result'));
  refused(t, await download(own, url), 404, 'file.missing');
});

test.serial('where a bucket takes the files, the API has no addresses of files', async (t) => {
  const bucket = await startTenantApi({ storage: { ...storage, verify: null } });
  const url = 'http://x.localhost/rest/file?token=x';
  refused(t, await upload(bucket, url), 404, 'path.unknown');
  refused(t, await download(bucket, url), 404, 'path.unknown');
});

test.serial('no log and no row of the books has an address', async (t) => {
  const own = await api.another();
  const { uploadUrl } = await draft(own, 'Customer');
  await upload(own, uploadUrl);
  await upload(own, uploadUrl);
  const { url } = await finished(own, 'a\n');
  await download(own, url);
  const failing = await startTenantApi({
    storage: { ...storage, put: () => Promise.reject(new Error('the disk is gone')) },
    log: pino({ serializers: errorSerializers }, destination),
  });
  const broken = await draft(failing, 'Customer');
  t.is((await upload(failing, broken.uploadUrl)).status, 500);
  const tokens = [uploadUrl, url, broken.uploadUrl].map((each) => each.split('token=')[1] ?? '?');
  const log = lines.join('');
  t.true(log.includes('the disk is gone') && log.includes('/rest/file'));
  for (const token of tokens) t.false(log.includes(token));
  t.false(/(upload|result)\.\d+\.\d+\.\d+\./.test(log));
});

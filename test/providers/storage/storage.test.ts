/** The storage of files: what both adapters do, in a folder and on a real S3 server. */
import assert from 'node:assert/strict';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { EventEmitter, once } from 'node:events';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { folderStorage } from '../../../providers/storage/folder.ts';
import { openStorage } from '../../../providers/storage/open-storage.ts';
import { s3Location } from '../../../providers/storage/s3/location.ts';
import { s3Storage, type S3Options } from '../../../providers/storage/s3/s3.ts';
import {
  StorageError,
  type FileKind,
  type FileStorage,
} from '../../../providers/storage/storage.ts';
import { testFolder } from '../../support/folder.ts';
import {
  bytesOf,
  contentOf,
  contract,
  limitsByHand,
  nextName,
  TENANT,
  throwsKind,
  type Setting,
} from './contract.ts';
import { BUCKET, credentials, startS3Server } from './s3-server.ts';

const secretKeys = 'a secret key of 32 characters or more';
type Teardown = Pick<ExecutionContext, 'teardown'>;

const servers: (() => Promise<unknown>)[] = [];
const folders = { teardown: (end: () => unknown) => servers.push(async () => end()) };
const { endpoint, close } = await startS3Server(testFolder(folders));
test.after.always(async () => {
  await close();
  for (const end of servers) await end();
});

function inFolder(t: Teardown): Setting & { readonly folder: string } {
  const folder = testFolder(t);
  const limits = limitsByHand();
  const at = (now: number) => folderStorage(folder, { secretKeys, realNow: () => now });
  const { startLimit } = limits;
  const storage = folderStorage(folder, { secretKeys, realNow: Date.now, startLimit });
  return { storage, limits, at, folder, ...asTheApi(storage) };
}

/** The statuses that the API answers for the errors of addresses. */
const statuses: Partial<Record<StorageError['kind'], number>> = {
  forged: 403,
  expired: 410,
  taken: 409,
};

function asTheApi(storage: FileStorage): Pick<Setting, 'upload' | 'download'> {
  const nameOf = (url: string, kind: FileKind) => {
    const token = new URL(url).searchParams.get('token') ?? '';
    assert(storage.verify !== null);
    return storage.verify(token, { tenantId: TENANT, kind });
  };
  const statusOf = (error: unknown): number => {
    if (error instanceof StorageError) return statuses[error.kind] ?? 500;
    throw error;
  };
  return {
    async upload(url, content) {
      try {
        await storage.put(nameOf(url, 'upload'), bytesOf(content));
        return 201;
      } catch (error) {
        return statusOf(error);
      }
    },
    async download(url) {
      try {
        return { status: 200, content: await contentOf(storage, nameOf(url, 'result')) };
      } catch (error) {
        return { status: statusOf(error), content: Buffer.of() };
      }
    },
  };
}

function onS3(options: Partial<S3Options> = {}, url = `s3://${BUCKET}/some/prefix`): FileStorage {
  const location = s3Location(`${url}?endpoint=${endpoint}`);
  return s3Storage(location, { realNow: Date.now, credentials, ...options });
}

function inBucket(): Setting {
  const limits = limitsByHand();
  return {
    storage: onS3({ startLimit: limits.startLimit }),
    limits,
    at: (now) => onS3({ realNow: () => now }),
    upload: async (url, content) =>
      (await fetch(url, { method: 'PUT', body: new Uint8Array(content) })).status,
    async download(url) {
      const answer = await fetch(url);
      return { status: answer.status, content: Buffer.from(await answer.arrayBuffer()) };
    },
  };
}

for (const [title, rule] of contract) {
  test(`folder: ${title}`, async (t) => rule(t, inFolder(t)));
  test(`S3: ${title}`, async (t) => rule(t, inBucket()));
}

test('folder: an upload is taken once, and refused later before a byte of it is read', async (t) => {
  const { storage } = inFolder(t);
  const name = nextName('upload');
  await storage.put(name, bytesOf('first'));
  let isRead = false;
  const content = (async function* () {
    isRead = true;
    yield Buffer.from('second');
  })();
  await throwsKind(t, storage.put(name, content), 'taken');
  t.false(isRead);
  t.is((await contentOf(storage, name)).toString(), 'first');
});

test('folder: of two uploads at once one is taken, whole', async (t) => {
  const { storage, folder } = inFolder(t);
  const name = nextName('upload');
  const halfway = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = (async function* () {
    yield Buffer.from('slow');
    begun.resolve();
    await halfway.promise;
    yield Buffer.from('slow');
  })();
  const first = storage.put(name, slow);
  await begun.promise;
  t.is(await storage.head(name), null);
  await storage.put(name, bytesOf('quick'));
  halfway.resolve();
  await throwsKind(t, first, 'taken');
  t.is((await contentOf(storage, name)).toString(), 'quick');
  t.deepEqual(readdirSync(join(folder, 'parts')), []);
});

test('folder: a request that breaks off leaves nothing, and a refused one is answered', async (t) => {
  const folder = testFolder(t);
  const events = new EventEmitter();
  const startLimit = (_ms: number, onOver: () => void) => {
    events.emit('waits', onOver);
    return () => undefined;
  };
  const storage = folderStorage(folder, { secretKeys, realNow: Date.now, startLimit });
  const names = [nextName('upload'), nextName('upload')] as const;
  const api = createHttpServer((request, response) => {
    storage.put(names[request.url === '/0' ? 0 : 1], request).catch((error: unknown) => {
      events.emit('refused', error);
      response.writeHead(408).end();
    });
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const { port } = api.address() as AddressInfo;
  /** Returns once the storage has the half, and waits for the rest. */
  const sendHalf = async (path: string) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method: 'PUT' });
    sent.on('error', () => undefined).write('half of it');
    await once(events, 'waits');
    const [onOver] = (await once(events, 'waits')) as [() => void];
    return { sent, onOver };
  };

  const first = await sendHalf('/0');
  const refused = once(events, 'refused');
  first.sent.destroy();
  t.is(((await refused) as [NodeJS.ErrnoException])[0].code, 'ECONNRESET');

  const second = await sendHalf('/1');
  const answered = once(second.sent, 'response') as Promise<[IncomingMessage]>;
  second.onOver();
  t.is((await answered)[0].statusCode, 408);
  second.sent.destroy();

  for (const name of names) t.is(await storage.head(name), null);
  t.deepEqual(readdirSync(join(folder, 'parts')), []);
  api.close();
});

test('folder: nobody else on the machine may read the files', async (t) => {
  const { storage, folder } = inFolder(t);
  const name = nextName('upload');
  await storage.put(name, bytesOf('x'));
  t.deepEqual(readdirSync(folder).toSorted(), [String(TENANT), 'parts']);
  const below = join(folder, String(TENANT));
  t.deepEqual(readdirSync(below), [`${name.batchId}-upload.csv`]);
  t.is(statSync(below).mode & 0o777, 0o700);
  t.is(statSync(join(below, `${name.batchId}-upload.csv`)).mode & 0o777, 0o600);
});

test('folder: what a process left when it died is deleted after an hour', async (t) => {
  const { folder, storage } = inFolder(t);
  await storage.check();
  const [old, young] = ['old.part', 'young.part'];
  for (const name of [old, young]) writeFileSync(join(folder, 'parts', name), 'half');
  const before = Date.now() / 1_000 - 3_700;
  utimesSync(join(folder, 'parts', old), before, before);
  await storage.put(nextName('result'), bytesOf('x'));
  t.deepEqual(readdirSync(join(folder, 'parts')), [young]);
});

test('folder: a folder that cannot be made is named by its code', async (t) => {
  const folder = testFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const options = { secretKeys, realNow: Date.now };
  const storage = folderStorage(join(folder, 'file'), options);
  t.regex((await storage.check()) ?? '', /^(ENOTDIR|EEXIST)$/);
  const error = await throwsKind(t, storage.put(nextName('upload'), bytesOf('x')), 'failed');
  t.is(error?.code, 'ENOTDIR');
  t.is(await folderStorage(join(folder, 'a/b'), options).check(), null);
});

test('S3: a bucket is checked, and a missing one is named', async (t) => {
  const server = await startS3Server(testFolder(t), { allowMismatchedSignatures: true });
  const checked = (name: string) => {
    const location = s3Location(`s3://${name}?endpoint=${server.endpoint}`);
    return s3Storage(location, { realNow: Date.now, credentials }).check();
  };
  t.is(await checked(BUCKET), null);
  t.is(await checked('another'), 'NoSuchBucket');
  await server.close();
  t.is(onS3().place, 'bucket files, below some/prefix/');
  const storage = onS3({}, 's3://another');
  t.is(storage.place, 'bucket another');
  const error = await throwsKind(t, storage.put(nextName('upload'), bytesOf('x')), 'failed');
  t.is(error?.code, 'NoSuchBucket');
});

test('S3: a refusal tells its code, and neither a key nor what was signed', async (t) => {
  const storage = onS3({ credentials: { ...credentials, secretAccessKey: 'hunter2hunter2' } });
  const name = nextName('upload');
  const tried = [() => storage.get(name), () => storage.put(name, bytesOf('x'))];
  for (const call of tried) {
    const error = await throwsKind(t, call(), 'failed');
    t.is(error?.code, 'SignatureDoesNotMatch');
    t.notRegex(inspect(error, { depth: null, showHidden: true }), /hunter2|S3RVER|AWS4|x-amz/i);
  }
  t.regex((await storage.check()) ?? '', /^http_403$|^SignatureDoesNotMatch$/);
});

test('S3: a server that is away, or does not answer, fails', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const limits = limitsByHand();
  const storage = s3Storage(s3Location(`s3://${BUCKET}?endpoint=http://127.0.0.1:${port}`), {
    realNow: Date.now,
    credentials,
    startLimit: limits.startLimit,
  });
  const asked = storage.head(nextName('upload'));
  await once(silent, 'connection');
  limits.fire();
  t.is((await throwsKind(t, asked, 'failed'))?.code, 'timeout');
  silent.close();
  const away = await throwsKind(t, storage.head(nextName('upload')), 'failed');
  t.is(away?.code, 'ECONNREFUSED');
});

test('S3: the file of an address has a name and a type for browsers', async (t) => {
  const storage = onS3();
  const name = nextName('result');
  await storage.put(name, bytesOf('x'));
  const { headers } = await fetch(await storage.address(name, ''));
  t.is(headers.get('content-type'), 'text/csv; charset=utf-8');
  const disposition = headers.get('content-disposition');
  t.is(disposition, `attachment; filename="batch-${name.batchId}.csv"`);
});

test('STORAGE_URL chooses the storage', async (t) => {
  const folder = testFolder(t);
  const options = { secretKeys, realNow: Date.now };
  const storage = await openStorage({ storageUrl: folder }, options);
  t.is(storage.place, `folder ${folder}`);
  await storage.put(nextName('upload'), bytesOf('x'));
  const bucket = await openStorage({ storageUrl: 's3://b-1/p/?region=eu-central-1' }, options);
  t.is(bucket.place, 'bucket b-1, below p/');
  t.is(bucket.verify, null);
});

test('the parts of an S3 address', (t) => {
  t.deepEqual(s3Location('s3://b-1/p/q/?region=eu-central-1'), {
    bucket: 'b-1',
    prefix: 'p/q/',
    region: 'eu-central-1',
    endpoint: undefined,
  });
  t.deepEqual(s3Location('s3://b-1?endpoint=http://localhost:9000'), {
    bucket: 'b-1',
    prefix: '',
    region: 'us-east-1',
    endpoint: 'http://localhost:9000',
  });
});

test('a storage is read again after it was read', async (t) => {
  const { storage } = inFolder(t);
  const name = nextName('upload');
  await storage.put(name, bytesOf('twice'));
  for (const _ of [1, 2]) {
    const { content } = await storage.get(name);
    t.is((await buffer(content)).toString(), 'twice');
  }
});

/** A file streams through the folder: a large one takes no more memory than a small one. */
import test from 'ava';
import { folderStorage } from '../../../providers/storage/folder.ts';
import { testFolder } from '../../support/folder.ts';

const MIB = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const FILE_BYTES = 256 * MIB;
const GROWTH_BYTES_MAX = 96 * MIB;

test('256 MiB are stored and read in less than 96 MiB', async (t) => {
  const options = { secretKeys: 'a secret key of 32 characters or more', realNow: Date.now };
  const storage = folderStorage(testFolder(t), options);
  const name = { tenantId: 7, batchId: 2101, kind: 'upload' } as const;
  const before = process.memoryUsage.rss();
  let most = before;
  const measure = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const chunk = Buffer.alloc(CHUNK_BYTES, 'x');
  const content = (async function* () {
    for (let sent = 0; sent < FILE_BYTES; sent += CHUNK_BYTES) {
      if (sent % MIB === 0) measure();
      yield chunk;
    }
  })();
  t.is((await storage.put(name, content)).size, FILE_BYTES);
  let read = 0;
  for await (const part of (await storage.get(name)).content) {
    read += (part as Buffer).length;
    if (read % MIB === 0) measure();
  }
  t.is(read, FILE_BYTES);
  t.true(most - before < GROWTH_BYTES_MAX, `${Math.round((most - before) / MIB)} MiB more`);
});

/** A file is checked and read as a stream: a large one takes no more memory than a small one. */
import test from 'ava';
import { checkFile } from '../../../operations/imports/prepare.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 256 * MIB;
const GROWTH_BYTES_MAX = 96 * MIB;

test('256 MiB are checked in less than 96 MiB', async (t) => {
  const rows = Buffer.from(`C-1,Ada,"Byron, ${'x'.repeat(60)}"\n`.repeat(800));
  const before = process.memoryUsage.rss();
  let [most, sent] = [before, 0];
  async function* file(): AsyncGenerator<Buffer> {
    yield Buffer.from('extCustomerRef,firstName,lastName\n');
    for (; sent < FILE_BYTES; sent += rows.length) {
      most = Math.max(most, process.memoryUsage.rss());
      yield rows;
    }
  }
  const rules = { known: ['extCustomerRef', 'firstName', 'lastName'], key: 'extCustomerRef' };
  const { rowCount } = await checkFile(file(), rules);
  t.is(rowCount, (sent / rows.length) * 800);
  t.true(most - before < GROWTH_BYTES_MAX, `${Math.round((most - before) / MIB)} MiB more`);
});

/** How many files of the product a call runs code of: what a reader has to open to follow it. */
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { startTenantApi, valueOf } from '../tenant-api.ts';

const ENTERED_MAX = 32;

const root = join(import.meta.dirname, '../../..');
const product = /^(api|config|db|domain|messages|operations|providers)\b/;

/** The product's files of which `run` enters a function, without those of which it only reads values. */
async function entered(run: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Each take begins to count anew.
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url }) => url.startsWith('file:'))
    .filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((path) => product.test(path))
    .toSorted();
}

test('GET customer enters few files', async (t) => {
  // What is remembered for a second is not read again, however long the counting takes.
  for (const clock of [Date, performance]) {
    const stands = clock.now();
    const before = Object.getOwnPropertyDescriptor(clock, 'now');
    Object.defineProperty(clock, 'now', { configurable: true, value: () => stands });
    t.teardown(() => {
      if (before === undefined) Reflect.deleteProperty(clock, 'now');
      else Object.defineProperty(clock, 'now', before);
    });
  }
  const api = await startTenantApi();
  const customer =
    '<customer><billingContact><firstName>Ada</firstName></billingContact></customer>';
  const { body } = await api.post('/customers', customer);
  const get = () => api.get(`/customer/${valueOf(body, 'customer@id')}`);
  t.is((await get()).status, 200);
  const files = await entered(get);
  t.log(files.length, files.join('\n'));
  t.true(files.length > 10 && files.length <= ENTERED_MAX, files.join('\n'));
});

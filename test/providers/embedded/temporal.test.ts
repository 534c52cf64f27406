/** Where the Temporal CLI comes from, and the state of its server once it answers. */

import test from 'ava';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { msToTs } from '@temporalio/common/lib/time.js';
import { loadConfig } from '../../../config.ts';
import {
  ensureSearchAttributes,
  searchAttributeTypes,
} from '../../../providers/temporal/search-attributes.ts';
import { cachedBinary, temporalBinary } from '../../../providers/temporal/binary.ts';
import { namespaceId, startTemporal } from '../../../providers/temporal/server.ts';
import { testFolder } from '../../support/folder.ts';
import { patient, suffix, testTemporal } from '../../support/temporal.ts';
import { connectTemporal } from '../../../providers/temporal/connect.ts';

const quiet = { signal: new AbortController().signal, onProgress: () => {} };

function makeProgram(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

test('the CLI is the configured one, else the one on the PATH, else the cached one', async (t) => {
  const folder = testFolder(t);
  const named = makeProgram(join(folder, 'named/tctl'));
  const onPath = makeProgram(join(folder, 'bin/temporal'));
  const cacheDir = join(folder, 'cache');
  const cached = makeProgram(cachedBinary(cacheDir));
  const empty = join(folder, 'empty');
  const searchPath = [empty, join(folder, 'bin')];
  t.is(await temporalBinary({ ...quiet, cliPath: named, searchPath, cacheDir }), named);
  t.is(await temporalBinary({ ...quiet, cliPath: undefined, searchPath, cacheDir }), onPath);
  const notOnPath = { ...quiet, cliPath: undefined, searchPath: [empty], cacheDir };
  t.is(await temporalBinary(notOnPath), cached);
});

test('who waits for another process that installs the CLI is told which, and what it does', async (t) => {
  const cacheDir = join(testFolder(t), 'cache');
  const stopping = new AbortController();
  const installing = (onProgress: (line: string) => void) =>
    temporalBinary({
      cliPath: undefined,
      searchPath: [],
      cacheDir,
      signal: stopping.signal,
      onProgress,
    });
  const begun = Promise.withResolvers<string>();
  const first = installing(begun.resolve);
  const doing = await begun.promise;
  t.regex(doing, /^Downloading the Temporal CLI/);
  const told = Promise.withResolvers<string>();
  const second = installing(told.resolve);
  t.is(
    await told.promise,
    `Waiting for another process (pid ${process.pid}) that installs Temporal. It says: ${doing}`,
  );
  stopping.abort();
  await t.throwsAsync(first, { name: 'AbortError' });
  await t.throwsAsync(second, { name: 'AbortError' });
});

test('a server keeps its namespace after a restart, and has our search attributes', async (t) => {
  const folder = testFolder(t);
  const { temporalCliPath: cliPath, searchPath, cacheDir } = loadConfig();
  const binary = await temporalBinary({ ...quiet, cliPath, searchPath, cacheDir });
  const options = { binary, folder, namespace: 'default', signal: quiet.signal };
  const ids: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const server = await startTemporal(options);
    const connection = await connectTemporal({ address: server.address }, patient);
    try {
      ids.push(await namespaceId(connection, 'default'));
      await ensureSearchAttributes(connection, 'default');
      t.is((await fetch(server.uiUrl ?? '')).status, 200);
    } finally {
      await connection.close();
      await server.stop();
    }
  }
  t.is(ids[0], ids[1]);
});

test('a namespace that was made elsewhere gets the search attributes that it lacks', async (t) => {
  const { address } = await testTemporal();
  const connection = await connectTemporal({ address }, patient);
  t.teardown(() => connection.close());
  const namespace = `foreign-${suffix()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  // All parts of the server know a new namespace only a little later.
  await ensureSearchAttributes(connection, namespace);
  const listed = await connection.operatorService.listSearchAttributes({ namespace });
  for (const name of Object.keys(searchAttributeTypes)) t.true(name in listed.customAttributes);
});

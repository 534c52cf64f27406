/** How the embedded PostgreSQL starts after a crash, and with what an earlier start left. */

import test from 'ava';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { PortTakenError } from '../../../providers/embedded/ports.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../providers/embedded/postgres.ts';
import { testFolder } from '../../support/folder.ts';
import { processesOf } from '../../support/start-process.ts';

async function start(folder: string, port?: number): Promise<EmbeddedPostgres> {
  return await startPostgres({
    folder,
    cacheDir: folder,
    port,
    settings: { shared_buffers: '16MB' },
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

test('data that was committed before kill -9 exists after the next start', async (t) => {
  const folder = testFolder(t);
  const first = await start(folder);
  t.deepEqual(await query(first.url, 'show fsync'), ['on']);
  t.deepEqual(await query(first.url, 'show synchronous_commit'), ['on']);
  await query(first.url, 'create table kept as select 42 as n');
  process.kill(first.server.identity.pid, 'SIGKILL');
  t.is(await first.server.exited, 'signal SIGKILL');
  const second = await start(folder);
  t.teardown(second.stop);
  t.deepEqual(await query(second.url, 'select n from kept'), [42]);
});

test('a server that an earlier start left running is stopped, and its data is kept', async (t) => {
  const folder = testFolder(t);
  const orphan = await start(folder);
  await query(orphan.url, 'create table kept as select 42 as n');
  const next = await start(folder);
  t.teardown(next.stop);
  t.is(await orphan.server.exited, 'exit code 0');
  t.deepEqual(await query(next.url, 'select n from kept'), [42]);
});

test('a postmaster.pid whose number now belongs to another program does not prevent the start', async (t) => {
  const folder = testFolder(t);
  const first = await start(folder);
  const file = join(first.dataFolder, 'postmaster.pid');
  const notes = readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid));
  await first.stop();
  writeFileSync(file, notes);
  const second = await start(folder);
  t.teardown(second.stop);
  t.deepEqual(await query(second.url, 'select 1'), [1]);
});

test('a start that is aborted while it creates a cluster leaves no process', async (t) => {
  const folder = testFolder(t);
  const stopping = new AbortController();
  const { signal } = stopping;
  const starting = startPostgres({ folder, cacheDir: folder, signal, onProgress: () => {} });
  starting.catch(() => {});
  while (processesOf(folder).length === 0) await new Promise(setImmediate);
  stopping.abort();
  await t.throwsAsync(starting, { name: 'AbortError' });
  t.deepEqual(processesOf(folder), []);
});

test('a taken port is reported with its variable', async (t) => {
  const first = await start(testFolder(t));
  t.teardown(first.stop);
  const port = Number(new URL(first.url).port);
  const error = await t.throwsAsync(start(testFolder(t), port), { instanceOf: PortTakenError });
  t.regex(error?.message ?? '', new RegExp(`^POSTGRES_PORT: port ${port} is taken`));
});

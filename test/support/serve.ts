/**
 * Entry: runs the servers that tests need until its standard input closes. It is a separate
 * process,
 * so that the servers stop with the process that asked for them, however that one ends.
 *
 * `node test/support/serve.ts [postgres] [temporal] [bundle]` prints JSON lines: `{ phase, seconds
 * }`
 * as each part is ready, then `{ servers }`, and `{ leaks }` of their logs when they have stopped.
 */

import { chmodSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../config.ts';
import { startPostgres } from '../../providers/embedded/postgres.ts';
import { startTemporal } from '../../providers/temporal/server.ts';
import { temporalBinary } from '../../providers/temporal/binary.ts';
import { bundleToFile } from './bundle.ts';
import { cpuSeconds } from './cpu-time.ts';
import { leaksIn, secretsOfTests } from './leaks.ts';
import type { TestServers } from './servers.ts';
import { administer, makeTemplate } from './template.ts';

const config = loadConfig();
const folder = mkdtempSync(join(tmpdir(), 'sundial-test-'));
chmodSync(folder, 0o755);
const stopping = new AbortController();
const cleanups: (() => Promise<unknown>)[] = [];
const context = {
  folder,
  cacheDir: config.cacheDir,
  signal: stopping.signal,
  onProgress: (line: string) => process.stderr.write(`${line}\n`),
};

const SETTINGS = {
  // Six processes of tests hold pools at once, longer on a slow machine.
  max_connections: '400',
  // A process that computes, or a machine that stands still, is slow to answer.
  authentication_timeout: '10min',
  // No data of a test has to survive a crash of the machine.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // A prepared statement is planned once for a connection, not five times: nearly half of the CPU
  // time of PostgreSQL is planning, above all what the foreign keys and the audits ask.
  plan_cache_mode: 'force_generic_plan',
  // Statistics of a table make every connection plan anew what reads it: only large tables get them.
  autovacuum_naptime: '30s',
  autovacuum_analyze_threshold: '1000',
  autovacuum_vacuum_threshold: '1000',
  autovacuum_vacuum_insert_threshold: '10000',
};

async function postgres(): Promise<Partial<TestServers>> {
  const adminUrl = config.databaseUrl ?? (await ownPostgres());
  const made = await makeTemplate(adminUrl);
  const { template } = made;
  // Stopped in reverse order; neither may remain on an external server.
  cleanups.unshift(() =>
    administer(adminUrl, `drop database ${template}`, `drop role ${template}`),
  );
  return { adminUrl, ...made };
}

async function ownPostgres(): Promise<string> {
  const started = await startPostgres({ ...context, settings: SETTINGS });
  cleanups.push(async () => {
    await stopped('PostgreSQL', started.stop);
    // If root's folder is closed, the data is elsewhere.
    if (dirname(started.dataFolder) !== realpathSync(folder)) {
      rmSync(dirname(started.dataFolder), { recursive: true, force: true });
    }
  });
  return started.url;
}

async function temporal(): Promise<Partial<TestServers>> {
  const namespace = config.temporalNamespace;
  if (config.temporalAddress !== undefined) return { address: config.temporalAddress, namespace };
  const { temporalCliPath: cliPath, searchPath } = config;
  const binary = await temporalBinary({ ...context, cliPath, searchPath });
  const inMemory = true;
  const started = await startTemporal({ ...context, binary, inMemory, headless: true, namespace });
  cleanups.push(() => stopped('Temporal', started.stop));
  return { address: started.address, namespace };
}

async function bundle(): Promise<Partial<TestServers>> {
  return { bundle: await bundleToFile(join(folder, 'workflows.js')) };
}

async function phase(
  name: string,
  work: () => Promise<Partial<TestServers>>,
): Promise<Partial<TestServers>> {
  const began = performance.now();
  const servers = await work();
  tell(name, (performance.now() - began) / 1000);
  return servers;
}

/** A process's time counts here once it has ended. */
async function stopped(name: string, end: () => Promise<unknown>): Promise<void> {
  const before = cpuSeconds();
  await end();
  tell(`CPU of ${name}`, cpuSeconds() - before);
}

function tell(name: string, seconds: number): void {
  process.stdout.write(`${JSON.stringify({ phase: name, seconds })}\n`);
}

async function stop(): Promise<void> {
  stopping.abort();
  for (const cleanup of cleanups) await cleanup().catch(() => {});
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const said = logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  process.stdout.write(`${JSON.stringify({ leaks: leaksIn(said, secretsOfTests()) })}\n`);
  rmSync(folder, { recursive: true, force: true });
}

// The reader of our output may be gone, which is why the servers stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// The pipe closes when the parent process closes it or dies.
process.stdin.resume().once('close', () => {
  stopping.abort();
  void starting
    .catch(() => {})
    .then(stop)
    .then(() => process.exit());
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => process.stdin.destroy());
}

const parts = { postgres, temporal, bundle };
const wanted = Object.entries(parts).filter(([name]) => process.argv.slice(2).includes(name));
const starting = Promise.all(wanted.map(([name, work]) => phase(name, work)));
try {
  const servers: Partial<TestServers> = Object.assign({}, ...(await starting));
  process.stdout.write(`${JSON.stringify({ servers })}\n`);
} catch (error) {
  if (!stopping.signal.aborted) process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
  await stop();
  process.exit();
}

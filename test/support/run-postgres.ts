/** Entry: starts PostgreSQL in a folder, prints what it found there, and stops it again. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../providers/embedded/postgres.ts';

const folder = process.argv[2] ?? '';
const started = await startPostgres({
  folder,
  cacheDir: join(folder, 'cache'),
  // Dozens of short-lived databases do not need statistics.
  settings: { fsync: 'off', shared_buffers: '16MB', autovacuum_naptime: '60s' },
  signal: new AbortController().signal,
  onProgress: () => {},
});
const client = new Client({ connectionString: started.url });
await client.connect();
await client.query('create table if not exists started (at timestamptz default now())');
await client.query('insert into started default values');
const { rows } = await client.query(
  `select count(*)::int as starts, current_setting('server_version_num')::int as version
     from started`,
);
await client.end();
const serverUid = statSync(`/proc/${started.server.identity.pid}`).uid;
await started.stop();
const passwordMode = statSync(join(folder, 'postgres.password')).mode & 0o777;
const log = readFileSync(join(folder, 'postgres.log'), 'utf8');
const { dataFolder } = started;
process.stdout.write(JSON.stringify({ ...rows[0], serverUid, passwordMode, dataFolder, log }));

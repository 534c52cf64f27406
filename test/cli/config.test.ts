/** The values that the environment may have (decisions 11), and the errors about wrong ones. */

import test from 'ava';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../config.ts';
import { withRunningSystem } from '../../providers/embedded/running-system.ts';
import { isBeingStartedBy, writeEndpoints } from '../../providers/embedded/endpoints.ts';
import { processStartedAt } from '../../providers/embedded/process.ts';
import { testFolder } from '../support/folder.ts';

test('an empty environment is a valid configuration', (t) => {
  const config = loadConfig({});
  t.is(config.port, 8080);
  t.is(config.host, '127.0.0.1');
  t.is(config.publicUrl, 'http://localhost:8080');
  t.is(config.dataDir, join(process.cwd(), '.data'));
  t.is(config.storageUrl, join(process.cwd(), '.data/storage'));
  t.is(config.auditHeadsFile, join(process.cwd(), '.data/audit-heads.jsonl'));
  t.not(config.operator, '');
  t.is(config.temporalNamespace, 'default');
  t.is(config.paymentWaitSeconds, 10);
  t.is(config.databaseUrl, undefined);
  t.true(Object.isFrozen(config));
});

test('every mistake is named at once', (t) => {
  const error = t.throws(
    () =>
      loadConfig({
        PORT: '80a',
        POSTGRES_PORT: '65536',
        BASE_DOMAIN: 'localhost:8080',
        DATABASE_URL: 'mysql://localhost/x',
        TEMPORAL_ADDRESS: 'localhost',
        SECRET_KEY: 'short',
        TLS_CERT: '/does/not/exist',
        TRUST_PROXY: 'yes',
        LOG_LEVEL: 'loud',
        PAYMENT_WAIT_SECONDS: '-1',
        STRIPE_API_URL: 'api.stripe.com',
        WORKFLOW_BUNDLE: '/does/not/exist',
      }),
    { instanceOf: ConfigError },
  );
  const names = new Set(error?.mistakes.map((line) => line.split(' ')[0]));
  t.deepEqual(
    names,
    new Set([
      'PORT',
      'BASE_DOMAIN',
      'DATABASE_URL',
      'POSTGRES_PORT',
      'TEMPORAL_ADDRESS',
      'WORKFLOW_BUNDLE',
      'SECRET_KEY',
      'TLS_CERT',
      'TRUST_PROXY',
      'LOG_LEVEL',
      'PAYMENT_WAIT_SECONDS',
      'STRIPE_API_URL',
    ]),
  );
  t.true(error?.mistakes.includes('TLS_CERT and TLS_KEY are given together or not at all'));
});

test('STORAGE_URL is a folder, which may not exist yet, or a bucket with a prefix', (t) => {
  const folder = testFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const [value, taken] of [
    [folder, folder],
    [join(folder, 'to/be/made'), join(folder, 'to/be/made')],
    ['.data/files', join(process.cwd(), '.data/files')],
    ['s3://invoices', 's3://invoices'],
    ['s3://my.bucket-1/some/prefix', 's3://my.bucket-1/some/prefix'],
    ['s3://bucket?region=eu-central-1', 's3://bucket?region=eu-central-1'],
    ['s3://bucket/x?endpoint=http://host:9000', 's3://bucket/x?endpoint=http://host:9000'],
  ] as const) {
    t.is(loadConfig({ STORAGE_URL: value }).storageUrl, taken);
  }
  for (const [value, mistake] of [
    [file, /names a file/],
    [join(file, 'below'), /names a file/],
    ['http://host/x', /must be a folder or s3:\/\/bucket\/prefix/],
    ['file:///srv/x', /must be a folder or s3:/],
    ['s3:', /must name a bucket/],
    ['s3:bucket', /must name a bucket/],
    ['s3://', /must name a bucket/],
    ['s3:///prefix', /must name a bucket/],
    ['s3://Not_A_Bucket', /must name a bucket/],
    ['s3://ab', /must name a bucket/],
    ['s3://bucket:9000/x', /must be s3:\/\/bucket\/prefix/],
    ['s3://bucket/a%20b', /must be s3:\/\/bucket\/prefix/],
    ['s3://bucket/x?region=', /must name a region/],
    ['s3://bucket/x?acl=y', /may have region and endpoint/],
    ['s3://bucket/x?endpoint=host:9000', /must name a server/],
    ['s3://bucket/x?endpoint=https://host/?a=b', /must name a server/],
    ['s3://bucket/x?endpoint=https://key:hunter2@host', /must hold no credentials/],
    ['s3://key:hunter2@bucket/x', /must hold no credentials/],
  ] as const) {
    const error = t.throws(() => loadConfig({ STORAGE_URL: value }), { instanceOf: ConfigError });
    t.is(error?.mistakes.length, 1, value);
    t.regex(error?.mistakes[0] ?? '', new RegExp(`^STORAGE_URL ${mistake.source}`), value);
    t.false(error?.message.includes('hunter2'));
  }
});

test('a mistake in a secret does not repeat it', (t) => {
  const env = { DATABASE_URL: 'mysql://me:hunter2@host/x', SECRET_KEY: 'hunter2' };
  const error = t.throws(() => loadConfig(env), { instanceOf: ConfigError });
  t.false(error?.message.includes('hunter2'));
});

test('the addresses of the database: a pooler names PostgreSQL behind it, and another host is not local', (t) => {
  const through = 'postgres://me:secret@127.0.0.1:6432/x?direct=127.0.0.1:5432';
  const config = loadConfig({ DATABASE_URL: through, MIGRATE_URL: 'postgres://owner@127.0.0.1/x' });
  t.is(config.databaseUrl, through);
  t.is(config.migrateUrl, 'postgres://owner@127.0.0.1/x');
  for (const direct of ['postgres', 'me@host:5432', 'host:123456']) {
    const env = { DATABASE_URL: `postgres://me:hunter2@host/x?direct=${direct}` };
    const error = t.throws(() => loadConfig(env), { instanceOf: ConfigError });
    t.deepEqual(error?.mistakes, [
      'DATABASE_URL must name PostgreSQL itself after direct= as host:port',
    ]);
  }
  const isLocal = (env: Readonly<Record<string, string>>) => loadConfig(env).isLocal;
  t.true(isLocal({}) && config.isLocal && isLocal({ HOST: '::1' }));
  t.true(isLocal({ HOST: 'localhost', DATABASE_URL: 'postgres://me@[::1]:5432/x' }));
  for (const env of [
    { HOST: '0.0.0.0' },
    { HOST: '10.0.0.1' },
    { DATABASE_URL: 'postgres://me@db.example/x' },
    { DATABASE_URL: 'postgres://me@127.0.0.1:6432/x?direct=db.example:5432' },
  ]) {
    t.false(isLocal(env), JSON.stringify(env));
  }
});

test('an empty variable counts as not set', (t) => {
  t.is(loadConfig({ PORT: '', DATABASE_URL: '' }).port, 8080);
});

test('links use https if the server has a certificate', (t) => {
  const folder = testFolder(t);
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  for (const name of [cert, key]) writeFileSync(name, '');
  const config = loadConfig({ TLS_CERT: cert, TLS_KEY: key, BASE_DOMAIN: 'bill.example' });
  t.is(config.publicUrl, 'https://bill.example:8080');
  t.deepEqual(config.tls, { cert, key });
});

test('other commands find the running system of DATA_DIR, but environment variables take precedence', (t) => {
  const dataDir = testFolder(t);
  const start = { pid: process.pid, startedAt: processStartedAt(process.pid) ?? '' };
  writeEndpoints(dataDir, {
    status: 'ready',
    databaseUrl: 'postgres://embedded/x',
    temporalAddress: '127.0.0.1:1234',
    processes: { start },
  });
  writeFileSync(join(dataDir, 'secret.key'), 'kept in the folder\n');
  const found = withRunningSystem(loadConfig({ DATA_DIR: dataDir }));
  t.is(found.databaseUrl, 'postgres://embedded/x');
  t.is(found.temporalAddress, '127.0.0.1:1234');
  t.is(found.secretKey, 'kept in the folder');
  const other = 'postgres://elsewhere/x';
  const set = withRunningSystem(loadConfig({ DATA_DIR: dataDir, DATABASE_URL: other }));
  t.is(set.databaseUrl, other);
});

test('only a process that `npm start` records as starting is still coming up', (t) => {
  const dataDir = testFolder(t);
  t.false(isBeingStartedBy(dataDir, 7));
  const processes = { start: { pid: 7, startedAt: 'then' } };
  writeEndpoints(dataDir, { status: 'starting', processes });
  t.true(isBeingStartedBy(dataDir, 7));
  t.false(isBeingStartedBy(dataDir, 8));
  writeEndpoints(dataDir, { status: 'ready', processes });
  t.false(isBeingStartedBy(dataDir, 7));
});

test('the endpoints file of a killed start is ignored', (t) => {
  const dataDir = testFolder(t);
  // A process with the pid exists, but with another start time: the system reused the pid.
  const start = { pid: process.pid, startedAt: 'earlier' };
  const databaseUrl = 'postgres://embedded/x';
  writeEndpoints(dataDir, { status: 'ready', databaseUrl, processes: { start } });
  t.is(withRunningSystem(loadConfig({ DATA_DIR: dataDir })).databaseUrl, undefined);
});

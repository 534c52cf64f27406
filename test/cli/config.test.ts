/** The values that the environment may have (decisions 11), and the errors about wrong ones. */

import test from 'ava';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  childEnvironment,
  ConfigError,
  loadConfig,
  secretKeysOf,
  secretNames,
  variableNames,
} from '../../config.ts';
import { withRunningSystem } from '../../providers/embedded/running-system.ts';
import { isBeingStartedBy, writeEndpoints } from '../../providers/embedded/endpoints.ts';
import { processStartedAt } from '../../providers/embedded/process.ts';
import {
  authority,
  clientCertificate,
  clientKey,
  serverCertificate,
  serverKey,
  strangersKey,
} from '../support/certificates.ts';
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
    { READ_DATABASE_URL: 'postgres://me@db.example/x' },
    { DATABASE_URL: 'postgres://me@127.0.0.1:6432/x?direct=db.example:5432' },
  ]) {
    t.false(isLocal(env), JSON.stringify(env));
  }
});

test('an empty variable counts as not set', (t) => {
  t.is(loadConfig({ PORT: '', DATABASE_URL: '' }).port, 8080);
});

const long = 'a key of 32 or more characters, which is no secret';
const other = 'another-key-of-32-or-more-characters-for-the-tests';

test('a wrong variable is refused, and the mistake says which and what to do', (t) => {
  const folder = testFolder(t);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const cert = file('cert.pem', serverCertificate);
  const key = file('key.pem', serverKey);
  const strange = file('strange.pem', strangersKey);
  const empty = file('empty.pem', '');
  const keyFile = file('secret.key', `${long}\n`);
  const bytes = join(folder, 'bytes');
  writeFileSync(bytes, Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  const far = { TEMPORAL_ADDRESS: 'temporal.example:7233' };
  const client = { ...far, TEMPORAL_TLS_CLIENT_CERT_PATH: cert, TEMPORAL_TLS_CLIENT_KEY_PATH: key };
  const table: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ DATABSE_URL: 'x' }, /^DATABSE_URL is no variable of Sundial: did you mean DATABASE_URL\?$/],
    [{ TEMPORAL_ADRESS: 'x' }, /did you mean TEMPORAL_ADDRESS\?$/],
    [{ SECERT_KEY: 'x' }, /did you mean SECRET_KEY\?$/],
    [{ SUNDIAL_PORT: 'x' }, /^SUNDIAL_PORT is no variable of Sundial: did you mean PORT\?$/],
    [{ SUNDIAL_COLOUR: 'x' }, /^SUNDIAL_COLOUR is no variable of Sundial: README.md lists all$/],
    [{ SECRET_KEYS_OLD: long }, /^SECRET_KEYS_OLD is no variable of Sundial: README.md lists all$/],
    [{ TEMPORAL_TLS_CERT: cert }, /^TEMPORAL_TLS_CERT is no variable/],
    [
      { SECRET_KEY: other, SECRET_KEY_FILE: keyFile },
      /^SECRET_KEY and SECRET_KEY_FILE are not given together: unset one of them$/,
    ],
    [
      { SECRET_KEY_FILE: join(folder, 'x') },
      /^SECRET_KEY_FILE names a file that does not exist: write the secret into the file, or set SECRET_KEY/,
    ],
    [
      { DATABASE_URL_FILE: folder },
      /^DATABASE_URL_FILE names a folder, where it must name a file: /,
    ],
    [
      { SMTP_URL_FILE: empty },
      /^SMTP_URL_FILE names an empty file: write the secret into the file/,
    ],
    [{ SMTP_URL_FILE: file('newline', '\n') }, /^SMTP_URL_FILE names an empty file: /],
    [{ PAYLOAD_KEY_FILE: bytes }, /^PAYLOAD_KEY_FILE names a file that is no text in UTF-8: /],
    [{ SECRET_KEY_FILE: file('short', 'short') }, /^SECRET_KEY must have at least 32 characters$/],
    [
      { SECRET_KEYS_OTHER_FILE: file('json', '["') },
      /^SECRET_KEYS_OTHER begins with \[, but is no/,
    ],
    [{ MIGRATE_URL_FILE: file('mysql', 'mysql://x') }, /^MIGRATE_URL must be an address that/],
    [
      { READ_DATABASE_URL_FILE: file('mysql', 'mysql://x') },
      /^READ_DATABASE_URL must be an address that/,
    ],
    [{ DATABSE_URL_FILE: keyFile }, /did you mean DATABASE_URL_FILE\?$/],
    [
      { BASE_DOMAIN_FILE: keyFile },
      /^BASE_DOMAIN_FILE is no variable of Sundial: did you mean BASE_D/,
    ],
    [{ TLS_KEY_FILE: keyFile }, /^TLS_KEY_FILE is no variable of Sundial: did you mean TLS_KEY\?$/],
    [{ TLS_CERT: cert }, /^TLS_CERT and TLS_KEY are given together or not at all$/],
    [
      { TLS_CERT: cert, TLS_KEY: strange },
      /^TLS_KEY is not the key of the certificate in TLS_CERT$/,
    ],
    [{ TLS_CERT: key, TLS_KEY: key }, /^TLS_CERT has no certificate; it takes PEM$/],
    [
      { TLS_CERT: cert, TLS_KEY: empty },
      /^TLS_KEY has no private key without a password; it takes/,
    ],
    [{ TLS_CERT: folder, TLS_KEY: key }, /^TLS_CERT names a folder, where it must name a file$/],
    [{ TLS_CERT: join(folder, 'x'), TLS_KEY: key }, /^TLS_CERT names a file that does not exist$/],
    [
      { SECRET_KEYS_OTHER: `${other} short` },
      /^SECRET_KEYS_OTHER must have at least 32 characters/,
    ],
    [{ SECRET_KEYS_OTHER: '["' }, /^SECRET_KEYS_OTHER begins with \[, but is no JSON list/],
    [{ PAYLOAD_KEY: 'short' }, /^PAYLOAD_KEY must have at least 32 characters$/],
    [{ PUBLIC_URL: 'https//bill.example' }, /^PUBLIC_URL must be an address that begins with http/],
    [{ DATABASE_URL: 'postgres://[' }, /^DATABASE_URL must be an address that begins with/],
    [{ TEMPORAL_ADDRESS: 'https://temporal.example:7233' }, /^TEMPORAL_ADDRESS must be host:port$/],
    [{ TEMPORAL_NAMESPACE: 'two words' }, /^TEMPORAL_NAMESPACE must be the name of a namespace/],
    [{ CODEC_ORIGINS: '127.0.0.1:8233' }, /^CODEC_ORIGINS must be origins, such as http/],
    [{ CODEC_PASSWORD: 'short' }, /^CODEC_PASSWORD must have at least 16 characters$/],
    [{ OPERATOR_PASSWORD: 'short' }, /^OPERATOR_PASSWORD must have at least 16 characters$/],
    [{ TEMPORAL_UI_URL: 'temporal:8233' }, /^TEMPORAL_UI_URL must be an address that begins with /],
    [{ OPERATOR_HEADER: 'X-Forwarded-User' }, /^OPERATOR_HEADER is taken from a proxy alone/],
    [
      { OPERATOR_HEADER: 'X User', TRUST_PROXY: 'true' },
      /^OPERATOR_HEADER must be the name of a header$/,
    ],
    [{ TEMPORAL_TLS: 'true' }, /^TEMPORAL_ADDRESS must be set: the embedded Temporal has no TLS/],
    [far, /^TEMPORAL_ADDRESS is on another machine: set TEMPORAL_TLS=true, or TEMPORAL_TLS=false/],
    [
      { ...far, TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'x' },
      /^TEMPORAL_API_KEY goes to another machine over TLS only: set TEMPORAL_TLS=true$/,
    ],
    [
      { ...far, TEMPORAL_TLS: 'false', TEMPORAL_TLS_SERVER_NAME: 'x' },
      /^TEMPORAL_TLS_SERVER_NAME is of no use with TEMPORAL_TLS=false$/,
    ],
    [
      { ...client, TEMPORAL_TLS_CLIENT_KEY_PATH: strange },
      /^TEMPORAL_TLS_CLIENT_KEY_PATH is not the key of the certificate in TEMPORAL_TLS_CLIENT_CERT_PATH$/,
    ],
    [
      { ...client, TEMPORAL_TLS_CLIENT_KEY_PATH: '' },
      /^TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH are given together/,
    ],
    [
      {
        ...far,
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: cert,
        TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority,
      },
      /^TEMPORAL_TLS_SERVER_CA_CERT_PATH and TEMPORAL_TLS_SERVER_CA_CERT_DATA are not given together$/,
    ],
    [
      { TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: 'true' },
      /^TEMPORAL_TLS_DISABLE_HOST_VERIFICATION is not supported: name the host/,
    ],
  ];
  for (const [env, mistake] of table) {
    const error = t.throws(() => loadConfig(env), { instanceOf: ConfigError }, String(mistake));
    t.is(error?.mistakes.length, 1, error?.message);
    t.regex(error?.mistakes[0] ?? '', mistake);
  }
});

/** Values that are right; of others a key is. */
const rightSecrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://me:hunter2@127.0.0.1/x',
  READ_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:5433/x',
  MIGRATE_URL: 'postgres://owner:hunter2@127.0.0.1/x',
  SMTP_URL: 'smtp://me:hunter2@mail.example:587',
  SECRET_KEYS_OTHER: `${other}\n${other}x`,
  METRICS_TOKEN: 'a-token-of-16-or-more-characters',
};

test('a secret stands in its variable, or in a file that NAME_FILE names', (t) => {
  const folder = testFolder(t);
  t.true(secretNames.length >= 8);
  for (const name of secretNames) {
    const value = rightSecrets[name] ?? other;
    const file = join(folder, name);
    const far = {
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      TEMPORAL_TLS: 'true',
      METRICS_PORT: '9464',
    };
    const direct = loadConfig({ ...far, [name]: value });
    t.notDeepEqual(direct, loadConfig(far), name);
    // Editors and `echo` end a line; a variable that is set and empty counts as absent.
    for (const end of ['', '\n', '\r\n']) {
      writeFileSync(file, `${value}${end}`);
      t.deepEqual(loadConfig({ ...far, [name]: '', [`${name}_FILE`]: file }), direct, name);
    }
  }
});

test('every variable that is a secret may be in a file', (t) => {
  // TLS_KEY and the client's key of Temporal are files already.
  const named = variableNames.filter(
    (name) => /KEYS?_OTHER$|KEY$|PASSWORD|TOKEN|_URL$/.test(name) && !/TLS_/.test(name),
  );
  const open = ['PUBLIC_URL', 'STORAGE_URL', 'STRIPE_API_URL', 'TEMPORAL_UI_URL'];
  t.deepEqual(
    named.filter((name) => !open.includes(name) && !secretNames.includes(name)),
    [],
  );
});

test('a child process that is given a secret does not get the file of its parent as well', (t) => {
  const env = childEnvironment({ DATABASE_URL: 'postgres://me@127.0.0.1/x', MIGRATE_URL: '' });
  t.true('DATABASE_URL_FILE' in env && 'MIGRATE_URL_FILE' in env);
  t.is(env['DATABASE_URL_FILE'] ?? env['MIGRATE_URL_FILE'], undefined);
});

test('variables of other programs are no mistakes', (t) => {
  for (const name of [
    'TEMPORAL_CLI_SHOW_STACKS',
    'TEMPORAL_GRPC_META_X',
    'TEMPORAL_PROFILE',
    'POSTGRES_HOST',
    'POSTGRES_USER',
    'STRIPE_API_KEY',
    'HOSTNAME',
    'SMTP_USER',
    'LOG_LEVEL_OF_OTHERS',
    'SUNDIAL_TEST_SERVERS',
    'HOST_FILE',
    'AWS_SHARED_CREDENTIALS_FILE',
  ]) {
    t.notThrows(() => loadConfig({ [name]: 'x' }), name);
  }
});

test('Temporal is reached as its own programs are, and TLS follows from what is given', (t) => {
  const folder = testFolder(t);
  const cert = join(folder, 'client.pem');
  const key = join(folder, 'client.key');
  writeFileSync(cert, clientCertificate);
  writeFileSync(key, clientKey);
  const far = { TEMPORAL_ADDRESS: 'temporal.example:7233' };
  const accessOf = (env: Readonly<Record<string, string>>) => loadConfig(env).temporalAccess;
  t.is(accessOf({ TEMPORAL_ADDRESS: '[::1]:7233' }).tls, undefined);
  t.is(accessOf({ ...far, TEMPORAL_TLS: 'false' }).tls, undefined);
  t.truthy(accessOf({ ...far, TEMPORAL_TLS: 'true' }).tls);
  const cloud = accessOf({ ...far, TEMPORAL_API_KEY: 'key' });
  t.truthy(cloud.tls);
  t.is(cloud.apiKey, 'key');
  const both = { TEMPORAL_TLS_CLIENT_CERT_PATH: cert, TEMPORAL_TLS_CLIENT_KEY_PATH: key };
  t.deepEqual(accessOf({ ...far, ...both, TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority }).tls, {
    serverName: undefined,
    serverCaCert: authority,
    client: { cert: clientCertificate, key: clientKey },
  });
});

test('keys that only decrypt stand in a list, and one with blanks in a JSON list', (t) => {
  const given = { SECRET_KEY: other, SECRET_KEYS_OTHER: JSON.stringify([long, other]) };
  t.deepEqual(secretKeysOf(loadConfig(given)), [other, long]);
  const more = loadConfig({ SECRET_KEY: long, SECRET_KEYS_OTHER: ` ${other}\n${other}x ` });
  t.deepEqual(secretKeysOf(more), [long, other, `${other}x`]);
  t.deepEqual(secretKeysOf(loadConfig({ SECRET_KEY: long })), [long]);
  t.is(loadConfig({}).temporalAccess.payloadKeys, undefined);
  t.deepEqual(loadConfig({ PAYLOAD_KEYS_OTHER: other }).temporalAccess.payloadKeys, {
    encrypts: undefined,
    others: [other],
  });
});

test('links use https if the server has a certificate', (t) => {
  const folder = testFolder(t);
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, serverCertificate);
  writeFileSync(key, serverKey);
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

test('metrics need a port, and a token where other machines reach it', (t) => {
  t.is(loadConfig({}).metrics, undefined);
  t.deepEqual(loadConfig({ METRICS_PORT: '9464' }).metrics, {
    port: 9464,
    host: '127.0.0.1',
    token: undefined,
  });
  const token = 'sixteen-or-longer';
  const open = { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_TOKEN: token };
  t.deepEqual(loadConfig(open).metrics, { port: 9464, host: '0.0.0.0', token });
  const mistakes = (env: Record<string, string>) =>
    t.throws(() => loadConfig(env), { instanceOf: ConfigError })?.mistakes;
  t.deepEqual(mistakes({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }), [
    'METRICS_TOKEN must be set: METRICS_HOST is no loopback address',
  ]);
  t.deepEqual(mistakes({ METRICS_PORT: '94640' }), [
    'METRICS_PORT must be a whole number from 0 to 65535',
  ]);
  t.deepEqual(mistakes({ METRICS_PORT: '9464', METRICS_TOKEN: 'short' }), [
    'METRICS_TOKEN must have at least 16 characters',
  ]);
  t.deepEqual(mistakes({ METRICS_TOKEN: token }), [
    'METRICS_TOKEN is of no use without METRICS_PORT',
  ]);
  t.deepEqual(mistakes({ METRIC_PORT: '9464' }), [
    'METRIC_PORT is no variable of Sundial: did you mean METRICS_PORT?',
  ]);
});

test('traces go to a collector by its address alone', (t) => {
  t.is(loadConfig({}).tracesUrl, undefined);
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
  t.is(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracesUrl, OTEL_EXPORTER_OTLP_ENDPOINT);
  t.throws(() => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }), {
    message: /OTEL_EXPORTER_OTLP_ENDPOINT must be an address that begins with http/,
  });
});

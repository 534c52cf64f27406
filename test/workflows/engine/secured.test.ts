/** Temporal on another machine: TLS with and without certificates of clients, and encrypted payloads. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { Client } from 'pg';
import { childEnvironment, type TemporalAccess } from '../../../config.ts';
import { checkTemporal, TemporalAccessError } from '../../../providers/temporal/check.ts';
import {
  connectTemporal,
  workflowClient,
  type TemporalNamespace,
} from '../../../providers/temporal/connect.ts';
import {
  authority,
  clientCertificate,
  clientKey,
  serverCertificate,
  serverKey,
} from '../../support/certificates.ts';
import { holdRelay, testDatabase } from '../../support/database.ts';
import { testFolder } from '../../support/folder.ts';
import { patient, suffix, testBundle, testTemporal } from '../../support/temporal.ts';
import { startTlsProxy } from '../../support/tls-proxy.ts';
import { textOf } from '../history-text.ts';
import { detailsOf, openHarness, openTenant, order, until } from '../harness.ts';

const plain = await testTemporal();
const bundle = await testBundle();
const { ownerUrl } = await testDatabase();
await holdRelay(ownerUrl);
const open = await startTlsProxy(plain.address, { asksClient: false });
const guarded = await startTlsProxy(plain.address, { asksClient: true });
test.after.always(() => [open, guarded].forEach((proxy) => proxy.stop()));

const named = { serverName: 'temporal.test', serverCaCert: authority };
const client = { cert: clientCertificate, key: clientKey };
const { namespace } = plain;

test('TLS with the right settings connects, and each wrong one is told with what to set', async (t) => {
  const check = ({ address }: { readonly address: string }, access: TemporalAccess) =>
    checkTemporal({ address, namespace, access });
  await t.notThrowsAsync(check(plain, {}));
  await t.notThrowsAsync(check(open, { tls: named }));
  await t.notThrowsAsync(check(guarded, { tls: { ...named, client } }));
  const table = [
    [plain, { tls: {} }, /it does not speak TLS\. Set TEMPORAL_TLS=false/],
    [open, {}, /answers over TLS only: set TEMPORAL_TLS=true/],
    [open, { tls: {} }, /is not verified\. Set TEMPORAL_TLS_SERVER_CA_CERT_PATH/],
    [open, { tls: { serverCaCert: authority } }, /another name\. Set TEMPORAL_TLS_SERVER_NAME/],
    [guarded, { tls: named }, /without a client certificate.*TEMPORAL_TLS_CLIENT_CERT_PATH/],
  ] as const;
  for (const [server, access, mistake] of table) {
    const error = await t.throwsAsync(check(server, access), { instanceOf: TemporalAccessError });
    t.regex(error?.message ?? '', mistake);
  }
  const nowhere = { address: plain.address, namespace: `none-${suffix()}` };
  const missing = await t.throwsAsync(checkTemporal(nowhere, 0), {
    instanceOf: TemporalAccessError,
  });
  t.regex(missing?.message ?? '', /has no namespace none-.*temporal operator namespace create -n/);
  // A server that is down may come up later.
  await t.notThrowsAsync(check({ address: '127.0.0.1:1' }, { tls: named }));
});

test('an API key goes with each call, and one that is refused is told', async (t) => {
  const keys: unknown[] = [];
  const cloud = createSecureServer({ cert: serverCertificate, key: serverKey });
  cloud.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    keys.push(headers.authorization);
    const refusal = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' };
    stream.respond(refusal, { endStream: true });
  });
  cloud.listen(0, '127.0.0.1');
  await once(cloud, 'listening');
  t.teardown(() => cloud.close());
  const address = `127.0.0.1:${(cloud.address() as AddressInfo).port}`;
  const access = { tls: named, apiKey: 'a key of the cloud' };
  const error = await t.throwsAsync(checkTemporal({ address, namespace, access }));
  t.regex(error?.message ?? '', /refuses our credentials .* Check TEMPORAL_API_KEY/);
  t.is(keys[0], 'Bearer a key of the cloud');
  t.false(error?.message.includes('a key of the cloud'));
});

test('API and worker end at once if Temporal refuses them, and nothing is stored', async (t) => {
  const { ownerUrl: url } = await testDatabase(t);
  const programs = ['api/main.ts', 'activities/worker.ts', 'cli/start.ts'];
  const ended = await Promise.all(
    programs.map((program) =>
      ran([program], {
        DATA_DIR: testFolder(t),
        PORT: '0',
        DATABASE_URL: url,
        TEMPORAL_ADDRESS: open.address,
        TEMPORAL_NAMESPACE: namespace,
        SECRET_KEY: 'a key of the tests, of 32 or more characters',
      }),
    ),
  );
  for (const { code, said } of ended) {
    t.is(code, 1, said);
    t.regex(said, /^Temporal at .* answers over TLS only: set TEMPORAL_TLS=true$/m);
    t.notRegex(said, /\n\s+at /);
  }
  const owner = new Client({ connectionString: url });
  await owner.connect();
  t.teardown(() => owner.end());
  const { rows } = await owner.query(
    `select key from installation where key not in ('events_since_id', 'schema')`,
  );
  t.deepEqual(rows, []);
});

/** The exit code of one of our programs, and what it said. */
function ran(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const cwd = join(import.meta.dirname, '../../..');
  const env = childEnvironment(variables);
  return new Promise<{ readonly code: unknown; readonly said: string }>((resolve) => {
    execFile(process.execPath, args, { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, said: stdout + stderr });
    });
  });
}

/** The payloads of a history as Temporal has them. */
async function storedOf(workflowId: string, server: TemporalNamespace) {
  const connection = await connectTemporal(server, patient);
  try {
    return textOf(await workflowClient(connection, server).getHandle(workflowId).fetchHistory());
  } finally {
    await connection.close();
  }
}

test('payloads are encrypted from the day on that PAYLOAD_KEY is set, also of workflows that run', async (t) => {
  const taskQueue = `test-${suffix()}`;
  const where = { ownerUrl, namespace, bundle, taskQueue };
  // The release of the day before: no TLS, payloads in clear.
  const before = await openHarness({ ...where, address: plain.address });
  const earlier = await openTenant(before, {});
  const id = await earlier.order({ customerId: await earlier.customer(), contractCode: 'GOLD' });
  await earlier.start(order(id));
  const { workflowId } = earlier.workflow(order(id));
  await until('it is in clear', async () =>
    (await storedOf(workflowId, plain)).includes('is Active'),
  );
  await before.worker.stop();

  const payloadKeys = { encrypts: 'the key of payloads, of 32 or more characters', others: [] };
  const access = { tls: { ...named, client }, payloadKeys };
  const harness = await openHarness({ ...where, address: guarded.address, access });
  t.teardown(() => harness.worker.stop());
  const { engine } = harness;
  // It reads what was written in clear, and goes on.
  const workflow = engine.client.getHandle(workflowId);
  const { historyLength } = await workflow.describe();
  await workflow.signal('nudge');
  await until('it has looked again', async () => {
    const { historyLength: now } = await workflow.describe();
    return now > historyLength + 3;
  });
  await until('it says what it says', async () =>
    (await detailsOf(workflow)).includes('is Active'),
  );

  const books = await openTenant(harness, {});
  const next = await books.order({
    customerId: await books.customer('ADA-1'),
    contractCode: 'GOLD',
  });
  await books.start(order(next));
  const own = books.workflow(order(next));
  await until('it says whose it is', async () =>
    (await detailsOf(own)).includes('- customer ADA-1'),
  );
  const stored = await storedOf(own.workflowId, plain);
  t.true(stored.includes('binary/encrypted'));
  t.false(stored.includes('is Active'), 'nothing that an activity said is in clear');
  // What people search by stays readable, and so do the id and the type.
  t.true(stored.includes('Phase') && stored.includes('"ADA-1"'));
  await Promise.all([workflow.terminate(), own.terminate()]);
});

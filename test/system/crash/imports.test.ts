/**
 * Kills the API, the Temporal server and PostgreSQL with SIGKILL in the middle of imports, which gates
 * make sure of: amid an upload, amid rows, while transactions are committed, and at the end.
 * Afterwards each good row exists once, and each row has its place in the result.
 */
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import { migrate } from '../../../db/connection/migrate.ts';
import { testFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { auditIsClean } from './aftermath.ts';
import { gateAtCommit, gateWhere, type Gate } from './gate.ts';
import {
  baseFile,
  customersAreRight,
  customersFile,
  invoicesAreRight,
  invoicesFile,
  lineFiles,
  openImporting,
  type Importing,
} from './importing.ts';
import { startParts, type Parts } from './parts.ts';
import { killAll, startDurable } from './postgres.ts';
import { openTestDatabase } from './till.ts';

let remove: () => unknown = () => undefined;
const folder = testFolder({ teardown: (end) => void (remove = end) });
let postgres = await startDurable(folder);
await migrate(postgres.url);
const parts: Parts = {
  ...(await startParts({ DATABASE_URL: postgres.url })),
  ownerUrl: postgres.url,
};
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
for (const each of [db, relayDb]) each.pool.on('error', () => undefined);

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
  await postgres.stop();
  await remove();
});

/** Gates of a test, all closed. */
async function closed<Name extends string>(
  gates: Readonly<Record<Name, Promise<Gate>>>,
): Promise<Record<Name, Gate>> {
  const opened: Partial<Record<Name, Gate>> = {};
  for (const name of Object.keys(gates) as Name[]) {
    const gate = await gates[name];
    await gate.close();
    opened[name] = gate;
  }
  return opened as Record<Name, Gate>;
}

const inserts = (table: string, column: string, mark = 'Gate'): Promise<Gate> =>
  gateWhere(table, `new.${column} = '${mark}'`, parts.ownerUrl);
const becomes = "old.status = 'Queued' and new.status <> 'Queued' and new.kind = ";

async function finalized(tenant: Importing, ...ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const { status, body } = await tenant.finalize(id);
    if (status !== 200) throw new Error(body);
  }
}

/** A file of invoices with its line items. */
async function uploadedInvoices(tenant: Importing, prefix: string) {
  const id = await tenant.uploaded('Invoice', invoicesFile(prefix));
  const [one, two] = lineFiles(prefix);
  const first = await tenant.uploaded('Invoice Line Item', one, id);
  const second = await tenant.uploaded('Invoice Line Item', two, id);
  return { id, lineIds: [first, second] as const };
}

/** After the end of these jobs, which are all of the tenant. */
async function assertDone(
  t: Parameters<typeof customersAreRight>[0],
  tenant: Importing,
  ...ids: readonly number[]
): Promise<void> {
  const uploads = join(parts.folder, 'storage');
  await until('the uploads are gone', () => {
    const files = readdirSync(uploads, { recursive: true, encoding: 'utf8' });
    return Promise.resolve(!files.some((name) => name.endsWith('-upload.csv')));
  });
  for (const id of ids) {
    t.is((await tenant.finalize(id)).status, 200);
    t.is(await tenant.count(`event where type = 'batch.finished' and object_id = ${id}`), 1);
  }
  t.is(await tenant.count(`batch where status = 'Queued'`), 0);
  await auditIsClean(t, parts, { db, relayDb });
}

/** Half of a file, and nothing more. Resolves when the sender is cut off. */
function halfUploaded(url: string, text: string): Promise<unknown> {
  const { pathname, search, host } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const sending = request(parts.apiUrl, {
    method: 'PUT',
    path: pathname + search,
    headers: { host, 'content-length': Buffer.byteLength(text) },
  });
  sending.once('error', resolve).once('close', resolve);
  sending.write(text.slice(0, text.length / 2));
  return promise;
}

const storedParts = (): readonly string[] => {
  const names = readdirSync(parts.folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.part'));
};

test.serial(
  'the API and the engine die: addresses stay usable, and a job begins once',
  async (t) => {
    const tenant = await openImporting(parts, db);
    await tenant.run('Customer', baseFile('A'));
    const { id, uploadUrl } = await tenant.draft('Customer');
    const text = customersFile('A');
    const cut = halfUploaded(uploadUrl, text);
    await until('a part is there', () => Promise.resolve(storedParts().length > 0));
    await parts.api.kill();
    await cut;
    await parts.api.start();
    t.is((await tenant.upload(uploadUrl, text)).status, 201);
    const gates = await closed({
      finalized: gateAtCommit(
        'update on batch',
        `old.status = 'Draft' and new.status = 'Queued'`,
        parts.ownerUrl,
      ),
      customers: inserts('contact', 'first_name'),
    });
    const cutOff = tenant.finalize(id).catch(() => null);
    await gates.finalized.reached();
    await parts.api.kill();
    t.is(await cutOff, null);
    t.regex(await tenant.statusOf(id), /^Draft/);
    await gates.finalized.open();
    await until('it is finalized', async () => (await tenant.statusOf(id)).startsWith('Queued'));
    await parts.api.start();
    const again = await Promise.all([tenant.finalize(id), tenant.finalize(id)]);
    t.deepEqual(
      again.map(({ status }) => status),
      [200, 200],
    );
    await gates.customers.reached();
    await parts.temporal.kill();
    await gates.customers.open();
    await parts.temporal.start();
    await tenant.ended(id);
    await customersAreRight(t, tenant, { id, prefix: 'A' });
    t.is((await tenant.finalize(id)).status, 200);
    t.is(await tenant.count(`event where type = 'batch.finished' and object_id = ${id}`), 1);
    await auditIsClean(t, parts, { db, relayDb });
    for (const gate of Object.values(gates)) await gate.end();
  },
);

test.serial(
  'PostgreSQL dies amid imports, and at their end: each good row exists once',
  async (t) => {
    const tenant = await openImporting(parts, db);
    const killPostgres = async (...reached: readonly Gate[]): Promise<void> => {
      for (const gate of reached) await gate.reached();
      await killAll(postgres);
      // It would go on, and be past the next gates before these are closed.
      parts.worker.freeze();
      postgres = await startDurable(folder, Number(new URL(postgres.url).port));
      await until('it answers', () =>
        tenant.statusOf(0).then(
          () => true,
          () => false,
        ),
      );
    };
    // Gates open with the connection of their owner.
    const close = async (gate: Promise<Gate>): Promise<Gate> => {
      await (await gate).close();
      return gate;
    };
    const rows = await close(inserts('contact', 'first_name'));
    const customers = await tenant.uploaded('Customer', customersFile('P'));
    await tenant.run('Customer', baseFile('P'));
    const invoices = await uploadedInvoices(tenant, 'P');
    await finalized(tenant, customers, invoices.id);
    await killPostgres(rows);
    const ended = await close(
      gateAtCommit('update on batch', `${becomes} 'customers'`, parts.ownerUrl),
    );
    parts.worker.thaw();
    await killPostgres(ended);
    const chunk = await close(inserts('invoice', 'notes', 'Commit'));
    parts.worker.thaw();
    await killPostgres(chunk);
    parts.worker.thaw();
    await tenant.ended(customers, invoices.id, ...invoices.lineIds);
    await customersAreRight(t, tenant, { id: customers, prefix: 'P' });
    await invoicesAreRight(t, tenant, { ...invoices, prefix: 'P' });
    await assertDone(t, tenant, customers, invoices.id);
  },
);

/**
 * Reads that take much go to READ_DATABASE_URL. Here that is the same server, by a login that only reads; the
 * long run has a streaming replica (recovery/replica.test.ts).
 */
import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { type Database, forReading, openDatabase } from '../../../db/connection/database.ts';
import { LoginError, replicaOf } from '../../../db/connection/logins.ts';
import { ReplicaError } from '../../../db/connection/replica.ts';
import { rowsInSnapshot } from '../../../db/connection/snapshot.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { audit } from '../../support/audit.ts';
import { patientSession, testDatabase } from '../../support/database.ts';
import { testServers } from '../../support/servers.ts';
import { administer } from '../../support/template.ts';
import { makeTenant } from '../../support/tenants.ts';

const PASSWORD = 'hunter2';
const session = { ...patientSession, poolMax: 2, name: 'test' } as const;

async function place(t: ExecutionContext) {
  const { ownerUrl, loginUrl, name } = await testDatabase(t);
  const { adminUrl } = await testServers('postgres');
  /** The address of a new login that may become the service's role. */
  async function login(...more: readonly string[]): Promise<string> {
    const role = `reader_${randomBytes(4).toString('hex')}`;
    const settings = more.map((each) => `alter role ${role} ${each}`);
    await administer(
      ownerUrl,
      `create role ${role} login noinherit password '${PASSWORD}'`,
      `grant connect on database ${name} to ${role}`,
      `grant sundial_app to ${role}`,
      ...settings,
    );
    t.teardown(() => administer(adminUrl, `drop owned by ${role}`, `drop role ${role}`));
    return Object.assign(new URL(ownerUrl), { username: role, password: PASSWORD }).href;
  }
  const told: string[] = [];
  async function open(readUrl: string, mayOwn = true): Promise<Database> {
    const replica = replicaOf(readUrl, { mayOwn, tell: (text) => void told.push(text) });
    const db = await openDatabase({ ...session, url: loginUrl, role: 'sundial_app', replica });
    t.teardown(() => db.close());
    return db;
  }
  return { ownerUrl, loginUrl, login, open, told };
}

const readOnly = 'set default_transaction_read_only = on';

const userOf = async (db: Database): Promise<string> => {
  const [row] = await db.ask<{ login: string }>({ text: 'select session_user as login' });
  return row?.login ?? '';
};

test('a read that takes much goes to the address for reads, and sees what was just written', async (t) => {
  const { login, open, told, ownerUrl } = await place(t);
  const url = await login(readOnly);
  const db = await open(url);
  const reader = new URL(url).username;
  t.not(await userOf(db), reader);
  t.is(await userOf(await forReading(db)), reader);
  t.deepEqual(told, ['reads that take much go to the replica']);

  const dependencies = { db, realNow: Date.now };
  const { id, label } = await makeTenant(dependencies, {});
  const insert = `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
    values ($1, 'A', 'Active', 'USD', now(), now()) returning id`;
  const [customer] = await inTenant(db, id, (tx) => tx.query<{ id: number }>(insert, [id]));
  const statement = { text: 'select id, session_user as login from customer', values: [] };
  const rows = [];
  for await (const part of rowsInSnapshot(db, id, statement)) rows.push(...part);
  t.deepEqual(rows, [{ id: customer?.id, login: reader }]);
  await t.throwsAsync(
    inTenant(await forReading(db), id, (tx) => tx.query(insert, [id])),
    {
      message: /read-only transaction/,
    },
  );
  const relayDb = await openDatabase({ ...session, url: ownerUrl, role: 'sundial_relay' });
  t.teardown(() => relayDb.close());
  const { tenants } = await audit(dependencies, { relayDb, engine: null, only: label });
  t.is(tenants[0]?.customers, 1);
});

test('an address for reads that leads elsewhere, or to what may write, is refused', async (t) => {
  const { login, loginUrl, open } = await place(t);
  const { ownerUrl: other } = await testDatabase(t);
  const right = await login(readOnly);
  const to = (url: string, change: Partial<URL>): string =>
    Object.assign(new URL(url), change).href;
  const table: readonly (readonly [string, RegExp])[] = [
    [loginUrl, /leads to a session that may write: name a replica, or a login with default_/],
    [await login(), /leads to a session that may write/],
    [other, /leads to another database than DATABASE_URL: name a streaming replica/],
    [to(right, { password: 'wrong' }), /READ_DATABASE_URL cannot be used: password authentication/],
    [to(right, { username: 'nobody_at_all' }), /READ_DATABASE_URL cannot be used/],
    [to(right, { pathname: '/no_such' }), /READ_DATABASE_URL cannot be used/],
  ];
  for (const [url, text] of table) {
    const error = await t.throwsAsync(open(url), { instanceOf: ReplicaError }, String(text));
    t.regex(error?.message ?? '', text);
    t.false(error?.message.includes(PASSWORD));
  }
});

test('a login for reads that may do what that of the service may not is refused off loopback', async (t) => {
  const { login, open } = await place(t);
  const free = await login(readOnly, 'bypassrls');
  await t.notThrowsAsync(open(free));
  await t.throwsAsync(open(free, false), {
    instanceOf: LoginError,
    message: /of READ_DATABASE_URL is refused off loopback: it passes row-level security/,
  });
});

test('while nobody answers at the address for reads, the database itself does', async (t) => {
  const { login, open, told } = await place(t);
  const url = new URL(await login(readOnly));
  // A port that nobody listens on.
  url.port = '1';
  const db = await open(url.href);
  const source = await forReading(db);
  t.is(await userOf(source), await userOf(db));
  t.deepEqual(told, ['reads go to the database itself: the replica does not answer']);
  const [row] = await source.ask<{ one: number }>({ text: 'select 1 as one' });
  t.is(row?.one, 1);
});

test('a login that may not become the role of the service is refused', async (t) => {
  const { ownerUrl, login, open } = await place(t);
  const url = await login(readOnly);
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`revoke sundial_app from ${new URL(url).username}`);
  await owner.end();
  await t.throwsAsync(open(url), {
    instanceOf: ReplicaError,
    message: /READ_DATABASE_URL cannot be used: permission denied to set role/,
  });
});

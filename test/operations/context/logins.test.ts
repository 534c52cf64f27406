/** The login that processes have: who makes it, what it needs, and what of it is refused. */
import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { childEnvironment } from '../../../config.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import {
  grantLogin,
  LoginError,
  mayMigrate,
  refuseAPowerfulLogin,
} from '../../../db/connection/logins.ts';
import { migrate } from '../../../db/connection/migrate.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { testDatabase } from '../../support/database.ts';
import { testServers } from '../../support/servers.ts';
import { administer, asked } from '../../support/template.ts';
import { makeTenant, SECRET_KEY } from '../../support/tenants.ts';

const root = join(import.meta.dirname, '../../..');

interface Place {
  readonly ownerUrl: string;
  /** The address for a role that exists, or is yet to be made; it is dropped after the test. */
  readonly urlOf: (name: string) => string;
}

/** A database without a schema. Its owner is no superuser, as in most places. */
async function emptyDatabase(t: ExecutionContext): Promise<Place & { readonly adminUrl: string }> {
  const made: string[] = [];
  const { ownerUrl: adminUrl, name } = await testDatabase(t);
  t.teardown(async () => {
    const { adminUrl: serverUrl } = await testServers('postgres');
    await administer(
      serverUrl,
      `drop database if exists ${name} with (force)`,
      ...made.toReversed().map((role) => `drop role if exists ${role}`),
    );
  });
  const urlOf = (role: string): string => {
    made.push(role);
    const password = encodeURIComponent(passwordOf(role));
    return Object.assign(new URL(adminUrl), { username: role, password }).href;
  };
  const owner = `owner_${name}`;
  const ownerUrl = urlOf(owner);
  await administer(
    adminUrl,
    'drop schema public cascade',
    `create role ${owner} login createrole password '${passwordOf(owner)}'`,
    `grant sundial_app, sundial_relay to ${owner} with admin option`,
    `alter database ${name} owner to ${owner}`,
    `create schema public authorization ${owner}`,
    // What an owner who is no superuser cannot install.
    'create extension if not exists pg_trgm schema public',
    'create extension if not exists btree_gin schema public',
  );
  return { ownerUrl, urlOf, adminUrl };
}

/** An address has it encoded. */
const passwordOf = (role: string) => `${role} %/?`;
const loginName = () => `login_${randomBytes(4).toString('hex')}`;
const session = {
  role: 'sundial_app',
  poolMax: 1,
  statementTimeoutMs: 5_000,
  name: 'test',
} as const;

/** What the check says of an address; undefined if it says nothing. */
async function refusalOf(url: string): Promise<string | undefined> {
  const db = await openDatabase({ ...session, url });
  try {
    await refuseAPowerfulLogin(db.pool, { mayOwn: false });
    return undefined;
  } catch (error) {
    if (error instanceof LoginError) return error.message;
    throw error;
  } finally {
    await db.close();
  }
}

test('npm run migrate makes the login of DATABASE_URL, which works and can do nothing else', async (t) => {
  const { ownerUrl, urlOf } = await emptyDatabase(t);
  const login = loginName();
  const loginUrl = urlOf(login);
  const run = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const env = childEnvironment({ DATABASE_URL: loginUrl, MIGRATE_URL: '', ...more });
    const ended = promisify(execFile)(process.execPath, ['cli/migrate.ts'], { cwd: root, env });
    const { stdout, stderr } = await ended.catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return stdout + stderr;
  };
  const made =
    /^The schema is \d{4}-\S+; it serves releases that know \S+\nThe login (\S+) may use it\n$/;
  for (const time of ['once', 'again']) {
    t.is(made.exec(await run({ MIGRATE_URL: ownerUrl }))?.[1], login, time);
  }
  t.regex(await run({}), /does not own the schema: set MIGRATE_URL/);
  t.false(await mayMigrate(loginUrl));
  t.true(await mayMigrate(ownerUrl));

  const db = await openDatabase({ ...session, url: loginUrl });
  t.teardown(() => db.close());
  t.is(await refusalOf(loginUrl), undefined);
  const { id } = await makeTenant({ db, realNow: Date.now });
  t.deepEqual(await inTenant(db, id, (tx) => tx.query('select id from tenant')), [{ id }]);
  // The books wait for transactions of the login: the owner sees them.
  const client = new Client({ connectionString: loginUrl });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  await client.query('select 1');
  const [oldest] = await inTenant(db, id, (tx) =>
    tx.query<{ ms: number | null }>('select oldest_transaction_ms() as ms'),
  );
  t.true(typeof oldest?.ms === 'number' && oldest.ms > 0);
  for (const statement of [
    'select * from public.tenant',
    'create table public.own ()',
    'create temporary table own ()',
    'drop table public.tenant',
    'alter table public.tenant disable row level security',
    `set role owner_${new URL(ownerUrl).pathname.slice(1)}`,
    'grant sundial_app to current_user',
  ]) {
    await t.throwsAsync(
      asked(loginUrl, statement),
      { message: /permission denied|must be owner/ },
      statement,
    );
  }
});

test('off loopback a login that may take off the fences is refused, with what to do', async (t) => {
  const { ownerUrl, urlOf, adminUrl } = await emptyDatabase(t);
  await migrate(ownerUrl);
  const owner = new URL(ownerUrl).username;
  t.regex((await refusalOf(ownerUrl)) ?? '', new RegExp(`^The login ${owner} .* it owns objects`));
  t.regex((await refusalOf(adminUrl)) ?? '', /it is a superuser\. .*MIGRATE_URL/);
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      // While the owner sees the login's sessions, PostgreSQL itself keeps the two apart.
      `revoke LOGIN from ${owner} cascade; grant ${owner} to LOGIN`,
      new RegExp(`owns objects of the database, as the role ${owner}, which`),
    ],
    ['alter role LOGIN createrole', /it makes roles/],
    ['alter role LOGIN bypassrls', /it passes row-level security/],
    ['grant pg_read_all_data to LOGIN', /as the role pg_read_all_data/],
    [
      'create table public.left_over (); alter table public.left_over owner to LOGIN',
      /it owns objects/,
    ],
  ];
  for (const [statement, said] of cases) {
    const login = loginName();
    const databaseUrl = urlOf(login);
    await grantLogin(ownerUrl, { databaseUrl });
    t.is(await refusalOf(databaseUrl), undefined, statement);
    await administer(adminUrl, statement.replaceAll('LOGIN', login));
    t.regex((await refusalOf(databaseUrl)) ?? '', said, statement);
  }
  // What an administrator made by hand lacks one grant.
  const login = loginName();
  const handMade = urlOf(login);
  await administer(
    adminUrl,
    `create role ${login} login noinherit password '${passwordOf(login)}'`,
    `grant sundial_app, sundial_relay to ${login}`,
  );
  t.regex((await refusalOf(handMade)) ?? '', new RegExp(`grant "${login}" to "${owner}"`));
  const error = await t.throwsAsync(grantLogin(ownerUrl, { databaseUrl: handMade }), {
    instanceOf: LoginError,
  });
  t.regex(error?.message ?? '', new RegExp(`administrator.*: grant "${login}" to "${owner}"$`));
});

test('an API off loopback does not start as the owner, and prints why', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  for (const program of ['api/main.ts', 'activities/worker.ts']) {
    const env = childEnvironment({
      DATABASE_URL: ownerUrl,
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      SECRET_KEY,
      HOST: '0.0.0.0',
      PORT: '0',
      LOG_LEVEL: 'silent',
      WORKFLOW_BUNDLE: import.meta.filename,
    });
    const ended = promisify(execFile)(process.execPath, [program], { cwd: root, env });
    const { code, stderr } = await t.throwsAsync<Error & { code: number; stderr: string }>(ended);
    t.is(code, 1);
    t.regex(stderr, /^The login \w+ of DATABASE_URL is refused off loopback: it is a superuser\./);
  }
});

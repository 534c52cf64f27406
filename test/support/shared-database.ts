/** The database that the test files of a process share, or one of a file's own, opened as the product does. */
import { registerCompletionHandler } from 'ava';
import { Pool } from 'pg';
import { openDatabase, type Database } from '../../db/connection/database.ts';
import { patientSession, testDatabase, type TestDatabase } from './database.ts';
import { watchingLocks } from './lock-order.ts';

export interface SharedDatabase extends TestDatabase {
  readonly app: Database;
  readonly relay: Database;
}

export interface OpenedDatabase extends SharedDatabase {
  /** Of the owner of the schema, whom row-level security does not restrict here. */
  readonly owner: Pool;
}

/** Each of the tests that run at once may hold some; connections that nobody needs are not opened. */
const SHARED_POOL_MAX = 16;
const OWN_POOL_MAX = 4;
/** Longer than a run: what a connection has planned is kept for the tests that follow. */
const IDLE_MS = 3_600_000;

let shared: Promise<OpenedDatabase> | undefined;

/**
 * One for all files of this process, each test with a tenant of its own. A new connection reads the
 * catalogue and plans every statement anew, which takes more of PostgreSQL than the tests' own work.
 */
export function sharedDatabase(): Promise<OpenedDatabase> {
  shared ??= opened(SHARED_POOL_MAX);
  return shared;
}

/**
 * For files that change tables or look at the rows of all tenants.
 *
 * @param through the address that the sessions use instead, such as that of a proxy
 */
export const ownDatabase = (through?: Through): Promise<OpenedDatabase> =>
  opened(OWN_POOL_MAX, through);

type Through = (url: string) => string | Promise<string>;

async function opened(poolMax: number, through?: Through): Promise<OpenedDatabase> {
  const database = await testDatabase();
  const { ownerUrl, loginUrl } = database;
  const url = (await through?.(loginUrl)) ?? loginUrl;
  const options = { url, poolMax, ...patientSession, idleMs: IDLE_MS, name: 'test' };
  const app = watchingLocks(await openDatabase({ ...options, role: 'sundial_app' }));
  const relay = await openDatabase({ ...options, role: 'sundial_relay' });
  const owner = new Pool({ connectionString: ownerUrl, max: poolMax, allowExitOnIdle: true });
  registerCompletionHandler(() => {
    // The database is dropped at the same moment, so errors of the pools' connections are ignored.
    for (const pool of [app.pool, relay.pool, owner]) pool.on('error', () => {});
    for (const each of [app.close(), relay.close(), owner.end()]) void each.catch(() => {});
  });
  return { ...database, owner, app, relay };
}

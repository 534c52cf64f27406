/** Opens PostgreSQL through MikroORM, as a role that row-level security applies to. */
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { aggregates } from '../entities/aggregates.ts';
import { noteFlushed } from './audited.ts';
import { isConnectionFault, UnavailableError } from './faults.ts';
import { type Asked, queryIn } from './pipeline.ts';
import { addressesOf, eachInATransaction, settingsText } from './pooler.ts';
import { openReplica, type ReplicaSettings } from './replica.ts';
import { refuseAnUnknownSchema } from './schema-version.ts';
import { type Turns, createTurns } from './turns.ts';
import pg, { type Client, type ClientConfig, type Pool, type QueryResultRow } from 'pg';

export type Role = 'sundial_app' | 'sundial_relay';

export interface Database {
  readonly orm: MikroORM;
  readonly pool: Pool;
  /** The turns of tenants at the pool's connections. */
  readonly turns: Turns;
  /** What each transaction sets, where its session is not its own: a list for a `select`, or ''. */
  readonly sets: string;
  /** The turns of transactions that wait for a lock: they have half of the connections. */
  readonly lockTurns: Turns;
  /** The turns of reads that last as long as their reader, each on a connection beside the pool. */
  readonly snapshotTurns: Turns;
  /** One statement outside a tenant's transaction, in its turn; throws an UnavailableError. */
  readonly ask: <Row extends QueryResultRow>(query: Asked, lane?: string) => Promise<Row[]>;
  /**
   * Opens a connection beside the pool, for use while the pool is exhausted, and for what a session
   * holds: it leads to PostgreSQL itself.
   */
  readonly openBeside: () => Promise<Client>;
  /** The replica, if it has all that was committed before, or itself; absent without a replica. */
  readonly orReplica?: () => Promise<Database>;
  /** Called first by `close`, while the connections still answer. */
  readonly beforeClose: (work: () => Promise<void>) => void;
  /** Receives the bytes that each transaction exchanged with PostgreSQL. */
  readonly noteMoved: (bytes: number) => void;
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** Of a login that may become `role`; with `direct=HOST:PORT`, through a pooler: see pooler.ts. */
  readonly url: string;
  readonly role: Role;
  /** Where reads go that take much; without it, nowhere else. */
  readonly replica?: ReplicaSettings | undefined;
  readonly poolMax: number;
  /** The most connections of one tenant; by default the whole pool. */
  readonly tenantConnectionsMax?: number;
  /** How many may wait for a connection, in all and of one tenant, and for how long. */
  readonly waitingMax?: number;
  readonly tenantWaitingMax?: number;
  readonly waitMs?: number;
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a lock; 5 s by default. */
  readonly lockTimeoutMs?: number;
  /** How long opening a connection may take; 10 s by default. */
  readonly connectMs?: number;
  /** How long a transaction waits for its next statement; 10 s by default. */
  readonly idleInTransactionMs?: number;
  /** How long an unused connection stays open. */
  readonly idleMs?: number;
  /** Shows in pg_stat_activity. */
  readonly name: string;
  readonly noteMoved?: (bytes: number) => void;
}

const IDLE_IN_TRANSACTION_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const CONNECT_MS = 10_000;
const WAITING_MAX = 1_000;
const WAIT_MS = 30_000;
const IDLE_MS = 10_000;
/** Of a process, and of a tenant in all processes together. */
const SNAPSHOTS_MAX = 8;
export const TENANT_SNAPSHOTS_MAX = 2;
const SNAPSHOT_WAITING_MAX = 16;
export const SNAPSHOT_WAIT_MS = 10_000;

// The sequence of ids ends at the largest exact JavaScript integer.
function int8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('int8 out of the range of a number');
  return value;
}

/**
 * The types of plain statements: int8 as number, date as `YYYY-MM-DD`, numeric as text,
 * timestamptz as Date. (MikroORM sets other parsers for its own.)
 */
export const rowTypes = new pg.TypeOverrides();
rowTypes.setTypeParser(pg.types.builtins.INT8, int8);
rowTypes.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
const INT8_ARRAY_OID = 1016;
rowTypes.setTypeParser(INT8_ARRAY_OID, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(int8),
);

export async function openDatabase({
  replica: settings,
  ...options
}: DatabaseOptions): Promise<Database> {
  const primary = await openOne(options);
  if (settings === undefined) return primary;
  try {
    const open = (url: string): Promise<Database> => openOne({ ...options, url });
    const replica = await openReplica({ ...settings, primary, open });
    return {
      ...primary,
      orReplica: replica.orPrimary,
      close: async () => {
        await replica.close();
        await primary.close();
      },
    };
  } catch (error) {
    await primary.close();
    throw error;
  }
}

async function openOne(options: DatabaseOptions): Promise<Database> {
  const { poolMax, waitMs = WAIT_MS, waitingMax = WAITING_MAX, idleMs = IDLE_MS } = options;
  const { lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const { poolUrl, isPooled, pooled, beside: besideIt, settings } = sessionsOf(options);
  const orm = new MikroORM(
    defineConfig({
      clientUrl: poolUrl,
      entities: [...aggregates],
      subscribers: [noteFlushed],
      driverOptions: { ...pooled, max: poolMax, idleTimeoutMillis: idleMs, keepAlive: true },
      discovery: { checkDuplicateTableNames: true },
      forceUtcTimezone: true,
      // The start and the tests create databases; here a missing database is an error.
      ensureDatabase: false,
    }),
  );
  const sets = isPooled ? settingsText(settings) : '';
  const { client, closePool } = await checkedPool(orm, { sets, role: options.role });
  const { turns, lockTurns, snapshotTurns } = turnsOf({
    ...options,
    waitingMax,
    waitMs,
    lockTimeoutMs,
  });
  const beside = new Set<Client>();
  const closers: (() => Promise<void>)[] = [];
  return {
    orm,
    pool: client,
    turns,
    sets,
    lockTurns,
    snapshotTurns,
    noteMoved: options.noteMoved ?? (() => undefined),
    ask: (query, lane) => askInTurn({ pool: client, turns }, query, lane),
    async openBeside() {
      const own = new pg.Client(besideIt);
      own.on('error', () => undefined);
      own.once('end', () => beside.delete(own));
      beside.add(own);
      await own.connect();
      return own;
    },
    beforeClose: (work) => void closers.push(work),
    close: async () => {
      for (const work of closers.splice(0)) await work().catch(() => undefined);
      await Promise.all([...beside].map((own) => own.end()));
      await closePool();
    },
  };
}

/** Where a read goes that takes much: nobody misses there what was committed before. */
export const forReading = async (db: Database): Promise<Database> => (await db.orReplica?.()) ?? db;

/** How sessions of the pool begin, and those beside it. */
function sessionsOf({
  lockTimeoutMs = LOCK_TIMEOUT_MS,
  idleInTransactionMs = IDLE_IN_TRANSACTION_MS,
  ...options
}: DatabaseOptions) {
  const { poolUrl, directUrl, isPooled } = addressesOf(options.url);
  const settings = {
    role: options.role,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    timezone: 'UTC',
  };
  const session: ClientConfig = {
    // The limit for opening a connection; waiting for a used one has a limit in the turns.
    connectionTimeoutMillis: options.connectMs ?? CONNECT_MS,
    application_name: options.name,
    // Statements are sent without waiting for earlier answers: see tenancy.ts.
    pipeline: true,
  };
  const set = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const own: ClientConfig = { ...session, options: set.join(' ') };
  const beside: ClientConfig = { ...own, connectionString: directUrl };
  return { poolUrl, isPooled, settings, pooled: isPooled ? session : own, beside };
}

interface Checked extends Pick<DatabaseOptions, 'role'> {
  /** Sets what a session has, in each transaction; empty without a pooler. */
  readonly sets: string;
}

/** Closed again if this process may not, or cannot, use the database. */
async function checkedPool(orm: MikroORM, { sets, role }: Checked) {
  const client: Pool = await orm.em.getConnection().getNativeClient();
  const closePool = async (): Promise<void> => {
    await orm.close(true);
    // The ORM does not end the pool that we used without it, which would delay the exit by 10 s.
    if (!client.ending) await client.end();
  };
  try {
    if (sets !== '') eachInATransaction(client, sets);
    await refuseAPrivilegedRole(client, role);
    await refuseAnUnknownSchema(client);
  } catch (error) {
    await closePool();
    throw error;
  }
  return { client, closePool };
}

interface Waiting extends Pick<
  DatabaseOptions,
  'poolMax' | 'tenantConnectionsMax' | 'tenantWaitingMax'
> {
  readonly waitingMax: number;
  readonly waitMs: number;
  readonly lockTimeoutMs: number;
}

function turnsOf({ poolMax, waitingMax, waitMs, lockTimeoutMs, ...tenant }: Waiting) {
  const { tenantConnectionsMax = poolMax, tenantWaitingMax = waitingMax } = tenant;
  const queue = { waitingMax, laneWaitingMax: tenantWaitingMax };
  const placesMax = halfOf(poolMax);
  const lanePlacesMax = halfOf(tenantConnectionsMax);
  return {
    turns: createTurns({
      of: 'connections',
      ...queue,
      placesMax: poolMax,
      lanePlacesMax: tenantConnectionsMax,
      waitMs,
    }),
    lockTurns: createTurns({
      of: 'locks',
      ...queue,
      placesMax,
      lanePlacesMax,
      waitMs: lockTimeoutMs,
    }),
    snapshotTurns: createTurns({
      of: 'snapshots',
      placesMax: SNAPSHOTS_MAX,
      lanePlacesMax: TENANT_SNAPSHOTS_MAX,
      waitingMax: SNAPSHOT_WAITING_MAX,
      waitMs: SNAPSHOT_WAIT_MS,
    }),
  };
}

const halfOf = (connections: number): number => Math.max(1, Math.floor(connections / 2));

const OF_NO_TENANT = 'of no tenant';

async function askInTurn<Row extends QueryResultRow>(
  { pool, turns }: Pick<Database, 'pool' | 'turns'>,
  query: Asked,
  lane: string = OF_NO_TENANT,
): Promise<Row[]> {
  const leave = await turns.take(lane);
  try {
    return (await queryIn<Row>(pool, query)).rows;
  } catch (error) {
    if (!isConnectionFault(error)) throw error;
    throw new UnavailableError('the database does not answer', { cause: error });
  } finally {
    leave();
  }
}

// A role that bypasses row-level security would disable it.
async function refuseAPrivilegedRole(pool: Pool, wanted: Role): Promise<void> {
  const { rows } = await pool.query<{ name: string; free: boolean; owner: boolean }>(`
    select current_user as name, rolsuper or rolbypassrls as free,
           exists (select from pg_class where relnamespace = 'public'::regnamespace
                   and relowner = pg_roles.oid) as owner
    from pg_roles where rolname = current_user`);
  const role = rows[0];
  if (role?.name !== wanted) {
    throw new Error(
      `the session has the role ${role?.name} in place of ${wanted}: a pooler between drops its ` +
        `settings. Give DATABASE_URL the address of PostgreSQL itself, too: ?direct=HOST:PORT`,
    );
  }
  if (!role || role.free || role.owner) {
    throw new Error(`the database role ${role?.name} may pass row-level security; refused`);
  }
}

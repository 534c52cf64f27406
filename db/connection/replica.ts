/**
 * A second address of the database for reads that take much: a replica. It answers only if it has all that
 * was committed before the call, so nobody misses what he has just written; else the database itself does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, QueryResultRow } from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { isConnectionFault, sqlStateOf, UnavailableError } from './faults.ts';
import type { Asked } from './pipeline.ts';
import { SchemaError } from './schema-version.ts';

/** The address does not lead to what it has to; a person has to change it. */
export class ReplicaError extends OperatorError {
  override readonly name = 'ReplicaError';
}

export interface ReplicaSettings {
  readonly url: string;
  /** Throws an OperatorError if its login may do what that of the service may not. */
  readonly check?: ((pool: Pool) => Promise<void>) | undefined;
  /** Hears when reads begin to go to the replica, and when they go to the database instead, and why. */
  readonly tell?: ((text: string) => void) | undefined;
}

/** What a database is here. */
interface Source {
  readonly pool: Pool;
  readonly ask: <Row extends QueryResultRow>(query: Asked) => Promise<Row[]>;
  readonly close: () => Promise<void>;
}

export interface Replica<Database extends Source> {
  /** Itself, if it has all that was committed before the call; else the database. */
  readonly orPrimary: () => Promise<Database>;
  readonly close: () => Promise<void>;
}

interface Opening<Database extends Source> extends ReplicaSettings {
  readonly primary: Database;
  readonly open: (url: string) => Promise<Database>;
}

const GOES_TO_REPLICA = 'reads that take much go to the replica';
/** How long a read waits for the replica; a replica in the same room needs some milliseconds. */
const CATCH_UP_MS_MAX = 1_000;
const PAUSE_MS_MIN = 2;
const PAUSE_MS_MAX = 50;
const ANSWER_MS_MAX = 2_000;
/** How long reads go to the database after the replica was too late, or away. */
const REST_MS = 5_000;

/**
 * Throws a ReplicaError if the address leads elsewhere, or to what may write. A replica that is away, or
 * far behind, is no mistake: reads go to the database until it is back.
 */
export async function openReplica<Database extends Source>({
  primary,
  open,
  ...settings
}: Opening<Database>): Promise<Replica<Database>> {
  const { tell = () => undefined } = settings;
  let attached: Attached<Database> | undefined;
  let restsUntil = 0;
  let isClosed = false;
  let said = '';
  const say = (text: string): void => {
    if (text !== said) tell(text);
    said = text;
  };
  const rest = (why: string): Database => {
    restsUntil = performance.now() + REST_MS;
    say(`reads go to the database itself: ${why}`);
    return primary;
  };
  const detach = async (): Promise<void> => {
    const its = attached;
    attached = undefined;
    await its?.db.close();
  };
  const begin = async (): Promise<void> => {
    attached = await attach({ primary, open, ...settings });
    restsUntil = 0;
    if (isClosed) await detach();
    else say(GOES_TO_REPLICA);
  };
  async function orPrimary(): Promise<Database> {
    if (performance.now() < restsUntil) return primary;
    if (attached === undefined) {
      rest('the replica does not answer');
      // Nobody waits for a connection that may come.
      begin().catch((error: unknown) => rest(whyAway(error)));
      return primary;
    }
    const { db, isSameServer } = attached;
    if (isSameServer) return db;
    const place = await committedIn(primary);
    try {
      const state = await stateOf(db, place);
      if (state !== 'has it') return rest(`the replica ${state}`);
      say(GOES_TO_REPLICA);
      return db;
    } catch (error) {
      if (!isAway(error)) throw error;
      void detach().catch(() => undefined);
      return rest(whyAway(error));
    }
  }
  try {
    await begin();
  } catch (error) {
    if (!isAway(error)) throw error;
    rest(whyAway(error));
  }
  return {
    orPrimary,
    close: () => {
      isClosed = true;
      return detach();
    },
  };
}

/** Also one that begins, or that has not replayed the newest migration yet. */
function isAway(error: unknown): boolean {
  return (
    error instanceof UnavailableError || error instanceof SchemaError || isConnectionFault(error)
  );
}

function whyAway(error: unknown): string {
  if (error instanceof SchemaError) return 'the replica has not replayed the newest migration';
  return error instanceof OperatorError ? error.message : 'the replica does not answer';
}

/** A login, a password or a database that is not there, or may not become the role. */
const ofLogin = /^(28|3D|42501)/;

interface Attached<Database> {
  readonly db: Database;
  /** It is that of the database, by a login that only reads. */
  readonly isSameServer: boolean;
}

async function attach<Database extends Source>({
  primary,
  open,
  url,
  check,
  tell,
}: Opening<Database>): Promise<Attached<Database>> {
  const db = await open(url).catch((error: unknown) => {
    const state = sqlStateOf(error);
    if (state === null || !ofLogin.test(state)) throw error;
    const text = `READ_DATABASE_URL cannot be used: ${(error as Error).message}`;
    throw new ReplicaError(text, { cause: error });
  });
  // The pool replaces an idle connection that breaks.
  db.pool.on('error', () => undefined);
  try {
    const [own, its] = await Promise.all([serverOf(primary), serverOf(db)]);
    const isSameServer = own.startedAt === its.startedAt && own.system === its.system;
    refuse(own, its, isSameServer);
    await check?.(db.pool);
    if (its.isReplica && !its.waitsForReads) {
      tell?.(
        'the replica may cancel a read after max_standby_streaming_delay: set hot_standby_feedback = on there',
      );
    }
    return { db, isSameServer };
  } catch (error) {
    await db.close();
    throw error;
  }
}

function refuse(own: Server, its: Server, isSameServer: boolean): void {
  if (own.system !== its.system || own.database !== its.database) {
    throw new ReplicaError(
      'READ_DATABASE_URL leads to another database than DATABASE_URL: name a streaming replica of its server',
    );
  }
  if (its.isReplica) return;
  if (!isSameServer) {
    throw new ReplicaError(
      'READ_DATABASE_URL leads to a server that is no replica any more: it was promoted, or is a copy',
    );
  }
  if (its.mayWrite) {
    throw new ReplicaError(
      'READ_DATABASE_URL leads to a session that may write: name a replica, or a login with ' +
        'default_transaction_read_only = on',
    );
  }
}

interface Server {
  /** The identifier of the cluster, which its replicas share. */
  readonly system: string;
  readonly database: string;
  readonly startedAt: string;
  readonly isReplica: boolean;
  readonly mayWrite: boolean;
  /** Reads are not cancelled for what the database has removed meanwhile. */
  readonly waitsForReads: boolean;
}

async function serverOf(db: Source): Promise<Server> {
  const [server] = await db.ask<Server & Record<string, unknown>>({
    text: `select s.system_identifier::text as system, d.oid || ' ' || d.datname as database,
        pg_postmaster_start_time()::text as "startedAt", pg_is_in_recovery() as "isReplica",
        current_setting('transaction_read_only') = 'off' as "mayWrite",
        current_setting('hot_standby_feedback') = 'on'
          or current_setting('max_standby_streaming_delay') = '-1' as "waitsForReads"
      from pg_control_system() s, pg_database d where d.datname = current_database()`,
  });
  if (server === undefined) throw new Error('the server does not say who it is');
  return server;
}

/** Where the log ends in which all is that was committed by now. */
async function committedIn(primary: Source): Promise<string> {
  const [row] = await primary.ask<{ place: string }>({
    name: 'committed-in',
    text: 'select pg_current_wal_flush_lsn()::text as place',
  });
  if (row === undefined) throw new Error('the server does not say where its log ends');
  return row.place;
}

type State = 'has it' | 'lags behind' | 'is none any more';

/** Whether the replica has replayed the log up to a place, or does so soon. */
async function stateOf(replica: Source, place: string): Promise<State> {
  const giveUpAt = performance.now() + CATCH_UP_MS_MAX;
  for (let pause = PAUSE_MS_MIN; ; pause = Math.min(pause * 2, PAUSE_MS_MAX)) {
    const asked = replica.ask<{ isReplica: boolean; has: boolean | null }>({
      name: 'replayed-to',
      text: `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= $1::pg_lsn as has`,
      values: [place],
    });
    const [row] = await inTime(asked);
    if (row?.isReplica === false) return 'is none any more';
    if (row?.has === true) return 'has it';
    if (performance.now() > giveUpAt) return 'lags behind';
    await sleep(pause);
  }
}

/** A network that drops what is sent tells nobody. */
async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  asked.catch(() => undefined);
  const stop = new AbortController();
  const late = sleep(ANSWER_MS_MAX, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw new UnavailableError(`the replica has not answered for ${ANSWER_MS_MAX} ms`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([asked, late]);
  } finally {
    stop.abort();
  }
}

/** A tenant's transaction: the only access to that tenant's rows. */
import assert from 'node:assert';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientBase, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { rowTypes, type Database } from './database.ts';
import {
  FailedAfterCommitError,
  OutcomeUnknownError,
  UnavailableError,
  isConnectionFault,
} from './faults.ts';
import { inOnePacket, openPipeline } from './pipeline.ts';
import type { Failed, Pipeline } from './pipeline.ts';

export interface Tx {
  readonly tenantId: number;
  /** Managed entities, for changing one aggregate; flushed before the commit. */
  readonly em: EntityManager;
  /** Runs a statement; with a `name` it is prepared once per connection. */
  readonly query: <Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ) => Promise<Row[]>;
  /** The last statement, sent with the commit, which saves a round trip while locks are held. */
  readonly finish: Tx['query'];
  /** Sends a statement without waiting; if it fails, so does the transaction. */
  readonly send: (text: string, values?: readonly unknown[], name?: string) => void;
  /** Undoes what `part` did if it throws; the transaction can continue. */
  readonly attempt: <Result>(part: () => Promise<Result>) => Promise<Result>;
  /** Calls the function once the transaction has ended, whatever its outcome. */
  readonly whenOver: (call: () => void) => void;
}

export interface TxOptions {
  readonly readOnly?: boolean;
  /** For a read of one statement: it is sent with the commit, in one round trip. */
  readonly single?: boolean;
  /** All statements see the snapshot of the first. */
  readonly snapshot?: boolean;
  readonly statementTimeoutMs?: number;
  /** Does not wait for the disk, because lost rows are written again automatically. */
  readonly isForgettable?: boolean;
}

/**
 * Runs `work` in one transaction that sees the rows of this tenant only; rolls back if it throws.
 * Throws an UnavailableError if the connection broke and nothing was changed, and an
 * OutcomeUnknownError if it broke after COMMIT was sent.
 */
export async function inTenant<Result>(
  db: Database,
  tenantId: number,
  work: (tx: Tx) => Promise<Result>,
  options: TxOptions = {},
): Promise<Result> {
  if (!Number.isSafeInteger(tenantId)) throw new Error('not a tenant id');
  const leave = await db.turns.take(String(tenantId));
  try {
    const client = await db.pool.connect().catch((error: unknown) => {
      throw isConnectionFault(error) ? unavailable(error) : error;
    });
    return await onOneConnection(db, client, work, { tenantId, ...options });
  } finally {
    leave();
  }
}

async function onOneConnection<Result>(
  db: Database,
  client: PoolClient,
  work: (tx: Tx) => Promise<Result>,
  binding: Binding,
): Promise<Result> {
  const pipeline = openPipeline(client);
  const over: (() => void)[] = [];
  try {
    pipeline.fire({ text: beginText(binding.tenantId, binding) });
    const { tx, flush, ending } = bind(db, client, pipeline, { ...binding, over });
    const result = await work(tx);
    if (!binding.readOnly) await flush();
    await (ending() ?? pipeline.commit());
    return result;
  } catch (error) {
    throw asOutcome(await pipeline.fail(error), binding);
  } finally {
    client.release(await pipeline.drained());
    for (const call of over) call();
    db.noteMoved(pipeline.movedBytes());
  }
}

/** Maps a failure to the error for what is known about the change. */
function asOutcome({ ended, reason }: Failed, { readOnly }: TxOptions): unknown {
  if (ended === 'committed' && !readOnly) {
    return new FailedAfterCommitError('it failed after the commit', { cause: reason });
  }
  if (ended === 'unknown' && !readOnly) {
    return new OutcomeUnknownError('the answer to a commit is lost', { cause: reason });
  }
  return isConnectionFault(reason) ? unavailable(reason) : reason;
}

function unavailable(cause: unknown): UnavailableError {
  return new UnavailableError('the connection to the database broke', { cause });
}

/** Begins a transaction on a connection beside the pool, for statements that are sent together. */
export function beginBeside(client: ClientBase, tenantId: number): Pipeline {
  if (!Number.isSafeInteger(tenantId)) throw new Error('not a tenant id');
  const pipeline = openPipeline(client);
  pipeline.fire({ text: beginText(tenantId, {}) });
  return pipeline;
}

// One simple-protocol statement, so setting the tenant costs no extra round trip.
function beginText(tenantId: number, options: TxOptions): string {
  const isolation = options.snapshot ? ' isolation level repeatable read' : '';
  const mode = `begin${isolation}${options.readOnly ? ' read only' : ''}`;
  const timeout = options.statementTimeoutMs
    ? `; set local statement_timeout = ${Math.trunc(options.statementTimeoutMs)}`
    : '';
  const relaxed = options.isForgettable ? '; set local synchronous_commit = off' : '';
  return `${mode}; select set_config('app.tenant', '${tenantId}', true)${timeout}${relaxed}`;
}

interface Bound {
  readonly tx: Tx;
  /** Writes the changes of managed entities, if there are any. */
  readonly flush: () => Promise<void>;
  /** The commit that was sent with the last statement. */
  readonly ending: () => Promise<void> | undefined;
}

interface Binding extends TxOptions {
  readonly tenantId: number;
}

interface OpenBinding extends Binding {
  readonly over: (() => void)[];
}

function bind(
  db: Database,
  client: PoolClient,
  pipeline: Pipeline,
  { tenantId, single, over }: OpenBinding,
): Bound {
  let em: EntityManager | undefined;
  let ending: Promise<void> | undefined;
  const flush = async (): Promise<void> => em?.flush();
  function ask<Row extends QueryResultRow>(query: QueryConfig, isLast: boolean): Promise<Row[]> {
    assert(ending === undefined, 'nothing follows the last statement of a transaction');
    const asked = pipeline.query<Row>(query);
    if (isLast) {
      ending = pipeline.commit();
      // Awaited at the end of the transaction; the statement's own failure comes first.
      ending.catch(() => undefined);
    }
    return asked.then(({ rows }) => rows);
  }
  const tx: Tx = {
    tenantId,
    // Created on first use: a read in plain SQL needs none.
    get em() {
      if (!em) {
        em = db.orm.em.fork();
        em.setTransactionContext(kyselyOf(client));
      }
      return em;
    },
    query: (text, values, name) => ask(queryOf(text, values, name), single === true),
    async finish(text, values, name) {
      await flush();
      return ask(queryOf(text, values, name), true);
    },
    send: (text, values, name) => pipeline.fire(queryOf(text, values, name)),
    async attempt(part) {
      pipeline.fire({ text: 'savepoint attempt' });
      try {
        const result = await part();
        await flush();
        return result;
      } catch (error) {
        // Drop the undone changes of managed entities, which a later flush would write.
        em = undefined;
        await pipeline.query({ text: 'rollback to savepoint attempt' });
        throw error;
      }
    },
    whenOver: (call) => void over.push(call),
  };
  return { tx, flush, ending: () => ending };
}

function queryOf(text: string, values: readonly unknown[] = [], name?: string): QueryConfig {
  const query = { text, values: [...values], types: rowTypes };
  return name === undefined ? query : { ...query, name };
}

// A Kysely on this one connection, kept as long as the pool keeps the connection.
const bound = new WeakMap<PoolClient, Kysely<unknown>>();

function kyselyOf(client: PoolClient): Kysely<unknown> {
  let kysely = bound.get(client);
  if (!kysely) {
    kysely = new Kysely({ dialect: dialectOf(client) });
    bound.set(client, kysely);
  }
  return kysely;
}

function dialectOf(client: PoolClient): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const result = await inOnePacket(client, () =>
        client.query(query.sql, [...query.parameters]),
      );
      return { rows: result.rows as Row[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    },
    streamQuery: () => refuse('streaming'),
  };
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: () => refuse('a nested transaction'),
    commitTransaction: () => refuse('a nested transaction'),
    rollbackTransaction: () => refuse('a nested transaction'),
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function refuse(what: string): never {
  throw new Error(`${what} is not supported inside a tenant's transaction`);
}

/** A tenant's transaction: the only access to that tenant's rows. */
import assert from 'node:assert';
import { channel } from 'node:diagnostics_channel';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientBase, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { type AuditNotes, noteFlushes } from './audited.ts';
import { rowTypes, type Database } from './database.ts';
import {
  FailedAfterCommitError,
  OutcomeUnknownError,
  UnavailableError,
  isConnectionFault,
  unavailable,
} from './faults.ts';
import { kyselyOf } from './kysely.ts';
import { openPipeline, type Failed, type Pipeline } from './pipeline.ts';

export interface Tx {
  readonly tenantId: number;
  /** What its entry of the audit log will say. */
  readonly audited: AuditNotes;
  /** Managed entities, for changing one aggregate; flushed before the commit. */
  readonly em: EntityManager;
  /** Writes the changes of managed entities, if there are any. */
  readonly flush: () => Promise<void>;
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
  /**
   * Called before a statement that will wait for a lock. If half of the tenant's connections wait
   * already, it throws: the transaction ends, and is repeated once it may wait.
   */
  readonly beforeWaiting: () => void;
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

/** Others of the tenant wait for locks already. */
class CrowdedError extends UnavailableError {}

/**
 * Runs `work` in one transaction that sees the rows of this tenant only; rolls back if it throws.
 * Throws an UnavailableError if the connection broke and nothing was changed, and an
 * OutcomeUnknownError if it broke after COMMIT was sent. `work` is called a second time, in another
 * transaction, if it has to wait for a lock for which too many others wait already.
 */
export async function inTenant<Result>(
  db: Database,
  tenantId: number,
  work: (tx: Tx) => Promise<Result>,
  options: TxOptions = {},
): Promise<Result> {
  if (!Number.isSafeInteger(tenantId)) throw new Error('not a tenant id');
  if (!news.hasSubscribers) return inOneOrTwo(db, tenantId, work, options);
  const began = performance.now();
  try {
    return await inOneOrTwo(db, tenantId, work, options);
  } finally {
    const milliseconds = performance.now() - began;
    news.publish({ tenantId, milliseconds } satisfies TransactionNews);
  }
}

/** The name of the channel on which whoever subscribes hears of each transaction that has ended. */
export const transactionsChannel = 'sundial:transactions';

export interface TransactionNews {
  readonly tenantId: number;
  /** With the wait for its connection. */
  readonly milliseconds: number;
}

const news = channel(transactionsChannel);

async function inOneOrTwo<Result>(
  db: Database,
  tenantId: number,
  work: (tx: Tx) => Promise<Result>,
  options: TxOptions,
): Promise<Result> {
  try {
    return await inTurn(db, work, { tenantId, ...options });
  } catch (error) {
    if (!(error instanceof CrowdedError)) throw error;
  }
  // It waits for its place without a connection, so that the tenant's other calls have one.
  const leave = await db.lockTurns.take(String(tenantId));
  try {
    return await inTurn(db, work, { tenantId, ...options, hasWaitingPlace: true });
  } finally {
    leave();
  }
}

async function inTurn<Result>(
  db: Database,
  work: (tx: Tx) => Promise<Result>,
  binding: Binding,
): Promise<Result> {
  const leave = await db.turns.take(String(binding.tenantId));
  try {
    const client = await db.pool.connect().catch((error: unknown) => {
      throw isConnectionFault(error) ? unavailable(error) : error;
    });
    return await onOneConnection(db, client, work, binding);
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
    pipeline.fire({ text: beginText(binding.tenantId, { ...binding, sets: db.sets }) });
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

/** Begins a transaction on a connection beside the pool, for statements that are sent together. */
export function beginBeside(
  client: ClientBase,
  tenantId: number,
  options: TxOptions = {},
): Pipeline {
  if (!Number.isSafeInteger(tenantId)) throw new Error('not a tenant id');
  const pipeline = openPipeline(client);
  pipeline.fire({ text: beginText(tenantId, options) });
  return pipeline;
}

// One simple-protocol statement, so setting the tenant costs no extra round trip; `set` is not planned.
function beginText(tenantId: number, options: TxOptions & Pick<Partial<Database>, 'sets'>): string {
  const isolation = options.snapshot ? ' isolation level repeatable read' : '';
  const mode = `begin${isolation}${options.readOnly ? ' read only' : ''}`;
  const timeout = options.statementTimeoutMs
    ? `; set local statement_timeout = ${Math.trunc(options.statementTimeoutMs)}`
    : '';
  const relaxed = options.isForgettable ? '; set local synchronous_commit = off' : '';
  const sets = options.sets ? `; select ${options.sets}` : '';
  return `${mode}; set local app.tenant = '${tenantId}'${sets}${timeout}${relaxed}`;
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
  /** The transaction may wait for locks. */
  readonly hasWaitingPlace?: boolean;
}

interface OpenBinding extends Binding {
  readonly over: (() => void)[];
}

const newNotes = (): AuditNotes => ({
  objects: new Map(),
  changes: [],
  customers: new Set(),
  erased: new Set(),
});

function bind(
  db: Database,
  client: PoolClient,
  pipeline: Pipeline,
  { tenantId, single, over, hasWaitingPlace = false }: OpenBinding,
): Bound {
  let mayWait = hasWaitingPlace;
  let attempts = 0;
  let em: EntityManager | undefined;
  const audited = newNotes();
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
    audited,
    // Created on first use: a read in plain SQL needs none.
    get em() {
      if (!em) {
        em = db.orm.em.fork();
        em.setTransactionContext(kyselyOf(client));
        noteFlushes(em, audited);
      }
      return em;
    },
    flush,
    query: (text, values, name) => ask(queryOf(text, values, name), single === true),
    async finish(text, values, name) {
      await flush();
      return ask(queryOf(text, values, name), true);
    },
    send: (text, values, name) => pipeline.fire(queryOf(text, values, name)),
    async attempt(part) {
      // By depth: an attempt within another one is undone alone.
      attempts += 1;
      const savepoint = `attempt_${attempts}`;
      pipeline.fire({ text: `savepoint ${savepoint}` });
      try {
        const result = await part();
        await flush();
        return result;
      } catch (error) {
        // Drop the undone changes of managed entities, which a later flush would write.
        em = undefined;
        await pipeline.query({ text: `rollback to savepoint ${savepoint}` });
        throw error;
      } finally {
        attempts -= 1;
      }
    },
    beforeWaiting() {
      if (mayWait) return;
      const leave = db.lockTurns.takeNow(String(tenantId));
      if (leave === undefined) throw new CrowdedError('too many wait for locks');
      mayWait = true;
      over.push(leave);
    },
    whenOver: (call) => void over.push(call),
  };
  return { tx, flush, ending: () => ending };
}

function queryOf(text: string, values: readonly unknown[] = [], name?: string): QueryConfig {
  const query = { text, values: [...values], types: rowTypes };
  return name === undefined ? query : { ...query, name };
}

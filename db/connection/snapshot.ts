/** Reads any number of rows as one snapshot has them, some at a time, on a connection of its own. */
import type { Client, QueryResultRow } from 'pg';
import {
  SNAPSHOT_WAIT_MS,
  TENANT_SNAPSHOTS_MAX,
  type Database,
  forReading,
  rowTypes,
} from './database.ts';
import { BusyError, isConnectionFault, unavailable } from './faults.ts';
import { takePlace } from './places.ts';
import { type Tx, beginBeside } from './tenancy.ts';

/** The rows in memory at once. */
const ROWS_MAX = 200;
/** How long the reader may take for them: longer than a caller may stall. */
const READ_MS_MAX = 90_000;

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What reads in a snapshot. */
export type SnapshotReader = Pick<Tx, 'query' | 'tenantId'>;

export interface SnapshotLimits {
  /** Of each statement. */
  readonly statementTimeoutMs?: number;
}

/** The rows of a statement. @see inSnapshot */
export async function* rowsInSnapshot<Row extends QueryResultRow>(
  db: Database,
  tenantId: number,
  { text, values }: Statement,
  limits: SnapshotLimits = {},
): AsyncGenerator<readonly Row[], void> {
  yield* inSnapshot(db, tenantId, (reader) => fetched<Row>(reader, { text, values }), limits);
}

/** The rows of a statement, as they are read, in a transaction that has no other such statement. */
export async function* fetched<Row extends QueryResultRow>(
  { query }: Pick<SnapshotReader, 'query'>,
  { text, values }: Statement,
): AsyncGenerator<readonly Row[], void> {
  // A simple statement with values: the cursor keeps them.
  await query(`declare exported no scroll cursor for ${text}`, [...values]);
  for (let isLast = false; !isLast;) {
    const rows = await query<Row>(`fetch ${ROWS_MAX} from exported`);
    isLast = rows.length < ROWS_MAX;
    if (rows.length > 0) yield rows;
  }
}

/**
 * What `read` reads in one transaction, which lasts as long as its reader. The reader therefore waits
 * for no connection of the pool, and the transaction ends with the generator. Throws an
 * UnavailableError if the connection breaks, and a BusyError if the tenant reads much already.
 */
export async function* inSnapshot<Part>(
  db: Database,
  tenantId: number,
  read: (reader: SnapshotReader) => AsyncGenerator<Part, void>,
  limits: SnapshotLimits = {},
): AsyncGenerator<Part, void> {
  const source = await forReading(db);
  const leave = await source.snapshotTurns.take(String(tenantId));
  try {
    const client = await source.openBeside().catch(thrown);
    await takeItsPlace(client, tenantId).catch(async (error: unknown) => {
      await client.end().catch(() => undefined);
      thrown(error);
    });
    const options = { readOnly: true, snapshot: true, ...limits };
    const pipeline = beginBeside(client, tenantId, options);
    const reader: SnapshotReader = {
      tenantId,
      query: async <Row extends QueryResultRow>(
        text: string,
        values: readonly unknown[] = [],
        name?: string,
      ) => {
        const asked = { text, values: [...values], types: rowTypes };
        return (await pipeline.query<Row>(name === undefined ? asked : { ...asked, name })).rows;
      },
    };
    try {
      // What is compiled for so few rows at a time costs more than it saves.
      pipeline.fire({
        text: `set local idle_in_transaction_session_timeout = ${READ_MS_MAX}; set local jit = off`,
      });
      yield* read(reader);
      await pipeline.commit();
    } catch (error) {
      thrown((await pipeline.fail(error)).reason);
    } finally {
      await client.end().catch(() => undefined);
    }
  } finally {
    leave();
  }
}

/** Each keeps a connection, and what others have replaced since it began. */
async function takeItsPlace(client: Client, tenantId: number): Promise<void> {
  const of = `snapshots/${tenantId}`;
  const its = { of, count: TENANT_SNAPSHOTS_MAX, waitMs: SNAPSHOT_WAIT_MS };
  if (await takePlace(client, its)) return;
  throw new BusyError('the tenant reads as much already, in other processes');
}

function thrown(error: unknown): never {
  throw isConnectionFault(error) ? unavailable(error) : error;
}

/** Reads any number of rows as one snapshot has them, some at a time, on a connection of its own. */
import type { QueryResultRow } from 'pg';
import { rowTypes, type Database } from './database.ts';
import { isConnectionFault, unavailable } from './faults.ts';
import { beginBeside } from './tenancy.ts';

/** The rows in memory at once. */
const ROWS_MAX = 200;
/** How long the reader may take for them: longer than a caller may stall. */
const READ_MS_MAX = 90_000;

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The transaction lasts as long as its reader, who therefore waits for no connection of the pool, and
 * ends with the generator. Throws an UnavailableError if the connection breaks, and a BusyError if the
 * tenant reads much already.
 */
export async function* rowsInSnapshot<Row extends QueryResultRow>(
  db: Database,
  tenantId: number,
  { text, values }: Statement,
): AsyncGenerator<readonly Row[], void> {
  const leave = await db.snapshotTurns.take(String(tenantId));
  try {
    const client = await db.openBeside().catch(thrown);
    const pipeline = beginBeside(client, tenantId, { readOnly: true, snapshot: true });
    try {
      pipeline.fire({ text: `set local idle_in_transaction_session_timeout = ${READ_MS_MAX}` });
      // A simple statement with values: the cursor keeps them.
      const declared = `declare exported no scroll cursor for ${text}`;
      pipeline.fire({ text: declared, values: [...values] });
      for (let isLast = false; !isLast;) {
        const fetch = { text: `fetch ${ROWS_MAX} from exported`, types: rowTypes };
        const { rows } = await pipeline.query<Row>(fetch);
        isLast = rows.length < ROWS_MAX;
        if (rows.length > 0) yield rows;
      }
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

function thrown(error: unknown): never {
  throw isConnectionFault(error) ? unavailable(error) : error;
}

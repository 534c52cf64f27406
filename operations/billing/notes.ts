/**
 * Notes which customers this process is about to rate, in rows of their own that are committed
 * before: when it dies of one of them, whoever rates next finds who it was, or may have been.
 */
import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import type { Database } from '../../db/connection/database.ts';
import { deleteNotes, lockLife, writeNote } from '../../db/queries/billing/notes.ts';

export interface Note {
  /** Not to be rated here: a process died, perhaps of one of them. */
  readonly suspects: ReadonlySet<number>;
  /** They are rated, whatever came of it; the row goes soon. */
  readonly done: () => void;
}

const PROCESS_ID_MAX = 2 ** 31 - 1;
/** So long what is done is gathered: one statement deletes the notes of many. */
const GATHER_MS = 50;

interface Notebook {
  readonly note: (tenantId: number, customerIds: readonly number[]) => Promise<Note>;
}

const notebooks = new WeakMap<Database, Notebook>();

/** Call `done` in the end, or the customers will be suspects when this process ends. */
export function noteCustomers(
  db: Database,
  tenantId: number,
  customerIds: readonly number[],
): Promise<Note> {
  let notebook = notebooks.get(db);
  if (!notebook) notebooks.set(db, (notebook = openNotebook(db)));
  return notebook.note(tenantId, customerIds);
}

interface Life {
  readonly client: Client;
  /** The lock of this number is held for as long as this connection stands. */
  readonly processId: number;
}

function openNotebook(db: Database): Notebook {
  let life: Promise<Life> | undefined;
  const done = new Map<number, number[]>();
  let timer: NodeJS.Timeout | undefined;
  function alive(): Promise<Life> {
    if (life) return life;
    const opening = beginLife(db);
    life = opening;
    const forget = (): void => {
      if (life === opening) life = undefined;
    };
    opening.then(({ client }) => client.once('end', forget), forget);
    return opening;
  }
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const gathered = [...done];
    done.clear();
    if (gathered.length === 0) return;
    const { client } = await alive();
    // One that stays is old some day, and its customers are billed apart once.
    await Promise.allSettled(gathered.map(([tenant, ids]) => deleteNotes(client, tenant, ids)));
  }
  db.beforeClose(flush);
  return {
    async note(tenantId, customerIds) {
      const { client, processId } = await alive();
      const { id, suspects } = await writeNote(client, { tenantId, processId, customerIds });
      return {
        suspects: new Set(suspects),
        done() {
          const ids = done.get(tenantId);
          if (ids) ids.push(id);
          else done.set(tenantId, [id]);
          timer ??= setTimeout(() => void flush().catch(() => undefined), GATHER_MS).unref();
        },
      };
    },
  };
}

/** A connection that is lost takes the lock along: then the notes of that life are buried. */
async function beginLife(db: Database): Promise<Life> {
  const client = await db.openBeside();
  try {
    // Nobody waits for the disk: only a crash of PostgreSQL itself loses a note, and then whoever
    // dies of that customer leaves the next one.
    await client.query('set synchronous_commit = off');
    for (;;) {
      const processId = randomInt(1, PROCESS_ID_MAX);
      if (await lockLife(client, processId)) return { client, processId };
    }
  } catch (error) {
    await client.end();
    throw error;
  }
}

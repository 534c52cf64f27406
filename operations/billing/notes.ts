/**
 * Writes notes of the customers that this process is about to rate, and commits them first: if
 * rating crashes the process, the next process to rate finds the suspects.
 */
import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import type { Database } from '../../db/connection/database.ts';
import { deleteNotes, lockLife, writeNote } from '../../db/queries/billing/notes.ts';
import { onceFor } from '../context/timed-cache.ts';

export interface Note {
  /** Must not be rated here, because one of them may have crashed a process. */
  readonly suspects: ReadonlySet<number>;
  /** Must be called after the transaction, whatever its outcome; the row is deleted soon. */
  readonly done: () => void;
}

const PROCESS_ID_MAX = 2 ** 31 - 1;
/** How long finished notes are gathered, so that one statement deletes many. */
const GATHER_MS = 50;
/** The delay after a failed deletion: usually the database is down. */
const RETRY_MS = 1_000;
/**
 * Finished notes that wait for deletion. If there are more, their customers become suspects once.
 */
const DONE_NOTES_MAX = 100_000;

interface Notebook {
  readonly note: (tenantId: number, customerIds: readonly number[]) => Promise<Note>;
}

const notebookOf = onceFor(openNotebook);

/** The caller must call `done`, or the customers become suspects when this process ends. */
export function noteCustomers(
  db: Database,
  tenantId: number,
  customerIds: readonly number[],
): Promise<Note> {
  return notebookOf(db).note(tenantId, customerIds);
}

interface Life {
  readonly client: Client;
  /** The connection holds the lock of this number as long as it lives. */
  readonly processId: number;
}

function openNotebook(db: Database): Notebook {
  let life: Promise<Life> | undefined;
  const done = createDoneNotes();
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  function alive(): Promise<Life> {
    if (life) return life;
    const opening = beginLife(db, done);
    life = opening;
    const forget = (): void => {
      if (life === opening) life = undefined;
    };
    opening.then(({ client }) => client.once('end', forget), forget);
    return opening;
  }
  function flushIn(ms: number): void {
    if (!isClosing) timer ??= setTimeout(() => void flush(), ms).unref();
  }
  /** A later flush deletes what cannot be deleted now. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (done.isEmpty()) return;
    await alive().then(
      ({ client }) => done.deleteBy(client),
      () => undefined,
    );
    if (!done.isEmpty()) flushIn(RETRY_MS);
  }
  db.beforeClose(() => {
    isClosing = true;
    return flush();
  });
  return {
    async note(tenantId, customerIds) {
      const { client, processId } = await alive();
      const { id, suspects } = await writeNote(client, { tenantId, processId, customerIds });
      return {
        suspects: new Set(suspects),
        done() {
          done.add(tenantId, [id]);
          flushIn(GATHER_MS);
        },
      };
    },
  };
}

interface DoneNotes {
  readonly isEmpty: () => boolean;
  readonly add: (tenantId: number, ids: readonly number[]) => void;
  /** Never throws: the next call deletes what could not be deleted now. */
  readonly deleteBy: (client: Client) => Promise<void>;
}

function createDoneNotes(): DoneNotes {
  const idsOf = new Map<number, number[]>();
  let count = 0;
  function add(tenantId: number, ids: readonly number[]): void {
    const kept = ids.slice(0, DONE_NOTES_MAX - count);
    if (kept.length === 0) return;
    count += kept.length;
    const known = idsOf.get(tenantId);
    if (known) known.push(...kept);
    else idsOf.set(tenantId, kept);
  }
  return {
    isEmpty: () => count === 0,
    add,
    async deleteBy(client) {
      const gathered = [...idsOf];
      idsOf.clear();
      count = 0;
      await Promise.all(
        gathered.map(([tenantId, ids]) =>
          deleteNotes(client, tenantId, ids).catch(() => add(tenantId, ids)),
        ),
      );
    },
  };
}

/** A lost connection releases the lock, after which its notes turn into suspects. */
async function beginLife(db: Database, done: DoneNotes): Promise<Life> {
  const client = await db.openBeside();
  try {
    // This does not wait for the disk. Only a crash of PostgreSQL itself can lose a note, and then
    // the next process that this customer crashes leaves another note.
    await client.query('set synchronous_commit = off');
    for (;;) {
      const processId = randomInt(1, PROCESS_ID_MAX);
      if (!(await lockLife(client, processId))) continue;
      // This runs before the first note of this connection, because it turns earlier notes into
      // suspects.
      await done.deleteBy(client);
      return { client, processId };
    }
  } catch (error) {
    await client.end();
    throw error;
  }
}

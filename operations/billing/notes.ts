/**
 * Notes which customers this process is about to rate, in rows of their own that are committed
 * before: when it dies of one of them, whoever rates next finds who it was, or may have been.
 */
import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import type { Database } from '../../db/connection/database.ts';
import { deleteNotes, lockLife, writeNote } from '../../db/queries/billing/notes.ts';
import { onceFor } from '../context/once-for.ts';

export interface Note {
  /** Not to be rated here: a process died, perhaps of one of them. */
  readonly suspects: ReadonlySet<number>;
  /** They are rated, whatever came of it; the row goes soon. */
  readonly done: () => void;
}

const PROCESS_ID_MAX = 2 ** 31 - 1;
/** So long what is done is gathered: one statement deletes the notes of many. */
const GATHER_MS = 50;
/** After a deletion that failed: the database is away, as a rule. */
const RETRY_MS = 1_000;
/** Finished notes that wait for their deletion. The customers of any beyond are billed apart once. */
const DONE_NOTES_MAX = 100_000;

interface Notebook {
  readonly note: (tenantId: number, customerIds: readonly number[]) => Promise<Note>;
}

const notebookOf = onceFor(openNotebook);

/** Call `done` in the end, or the customers will be suspects when this process ends. */
export function noteCustomers(
  db: Database,
  tenantId: number,
  customerIds: readonly number[],
): Promise<Note> {
  return notebookOf(db).note(tenantId, customerIds);
}

interface Life {
  readonly client: Client;
  /** The lock of this number is held for as long as this connection stands. */
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
  /** What cannot be deleted now is deleted by a later flush. */
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
  /** Never throws: what could not be deleted stays, and goes with the next call. */
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

/** A connection that is lost takes the lock along: then the notes of that life are buried. */
async function beginLife(db: Database, done: DoneNotes): Promise<Life> {
  const client = await db.openBeside();
  try {
    // Nobody waits for the disk: only a crash of PostgreSQL itself loses a note, and then whoever
    // dies of that customer leaves the next one.
    await client.query('set synchronous_commit = off');
    for (;;) {
      const processId = randomInt(1, PROCESS_ID_MAX);
      if (!(await lockLife(client, processId))) continue;
      // Before the first note of this life, which would bury those of the life before.
      await done.deleteBy(client);
      return { client, processId };
    }
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Lanes in which all processes together work on one thing at a time. A session's lock in PostgreSQL is
 * the lane: it is handed on in the order of asking, and is free when its process is gone.
 */
import pg, { type Client } from 'pg';
import { BusyError, isConnectionFault, sqlStateOf, sqlStates, unavailable } from './faults.ts';
import { addressesOf } from './pooler.ts';
import { createTurns } from './turns.ts';

export interface SharedLanes {
  /** Resolves with what leaves the lane; throws a BusyError after too long a wait. */
  readonly take: (lane: string) => Promise<() => void>;
  readonly close: () => Promise<void>;
}

export interface SharedLanesOptions {
  readonly url: string;
  /** Shows in pg_stat_activity. */
  readonly name: string;
  /** What the lanes are of. */
  readonly of: string;
  readonly waitMs: number;
}

/** Each lane that this process has, or waits for, takes one. */
const SESSIONS_MAX = 8;
/** Stay open, as a new connection takes some milliseconds. */
const IDLE_SESSIONS_MAX = 2;
const WAITING_MAX = 64;
const CONNECT_MS = 10_000;

/** Opens a connection at the first lane that is taken. */
export function openSharedLanes({ url, name, of, waitMs }: SharedLanesOptions): SharedLanes {
  const { directUrl: connectionString } = addressesOf(url);
  const turns = createTurns({ placesMax: SESSIONS_MAX, waitingMax: WAITING_MAX, waitMs });
  const idle: Client[] = [];
  const open = new Set<Client>();
  let isClosed = false;

  async function session(): Promise<Client> {
    const client = new pg.Client({
      connectionString,
      application_name: name,
      connectionTimeoutMillis: CONNECT_MS,
      options: `-c lock_timeout=${waitMs}`,
      keepAlive: true,
    });
    const forget = (): void => {
      open.delete(client);
      const place = idle.indexOf(client);
      if (place !== -1) idle.splice(place, 1);
    };
    // Its lane is free then, and the next one opens another.
    client.on('error', forget);
    client.once('end', forget);
    open.add(client);
    await client.connect();
    return client;
  }

  async function giveBack(client: Client, key: string): Promise<void> {
    try {
      await client.query({ ...unlocking, values: [key] });
      if (!isClosed && open.has(client) && idle.length < IDLE_SESSIONS_MAX) idle.push(client);
      else await client.end();
    } catch {
      await client.end().catch(() => undefined);
    }
  }

  return {
    async take(lane) {
      const key = `${of}/${lane}`;
      const leave = await turns.take(lane);
      let client: Client | undefined;
      try {
        client = idle.pop() ?? (await session());
        await client.query({ ...locking, values: [key] });
      } catch (error) {
        void client?.end().catch(() => undefined);
        leave();
        if (sqlStateOf(error) === sqlStates.lockNotAvailable) {
          throw new BusyError(`another process has had the lane for ${waitMs} ms`);
        }
        throw isConnectionFault(error) ? unavailable(error) : error;
      }
      const held = client;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        void giveBack(held, key).finally(leave);
      };
    },
    async close() {
      isClosed = true;
      await Promise.all([...open].map((client) => client.end().catch(() => undefined)));
    },
  };
}

const locking = {
  name: 'take-lane',
  text: 'select pg_advisory_lock(hashtextextended($1, 0))',
};
const unlocking = {
  name: 'leave-lane',
  text: 'select pg_advisory_unlock(hashtextextended($1, 0))',
};

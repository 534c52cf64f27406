/** A worker's heartbeat, which shows /healthz that a worker takes the workflows' tasks. */
import type { Database } from '../../db/connection/database.ts';

const BEAT_MS = 2_000;
/** When to delete rows of workers that crashed. */
const FORGET_AFTER_SECONDS = 3_600;

export interface Heartbeat {
  /** Deletes the row, so that the end shows at once. */
  readonly stop: () => Promise<void>;
}

/** The first beat is made before this resolves. */
export async function startHeartbeat(
  db: Database,
  identity: string,
  onError: (error: unknown) => void,
): Promise<Heartbeat> {
  await beat(db, identity);
  let underWay: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    underWay = beat(db, identity).catch(onError);
  }, BEAT_MS);
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
      await db.pool.query('delete from worker_heartbeat where identity = $1', [identity]);
    },
  };
}

async function beat(db: Database, identity: string): Promise<void> {
  await db.pool.query({
    name: 'beat',
    text: `
      with old as (delete from worker_heartbeat where identity <> $1
                   and beat_at < now() - make_interval(secs => $2))
      insert into worker_heartbeat (identity, beat_at) values ($1, now())
      on conflict (identity) do update set beat_at = excluded.beat_at`,
    values: [identity, FORGET_AFTER_SECONDS],
  });
}

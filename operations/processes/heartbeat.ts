/** A worker's heartbeat, which shows /healthz that a worker takes the workflows' tasks. */
import type { Pool } from 'pg';
import type { Database } from '../../db/connection/database.ts';

const BEAT_MS = 2_000;
/** When to delete rows of workers that crashed. */
const FORGET_AFTER_SECONDS = 3_600;

export interface Heartbeat {
  /** Deletes the row, so that the end shows at once. */
  readonly stop: () => Promise<void>;
}

export interface Beating {
  readonly identity: string;
  /** That of its workflows; absent if Temporal gives it tasks whatever its build is. */
  readonly build?: { readonly buildId: string } | undefined;
}

/** The first beat is made before this resolves. */
export async function startHeartbeat(
  db: Database,
  worker: Beating,
  onError: (error: unknown) => void,
): Promise<Heartbeat> {
  const { identity } = worker;
  await beat(db, worker);
  let underWay: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    underWay = beat(db, worker).catch(onError);
  }, BEAT_MS);
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
      await db.pool.query('delete from worker_heartbeat where identity = $1', [identity]);
    },
  };
}

async function beat(db: Database, { identity, build }: Beating): Promise<void> {
  await db.pool.query({
    name: 'beat',
    text: `
      with old as (delete from worker_heartbeat where identity <> $1
                   and beat_at < now() - make_interval(secs => $2))
      insert into worker_heartbeat (identity, beat_at, build_id) values ($1, now(), $3)
      on conflict (identity) do update set beat_at = excluded.beat_at`,
    values: [identity, FORGET_AFTER_SECONDS, build?.buildId ?? null],
  });
}

/** Longer than a worker that lives is silent, also on a busy machine. */
const DEAD_AFTER_SECONDS = 20;

/** The workers that live, by their builds. */
export async function livingBuilds(pool: Pool): Promise<ReadonlyMap<string | null, number>> {
  const { rows } = await pool.query<{ build: string | null; workers: number }>(
    `select build_id as build, count(*)::int as workers from worker_heartbeat
     where beat_at > now() - make_interval(secs => $1) group by build_id`,
    [DEAD_AFTER_SECONDS],
  );
  return new Map(rows.map(({ build, workers }) => [build, workers]));
}

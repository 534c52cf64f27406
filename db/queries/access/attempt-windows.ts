/** Counts attempts in windows of a minute for all processes: `attempt_window`. */
import type { Database } from '../../connection/database.ts';

export interface CountedAttempts {
  readonly failures: number;
  /** With the one that has just begun. */
  readonly underWay: number;
  /** Until the window ends. */
  readonly secondsLeft: number;
}

export interface Attempt {
  /** In whose turn it is counted. */
  readonly tenantId: number;
  /** Each of 32 bytes. */
  readonly keys: readonly Buffer[];
}

/** Windows that are over; whoever counts deletes some. */
const PRUNED_MAX = 20;
const WINDOW = `interval '1 minute'`;

const pruned = `delete from attempt_window where key = any(array(
    select key from attempt_window where ends_at < now() and not key = any($1)
    order by ends_at limit ${PRUNED_MAX} for update skip locked))`;

/** Counts an attempt before it ends, so that simultaneous ones stay within a limit. In the order of keys. */
export async function beginAttempt(
  db: Pick<Database, 'ask'>,
  { tenantId, keys }: Attempt,
): Promise<readonly CountedAttempts[]> {
  const rows = await db.ask<{ key: string; failures: number; underWay: number; left: number }>(
    {
      name: 'begin-attempt',
      // In one order, so that two attempts never wait for each other.
      text: `with pruned as (${pruned})
        insert into attempt_window as w (key, ends_at, failures, under_way)
        select k, now() + ${WINDOW}, 0, 1 from unnest($1::bytea[]) k order by k
        on conflict (key) do update set
          failures = case when w.ends_at > now() then w.failures else 0 end,
          under_way = case when w.ends_at > now() then w.under_way else 0 end + 1,
          ends_at = case when w.ends_at > now() then w.ends_at else now() + ${WINDOW} end
        returning encode(key, 'hex') as key, failures, under_way,
          extract(epoch from ends_at - now())::float8 as left`,
      values: [keys],
    },
    String(tenantId),
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => {
    const { failures = 0, underWay = 0, left = 0 } = byKey.get(key.toString('hex')) ?? {};
    return { failures, underWay, secondsLeft: Math.max(1, Math.ceil(left)) };
  });
}

/** The attempt may have begun in an earlier window: a failure counts in that of its end. */
export async function endAttempt(
  db: Pick<Database, 'ask'>,
  { tenantId, keys }: Attempt,
  isFailure: boolean,
): Promise<void> {
  await db.ask(
    {
      name: 'end-attempt',
      text: `with held as (
          select key from attempt_window where key = any($1) order by key for update)
        update attempt_window w set
          failures = case when w.ends_at > now() then w.failures else 0 end + $2::int,
          under_way = case when w.ends_at > now() then greatest(w.under_way - 1, 0) else 0 end,
          ends_at = case when w.ends_at > now() then w.ends_at else now() + ${WINDOW} end
        from held where w.key = held.key`,
      values: [keys, isFailure ? 1 : 0],
    },
    String(tenantId),
  );
}

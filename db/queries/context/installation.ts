/** Values of the installation, which belong to no tenant. */
import type { Pool } from 'pg';

/** The value of a key; undefined if there is none. */
export async function readInstallation(pool: Pool, key: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ value: string }>(
    'select value from installation where key = $1',
    [key],
  );
  return rows[0]?.value;
}

export async function keepInstallation(pool: Pool, key: string, value: string): Promise<void> {
  await pool.query(
    `insert into installation (key, value) values ($1, $2)
     on conflict (key) do update set value = excluded.value`,
    [key, value],
  );
}

/** Leaves the value that another process has inserted. */
export async function insertInstallation(pool: Pool, key: string, value: string): Promise<void> {
  await pool.query('insert into installation (key, value) values ($1, $2) on conflict do nothing', [
    key,
    value,
  ]);
}

/** False if the value is no longer the one of before; undefined before: if there is one. */
export async function replaceInstallation(
  pool: Pool,
  key: string,
  { before, value }: { readonly before: string | undefined; readonly value: string },
): Promise<boolean> {
  const { rowCount } = await (before === undefined
    ? pool.query('insert into installation (key, value) values ($1, $2) on conflict do nothing', [
        key,
        value,
      ])
    : pool.query('update installation set value = $2 where key = $1 and value = $3', [
        key,
        value,
        before,
      ]));
  return rowCount === 1;
}

/* Turns: what one process of the installation does at a time. */

export interface Turn {
  /** Of the value that has the turn, beside what else the value is made of. */
  readonly key: string;
  /** Names the process. */
  readonly holder: string;
}

/**
 * Takes or keeps a turn; a process that dies loses it after the given time, for which no session of
 * the database is needed. Returns the database's time in milliseconds since 1970; null while another
 * process has the turn.
 */
export async function holdTurn(
  pool: Pool,
  { key, holder, seconds }: Turn & { readonly seconds: number },
): Promise<number | null> {
  const { rows } = await pool.query<{ now: number }>(
    `insert into installation (key, value)
     values ($1, jsonb_build_object('holder', $2::text,
       'until', now() + make_interval(secs => $3))::text)
     on conflict (key) do update
       set value = (installation.value::jsonb || excluded.value::jsonb)::text
       where installation.value::jsonb ->> 'holder' = $2
         or (installation.value::jsonb ->> 'until')::timestamptz <= now()
     returning extract(epoch from now())::float8 * 1000 as now`,
    [key, holder, seconds],
  );
  return rows[0]?.now ?? null;
}

export async function endTurn(pool: Pool, { key, holder }: Turn): Promise<void> {
  await pool.query(
    `update installation
     set value = (value::jsonb || jsonb_build_object('until', now()))::text
     where key = $1 and value::jsonb ->> 'holder' = $2`,
    [key, holder],
  );
}

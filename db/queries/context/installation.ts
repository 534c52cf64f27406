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

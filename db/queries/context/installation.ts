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

/**
 * Places that hold for all processes together. A session in PostgreSQL has its place until it ends, so
 * it is free when its process is gone.
 */
import type { Client } from 'pg';
import { sqlStateOf, sqlStates } from './faults.ts';

export interface Places {
  /** What they are of. */
  readonly of: string;
  readonly count: number;
  /** How long to wait if none is free. */
  readonly waitMs: number;
}

/** @returns whether the session has a place; it waits for one of them, by chance, if none is free */
export async function takePlace(client: Client, { of, count, waitMs }: Places): Promise<boolean> {
  const keys = Array.from({ length: count }, (_, index) => keyOf(of, index + 1));
  const { rows } = await client.query<{ had: boolean }>(
    `select case ${keys
      .map((key) => `when pg_try_advisory_lock(${key}) then true`)
      .join(' ')} else false end as had`,
  );
  if (rows[0]?.had === true) return true;
  const key = keys[Math.floor(Math.random() * keys.length)] ?? keyOf(of, 1);
  try {
    await client.query(`set lock_timeout = ${waitMs}; set statement_timeout = 0;
      select pg_advisory_lock(${key});
      reset lock_timeout; reset statement_timeout`);
    return true;
  } catch (error) {
    if (sqlStateOf(error) !== sqlStates.lockNotAvailable) throw error;
    return false;
  }
}

const keyOf = (of: string, place: number): string => `hashtextextended('${of}/${place}', 0)`;

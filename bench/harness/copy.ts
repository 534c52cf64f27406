/**
 * A baseline: PostgreSQL's own COPY of rows that were written, into the same tables with their indexes
 * and constraints, for another tenant. COPY refuses tables with policies that apply to its role, so
 * the owner does it.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cpuSecondsOf } from './processes.ts';
import type { Bench } from './scenario.ts';

export interface CopiedTable {
  readonly table: string;
  /** Which of its rows, by an id; the alias of the rows is `r`. */
  readonly by?: string;
  /** Another source of the rows than the table itself. */
  readonly from?: string;
  /** All that the table has by default. */
  readonly columns?: string;
}

export interface Copied {
  /** The rows whose ids came after it. */
  readonly afterId: number;
  readonly toTenant: number;
  /** Of the rows; by default they are chosen by their ids alone. */
  readonly fromTenant?: number;
}

export async function openOwner({ system, cleanups }: Bench): Promise<pg.Client> {
  const { ownerUrl } = await system();
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  cleanups.push(() => owner.end());
  return owner;
}

/** The last id that is taken. */
export async function lastId(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ last: string }>('select last_value as last from id_seq');
  return Number(rows[0]?.last);
}

/** Copies tables in this order. The selection of the rows is not measured; the CPU is PostgreSQL's. */
export async function copy(
  bench: Bench,
  owner: pg.Client,
  tables: readonly CopiedTable[],
  { afterId, toTenant, fromTenant }: Copied,
): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> {
  const { pids } = await bench.system();
  const fileOf = (table: string): string =>
    join(tmpdir(), `sundial-bench-${process.pid}-${table}.copy`);
  try {
    const statements: string[] = [];
    for (const { table, by = 'r.id', from = table, columns } of tables) {
      const names = columns ?? (await columnsOf(owner, table));
      const chosen = names.replace(/\w+/g, (name) =>
        name === 'tenant_id' ? `${toTenant}` : `r.${name}`,
      );
      const own = fromTenant === undefined ? '' : `r.tenant_id = ${fromTenant} and`;
      const rows = `select ${chosen} from ${from} r where ${own} ${by} > ${afterId}`;
      await owner.query(`copy (${rows}) to '${fileOf(table)}'`);
      statements.push(`copy ${table} (${names}) from '${fileOf(table)}'`);
    }
    await owner.query('checkpoint');
    const before = await cpuSecondsOf([pids.postgres]);
    const began = performance.now();
    for (const statement of statements) await owner.query(statement);
    const seconds = (performance.now() - began) / 1_000;
    return { seconds, cpuSeconds: (await cpuSecondsOf([pids.postgres])) - before };
  } finally {
    for (const { table } of tables) await rm(fileOf(table), { force: true });
  }
}

async function columnsOf(owner: pg.Client, table: string): Promise<string> {
  const { rows } = await owner.query<{ names: string }>(
    `select string_agg(attname, ', ') as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.names ?? '';
}

/** What PostgreSQL writes into its log, in all and by statement. */
import type pg from 'pg';

export interface Written {
  readonly bytes: number;
  readonly records: number;
  /** Images of whole pages: each page's first change after a checkpoint writes one. */
  readonly images: number;
}

export async function writtenSoFar(owner: pg.Client): Promise<Written> {
  const { rows } = await owner.query<Record<keyof Written, string>>(
    'select wal_bytes as bytes, wal_records as records, wal_fpi as images from pg_stat_wal',
  );
  const [row] = rows;
  return {
    bytes: Number(row?.bytes),
    records: Number(row?.records),
    images: Number(row?.images),
  };
}

export interface StatementWritten {
  readonly statement: string;
  readonly bytes: number;
  readonly images: number;
}

const STATEMENTS_MAX = 14;
const TEXT_LENGTH_MAX = 56;

/** Those that wrote most since the last call, which begins anew. */
export async function writtenByStatements(owner: pg.Client): Promise<readonly StatementWritten[]> {
  const { rows } = await owner.query<Record<keyof StatementWritten, string>>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), ${TEXT_LENGTH_MAX}) as statement,
       sum(wal_bytes) as bytes, sum(wal_fpi) as images
     from pg_stat_statements where wal_bytes > 0 group by 1 order by 2 desc limit ${STATEMENTS_MAX}`,
  );
  await owner.query('select pg_stat_statements_reset()');
  return rows.map(({ statement, bytes, images }) => ({
    statement,
    bytes: Number(bytes),
    images: Number(images),
  }));
}

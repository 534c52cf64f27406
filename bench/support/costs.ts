/** PostgreSQL's work between two readings: statements, commits, log written. */
import type { Client } from 'pg';

interface Reading {
  readonly statements: number;
  readonly commits: number;
  readonly walBytes: number;
}

/** Per invoice. */
export interface Costs {
  readonly statements: number;
  readonly commits: number;
  readonly walBytes: number;
}

export async function takeReading(watch: Client): Promise<Reading> {
  const { rows } = await watch.query<Record<'statements' | 'commits' | 'bytes', string>>(`
    select (select coalesce(sum(calls), 0) from pg_stat_statements s
            join pg_roles r on r.oid = s.userid where r.rolname = 'sundial_app') as statements,
           (select xact_commit from pg_stat_database where datname = current_database()) as commits,
           pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`);
  const row = rows[0];
  return {
    statements: Number(row?.statements),
    commits: Number(row?.commits),
    walBytes: Number(row?.bytes),
  };
}

export function costsOf(before: Reading, after: Reading, invoices: number): Costs {
  return {
    statements: (after.statements - before.statements) / invoices,
    commits: (after.commits - before.commits) / invoices,
    walBytes: (after.walBytes - before.walBytes) / invoices,
  };
}

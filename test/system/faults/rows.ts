/**
 * What a tenant has in each table, so that what was cut off is compared with what was not: how many
 * rows, by their status where a table has one.
 */
import type { QueryResultRow } from 'pg';

/** `invoice Paid` → 2 */
export type Rows = Readonly<Record<string, number>>;

/** A statement by the owner of the schema. */
export type AsOwner = <Row extends QueryResultRow>(sql: string) => Promise<Row[]>;

/**
 * Counts the rows of a tenant in all tables but those of what processes note for themselves, which
 * they clear later.
 */
export async function rowCounter(ask: AsOwner): Promise<(tenantId: number) => Promise<Rows>> {
  const columns = await ask<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name in ('tenant_id', 'status', 'state') order by 1`,
  );
  const counts = [...Map.groupBy(columns, ({ table }) => table)]
    .map(([table, own]) => ({ table, own: own.map(({ column }) => column) }))
    .filter(({ table, own }) => own.includes('tenant_id') && !notes.has(table))
    .map(({ table, own }) => {
      const status = own.find((column) => column !== 'tenant_id');
      const name = status === undefined ? `'${table}'` : `concat_ws(' ', '${table}', ${status})`;
      return (id: number) =>
        `select ${name} as name, count(*)::int as n from ${table} where tenant_id = ${id} group by 1`;
    });
  return async (tenantId) => {
    const all = counts.map((count) => count(tenantId)).join(' union all ');
    const found = await ask<{ name: string; n: number }>(all);
    return Object.fromEntries(found.map(({ name, n }) => [name, n]));
  };
}

const notes = new Set(['billing_note', 'billing_suspect']);

/** What came to each, or went; what stayed as it was is left out. */
export function more(before: Rows, after: Rows): Rows {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return Object.fromEntries(
    names
      .map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)])
      .filter(([, n]) => n !== 0),
  );
}

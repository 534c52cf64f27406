/** Reads PostgreSQL's plan of a statement: how many rows of each table it visits. */
import type { Said } from './overheard.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

type Explain = (text: string, values: readonly unknown[]) => Promise<readonly object[]>;

/** By table, including the rows that it discarded; the statements are executed. */
export async function rowsReadOf(
  query: Explain,
  statements: readonly Pick<Said, 'text' | 'values'>[],
): Promise<Readonly<Record<string, number>>> {
  const read: Record<string, number> = {};
  for (const { text, values } of statements) {
    const rows = await query(`explain (analyze, timing off, format json) ${text}`, values);
    for (const row of rows as readonly Explained[]) {
      for (const { Plan } of row['QUERY PLAN']) count(Plan, read);
    }
  }
  return read;
}

function count(node: PlanNode, read: Record<string, number>): void {
  const table = node['Relation Name'];
  if (table !== undefined) {
    const each =
      node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    read[table] = (read[table] ?? 0) + Math.round(each * node['Actual Loops']);
  }
  for (const child of node.Plans ?? []) count(child, read);
}

/** Where a whole system may have left a secret: its tables, its histories, its files. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowClient } from '@temporalio/client';
import { Client } from 'pg';
import { patient } from '../../support/temporal.ts';
import type { Parts } from '../crash/parts.ts';
import { textOf } from '../../workflows/history-text.ts';
import { connectTemporal } from '../../../providers/temporal/connect.ts';

export type Place = readonly [where: string, text: string];

interface Cell {
  readonly table: string;
  readonly column: string;
  readonly value: string;
}

/** Each value of each row that is not null. */
export async function cellsOf({ ownerUrl }: Pick<Parts, 'ownerUrl'>): Promise<readonly Cell[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    );
    const cells: Cell[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<Omit<Cell, 'table'>>(
        `select each.key as "column", each.value from ${name} row, jsonb_each_text(to_jsonb(row)) each
         where each.value is not null`,
      );
      for (const row of rows) cells.push({ table: name, ...row });
    }
    return cells;
  } finally {
    await client.end();
  }
}

export interface Histories {
  /** By workflow id: the whole history, with its payloads decoded. */
  readonly histories: readonly Place[];
  /** The types of the workflows. */
  readonly types: ReadonlySet<string>;
}

export async function historiesOf({ engine }: Pick<Parts, 'engine'>): Promise<Histories> {
  const connection = await connectTemporal({ address: engine.address }, patient);
  try {
    const client = new WorkflowClient({ connection, namespace: engine.namespace });
    const types = new Set<string>();
    const histories: Place[] = [];
    for await (const { workflowId, runId, type } of client.list()) {
      const history = await client.getHandle(workflowId, runId).fetchHistory();
      types.add(type);
      histories.push([workflowId, textOf(history)]);
    }
    return { histories, types };
  } finally {
    await connection.close();
  }
}

/** The logs, and the files of the engine. */
export function filesOf({ folder }: Pick<Parts, 'folder'>): readonly Place[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile());
  return files.map(({ name }) => [name, readFileSync(join(folder, name), 'latin1')] as const);
}

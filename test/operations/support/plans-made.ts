/** Records the plans that PostgreSQL made of the statements that the product itself sent. */
import type { PoolClient } from 'pg';
import { type Database, openDatabase } from '../../../db/connection/database.ts';
import { patientSession } from '../../support/database.ts';
import { administer } from '../../support/template.ts';

/** A node that reads a table or an index. */
export interface Look {
  readonly by: string;
  readonly table: string;
  readonly index: string | null;
  /** Of all rounds, with those that it discarded. */
  readonly rows: number;
  /** Pages of 8 kB, of all rounds. */
  readonly pages: number;
}

export interface MadePlan {
  /** The part of a test that was at work. */
  readonly part: string;
  readonly statement: string;
  readonly looks: readonly Look[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

const PREFIX = /^duration: [\d.]+ ms {2}plan:\s*/;

/**
 * The settings of a database whose sessions tell their plans, as notices. Statements are planned
 * without the values of their parameters, as they are after some executions, and as if each row
 * stood for a hundred: in a small table, reading all rows would be cheaper than an index.
 */
export async function tellPlans(ownerUrl: string, name: string): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': 0,
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    plan_cache_mode: 'force_generic_plan',
    cpu_tuple_cost: 1,
    cpu_index_tuple_cost: 0.5,
    seq_page_cost: 100,
    jit: 'off',
  };
  await administer(
    ownerUrl,
    ...Object.entries(settings).map(
      ([key, value]) => `alter database ${name} set ${key} = '${value}'`,
    ),
  );
}

export function recordPlans(db: Database, partNow: () => string | null, made: MadePlan[]): void {
  const known = new WeakSet<PoolClient>();
  db.pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    client.on('notice', ({ message }) => {
      const part = partNow();
      if (part === null || message === undefined || !PREFIX.test(message)) return;
      const { 'Query Text': text, Plan } = JSON.parse(message.replace(PREFIX, ''));
      made.push({
        part,
        statement: String(text).replace(/\s+/g, ' ').trim(),
        looks: looksOf(Plan),
      });
    });
  });
}

function looksOf(node: PlanNode): Look[] {
  const own: Look[] = [];
  const table = node['Relation Name'] ?? node['Index Name'];
  if (table !== undefined && node['Node Type'] !== 'ModifyTable') {
    const each =
      node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    own.push({
      by: node['Node Type'],
      table,
      index: node['Index Name'] ?? null,
      rows: Math.round(each * node['Actual Loops']),
      pages: (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
    });
  }
  return [...own, ...(node.Plans ?? []).flatMap(looksOf)];
}

const pool = { poolMax: 4, ...patientSession, statementTimeoutMs: 60_000, name: 'test' };

export async function openTelling(
  ownerUrl: string,
): Promise<{ readonly app: Database; readonly relay: Database }> {
  const app = await openDatabase({ ...pool, url: ownerUrl, role: 'sundial_app' });
  return { app, relay: await openDatabase({ ...pool, url: ownerUrl, role: 'sundial_relay' }) };
}

/** Lines with many records: their billing, and what previews and lists of their customers take. */
import pg from 'pg';
import { done, type RestTarget } from '../../cli/rest.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { callerOf } from '../support/caller.ts';
import { median } from '../support/median.ts';
import type { BenchSystem } from '../support/system.ts';
import { record, usageTenant } from './fill.ts';
import { bill, refuseOtherUsage, type Billed } from './run.ts';

const FEW_RECORDS = 10;
const CALLS = 5;
const feesOn = '2027-01-02T05:00:00Z';
const usageOn = '2027-02-01T05:00:00Z';

export interface LineRow {
  readonly records: number;
  readonly billed: Billed;
  /** The longest statement of the run. */
  readonly statementSeconds: number;
  /** Medians of some calls. */
  readonly previewMs: number;
  readonly listMs: number;
  /** The same once the records are billed. */
  readonly billedListMs: number;
}

export async function lines(
  system: BenchSystem,
  records: number,
  say: (line: string) => void,
): Promise<LineRow[]> {
  const rows: LineRow[] = [];
  for (const count of [FEW_RECORDS, records / 10, records]) {
    say(`A line with ${count} records`);
    rows.push(await lineWith(system, count));
  }
  return rows;
}

async function lineWith(system: BenchSystem, records: number): Promise<LineRow> {
  const label = `line${records}`;
  const tenantId = await usageTenant(system, { label, orders: 1, contractCode: 'METERED' });
  await bill(system, tenantId, feesOn);
  await record(system.db, tenantId, { month: '2027-01-01', periodIndex: 0, records });
  const owner = new pg.Client({ connectionString: system.ownerUrl });
  await owner.connect();
  try {
    await owner.query('create extension if not exists pg_stat_statements');
    await owner.query('vacuum analyze activity');
    const [row] = await inTenant(system.db, tenantId, (tx) =>
      tx.query<{ id: number }>('select id from customer'),
    );
    const caller = callerOf(system.apiUrl, label);
    const list = `/rest/activities?customerId=${row?.id}&max=100`;
    const previewMs = await callMs(caller, `/rest/customer/${row?.id}/nextInvoice`);
    const listMs = await callMs(caller, list);
    await owner.query('select pg_stat_statements_reset()');
    const billed = await bill(system, tenantId, usageOn);
    const { rows } = await owner.query<{ ms: number }>(
      `select max(max_exec_time) as ms from pg_stat_statements s
       join pg_roles r on r.oid = s.userid where r.rolname = 'sundial_app'`,
    );
    await refuseOtherUsage(system, tenantId, 1);
    const billedListMs = await callMs(caller, list);
    const statementSeconds = Number(rows[0]?.ms) / 1_000;
    return { records, billed, statementSeconds, previewMs, listMs, billedListMs };
  } finally {
    await owner.end();
  }
}

async function callMs(caller: RestTarget, path: string): Promise<number> {
  const taken: number[] = [];
  for (let call = 0; call <= CALLS; call += 1) {
    const began = performance.now();
    await done(caller, 'GET', path);
    // The first verifies the password.
    if (call > 0) taken.push(performance.now() - began);
  }
  return median(taken);
}

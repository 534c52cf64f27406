/** The ledger of a tenant with many invoices: pages at any depth, reports, and all of it as CSV. */
import { request } from 'node:http';
import type pg from 'pg';
import { inSnapshot } from '../../db/connection/snapshot.ts';
import { cursorOf } from '../../domain/ledger/cursor.ts';
import { reportNames } from '../../domain/ledger/reports.ts';
import { reportRows } from '../../operations/ledger/report.ts';
import { openLane, type Target } from '../client/http.ts';
import { openOwner } from '../harness/copy.ts';
import { memoryOf, watchingMemory } from '../harness/processes.ts';
import { scenario } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import { makeTenant, type Tenant } from '../harness/tenants.ts';
import { median } from '../harness/turns.ts';
import { MONTHS, writeBooks } from './ledger-books.ts';

const ROWS_OF_PAGE = 1_000;
const depths = [0, 0.1, 0.5, 0.9] as const;
/** Each connection of the API plans the statements once. */
const WARM_CALLS = 12;
const MEMORY_LOOK_MS = 500;
const LINE_END = 10;

export const ledger = scenario({
  about:
    'the ledger of a tenant with many invoices, made by SQL: pages of 1,000 rows at several depths, every report, ' +
    'and all rows as CSV with the memory of the API',
  parts: ['pages', 'reports', 'csv'],
  sizes: { invoices: 1_000_000, calls: 20 },
  brief: { invoices: 40, calls: 1 },
  async measure(bench, { invoices, calls }) {
    const system = await bench.system();
    const owner = await openOwner(bench);
    const tenant = await makeTenant(system, 'ledger');
    bench.say(`${invoices} invoices`);
    await writeBooks(system, owner, { tenant, invoices });
    const measures = {
      pages: () => pagesOf(owner, tenant, calls),
      reports: () => reportsOf(system, tenant),
      csv: () => csvOf(system, tenant),
    };
    const tables = [];
    for (const [part, measure] of Object.entries(measures)) {
      if (bench.part !== undefined && bench.part !== part) continue;
      bench.say(part);
      tables.push(await measure());
    }
    return tables;
  },
});

/** The place of a fact at a depth of the ledger, in one round. */
async function cursorAt(owner: pg.Client, tenantId: number, depth: number): Promise<string> {
  const { rows } = await owner.query<Record<'until' | 'transaction' | 'id', string>>(
    `with facts as (
       select written_in, id from ledger_entry where tenant_id = $1
       union all select written_in, id from invoice_payment where tenant_id = $1)
     select pg_current_snapshot()::text as until, written_in::text as transaction, id from facts
     order by written_in, id
     offset (select (count(*) * $2::float8)::bigint from facts) limit 1`,
    [tenantId, depth],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the ledger has no facts');
  const { until, transaction, id } = row;
  return cursorOf({ since: null, until, transaction, factId: Number(id), row: 1 });
}

async function pagesOf(owner: pg.Client, { id, target }: Tenant, calls: number) {
  const lane = openLane(target);
  const page = async (after: string) => {
    const path = `/rest/ledger?max=${ROWS_OF_PAGE}${after && `&after=${after}`}`;
    const answer = await lane.send({ method: 'GET', path });
    if (answer.status !== 200) throw new Error(answer.body());
    return answer;
  };
  const rows = [];
  try {
    const first = await page('');
    for (let call = 0; call < WARM_CALLS; call += 1) await page('');
    rows.push({ depth: 'the first call of a connection', ms: first.ms });
    for (const depth of depths) {
      const after = depth === 0 ? '' : await cursorAt(owner, id, depth);
      const times = [];
      for (let call = 0; call < calls; call += 1) times.push((await page(after)).ms);
      rows.push({ depth: `${depth * 100}%`, ms: median(times), 'the most': Math.max(...times) });
    }
  } finally {
    lane.close();
  }
  return { title: `A page of ${ROWS_OF_PAGE} rows, as a whole call`, rows };
}

const days = { from: '2026-01-02', to: '2027-01-01' } as const;

async function reportsOf({ db }: BenchSystem, { id }: Tenant) {
  const rows = [];
  for (const name of reportNames) {
    // The longest window that a report takes, of which ten months have invoices.
    const own = name === 'mrr' ? { ...days, from: '2026-12-01' } : days;
    const began = performance.now();
    let count = 0;
    const read = inSnapshot(db, id, (tx) => reportRows({ db, tx }, name, own));
    for await (const part of read) count += part.length;
    rows.push({ report: name, rows: count, ms: performance.now() - began });
  }
  return { title: `Reports of ${MONTHS} months`, rows };
}

async function csvOf({ pids }: BenchSystem, { target }: Tenant) {
  const { api } = pids;
  const watching = { pids: () => ({ api }), everyMs: MEMORY_LOOK_MS };
  const before = await memoryOf({ api });
  const began = performance.now();
  const { result: lines, samples, more } = await watchingMemory(watching, () => linesOf(target));
  const seconds = (performance.now() - began) / 1_000;
  const half = samples.slice(0, Math.ceil(samples.length / 2));
  return {
    title: 'All rows as CSV',
    rows: [
      {
        lines,
        seconds,
        'lines per second': lines / seconds,
        'MB of the API before': before['api'] ?? 0,
        'the most in the first half': Math.max(...half.map((each) => each['api'] ?? 0)),
        'the most': (before['api'] ?? 0) + (more['api'] ?? 0),
      },
    ],
  };
}

/** Counts the lines of a file that is read as it comes. */
function linesOf({ port, host, authorization }: Target): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const path = '/rest/ledger?format=csv';
  const headers = { host, authorization };
  const asked = request({ port, host: '127.0.0.1', path, headers }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`CSV: ${answer.statusCode}`));
    let lines = 0;
    answer.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === LINE_END) lines += 1;
    });
    answer.on('error', reject);
    answer.on('end', () => resolve(lines));
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

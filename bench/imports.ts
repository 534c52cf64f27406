/**
 * Measures imports: customers, and invoices with their line items, beside PostgreSQL's COPY of all rows
 * that they wrote; memory of API and worker; and the orders of another tenant meanwhile.
 */
import { startChild, target } from './api/children.ts';
import {
  customerTables,
  invoiceTables,
  openCopyBaseline,
  type CopiedTable,
  type CopyBaseline,
} from './imports/copy.ts';
import { customers, invoices, lines, longRows, LINES_OF_INVOICE } from './imports/files.ts';
import { carry, send, type Sent } from './imports/jobs.ts';
import {
  reportImports,
  type ImportFigures,
  type ImportRates,
  type LargeFile,
} from './imports/report.ts';
import { watchingMemory } from './imports/watch.ts';
import type { NormalAssignment, NormalMeasured, NormalPhases } from './soak/normal.ts';
import type { RestTarget } from '../cli/rest.ts';
import { callerOf } from './support/caller.ts';
import { fillCustomers } from './support/customers.ts';
import { cpuOf, cpuPer } from './support/cpu.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

const CUSTOMERS = 100_000;
const LARGE_MEGABYTES = 1_000;
const file = 'soak/tenant.yaml';
/** Of the client: 20 seconds. */
const TURNS = 1;
const LEAD_MS = 500;

export const imports = benchOfSystem({ measure, report: reportImports });

async function measure(
  system: BenchSystem,
  { customers: asked, say }: Asked,
): Promise<ImportFigures> {
  const count = asked ?? CUSTOMERS;
  const from = await makeTenant(system, 'moving', { file });
  const to = await makeTenant(system, 'copied', { file });
  await makeTenant(system, 'busy', { file });
  const baseline = await openCopyBaseline(system, { from, to });
  const other = await startOther(system);
  try {
    const measured = { system, baseline, say };
    const caller = callerOf(system.apiUrl, 'moving');
    say(`${count} customers`);
    const ofCustomers = await imported(measured, {
      rows: count,
      tables: customerTables,
      upload: () => send(caller, 'Customer', customers(count)),
      run: (id) => carry(caller, id),
    });
    say(`${count} invoices with ${count * LINES_OF_INVOICE} line items`);
    const ofInvoices = await imported(measured, {
      rows: count * (1 + LINES_OF_INVOICE),
      tables: invoiceTables,
      upload: () => sendInvoices(caller, count),
      run: (id) => carry(caller, id),
    });
    say(`A file of ${LARGE_MEGABYTES} MB, whose rows are bad`);
    const large = await largeFile(system, caller);
    say('Orders of another tenant, without an import and beside one');
    await other.post();
    await untilQuiet(system);
    const quiet = await other.post();
    const busy = callerOf(system.apiUrl, 'busy');
    const { id } = await send(busy, 'Customer', customers(count));
    const [beside] = await Promise.all([other.post(), carry(busy, id)]);
    return { customers: count, ofCustomers, ofInvoices, large, quiet, beside };
  } finally {
    other.end();
    await baseline.close();
  }
}

async function sendInvoices(caller: RestTarget, count: number): Promise<Sent> {
  const parent = await send(caller, 'Invoice', invoices(count, count));
  const child = await send(caller, 'Invoice Line Item', lines(count), parent.id);
  return { id: parent.id, seconds: parent.seconds + child.seconds };
}

/** Every row of it fails, so that reading it takes most of the time. */
async function largeFile(system: BenchSystem, caller: RestTarget): Promise<LargeFile> {
  await untilQuiet(system);
  const { result, more: memory } = await watchingMemory(system, async () => {
    const { id, seconds: uploadSeconds } = await send(
      caller,
      'Customer',
      longRows(LARGE_MEGABYTES),
    );
    return { uploadSeconds, seconds: await carry(caller, id, 'Failure') };
  });
  return { megabytes: LARGE_MEGABYTES, ...result, memory };
}

interface Measured {
  readonly system: BenchSystem;
  readonly baseline: CopyBaseline;
  readonly say: (line: string) => void;
}

interface Import {
  readonly rows: number;
  readonly tables: readonly CopiedTable[];
  readonly upload: () => Promise<Sent>;
  readonly run: (id: string) => Promise<number>;
}

async function imported(
  { system, baseline, say }: Measured,
  { rows, tables, upload, run }: Import,
): Promise<ImportRates> {
  await untilQuiet(system);
  const afterId = await baseline.lastId();
  const before = await cpuOf(system.pids);
  const { result, more: memory } = await watchingMemory(system, async () => {
    const { id, seconds: uploadSeconds } = await upload();
    return { uploadSeconds, seconds: await run(id) };
  });
  const cpuMs = cpuPer(before, await cpuOf(system.pids), rows / 1_000_000);
  await untilQuiet(system);
  say('The same rows by COPY');
  const copySeconds = await baseline.copy(tables, afterId);
  return { rows, ...result, copySeconds, memory, cpuMs };
}

/** Posts orders of another tenant, ten a second. */
async function startOther(system: BenchSystem) {
  const tenantId = await makeTenant(system, 'other', { file });
  const facts = { customers: await fillCustomers(system.db, tenantId), contractCode: 'MONTHLY' };
  const { port, authorization } = target(Number(new URL(system.apiUrl).port));
  const child = await startChild('../soak/normal.ts', []);
  const at = { port, authorization, host: 'other.localhost' };
  return {
    async post(): Promise<NormalMeasured> {
      const turns = { beganAt: Date.now() + LEAD_MS, pairs: TURNS };
      child.say({ target: at, facts, turns } satisfies NormalAssignment);
      const { quiet, beside } = JSON.parse(await child.nextLine()) as NormalPhases;
      return quiet.p99Ms > beside.p99Ms ? quiet : beside;
    },
    end: child.end,
  };
}

/**
 * Imports: customers, and invoices with their line items, beside PostgreSQL's COPY of all rows that they
 * wrote; memory of API and worker; and the orders of another tenant meanwhile.
 */
import type pg from 'pg';
import type { RestTarget } from '../../cli/rest.ts';
import { startClient, timesOf } from '../harness/client.ts';
import { copy, lastId, openOwner, type CopiedTable } from '../harness/copy.ts';
import { startCpu, watchingMemory } from '../harness/processes.ts';
import { scenario, type Bench } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import { makeTenant } from '../harness/tenants.ts';
import {
  carry,
  customers,
  invoices,
  lines,
  longRows,
  send,
  LINES_OF_INVOICE,
} from './import-files.ts';
import { shopOf, steadyOrders } from './soak.ts';

const MEMORY_LOOK_MS = 250;

export const imports = scenario({
  about:
    "customers, and invoices with three line items each, beside PostgreSQL's COPY of all rows that they write; " +
    'memory of API and worker; orders of another tenant meanwhile',
  sizes: { customers: 100_000, megabytes: 1_000, besideMs: 20_000 },
  brief: { customers: 20, megabytes: 1, besideMs: 400 },
  async measure(bench, { customers: count, megabytes, besideMs }) {
    const system = await bench.system();
    const [from, to, busy] = [
      await makeTenant(system, 'moving', { isRealTime: true }),
      await makeTenant(system, 'copied', { isRealTime: true }),
      await makeTenant(system, 'busy', { isRealTime: true }),
    ];
    const other = await shopOf(system, 'import-other');
    const owner = await openOwner(bench);
    const { caller } = from;
    const ids = { fromTenant: from.id, toTenant: to.id };
    bench.say(`${count} customers`);
    const its = { bench, owner, ids };
    const ofCustomers = await imported(its, {
      rows: count,
      tables: customerTables,
      upload: () => send(caller, 'Customer', customers(count)),
      run: (id) => carry(caller, id),
    });
    bench.say(`${count} invoices with ${count * LINES_OF_INVOICE} line items`);
    const ofInvoices = await imported(its, {
      rows: count * (1 + LINES_OF_INVOICE),
      tables: invoiceTables,
      upload: () => sendInvoices(caller, count),
      run: (id) => carry(caller, id),
    });
    bench.say(`A file of ${megabytes} MB, whose rows are bad`);
    const large = await carried(system, {
      upload: () => send(caller, 'Customer', longRows(megabytes)),
      run: (id) => carry(caller, id, 'Failure'),
    });
    bench.say('Orders of another tenant, without an import and beside one');
    const client = startClient(bench);
    const post = async () => {
      const asked = { ...steadyOrders(other), measureMs: besideMs };
      return timesOf(await client.ask(asked), asked.what);
    };
    await post();
    await system.settled();
    const quiet = await post();
    const { id } = await send(busy.caller, 'Customer', customers(count));
    const [beside] = await Promise.all([post(), carry(busy.caller, id)]);
    return [
      {
        title: `Imports of ${count} customers, and of as many invoices; CPU of 1,000 rows`,
        rows: [
          { '': 'customers', ...ofCustomers },
          { '': 'invoices and line items', ...ofInvoices },
          { '': `a file of ${megabytes} MB`, ...large },
        ],
      },
      {
        title: 'POST order of another tenant',
        rows: [
          { '': 'without an import', ...quiet },
          { '': 'beside one', ...beside },
          { '': 'ratio', 'p99 ms': beside['p99 ms'] / quiet['p99 ms'] },
        ],
      },
    ];
  },
});

interface Import {
  readonly rows: number;
  readonly tables: readonly CopiedTable[];
  readonly upload: () => Promise<{ readonly id: string; readonly seconds: number }>;
  /** Seconds from finalize to the end, with the check before and the result file after the rows. */
  readonly run: (id: string) => Promise<number>;
}

interface Measuring {
  readonly bench: Bench;
  readonly owner: pg.Client;
  readonly ids: Readonly<Record<'fromTenant' | 'toTenant', number>>;
}

async function imported({ bench, owner, ids }: Measuring, { rows, tables, ...job }: Import) {
  const system = await bench.system();
  await system.settled();
  const afterId = await lastId(owner);
  const cpu = await startCpu(system.pids);
  const times = await carried(system, job);
  const cpuMs = await cpu(rows / 1_000);
  await system.settled();
  const { seconds } = await copy(bench, owner, tables, { afterId, ...ids });
  const copied = { 'COPY per second': rows / seconds, 'of COPY': seconds / times.seconds };
  return { ...times, 'per second': rows / times.seconds, ...copied, ...cpuMs };
}

async function carried(system: BenchSystem, { upload, run }: Pick<Import, 'upload' | 'run'>) {
  const { api, worker } = system.pids;
  const watching = { pids: () => ({ api, worker }), everyMs: MEMORY_LOOK_MS };
  const { result, more } = await watchingMemory(watching, async () => {
    const { id, seconds: uploadSeconds } = await upload();
    return { 'upload seconds': uploadSeconds, seconds: await run(id) };
  });
  return {
    ...result,
    'MB more of the API': more['api'] ?? 0,
    'of the worker': more['worker'] ?? 0,
  };
}

async function sendInvoices(caller: RestTarget, count: number) {
  const parent = await send(caller, 'Invoice', invoices(count, count));
  const child = await send(caller, 'Invoice Line Item', lines(count), parent.id);
  return { id: parent.id, seconds: parent.seconds + child.seconds };
}

/** In the order of their foreign keys. */
const customerTables: readonly CopiedTable[] = [
  { table: 'batch' },
  { table: 'customer' },
  { table: 'contact' },
  // Before the payments, of which a trigger counts what it has besides.
  {
    table: 'customer_balance',
    by: 'r.customer_id',
    columns: 'tenant_id, customer_id, currency, balance, last_total_due',
  },
  { table: 'payment' },
  { table: 'ledger_entry' },
  { table: 'import_row', by: 'r.batch_id' },
];

/** Line items are copied twice, because they are staged. */
const invoiceTables: readonly CopiedTable[] = [
  { table: 'batch' },
  {
    table: 'import_line',
    by: 'r.batch_id',
    columns:
      'tenant_id, batch_id, line, parent_id, invoice_number, position, invoice_text, price_code, ' +
      'unit_price, quantity, amount',
    from: `(select l.tenant_id, w.batch_id, w.line, b.parent_id, i.invoice_number,
        l.position, l.invoice_text, c.price_code, c.unit_price, c.quantity, null::numeric as amount
      from import_row w
      join batch b on b.tenant_id = w.tenant_id and b.id = w.batch_id and b.kind = 'lines'
      join invoice_line l on l.tenant_id = w.tenant_id and l.id = w.object_id
      join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
      join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id)`,
  },
  { table: 'invoice' },
  { table: 'invoice_line' },
  { table: 'invoice_charge' },
  { table: 'ledger_entry' },
  { table: 'import_row', by: 'r.batch_id' },
];

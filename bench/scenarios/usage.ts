/**
 * Metered usage: uploads beside PostgreSQL's COPY, the billing of lines with many records, and renewals of orders with some records.
 */
import { done } from '../../cli/rest.ts';
import { bill, billedInTurns } from '../harness/billing.ts';
import { openOwner } from '../harness/copy.ts';
import { scenario, type Bench } from '../harness/scenario.ts';
import type { Table } from '../harness/tables.ts';
import { assertNumber, BILLED_FIRST, firstOf, numberOf, type Tenant } from '../harness/tenants.ts';
import { compared, median } from '../harness/turns.ts';
import { record, usageSizes, usageTenant, type UsageSizes } from './usage-records.ts';
import { uploads } from './usage-uploads.ts';

const FEW_RECORDS = 10;
const CALLS = 5;
const KILOBYTES_PER_MEGABYTE = 1024;
const billedWindows = 'select count(*) from usage_window where invoice_id is not null';

const parts = { uploads, lines, renewals } as const;

export const usage = scenario({
  about:
    "uploads of 1,000 records beside PostgreSQL's COPY of the same rows; billing and previews of lines with " +
    'many records; renewals of orders with ten records each beside plain ones',
  parts: Object.keys(parts),
  sizes: usageSizes,
  brief: {
    orders: 4,
    records: 100,
    connections: [1, 2],
    customers: 20,
    rounds: 1,
    months: 1,
    sliceMs: 60,
  },
  // The log tells how long heavy calls have waited.
  environment: { LOG_LEVEL: 'info' },
  async measure(bench, asked) {
    const tables: Table[] = [];
    for (const [name, measure] of Object.entries(parts)) {
      if (bench.part !== undefined && bench.part !== name) continue;
      bench.say(`Usage: ${name}`);
      tables.push(...(await measure(bench, asked)));
    }
    return tables;
  },
});

/** Lines with many records: their billing, and what previews and lists of their customers take. */
async function lines(bench: Bench, { records }: UsageSizes): Promise<Table[]> {
  const system = await bench.system();
  const rows = [];
  const owner = await openOwner(bench);
  await owner.query('create extension if not exists pg_stat_statements');
  for (const count of [FEW_RECORDS, records / 10, records]) {
    const label = `line${rows.length}`;
    const tenant = await usageTenant(system, label, { orders: 1, contractCode: 'METERED' });
    await bill(system, tenant, BILLED_FIRST);
    await record(system, tenant, { month: 0, records: count });
    await owner.query('vacuum analyze activity');
    const customer = await numberOf(system, tenant, 'select id from customer');
    const list = `/rest/activities?customerId=${customer}&max=100`;
    const previewMs = await callMs(tenant, `/rest/customer/${customer}/nextInvoice`);
    const listMs = await callMs(tenant, list);
    await owner.query('select pg_stat_statements_reset()');
    const before = peakMemory();
    const { ms } = await bill(system, tenant, firstOf(1));
    const { rows: longest } = await owner.query<{ ms: number }>(
      `select max(max_exec_time) as ms from pg_stat_statements s
       join pg_roles r on r.oid = s.userid where r.rolname = 'sundial_app'`,
    );
    await assertNumber(system, tenant, { sql: billedWindows, number: 1 });
    rows.push({
      records: count,
      'billing ms': ms,
      'longest statement ms': Number(longest[0]?.ms),
      'MB at most, before': before,
      'and after': peakMemory(),
      'nextInvoice ms': previewMs,
      'activities ms': listMs,
      'once billed ms': await callMs(tenant, list),
    });
  }
  return [{ title: 'Billing of one line', rows }];
}

/** Megabytes that this process has had at most. */
const peakMemory = (): number =>
  Math.round(process.resourceUsage().maxRSS / KILOBYTES_PER_MEGABYTE);

/** The median of some calls, without the first one, which verifies the password. */
async function callMs({ caller }: Tenant, path: string): Promise<number> {
  const taken: number[] = [];
  for (let call = 0; call <= CALLS; call += 1) {
    const began = performance.now();
    await done(caller, 'GET', path);
    if (call > 0) taken.push(performance.now() - began);
  }
  return median(taken);
}

const RECORDS_OF_ORDER = 10;

/** Renewals of orders with ten records each, and of plain ones, a month each in turns. */
async function renewals(bench: Bench, { orders, months }: UsageSizes): Promise<Table[]> {
  const system = await bench.system();
  const metered = await usageTenant(system, 'metered', { orders, contractCode: 'METERED' });
  const plain = await usageTenant(system, 'usage-plain', { orders, contractCode: 'MONTHLY' });
  for (const tenant of [metered, plain]) await bill(system, tenant, BILLED_FIRST);
  const tenants = { 'with records': metered, plain };
  const slices = await billedInTurns(system, tenants, {
    orders,
    months,
    first: 1,
    beforeMonth: async (name, month) =>
      name === 'with records' &&
      (await record(system, metered, { month: month - 1, records: RECORDS_OF_ORDER })),
  });
  await assertNumber(system, metered, { sql: billedWindows, number: orders * (months + 1) });
  return [compared(`Renewals of ${orders} orders with ${RECORDS_OF_ORDER} records each`, slices)];
}

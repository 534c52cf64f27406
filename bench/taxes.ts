/**
 * Measures invoices that a tax provider taxes: a renewal by the test clock until all are billed, and
 * until all are recorded, with a provider that takes 20 ms for each call; then the memory of a process
 * that asks and bills month after month, without workflows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { done } from '../cli/rest.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { addMonths } from '../domain/calendar/calendar.ts';
import { billAllDue } from '../operations/due/orders.ts';
import { keepEventDocuments } from '../operations/feed/event-views.ts';
import { openTaxProviders } from '../operations/tax/providers.ts';
import { taxAdapters } from '../providers/tax/adapters.ts';
import { CACHE_EXPIRES_MS, LANES } from './billing.ts';
import { startProvider, type BenchProvider } from './taxes/provider.ts';
import { reportTaxes, type TaxedMonth, type TaxesFigures } from './taxes/report.ts';
import { callerOf } from './support/caller.ts';
import { untilReady } from './support/clock.ts';
import { populate } from './support/population.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, SECRET_KEY, type BenchSystem } from './support/system.ts';

const CALL_MS = 20;
const LOOK_MS = 50;
const LIMIT_MS = 600_000;
/** The first makes the statements' plans, and has the provider's package loaded. */
const days = ['2027-01-02', '2027-02-01', '2027-03-01', '2027-04-01'];
/** The months whose memory is measured. */
const MEMORY_MONTHS = 12;
const BYTES_PER_MEGABYTE = 1024 * 1024;

export const taxes = benchOfSystem({ measure, report: reportTaxes });

async function measure(system: BenchSystem, { orders, say }: Asked): Promise<TaxesFigures> {
  const provider = await startProvider({ callMs: CALL_MS });
  try {
    const more =
      'tax: { type: avatax, accountId: bench, licenseKey: bench-key, companyCode: BENCH, ' +
      `url: ${provider.url} }\n`;
    const tenantId = await makeTenant(system, 'bench', { file: 'taxes/tenant.yaml', more });
    await populate(system.db, {
      tenantId,
      orders,
      startDate: '2027-01-01',
      billOn: '2027-01-02',
    });
    await giveAddresses(system, tenantId);
    const months: TaxedMonth[] = [];
    for (const [index, day] of days.entries()) {
      say(`${orders} taxed orders on ${day}`);
      months.push(await month(system, provider, { tenantId, day, wanted: orders * (index + 1) }));
    }
    say(`${MEMORY_MONTHS} further months, in this process`);
    const memoryMb = await memoryOfMonths(system, tenantId);
    return { orders, callMs: CALL_MS, months: months.slice(1), memoryMb };
  } finally {
    provider.close();
  }
}

interface Wanted {
  readonly tenantId: number;
  readonly day: string;
  /** Invoices in all. */
  readonly wanted: number;
}

async function month(
  system: BenchSystem,
  provider: BenchProvider,
  { tenantId, day, wanted }: Wanted,
): Promise<TaxedMonth> {
  const caller = callerOf(system.apiUrl);
  await untilReady(caller);
  await untilQuiet(system);
  const began = performance.now();
  await done(caller, 'POST', `/rest/testClock?advanceTo=${day}`);
  const count = (sql: string): Promise<number> =>
    inTenant(system.db, tenantId, async (tx) => {
      const [row] = await tx.query<{ count: number }>(sql);
      return row?.count ?? 0;
    });
  const reached = async (sql: string): Promise<number> => {
    for (let now = 0; now < wanted; now = await count(sql)) {
      if (performance.now() - began > LIMIT_MS) throw new Error(`${now} of ${wanted}`);
      await sleep(LOOK_MS);
    }
    return performance.now() - began;
  };
  const billedMs = await reached('select count(*) from invoice');
  const recordedMs = await reached(`select count(*) from tax_record where state = 'recorded'`);
  await untilReady(caller);
  if (provider.records() !== wanted) {
    throw new Error(`${provider.records()} records instead of ${wanted}`);
  }
  return { billedMs, recordedMs };
}

/** Megabytes of this process after each month that it has asked about and billed. */
async function memoryOfMonths({ db }: BenchSystem, tenantId: number): Promise<number[]> {
  const plain = { db, realNow: () => Date.now(), keepDocuments: keepEventDocuments };
  const taxProviderOf = openTaxProviders(plain, taxAdapters(plain, { secretKey: SECRET_KEY }));
  const options = { lanes: LANES, mayContinue: () => true, onBatch: () => undefined };
  const memory: number[] = [];
  for (let month = 1; month <= MEMORY_MONTHS; month += 1) {
    const now = addMonths(days.at(-1) ?? '', month);
    await inTenant(db, tenantId, (tx) =>
      tx.query(`update test_clock set now = $1::timestamp at time zone 'America/New_York'`, [now]),
    );
    await sleep(CACHE_EXPIRES_MS);
    await billAllDue({ ...plain, taxProviderOf }, tenantId, options);
    memory.push(Math.round(process.memoryUsage.rss() / BYTES_PER_MEGABYTE));
  }
  return memory;
}

/** Each customer lives in New York. */
function giveAddresses({ db }: BenchSystem, tenantId: number): Promise<unknown> {
  return inTenant(db, tenantId, (tx) =>
    tx.query(
      `insert into contact (tenant_id, customer_id, kind, first_name, last_name, email_primary,
         street1, city, state, zip, country, country_code)
       select tenant_id, id, 'billing', 'Customer', substr(name, 10), 'mail@example.com',
         '350 5th Ave', 'New York', 'NY', '10118', 'United States', 'US' from customer`,
    ),
  );
}

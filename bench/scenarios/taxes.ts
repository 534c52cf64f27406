/**
 * Invoices that a tax provider taxes: a renewal by the test clock until all are billed, and until all are
 * recorded, with a provider that takes 20 ms for each call; then the memory of a process that asks and
 * bills month after month, without workflows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { done } from '../../cli/rest.ts';
import { openTaxProviders } from '../../operations/tax/providers.ts';
import { taxAdapters } from '../../providers/tax/adapters.ts';
import { startProvider } from '../baselines/tax-provider.ts';
import { bill, dayOf, dependenciesOf } from '../harness/billing.ts';
import { scenario } from '../harness/scenario.ts';
import { SECRET_KEY } from '../harness/system.ts';
import { assertNumber, makeRenewing, numberOf, untilReady } from '../harness/tenants.ts';
import { figuresOf, median } from '../harness/turns.ts';

const CALL_MS = 20;
const LOOK_MS = 50;
const LIMIT_MS = 600_000;
const BYTES_PER_MEGABYTE = 1024 * 1024;
const address = '{ street1: 1 Main St, city: Portland, state: OR, zip: "97201", countryCode: US }';

export const taxes = scenario({
  about:
    'renewals of orders that a tax provider taxes, which takes 20 ms for each call: until all are billed, ' +
    'and until all are recorded; the memory of a process after further months',
  sizes: { orders: 2_000, months: 3, memoryMonths: 12 },
  brief: { orders: 4, months: 1, memoryMonths: 1 },
  async measure(bench, { orders, months, memoryMonths }) {
    const system = await bench.system();
    const { url, records } = await startProvider(bench, CALL_MS);
    const account = `type: avatax, accountId: bench, licenseKey: bench-key, companyCode: BENCH`;
    const tenant = await makeRenewing(system, 'taxes', {
      orders,
      charge: ', taxCodes: [STANDARD]',
      more: `tax: { ${account}, url: ${url} }\naddress: ${address}\n`,
    });
    const slices = [];
    // The first makes the statements' plans, and has the provider's package loaded.
    for (let month = 0; month <= months; month += 1) {
      bench.say(`${orders} taxed orders in month ${month}`);
      await untilReady(tenant.caller);
      await system.settled();
      const began = performance.now();
      await done(tenant.caller, 'POST', `/rest/testClock?advanceTo=${dayOf(month)}`);
      const wanted = orders * (month + 1);
      const reached = async (sql: string): Promise<number> => {
        while ((await numberOf(system, tenant, sql)) < wanted) {
          if (performance.now() - began > LIMIT_MS) throw new Error(`not ${wanted}: ${sql}`);
          await sleep(LOOK_MS);
        }
        return performance.now() - began;
      };
      const billedMs = await reached('select count(*) from invoice');
      const recordedMs = await reached(`select count(*) from tax_record where state = 'recorded'`);
      slices.push({ billedMs, recordedMs });
      await untilReady(tenant.caller);
    }
    const number = records();
    await assertNumber(system, tenant, { sql: 'select count(*) from invoice', number });
    bench.say(`${memoryMonths} further months, in this process`);
    const plain = dependenciesOf(system);
    const taxProviderOf = openTaxProviders(plain, taxAdapters(plain, { secretKeys: SECRET_KEY }));
    const memory = [];
    for (let month = 1; month <= memoryMonths; month += 1) {
      await bill(system, tenant, dayOf(months + month), { ...plain, taxProviderOf });
      memory.push({ month, MB: Math.round(process.memoryUsage.rss() / BYTES_PER_MEGABYTE) });
    }
    const { billedMs = NaN, recordedMs = NaN } = figuresOf(slices.slice(1), median);
    const perSecond = (orders * 1_000) / billedMs;
    const times = recordedMs / billedMs;
    return [
      {
        title: `Renewals of ${orders} orders that a provider taxes, ${CALL_MS} ms a call (medians)`,
        rows: [{ 'billed per second': perSecond, 'until recorded, times as long': times }],
      },
      { title: 'Memory of a process after further months', rows: memory },
    ];
  },
});

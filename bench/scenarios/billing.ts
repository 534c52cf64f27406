/**
 * The billing run alone: no engine, no wakes, only the operation and its rows; then the same of a tenant
 * whose callback has each invoice sent, while the worker sends them.
 */
import { bareWrite } from '../baselines/write.ts';
import { bill, billedInTurns } from '../harness/billing.ts';
import { scenario } from '../harness/scenario.ts';
import { startSink } from '../harness/sink.ts';
import { BILLED_FIRST, FIRST_DAY, makeRenewing } from '../harness/tenants.ts';
import { compared, median } from '../harness/turns.ts';

export const billing = scenario({
  about:
    'the billing run of orders alone, without engine and wakes, beside the same rows by set-based SQL; ' +
    'with and without a callback that gets each invoice',
  sizes: { orders: 2_000, months: 9 },
  brief: { orders: 20, months: 1 },
  async measure(bench, { orders, months }) {
    const system = await bench.system();
    const sink = await startSink(bench);
    const more = sink.callbacks('invoice.created');
    const plain = await makeRenewing(system, 'billing', { orders });
    const tenants = {
      'with a callback': await makeRenewing(system, 'billing-hooked', { orders, more }),
      'without a callback': plain,
    };
    const { ms: emptyMs } = await bill(system, plain, FIRST_DAY);
    const slices = await billedInTurns(system, tenants, {
      orders,
      months,
      afterMonth: async (name, month) =>
        name === 'with a callback' && (await sink.until((month + 1) * orders)),
    });
    const bare = await makeRenewing(system, 'billing-bare', { orders });
    const bareMs = await bareWrite(system, bare, BILLED_FIRST);
    const rates = slices['without a callback'].map((slice) => slice['per second'] ?? 0);
    const ms = (orders * 1_000) / median(rates);
    const beside = {
      'empty run in ms': emptyMs,
      'ms of an invoice beyond it': (ms - emptyMs) / orders,
      'bare SQL per second': (orders / bareMs) * 1_000,
      'share of it': bareMs / ms,
    };
    return [
      compared(`Billing run of ${orders} orders`, slices),
      { title: 'Without a callback, beside the same rows by set-based SQL', rows: [beside] },
    ];
  },
});

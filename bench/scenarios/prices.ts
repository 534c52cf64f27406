/**
 * What coupons and taxes cost: the billing run of orders with a percent coupon and two rates beside
 * plain ones, and quotes beside GET customer.
 */
import { inTenant } from '../../db/connection/tenancy.ts';
import { billedInTurns } from '../harness/billing.ts';
import { callSlice, startClient } from '../harness/client.ts';
import { scenario } from '../harness/scenario.ts';
import { assertNumber, makeRenewing } from '../harness/tenants.ts';
import { compared, inTurns } from '../harness/turns.ts';

/** Both rates hold at the addresses of the customers. */
const more = `coupons:
  - { code: TEN, percent: 10 }
tax:
  type: table
  rates:
    - { country: US, percent: 5, taxCode: STANDARD, name: Federal tax }
    - { country: US, state: NY, percent: 8.875, taxCode: STANDARD, name: NY sales tax }
`;

export const prices = scenario({
  about:
    'quotes with coupon and tax, and GET customer, a second each in turns; then the billing run of orders ' +
    'with a percent coupon and two rates, and of plain ones, a month each in turns',
  sizes: { orders: 2_000, connections: 8, rounds: 10, months: 9, warmMs: 300, measureMs: 1_000 },
  brief: { orders: 10, rounds: 1, months: 1, warmMs: 20, measureMs: 60 },
  async measure(bench, { orders, connections, rounds, months, ...times }) {
    const system = await bench.system();
    const charge = ', taxCodes: [STANDARD]';
    const priced = await makeRenewing(system, 'prices', { orders, charge, more });
    const plain = await makeRenewing(system, 'prices-plain', { orders });
    const customers = await inTenant(system.db, priced.id, async (tx) => {
      await tx.query('update subscription_order set coupon_id = (select id from coupon)');
      return tx.query<{ id: number }>('select id from customer');
    });
    bench.say(`Quotes and GET customer, ${connections} at once`);
    const client = startClient(bench);
    const facts = { customers: customers.map(({ id }) => id) };
    const quotes = await inTurns(['GET quote', 'GET customer'], rounds, (what) =>
      callSlice(client, system, { what, targets: [priced.target], facts, connections, ...times }),
    );
    bench.say(`Renewals of ${orders} orders each`);
    const tenants = { 'discounted and taxed': priced, plain };
    const renewals = await billedInTurns(system, tenants, { orders, months });
    // A fee, its discount and two taxes; or the fee alone.
    const sql = 'select count(*) from invoice_charge';
    const invoices = (months + 1) * orders;
    await assertNumber(system, priced, { sql, number: invoices * 4 });
    await assertNumber(system, plain, { sql, number: invoices });
    return [
      compared(
        `Renewals of ${orders} orders with a coupon and two rates, and of plain ones`,
        renewals,
      ),
      compared(`GET quote and GET customer, ${connections} at once`, quotes),
    ];
  },
});

/** Payments: POST of a payment until it is final, and renewals with autopay. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { callRows, startClient } from '../harness/client.ts';
import { scenario } from '../harness/scenario.ts';
import {
  addCustomers,
  advance,
  assertNumber,
  BILLED_FIRST,
  firstOf,
  makeRenewing,
  makeTenant,
  numberOf,
  payThemselves,
} from '../harness/tenants.ts';

const CUSTOMERS = 1_000;
/** Means: the charge, and from the engine's start to the record without the charge. */
const sharesOfPayments = `
  select avg(r.response_time_ms)::float8 as "gateway ms",
    avg(extract(epoch from p.updated_at - p.created_at) * 1000 - r.response_time_ms)::float8
      as "engine ms"
  from payment p
  join processor_result r on r.tenant_id = p.tenant_id and r.payment_id = p.id
  where p.id > $1 and p.status = 'Paid'`;

export const payments = scenario({
  about:
    'POST of a card payment until it is final, with the shares of gateway and engine; a renewal that pays ' +
    'itself, beside the same one that does not',
  sizes: { orders: 1_000, connections: [1, 8, 16], warmMs: 2_000, measureMs: 6_000 },
  brief: { orders: 4, connections: [2], warmMs: 20, measureMs: 200 },
  async measure(bench, { orders, connections: counts, ...times }) {
    const system = await bench.system();
    const posting = await makeTenant(system, 'payments', { isRealTime: true });
    const facts = { customers: await addCustomers(system, posting, CUSTOMERS) };
    const client = startClient(bench);
    const posts = [];
    for (const count of counts) {
      const asked = { targets: [posting.target], facts, connections: [count], ...times };
      const before = await numberOf(system, posting, 'select max(id) from payment');
      const [row] = await callRows(bench, client, ['POST payment'], asked);
      const [shares] = await inTenant(system.db, posting.id, (tx) =>
        tx.query<Record<string, number>>(sharesOfPayments, [before]),
      );
      posts.push({ ...row, ...shares });
    }
    bench.say(`${orders} orders: a renewal without autopay, then one with it`);
    const tenant = await makeRenewing(system, 'paying', { orders });
    await advance(tenant, BILLED_FIRST);
    const plainMs = await advance(tenant, firstOf(1));
    await payThemselves(system, tenant);
    const paidMs = await advance(tenant, firstOf(2));
    const sql = `select count(*) from payment where status = 'Paid' and is_processed_by_billing_run`;
    await assertNumber(system, tenant, { sql, number: orders });
    const perSecond = (ms: number): number => (orders * 1_000) / ms;
    return [
      { title: 'POST payment, until it is final', rows: posts },
      {
        title: `Renewal of ${orders} orders`,
        rows: [
          { '': 'until all workflows have woken', 'per second': perSecond(plainMs) },
          { '': 'until all are paid', 'per second': perSecond(paidMs), share: plainMs / paidMs },
        ],
      },
    ];
  },
});

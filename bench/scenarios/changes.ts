/**
 * Change orders: a call that changes an order and bills it beside one that makes an order and bills it,
 * in turns; then the billing run that carries out pending changes.
 */
import { inOperation } from '../../operations/context/context.ts';
import { inLanes } from '../../operations/context/lanes.ts';
import { changeOrder } from '../../operations/orders/change.ts';
import { bill, dependenciesOf } from '../harness/billing.ts';
import { callSlice, startClient } from '../harness/client.ts';
import { scenario } from '../harness/scenario.ts';
import {
  addCustomers,
  addOrders,
  assertNumber,
  BILLED_FIRST,
  makeTenant,
} from '../harness/tenants.ts';
import { compared, inTurns } from '../harness/turns.ts';

/** Half of the month is used. */
const effectiveDate = '2027-01-16';
/** A call for each order, with a reserve for a fast machine. */
const ORDERS_FOR_CALLS = 5;
const LANES = 2;

export const changes = scenario({
  about:
    'change orders and new orders with their invoices, a second each in turns; then the billing run that ' +
    'carries out a pending change of each order',
  sizes: { orders: 2_000, connections: 8, rounds: 8, warmMs: 200, measureMs: 1_000 },
  brief: { orders: 20, connections: 2, rounds: 1, warmMs: 20, measureMs: 60 },
  async measure(bench, { orders, connections, rounds, ...times }) {
    const system = await bench.system();
    const made = async (label: string, count: number) => {
      const tenant = await makeTenant(system, label);
      const customers = await addCustomers(system, tenant, count);
      const ids = await addOrders(system, tenant, { count });
      await bill(system, tenant, BILLED_FIRST);
      return { tenant, customers, orders: ids };
    };
    const { tenant: called, ...facts } = await made('changes', orders * ORDERS_FOR_CALLS);
    const pending = await made('changes-pending', orders);
    await bill(system, called, effectiveDate);
    const names = ['POST changeOrder with invoice', 'POST order with invoice'] as const;
    bench.say(`${names.join(' and ')}, ${connections} at once`);
    const client = startClient(bench);
    const calls = await inTurns(names, rounds, (what) =>
      callSlice(client, system, { what, targets: [called.target], facts, connections, ...times }),
    );
    bench.say(`A pending change of each of ${orders} orders`);
    const dependencies = dependenciesOf(system);
    const request = {
      input: { contractCode: 'MONTHLY', orderLineItems: [{ priceCode: 'FEE', quantity: '2' }] },
      effectiveDate,
      deletesCurrent: false,
      bills: false,
      named: { path: 'currentOrderId', value: '' },
    };
    const change = (id: number): Promise<unknown> =>
      inOperation(dependencies, pending.tenant.id, (context) =>
        changeOrder(dependencies, context, { id }, request),
      );
    await inLanes(pending.orders, change, { lanes: LANES });
    const { ms } = await bill(system, pending.tenant, effectiveDate);
    const sql = 'select count(*) from charge_credit';
    await assertNumber(system, pending.tenant, { sql, number: orders });
    return [
      compared(`Both with invoice, ${connections} at once`, calls),
      {
        title: `A billing run that carries out ${orders} pending changes`,
        rows: [{ 'per second': (orders * 1_000) / ms }],
      },
    ];
  },
});

/** The cost of reading orders: each charge of those orders is read once, and no others. */

import test from 'ava';
import { listOrders, readOrder, type OrderFilter } from '../../../operations/orders/read.ts';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { liveLong } from '../support/long-lives.ts';
import { overheard, type Said } from '../support/overheard.ts';
import { rowsReadOf } from '../support/plan-reading.ts';
import { prepaid, recurring } from '../support/plans.ts';

const shared = await ownDatabase();
const billed = ['order_line', 'invoice', 'invoice_line', 'invoice_charge'];
// The test sets the statistics.
await administer(
  shared.ownerUrl,
  ...billed.map((table) => `alter table ${table} set (autovacuum_enabled = false)`),
);

const LONG = { lines: 50, periods: 200 };
const SHORT = { lines: 3, periods: 2 };
const ROUNDING = 0.001;
const none = { from: null, before: null };
const everything: OrderFilter = {
  status: null,
  customerId: null,
  extCustomerRef: null,
  created: none,
  updated: none,
  offset: 0,
  max: 1_000,
};

async function openOrders() {
  const books = await openBooks(shared, {
    today: '2027-01-15',
    plans: [recurring('P', 2.5, prepaid)],
  });
  const live = async (life: { readonly lines: number; readonly periods: number }) => {
    const customerId = await books.customer();
    const orderId = await books.order({ customerId, contractCode: 'P' });
    await books.work(({ tx }) => liveLong(tx, { customerId, orderId, ...life }));
    return orderId;
  };
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const long = await live(LONG);
  const short = await live(SHORT);
  /**
   * The number of rows of each table that the one statement of `read` visits, whatever its plan is.
   */
  const measure = async (read: (tx: Tx) => Promise<unknown>) => {
    const said: Said[] = [];
    await inTenant(overheard(shared.app, said), books.tenantId, read, { readOnly: true });
    const statements = said.filter(({ text }) => /^select (?!set_config)/.test(text));
    return books.read((tx) => rowsReadOf(tx.query, statements));
  };
  return { books, tenant, long, short, measure };
}

const { tenant, long, short, measure, books } = await openOrders();
await openOrders();

const cases = {
  'without statistics': 'select 1',
  'with statistics': 'analyze',
};

for (const [name, statement] of Object.entries(cases)) {
  test.serial(
    `an order's lines are summed in one pass over its own charges, ${name}`,
    async (t) => {
      await administer(shared.ownerUrl, statement);
      const ofShort = await measure((tx) => readOrder(tx, tenant, { id: short }));
      t.is(ofShort.invoice_charge, SHORT.lines * SHORT.periods);
      t.is(ofShort.invoice_line, 2 * SHORT.periods);
      const ofLong = await measure((tx) => readOrder(tx, tenant, { id: long }));
      t.is(ofLong.invoice_charge, LONG.lines * LONG.periods);
      t.is(ofLong.order_line, LONG.lines);
    },
  );

  test.serial(`a list of orders reads each of their charges once, ${name}`, async (t) => {
    await administer(shared.ownerUrl, statement);
    const ofAll = await measure((tx) => listOrders(tx, tenant, everything));
    const charges = LONG.lines * LONG.periods + SHORT.lines * SHORT.periods;
    // Means over many index scans, which PostgreSQL rounds.
    t.true(Math.abs((ofAll.invoice_charge ?? 0) - charges) <= charges * ROUNDING);
    const ofOne = await measure((tx) => listOrders(tx, tenant, { ...everything, max: 1 }));
    t.is(ofOne.invoice_charge, SHORT.lines * SHORT.periods);
  });
}

test.serial('the sums are those of each line', async (t) => {
  const order = await books.read((tx) => readOrder(tx, tenant, { id: long }));
  t.is(order?.totalLifetimeValue, '25000.00');
  t.is(order?.lines.length, LONG.lines);
  t.deepEqual([...new Set(order?.lines.map((line) => line.totalLifetimeValue))], ['500.00']);
});

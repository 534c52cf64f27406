/** A run of many customers in lanes: each customer is in one, and several lanes bill everybody once. */

import test from 'ava';
import { Client } from 'pg';
import { takePlace } from '../../../db/connection/places.ts';
import { rangesOfDue } from '../../../db/queries/billing/due-customers.ts';
import {
  billLane,
  billTenant,
  lanePlaces,
  planBillingRun,
} from '../../../operations/due/billing-run.ts';
import { billAllDue } from '../../../operations/due/orders.ts';
import type { BillingLane } from '../../../workflows/contract/billing-run.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { noGateways } from '../support/no-gateways.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();
const plans = [recurring('P', 10, prepaid)];
const runOn = '2027-01-16';

/** Customers with an order each, of which something is due. */
async function withDue(count: number) {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customers: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const customerId = await books.customer({ ref: `C-${made}` });
    await books.order({ customerId, contractCode: 'P' });
    customers.push(customerId);
  }
  books.tomorrow();
  return { books, customers };
}

const hooks = () => ({
  runOn,
  lanes: 1,
  onProgress: () => undefined,
  signal: new AbortController().signal,
});

const slice = ({ dependencies, tenantId }: Books, lanesFrom?: number) =>
  billTenant(dependencies, tenantId, {
    ...hooks(),
    gateways: noGateways,
    dispatch: () => undefined,
    lanesFrom,
  });

async function bill({ dependencies, tenantId }: Books, lane: BillingLane): Promise<void> {
  for (let rest: BillingLane | null = lane; rest !== null;) {
    ({ rest } = await billLane(dependencies, tenantId, { ...hooks(), lane: rest }));
  }
}

const invoicesEach = (books: Books) =>
  books.read(async (tx) => {
    const rows = await tx.query<{ customerId: number; count: number }>(
      'select customer_id, count(*) from invoice group by 1 order by 1',
    );
    return rows.map((row) => [row.customerId, row.count]);
  });

const runs = (books: Books) =>
  books.read((tx) =>
    tx.query(
      `select customers, orders, invoices, finished_at is not null as finished from billing_run`,
    ),
  );

const onceEach = (customers: readonly number[]) => customers.map((id) => [id, 1]);

test('the lanes of a run tile the customers of whom something is due', async (t) => {
  const { books, customers } = await withDue(11);
  const of = (count: number) => books.read((tx) => rangesOfDue(tx, { today: runOn, count }));
  const [, first = 0, , , , , , , , , last = 0] = customers;
  t.deepEqual(await of(1), [{ after: 0, until: last }]);
  const ranges = await of(8);
  t.is(ranges.length, 8);
  t.deepEqual(ranges[0], { after: 0, until: first });
  t.is(ranges.at(-1)?.until, last);
  for (const [index, { after, until }] of ranges.entries()) {
    t.is(after, ranges[index - 1]?.until ?? 0);
    t.true(until > after);
  }
  // Fewer customers than lanes: a lane each.
  const { books: few, customers: two } = await withDue(2);
  const [one = 0, other = 0] = two;
  t.deepEqual(await few.read((tx) => rangesOfDue(tx, { today: runOn, count: 8 })), [
    { after: 0, until: one },
    { after: one, until: other },
  ]);
});

test('lanes that bill at once, one of them twice, bill each order once; the run then ends', async (t) => {
  const { books, customers } = await withDue(24);
  const called = await slice(books, 24);
  t.like(called, { done: false, customers: 0, invoices: 0 });
  const { lanes = [] } = called;
  t.is(lanes.length, 8);
  // As a second worker does that takes the first one for dead.
  await Promise.all([...lanes, ...lanes.slice(0, 2)].map((lane) => bill(books, lane)));
  t.deepEqual(await invoicesEach(books), onceEach(customers));
  // A customer at whom both have looked counts twice.
  const billed = { orders: 24, invoices: 24 };
  t.like(await runs(books), [{ ...billed, finished: false }]);
  t.like(await slice(books), { done: true, held: 0, amounts: ['240.00 USD'] });
  t.like(await runs(books), [{ ...billed, finished: true }]);
  t.deepEqual(await books.counters(), { order: 1025, invoice: 1025 });
  t.like(await planBillingRun(books.dependencies, books.tenantId), { due: false });
  t.deepEqual((await books.audit()).faults, []);
});

test('a run with fewer due customers, and one that may not call lanes, bills them by itself', async (t) => {
  for (const from of [7, undefined]) {
    const { books, customers } = await withDue(6);
    const { lanes, done } = await slice(books, from);
    t.true(done);
    t.is(lanes, undefined);
    t.deepEqual(await invoicesEach(books), onceEach(customers));
  }
});

test('a lane leaves to the run who is locked, and holds who cannot be rated', async (t) => {
  const { books, customers } = await withDue(6);
  const [locked = 0, bad = 0] = customers;
  const { dependencies, tenantId } = books;
  await books.work(({ tx }) =>
    tx.query(
      `update subscription_order set end_date = '2027-01-15', term_first_end = '2027-01-01'
       where customer_id = $1`,
      [bad],
    ),
  );
  const owner = new Client({ connectionString: db.ownerUrl });
  await owner.connect();
  await owner.query('begin');
  await owner.query('select from customer where tenant_id = $1 and id = $2 for no key update', [
    tenantId,
    locked,
  ]);
  const { lanes = [] } = await slice(books, 1);
  for (const lane of lanes) await bill(books, lane);
  const others = customers.filter((id) => id !== locked && id !== bad);
  t.deepEqual(await invoicesEach(books), onceEach(others));
  await owner.query('commit');
  await owner.end();
  t.like(await slice(books), { done: true, held: 1, invoices: 5 });
  t.deepEqual(await invoicesEach(books), onceEach(customers.filter((id) => id !== bad)));
  t.deepEqual(
    (await books.audit()).held.map(({ customerId, code }) => [customerId, code]),
    [[bad, 'service.fault']],
  );
  // Held customers alone are in no lane.
  t.is((await slice({ ...books, dependencies }, 1)).lanes, undefined);
});

test('a lane that is told to stop bills nothing more, and says what is left', async (t) => {
  const { books } = await withDue(3);
  const { lanes: [lane] = [] } = await slice(books, 1);
  t.truthy(lane);
  if (lane === undefined) return;
  const { dependencies, tenantId } = books;
  const stopped = { ...hooks(), signal: AbortSignal.abort(), lane };
  const { rest } = await billLane(dependencies, tenantId, stopped);
  t.deepEqual(rest, lane);
  t.deepEqual(await invoicesEach(books), []);
});

test('a run that bills by itself goes on page by page', async (t) => {
  const { books, customers } = await withDue(7);
  const { dependencies, tenantId } = books;
  const read: number[] = [];
  const options = {
    lanes: 1,
    pageMax: 2,
    mayContinue: () => true,
    onBatch: (batch: { readonly customers: number }) => void read.push(batch.customers),
  };
  t.true(await billAllDue(dependencies, tenantId, options));
  t.deepEqual(read, [2, 2, 2, 1]);
  t.deepEqual(await invoicesEach(books), onceEach(customers));
});

test.serial('a lane waits for one of the places that all processes share', async (t) => {
  const { books, customers } = await withDue(1);
  const { lanes: [lane] = [] } = await slice(books, 1);
  const holders = await Promise.all(
    Array.from({ length: lanePlaces.count }, async () => {
      const holder = new Client({ connectionString: db.ownerUrl });
      await holder.connect();
      t.true(await takePlace(holder, lanePlaces));
      return holder;
    }),
  );
  const late = new Client({ connectionString: db.ownerUrl });
  await late.connect();
  t.false(await takePlace(late, { ...lanePlaces, waitMs: 1 }));
  await late.end();
  const billed = lane && bill(books, lane);
  const [first, ...others] = holders;
  t.deepEqual(await invoicesEach(books), []);
  // It waits for one of them by chance, so all are freed.
  for (const holder of [...others, first]) await holder?.end();
  await billed;
  t.deepEqual(await invoicesEach(books), onceEach(customers));
});

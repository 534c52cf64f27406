/**
 * Notes of rated customers, and what happens to customers whose process died, without real
 * processes. The tests run one at a time, because a pass over suspects looks at all tenants of the
 * database.
 */
import test from 'ava';
import { billCustomers } from '../../../operations/billing/bill-customers.ts';
import {
  billApart,
  holdCrashed,
  type BillingDependencies,
} from '../../../operations/billing/apart.ts';
import { noteCustomers } from '../../../operations/billing/notes.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { billAllDue } from '../../../operations/due/orders.ts';
import { generateForOrder } from '../../../operations/orders/actions.ts';
import { suspectsPass } from '../../../operations/processes/suspects.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await ownDatabase();

async function withOrders(count: number) {
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [recurring('P', 10, prepaid)],
  });
  const customers: number[] = [];
  for (let made = 1; made <= count; made += 1) {
    const customerId = await books.customer({ ref: `C-${made}` });
    await books.order({ customerId, contractCode: 'P' });
    customers.push(customerId);
  }
  return { books, customers };
}

/** A separate process writes a note of these customers, and dies before it has finished. */
async function dieAt(books: Books, customers: readonly number[]): Promise<void> {
  const dead = await openDatabase({
    url: db.ownerUrl,
    role: 'sundial_app',
    poolMax: 1,
    statementTimeoutMs: 30_000,
    name: 'dies',
  });
  await noteCustomers(dead, books.tenantId, customers);
  await dead.close();
}

const suspectsOf = (books: Books) =>
  books.read(async (tx) => {
    const rows = await tx.query<{ id: number }>(
      'select customer_id as id from billing_suspect order by 1',
    );
    return rows.map(({ id }) => id);
  });

const notesOf = (books: Books) =>
  books.read(async (tx) => (await tx.query('select from billing_note')).length);

/** As in the worker, but in our own process: nothing here is fatal. */
function withApart(books: Books): BillingDependencies {
  const { dependencies } = books;
  return { ...dependencies, apart: { bill: (tenant, id) => billApart(dependencies, tenant, id) } };
}

function fail(error: unknown): void {
  throw error;
}

const noBatches = { lanes: 2, mayContinue: () => true, onBatch: () => undefined };

test.serial(
  "the customers in a dead process's notes are suspects: a batch skips them and bills the others",
  async (t) => {
    const { books, customers } = await withOrders(4);
    const [first = 0, second = 0, ...others] = customers;
    await dieAt(books, [first, second]);
    books.tomorrow();
    const batch = await billCustomers(books.dependencies, books.tenantId, customers, {
      wait: true,
    });
    t.like(batch, { customers: 2, invoices: 2, suspects: [first, second], held: [] });
    t.deepEqual(await suspectsOf(books), [first, second]);
    for (const id of others) t.is((await books.invoices(id)).length, 1);
    t.deepEqual(await books.invoices(first), []);
  },
);

test.serial(
  'the notes of a live process make no suspects, and are deleted when it has finished',
  async (t) => {
    const { books, customers } = await withOrders(2);
    const [first = 0] = customers;
    const note = await noteCustomers(db.app, books.tenantId, [first]);
    books.tomorrow();
    const batch = await billCustomers(books.dependencies, books.tenantId, customers, {
      wait: true,
    });
    t.like(batch, { customers: 2, suspects: [] });
    t.deepEqual(await suspectsOf(books), []);
    note.done();
    while ((await notesOf(books)) > 0);
    await dieAt(books, []);
    t.deepEqual(await suspectsOf(books), []);
  },
);

test.serial('a suspect is billed separately after the others, and is then cleared', async (t) => {
  const { books, customers } = await withOrders(3);
  const [suspect = 0] = customers;
  await dieAt(books, [suspect]);
  books.tomorrow();
  const order: number[] = [];
  const dependencies = withApart(books);
  const apart = {
    async bill(tenant: number, id: number) {
      order.push(id, (await books.invoices()).length);
      return billApart(dependencies, tenant, id);
    },
  };
  t.true(await billAllDue({ ...dependencies, apart }, books.tenantId, noBatches));
  t.deepEqual(order, [suspect, 2]);
  t.is((await books.invoices()).length, 3);
  t.deepEqual(await suspectsOf(books), []);
  t.deepEqual((await books.audit()).faults, []);
});

test.serial(
  'a suspect whose attempt does not finish delays nobody, and is tried again',
  async (t) => {
    const { books, customers } = await withOrders(3);
    const [suspect = 0] = customers;
    await dieAt(books, [suspect]);
    books.tomorrow();
    const apart = { bill: () => Promise.resolve(undefined) };
    t.true(await billAllDue({ ...books.dependencies, apart }, books.tenantId, noBatches));
    t.is((await books.invoices()).length, 2);
    t.deepEqual(await suspectsOf(books), [suspect]);
    t.true(await billAllDue(withApart(books), books.tenantId, noBatches));
    t.is((await books.invoices(suspect)).length, 1);
    t.deepEqual(await suspectsOf(books), []);
  },
);

test.serial(
  'a suspect without anything due is tried soon, and is then no longer one',
  async (t) => {
    const { books, customers } = await withOrders(1);
    const [suspect = 0] = customers;
    await dieAt(books, [suspect]);
    await suspectsPass({ dependencies: withApart(books), relayDb: db.relay, onError: fail });
    t.deepEqual(await suspectsOf(books), []);
    // An order of today still waits for the next 00:00.
    t.deepEqual(await books.invoices(), []);
  },
);

test.serial('generateInvoice bills no suspect; an order without it is accepted', async (t) => {
  const { books, customers } = await withOrders(1);
  const [suspect = 0] = customers;
  await dieAt(books, [suspect]);
  const order = { customerId: suspect, contractCode: 'P' };
  await refused(t, books.order(order, { generateInvoice: true }), 'customer.billedApart');
  const id = await books.order(order);
  await refused(t, books.generate(id), 'customer.billedApart');
  await suspectsPass({ dependencies: withApart(books), relayDb: db.relay, onError: fail });
  await books.generate(id);
  t.is((await books.invoices()).length, 1);
});

test.serial(
  'a customer that was held after a crash and released stays a suspect until it is billed',
  async (t) => {
    const { books, customers } = await withOrders(1);
    const [bad = 0] = customers;
    await dieAt(books, [bad]);
    t.deepEqual(await holdCrashed(books.dependencies, books.tenantId, bad), [
      { customerId: bad, code: 'billing.crashed' },
    ]);
    books.tomorrow();
    t.deepEqual(await books.run(), []);
    t.deepEqual(
      (await books.audit()).held.map(({ code }) => code),
      ['billing.crashed'],
    );
    const order = { customerId: bad, contractCode: 'P' };
    const isNow = { generateInvoice: true };
    await refused(t, books.order(order, isNow), 'customer.held');
    await books.customerAction(bad, 'activate');
    await refused(t, books.order(order, isNow), 'customer.billedApart');
    await suspectsPass({ dependencies: withApart(books), relayDb: db.relay, onError: fail });
    t.deepEqual(await suspectsOf(books), [bad]);
    books.tomorrow();
    t.true(await billAllDue(withApart(books), books.tenantId, noBatches));
    t.deepEqual(await suspectsOf(books), []);
    t.is((await books.invoices(bad)).length, 1);
  },
);

test.serial('a note of generateInvoice stays until its transaction has ended', async (t) => {
  const { books, customers } = await withOrders(2);
  const [customerId = 0, other = 0] = customers;
  const { dependencies, tenantId } = books;
  const noted = () =>
    books.read(async (tx) => {
      const rows = await tx.query<{ ids: readonly number[] }>(
        'select customer_ids as ids from billing_note order by id',
      );
      return rows.flatMap(({ ids }) => ids);
    });
  for (const ending of [() => undefined, () => Promise.reject(new Error('rolled back'))]) {
    const generated = books.work(async (context) => {
      const orders = await context.tx.query<{ id: number }>(
        'select id from subscription_order where customer_id = $1',
        [customerId],
      );
      await generateForOrder(dependencies, context, { id: orders[0]?.id ?? 0 });
      // Finished notes are deleted together: once this later one is deleted, the first would be
      // too.
      const later = await noteCustomers(dependencies.db, tenantId, [other]);
      t.deepEqual(await noted(), [customerId, other]);
      later.done();
      while ((await noted()).includes(other));
      t.deepEqual(await noted(), [customerId]);
      await ending();
    });
    await Promise.allSettled([generated]);
    while ((await noted()).length > 0);
  }
  t.deepEqual(await suspectsOf(books), []);
});

/** The dates of orders follow a change of usageGraceDays in the tenant's file. */
import test from 'ava';
import {
  mustMove,
  moveUsageDates,
  ORDERS_AT_ONCE_MAX,
} from '../../../operations/standing/usage-days.ts';
import { usageDaysPass } from '../../../operations/processes/usage-days.ts';
import { makeTenant } from '../../support/tenants.ts';
import { corrupt, own } from '../books/corrupt.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { metered, used } from '../support/usage.ts';

const db = await ownDatabase();
const plans = [metered, recurring('FEE', 31, prepaid)];
const grace = (usageGraceDays: number) => ({ settings: { usageGraceDays } });

async function story(days: number) {
  const books = await openBooks(db, { today: '2027-01-01', plans, file: grace(days) });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'METERED' });
  return { books, customerId, id };
}

/** Applies the file with other days. */
async function apply(books: Books, days: number): Promise<void> {
  await makeTenant(books.dependencies, { label: books.label, plans, file: grace(days) });
}

const follow = (books: Books) => moveUsageDates(books.dependencies, books.tenantId);
const checks = async (books: Books) => (await books.audit()).faults.map(({ check }) => check);
const nudges = (books: Books) =>
  books.read((tx) =>
    tx.query(`select object_id as id from outbox where kind = 'order' order by 1`),
  );
const sql = (books: Books, text: string) => books.work(({ tx }) => tx.query(text));
const pass = (books: Books) => {
  const dispatch = () => undefined;
  const onError = (error: unknown) => {
    throw error;
  };
  return usageDaysPass({ dependencies: books.dependencies, relayDb: db.relay, dispatch, onError });
};

test('a new tenant, and a file without a change of the days, leave nothing to follow', async (t) => {
  const { books } = await story(2);
  t.false(await mustMove(books.dependencies, books.tenantId));
  await apply(books, 2);
  t.false(await mustMove(books.dependencies, books.tenantId));
  await apply(books, 3);
  t.true(await mustMove(books.dependencies, books.tenantId));
});

test('more days of grace put off the next bill, and wake the workflow', async (t) => {
  const { books, id, customerId } = await story(0);
  const other = await books.order({ customerId, contractCode: 'FEE' });
  const before = await books.orderNow(other);
  await sql(books, 'delete from outbox');
  await apply(books, 5);
  t.deepEqual(await checks(books), ['order.dates']);
  t.deepEqual(await follow(books), { moved: 1, isDone: true });
  t.is(await books.orderNow(id), 'Active next 2027-02-06 bills 2027-02-06');
  t.is(await books.orderNow(other), before);
  t.deepEqual(await nudges(books), [{ id }]);
  t.deepEqual(await checks(books), []);
  t.deepEqual(await follow(books), { moved: 0, isDone: true });
});

test('with fewer days what is due by now is billed at the next 00:00', async (t) => {
  const { books, id } = await story(5);
  await used(books, id, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  await books.advance('2027-02-03');
  await apply(books, 0);
  t.deepEqual(await checks(books), ['order.dates', 'usage.due']);
  await follow(books);
  t.is(await books.orderNow(id), 'Active next 2027-02-01 bills 2027-02-04');
  t.deepEqual(await checks(books), []);
  await books.advance('2027-02-04');
  t.is((await books.invoices()).length, 1);
  t.deepEqual(await checks(books), []);
});

test('a bill day by the old, fewer days does no harm: the run finds nothing due, and corrects it', async (t) => {
  const { books, id } = await story(0);
  await used(books, id, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  await apply(books, 5);
  await books.advance('2027-02-01');
  t.is(await books.orderNow(id), 'Active next 2027-02-06 bills 2027-02-06');
  t.deepEqual(await books.invoices(), []);
  t.deepEqual(await checks(books), []);
});

test('what was billed stays billed, and the next period follows', async (t) => {
  const { books, id } = await story(0);
  await used(books, id, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  await books.advance('2027-02-01');
  await apply(books, 5);
  await follow(books);
  t.is(await books.orderNow(id), 'Active next 2027-03-06 bills 2027-03-06');
  t.deepEqual(await checks(books), []);
});

test('ended and suspended orders follow, and those of held customers', async (t) => {
  const { books, id, customerId } = await story(0);
  const order = { customerId, contractCode: 'METERED' };
  const suspended = await books.order({ ...order, endDate: '2027-01-20', isAutoRenew: false });
  await books.advance('2027-01-10');
  await books.put(id, { orderStatus: 'Canceled' });
  await books.suspend(suspended);
  const held = await books.order({ ...order, customerId: await books.customer({ ref: 'HELD' }) });
  await sql(
    books,
    `update customer set billing_held_at = now(), billing_held_code = 'quantity.outOfRange'
     where ext_customer_ref = 'HELD'`,
  );
  await apply(books, 5);
  await follow(books);
  t.is(await books.orderNow(id), 'Canceled ends 2027-01-10 next 2027-01-16 bills 2027-01-16');
  t.is(await books.orderNow(held), 'Active next 2027-02-06 bills 2027-02-06');
  t.deepEqual(await checks(books), []);
});

test('orders of more than one transaction follow', async (t) => {
  const { books, customerId } = await story(0);
  for (let count = 0; count < ORDERS_AT_ONCE_MAX; count += 1) {
    await books.order({ customerId, contractCode: 'METERED' });
  }
  await apply(books, 5);
  let asked = 0;
  const mayContinue = () => (asked += 1) === 1;
  t.deepEqual(await moveUsageDates(books.dependencies, books.tenantId, { mayContinue }), {
    moved: ORDERS_AT_ONCE_MAX,
    isDone: false,
  });
  t.deepEqual(await follow(books), { moved: 1, isDone: true });
});

test('a worker follows a minute later, once more, and removes the mark', async (t) => {
  const { books, id } = await story(0);
  await apply(books, 5);
  await pass(books);
  t.is(await books.orderNow(id), 'Active next 2027-02-01 bills 2027-02-01');
  await sql(books, `update tenant set usage_days_moved_at = now() - interval '61 seconds'`);
  await pass(books);
  t.is(await books.orderNow(id), 'Active next 2027-02-06 bills 2027-02-06');
  t.false(await mustMove(books.dependencies, books.tenantId));
});

test('orders that were made before usage was billed bill from their first period on', async (t) => {
  const { books, id } = await story(0);
  await books.advance('2027-03-10');
  await corrupt(books, [
    `delete from usage_window where ${own}`,
    `update order_line set next_period_index = 0 where ${own}`,
    `update subscription_order set next_billable_date = null, bill_on = null where ${own}`,
    // As the migration marks the tenants that are there.
    `update tenant set usage_days_moved_at = now() - interval '61 seconds'
     where id = ${books.tenantId}`,
  ]);
  await used(books, id, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  await pass(books);
  t.is(await books.orderNow(id), 'Active next 2027-02-01 bills 2027-03-11');
  await books.advance('2027-03-11');
  t.is((await books.invoices()).length, 1);
  t.is(await books.orderNow(id), 'Active next 2027-04-01 bills 2027-04-01');
  t.deepEqual(await checks(books), []);
});

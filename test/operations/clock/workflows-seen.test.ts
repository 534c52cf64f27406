/** Which workflows of a test clock's objects have not seen the newest version. */

import test from 'ava';
import {
  markPayersBehind,
  noteSeen,
  objectsBehind,
  stillBehind,
} from '../../../db/queries/clock/workflows-seen.ts';
import { awaitedWorkflows } from '../../../operations/due/due.ts';
import { administer } from '../../support/template.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const order = { name: 'order', table: 'subscription_order' };

/** The books have a clock of their own; versions are noted where there is this row. */
const onTestClock = `insert into test_clock (tenant_id, now, status)
  values ($1, '2027-01-15 05:00Z', 'Ready')`;

async function threeOrders(): Promise<Books & { readonly ids: readonly number[] }> {
  const plans = [recurring('P', 31, prorated)];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  await books.work(({ tx }) => tx.query(onTestClock, [tx.tenantId]));
  const customerId = await books.customer();
  const ids: number[] = [];
  for (const isAutoPay of [true, false, false]) {
    ids.push(await books.order({ customerId, contractCode: 'P', isAutoPay }));
  }
  return { ...books, ids };
}

const behindOf = (books: Books, after = 0, limit = 10) =>
  books.read((tx) => objectsBehind(tx, order, { after, limit }));

const see = (books: Books, id: number) => books.work(async ({ tx }) => noteSeen(tx, order, id));

test('a test clock awaits the workflows of orders, dunnings and payment plans', (t) => {
  const plans = { name: 'paymentPlan', table: 'payment_plan' };
  t.deepEqual(awaitedWorkflows, [order, { name: 'dunning', table: 'dunning' }, plans]);
});

test.serial('a workflow that has not read its row since the last change is behind', async (t) => {
  const books = await threeOrders();
  const [one = 0, two = 0, three = 0] = books.ids;
  t.deepEqual(await behindOf(books), [one, two, three]);
  t.deepEqual(await behindOf(books, one, 1), [two]);
  await see(books, two);
  await see(books, two);
  t.deepEqual(await behindOf(books), [one, three]);
  t.deepEqual(await books.read((tx) => stillBehind(tx, order, [two, three])), [three]);
  await books.put(two, { notes: 'changed' });
  t.deepEqual(await behindOf(books), [one, two, three]);
  t.deepEqual(await books.read((tx) => stillBehind(tx, order, [two])), [two]);
  await see(books, two);
  await books.work(({ tx }) =>
    tx.query(`insert into workflow_seen values ($1, 'gadget', $2, 9)`, [tx.tenantId, one]),
  );
  t.deepEqual(await behindOf(books), [one, three], 'what another kind has seen is its own');
});

test.serial('an order whose invoice is due for autopay is behind, seen or not', async (t) => {
  const books = await threeOrders();
  await books.advance('2027-01-16');
  for (const id of books.ids) await see(books, id);
  t.deepEqual(await behindOf(books), []);
  await books.work(({ tx }) => markPayersBehind(tx, '2027-01-15'));
  t.deepEqual(await behindOf(books), []);
  await books.work(({ tx }) => markPayersBehind(tx, '2027-01-16'));
  t.deepEqual(await behindOf(books), books.ids.slice(0, 1));
});

test.serial('what no workflow has to see again is not looked at', async (t) => {
  const books = await threeOrders();
  const [one = 0, two = 0] = books.ids;
  const unseen = async () => {
    const rows = await books.read((tx) =>
      tx.query<{ id: number }>(
        `select object_id as id from workflow_unseen where tenant_id = $1 order by id`,
        [tx.tenantId],
      ),
    );
    return rows.map(({ id }) => id);
  };
  t.deepEqual(await unseen(), books.ids);
  for (const id of books.ids) await see(books, id);
  t.deepEqual(await unseen(), []);
  await books.put(two, { notes: 'changed' });
  t.deepEqual(await unseen(), [two]);
  // The version stays as it is, so there is nothing to see.
  await books.work(({ tx }) =>
    tx.query('update subscription_order set notes = null where tenant_id = $1 and id = $2', [
      tx.tenantId,
      one,
    ]),
  );
  t.deepEqual(await unseen(), [two]);
});

test.serial('a change beside the look at its order stays to be seen', async (t) => {
  const books = await threeOrders();
  const [one = 0] = books.ids;
  for (const id of books.ids) await see(books, id);
  await books.work(async ({ tx }) => {
    await tx.query(
      'update subscription_order set version = version + 1 where tenant_id = $1 and id = $2',
      [tx.tenantId, one],
    );
    await see(books, one);
    t.deepEqual(await behindOf(books), [], 'nobody sees what is not committed');
  });
  t.deepEqual(await behindOf(books), [one]);
  await see(books, one);
  t.deepEqual(await behindOf(books), []);
});

test.serial('a tenant in real time notes no versions', async (t) => {
  const books = await threeOrders();
  await administer(
    db.ownerUrl,
    `delete from test_clock where tenant_id = ${books.tenantId}`,
    `delete from workflow_unseen where tenant_id = ${books.tenantId}`,
    `update subscription_order set version = version + 1 where tenant_id = ${books.tenantId}`,
  );
  const rows = await books.read((tx) =>
    tx.query('select from workflow_unseen where tenant_id = $1', [tx.tenantId]),
  );
  t.deepEqual(rows, []);
});

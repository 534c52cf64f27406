/** Removing an order that was never billed, and the order that takes its place. */
import test from 'ava';
import type { OrderInput } from '../../../domain/orders/input.ts';
import { loadOrder } from '../../../operations/orders/aggregate.ts';
import { readOrder } from '../../../operations/orders/read.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { openPost } from '../mail/post.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const free = recurring('FREE', 0, { chargeType: 'OneTimeCharge' });
const plans = [recurring('P', 31, prepaid), free];
const open = () => openBooks(db, { today: '2027-01-15', plans });

/** A new order in the place of another, as a change makes it; returns its id. */
const replace = (books: Books, id: number, input: OrderInput, bills = false) =>
  books.change(id, input, { deletesCurrent: true, bills });

/** Its number, or undefined if GET answers 404. */
const numberOf = async (books: Books, id: number) => {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  return (await books.read((tx) => readOrder(tx, tenant, { id })))?.orderNumber;
};

/** How many rows name the object, by table: of every column that may hold the id of an order. */
async function rowsOf(books: Books, id: number): Promise<Record<string, number>> {
  const columns = await books.read((tx) =>
    tx.query<{ place: string; table: string; column: string }>(
      `select table_name || '.' || column_name as place, table_name as table,
              column_name as column
       from information_schema.columns
       where table_schema = 'public' and data_type = 'bigint'
         and (column_name ~ '(^|_)(order_id|object_id)$'
           or (table_name = 'subscription_order' and column_name = 'id'))`,
    ),
  );
  const found: Record<string, number> = {};
  for (const { place, table, column } of columns) {
    const [row] = await books.read((tx) =>
      tx.query<{ count: number }>(
        `select count(*)::int as count from ${table} where ${column} = $1`,
        [id],
      ),
    );
    if (row && row.count > 0) found[place] = row.count;
  }
  return found;
}

test('1001 is removed: the new order is 1002, the next one 1003, and no number is missing', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P', startDate: '2027-01-10' });
  // As a test clock leaves them.
  await books.work(async ({ tx }) => {
    const values = [tx.tenantId, id];
    await tx.query(
      `insert into workflow_seen (tenant_id, kind, object_id, seen_version)
       values ($1, 'order', $2, 1)`,
      values,
    );
    await tx.query(
      `insert into workflow_unseen (tenant_id, kind, object_id) values ($1, 'order', $2)`,
      values,
    );
  });
  t.like(await rowsOf(books, id), {
    'subscription_order.id': 1,
    'order_line.order_id': 1,
    'event.object_id': 1,
    'workflow_seen.object_id': 1,
    'workflow_unseen.object_id': 1,
  });
  const replacing = await replace(books, id, { customerId, contractCode: 'P' });
  t.is(await numberOf(books, id), undefined);
  t.is(await numberOf(books, replacing), '1002');
  t.is(await numberOf(books, await books.order({ customerId, contractCode: 'P' })), '1003');
  // Its event, that it was removed, who replaced it, and the nudge that ends its workflow.
  t.deepEqual(await rowsOf(books, id), {
    'event.object_id': 1,
    'outbox.object_id': 1,
    'removed_object.object_id': 1,
    'subscription_order.removed_order_id': 1,
  });
  await refused(
    t,
    books.work((its) => loadOrder(its, { id })),
    'order.unknown',
  );
  t.deepEqual((await books.audit()).faults, []);
  await books.advance('2027-01-16');
  const fee = 'P 2027-01-15 2027-02-14 31.00';
  t.deepEqual(await books.invoices(), [
    `1001 on 2027-01-16 due 2027-02-15 Outstanding 62.00: ${fee}, ${fee}`,
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('with generateInvoice the new order alone is billed, although the removed one was due', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P', startDate: '2027-01-10' });
  await replace(books, id, { customerId, contractCode: 'P' }, true);
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 31.00: P 2027-01-15 2027-02-14 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('orders that were removed one after the other leave their numbers, and a moved start is kept', async (t) => {
  const books = await open();
  const input = { customerId: await books.customer(), contractCode: 'P' };
  const second = await replace(books, await books.order(input), input);
  const third = await replace(books, second, input);
  t.is(await numberOf(books, third), '1003');
  // As the tenant's file moves it.
  await books.work(({ tx }) =>
    tx.query(
      `update counter set next = 5000, moved_to = 5000,
         skipped = skipped + int8multirange(int8range(1004, 5000)) where kind = 'order'`,
    ),
  );
  t.is(await numberOf(books, await replace(books, third, input)), '5000');
  const [counter] = await books.read((tx) =>
    tx.query<{ skipped: string }>(
      `select skipped::text as skipped from counter where kind = 'order'`,
    ),
  );
  t.is(counter?.skipped, '{[1001,5000)}');
  t.deepEqual((await books.audit()).faults, []);
});

test('a Draft, an order of a later day and one that was suspended and activated can be removed', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  const input = { customerId, contractCode: 'P' };
  const draft = await books.order({ ...input, orderStatus: 'Draft' });
  const later = await books.order({ ...input, startDate: '2027-02-01' });
  t.regex(await books.orderNow(later), /^Provisioning/);
  const paused = await books.order(input);
  await books.suspend(paused);
  await books.activate(paused);
  t.is((await rowsOf(books, paused))['service_pause.order_id'], 1);
  for (const id of [draft, later, paused]) {
    await replace(books, id, input);
    t.is(await numberOf(books, id), undefined);
  }
  t.is((await rowsOf(books, paused))['service_pause.order_id'], undefined);
  t.deepEqual((await books.audit()).faults, []);
});

test('an order that billed anything stays: free periods, cancelled and rolled back ones count', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  const billed = (contractCode: string) =>
    books.order({ customerId, contractCode }, { generateInvoice: true });
  const standing = await billed('P');
  const costless = await billed('FREE');
  const cancelled = await billed('P');
  await books.cancelInvoice(1002);
  const rolledBack = await billed('P');
  await books.cancelInvoice(1003, { rollbackBillingPeriod: true });
  const invoices = await books.invoices();
  t.is(invoices.length, 3);
  t.regex(invoices[1] ?? '', /^1002 .* Cancelled /);
  t.regex(invoices[2] ?? '', /^1003 .* Cancelled /);
  for (const id of [standing, costless, cancelled, rolledBack]) {
    const replaced = replace(books, id, { customerId, contractCode: 'P' });
    await refused(t, replaced, 'order.billed', 'deleteCurrentOrder');
    t.truthy(await numberOf(books, id));
  }
  t.is((await books.counters())['order'], 1005, 'a refusal takes no number');
});

test('an order of another status, or in a pending change, stays', async (t) => {
  const books = await open();
  const input = { customerId: await books.customer(), contractCode: 'P' };
  const suspended = await books.order(input);
  await books.suspend(suspended);
  const canceled = await books.order(input);
  await books.put(canceled, { orderStatus: 'Canceled' });
  for (const id of [suspended, canceled]) {
    await refused(t, replace(books, id, input), 'order.notChangeable', 'currentOrderId');
  }
  const current = await books.order(input);
  const next = await books.order({ ...input, startDate: '2027-03-20' });
  await books.work(async ({ tx }) => {
    await tx.query(`update subscription_order set change_on = '2027-03-20' where id = $1`, [
      current,
    ]);
    await tx.query(`update subscription_order set previous_order_id = $2 where id = $1`, [
      next,
      current,
    ]);
  });
  for (const id of [current, next]) {
    await refused(t, replace(books, id, input), 'order.changePending', 'currentOrderId');
    t.truthy(await numberOf(books, id));
  }
});

test('the event of a removed order gets its number; a mail of it that was queued is not sent', async (t) => {
  const inbox = await openInbox({});
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  const post = await openPost(db, { enabled: ['newOrder'] });
  const { books } = post;
  const input = { customerId: await post.customer(), contractCode: 'P' };
  const queued = await books.order(input);
  await post.number();
  t.deepEqual(await post.mails(), ['newOrder queued 0']);
  const second = await replace(books, queued, input);
  // Neither order.created has its number yet.
  await replace(books, second, input);
  await post.number();
  await post.pass(mailer);
  t.deepEqual(await post.mails(), [
    'newOrder obsolete 1 object.gone',
    'newOrder obsolete 1 object.gone',
    'newOrder sent 1',
  ]);
  t.deepEqual(
    inbox.mails.map(({ subject }) => subject),
    ['Your order 1003'],
  );
  t.deepEqual((await books.audit()).faults, []);
});

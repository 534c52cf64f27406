/** A suspension and a return touch only the orders of a customer that can still bill or change. */

import test from 'ava';
import { prorated, recurring } from '../support/plans.ts';
import { sharedDatabase } from '../support/books.ts';
import { openDunningBooks, type DunningBooks } from '../support/dunning-books.ts';
import { overheard, type Said } from '../support/overheard.ts';

const db = await sharedDatabase();
const plans = [recurring('PRE', 31, prorated), recurring('ARREARS', 31, { isProrated: true })];
const thresholds = [{ daysOverdue: 15, status: 'Suspended1' }];
const ENDED = 12;

/** A customer with twelve orders that have ended and are billed, and one that goes on. */
async function oldCustomer() {
  const books = await openDunningBooks(db, { today: '2027-01-01', plans, thresholds });
  const customerId = await books.customer();
  for (let count = 1; count <= ENDED; count += 1) {
    const contractCode = count % 2 === 0 ? 'PRE' : 'ARREARS';
    const ends = { endDate: '2027-01-05', isAutoRenew: false };
    await books.order({ customerId, contractCode, ...ends }, { generateInvoice: true });
  }
  const live = await books.order({ customerId, contractCode: 'PRE' }, { generateInvoice: true });
  const draft = await books.order({ customerId, contractCode: 'PRE', orderStatus: 'Draft' });
  await books.advance('2027-01-07');
  // Five days of twelve orders, and 31.00.
  await books.paid({ customerId, amount: '91' });
  return { books, customerId, live, draft };
}

/** The orders that `act` loads, writes and wakes. */
async function touched(books: DunningBooks, act: () => Promise<unknown>) {
  const said: Said[] = [];
  const own = books.dependencies.db;
  const before = await versions(books);
  await books.work(async ({ tx }) => tx.query(`delete from outbox where kind = 'order'`));
  Object.assign(books.dependencies, { db: overheard(own, said) });
  await act();
  Object.assign(books.dependencies, { db: own });
  const after = await versions(books);
  const woken = await books.read((tx) =>
    tx.query<{ id: number }>(`select object_id as id from outbox where kind = 'order' order by 1`),
  );
  const isLoad = /from subscription_order o where o\.id = any\(\$1\)/;
  return {
    loaded: said.filter(({ text }) => isLoad.test(text)).flatMap(({ values }) => values[0]),
    written: [...after].filter(([id, version]) => before.get(id) !== version).map(([id]) => id),
    woken: woken.map(({ id }) => id),
  };
}

async function versions(books: DunningBooks): Promise<ReadonlyMap<number, number>> {
  const rows = await books.read((tx) =>
    tx.query<{ id: number; version: number }>(
      'select id, version from subscription_order order by id',
    ),
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

test('by age: of thirteen orders the one that goes on is loaded, written and woken', async (t) => {
  const { books, customerId, live } = await oldCustomer();
  const only = { loaded: [live], written: [live], woken: [live] };
  await books.advance('2027-03-01');
  await books.bill(customerId, '500', { dueDate: '2027-03-01' });
  await books.advance('2027-03-15');
  t.deepEqual(await touched(books, () => books.advance('2027-03-16')), only);
  t.is(await books.standing(customerId), 'Suspended1, open');
  t.deepEqual(await touched(books, () => books.credit({ customerId, amount: '900' })), only);
  t.is(await books.standing(customerId), 'Active, closed');
  t.deepEqual(await books.faults(), []);
});

test('by hand: the same', async (t) => {
  const { books, customerId, live } = await oldCustomer();
  const only = { loaded: [live], written: [live], woken: [live] };
  t.deepEqual(await touched(books, () => books.customerAction(customerId, 'suspend')), only);
  await books.advance('2027-01-20');
  t.deepEqual(await touched(books, () => books.customerAction(customerId, 'activate')), only);
  t.deepEqual(await books.faults(), []);
});

test('an order that was cancelled before the suspension, or in it, is billed after the return', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-03-01', plans });
  const customerId = await books.customer();
  const before = await books.order({ customerId, contractCode: 'ARREARS', separateInvoice: 1 });
  const during = await books.order({ customerId, contractCode: 'ARREARS', separateInvoice: 1 });
  const ends = { endDate: '2027-03-12', isAutoRenew: false };
  const run = await books.order({
    customerId,
    contractCode: 'ARREARS',
    separateInvoice: 1,
    ...ends,
  });
  await books.advance('2027-03-10');
  await books.put(before, { orderStatus: 'Canceled' });
  await books.customerAction(customerId, 'suspend');
  await books.advance('2027-03-11');
  await books.put(during, { orderStatus: 'Canceled' });
  await books.advance('2027-03-20');
  t.is(await books.orderNow(run), 'Complete ends 2027-03-12');
  t.deepEqual(await books.invoices(), []);
  await books.customerAction(customerId, 'activate');
  await books.advance('2027-03-21');
  // Ten days of service each, from 1 to 10 March.
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-03-21 due 2027-04-20 Outstanding 10.00: ARREARS 2027-03-01 2027-03-10 10.00',
    '1002 on 2027-03-21 due 2027-04-20 Outstanding 10.00: ARREARS 2027-03-01 2027-03-10 10.00',
    '1003 on 2027-03-21 due 2027-04-20 Outstanding 10.00: ARREARS 2027-03-01 2027-03-10 10.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

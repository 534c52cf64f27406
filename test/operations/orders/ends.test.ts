/** The endDate of a cancelled order: the day on which it ended. */
import test from 'ava';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 31, prepaid), recurring('ARREARS', 31)];

test('a cancelled order shows the day on which it ended, one that never began shows none', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const make = (fields: object) => books.order({ customerId, contractCode: 'P', ...fields });
  const ids = [
    await make({}),
    await make({ endDate: '2027-12-31', isAutoRenew: false }),
    await make({ endDate: '2027-12-31', isAutoRenew: true }),
    await make({ startDate: '2027-03-01', endDate: '2027-05-31' }),
    await make({ orderStatus: 'Draft', startDate: '2027-01-01', endDate: '2027-05-31' }),
  ];
  await books.advance('2027-01-20');
  for (const id of ids) await books.put(id, { orderStatus: 'Canceled' });
  t.deepEqual(await Promise.all(ids.map((id) => books.orderNow(id))), [
    'Canceled ends 2027-01-20',
    'Canceled ends 2027-01-20',
    'Canceled ends 2027-01-20',
    'Canceled',
    'Canceled',
  ]);
  await books.advance('2027-06-01');
  t.is(await books.orderNow(ids[2] ?? 0), 'Canceled ends 2027-01-20');
  t.deepEqual((await books.audit()).faults, []);
});

test('a cancellation overrides an endDate in the same call', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const id = await books.order({ customerId: await books.customer(), contractCode: 'P' });
  await books.put(id, { orderStatus: 'Canceled', endDate: '2027-06-30' });
  t.is(await books.orderNow(id), 'Canceled ends 2027-01-15');
});

test('a Draft order that is cancelled bills nothing, whatever its startDate', async (t) => {
  const books = await openBooks(db, { today: '2027-03-15', plans });
  const fields = {
    contractCode: 'ARREARS',
    startDate: '2027-01-15',
    orderStatus: 'Draft',
  } as const;
  const id = await books.order({ customerId: await books.customer(), ...fields });
  await books.put(id, { orderStatus: 'Canceled' });
  t.is(await books.orderNow(id), 'Canceled');
  await books.advance('2027-03-20');
  t.deepEqual(await books.invoices(), []);
});

test('an invoice cancelled with its orders sets the end of running orders only', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const running = await books.order({ customerId, contractCode: 'P', endDate: '2027-12-31' });
  const gone = await books.order({ customerId, contractCode: 'P' });
  const ends = { endDate: '2027-01-25', isAutoRenew: false };
  const complete = await books.order({ customerId, contractCode: 'P', ...ends });
  await books.advance('2027-01-20');
  await books.put(gone, { orderStatus: 'Canceled' });
  await books.advance('2027-02-01');
  await books.cancelInvoice(1001, { cancelOrders: true });
  t.is(await books.orderNow(running), 'Canceled ends 2027-02-01');
  t.is(await books.orderNow(gone), 'Canceled ends 2027-01-20');
  t.is(await books.orderNow(complete), 'Canceled ends 2027-01-25');
  t.deepEqual((await books.audit()).faults, []);
});

/** An erasure beside others: whoever has begun ends first, and whoever comes later is refused. */
import test from 'ava';
import { switchesOf } from '../../../domain/self-service/switches.ts';
import { eraseCustomer } from '../../../operations/customers/erase.ts';
import { createCustomer, updateCustomer } from '../../../operations/customers/write.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { startSession } from '../../../operations/self-service/start.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { held } from '../support/held.ts';
import { csv, importsOf, rowsAre } from '../support/imports.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { upload } from '../support/uploads.ts';
import { metered } from '../support/usage.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 10, prepaid), metered];

const named = { name: 'Ada', extCustomerRef: 'ADA', currency: 'USD' } as const;
const contacts = { billing: { firstName: 'Ada', emailPrimary: 'ada@example.com' }, sales: null };

async function open(): Promise<{ readonly books: Books; readonly id: number }> {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const id = await books.work((context) => createCustomer(context, named, contacts));
  return { books, id };
}

const erasing = (books: Books, id: number) =>
  books.work((context) => eraseCustomer(context, { id }));

const erasedIn = (books: Books, id: number) =>
  held(books, (context) => eraseCustomer(context, { id }));

const left = (
  books: Books,
): Promise<{ readonly [Name in 'orders' | 'sessions' | 'records']: number }[]> =>
  books.read((tx) =>
    tx.query(
      `select (select count(*)::int from subscription_order) as orders,
         (select count(*)::int from self_service_session where ended_at is null) as sessions,
         (select count(*)::int from activity where ext_ref_id is not null) as records`,
    ),
  );

const session = (id: number) => ({
  customer: { id },
  cssUrl: '/style.css',
  loginUrl: 'https://shop.example/login?customer=ada',
  switches: switchesOf({}, undefined),
});

test('an order that comes during the erasure is refused', async (t) => {
  const { books, id } = await open();
  const erasure = await erasedIn(books, id);
  const order = books.order({ customerId: id, contractCode: 'P' });
  const change = books.work((context) => updateCustomer(context, { id }, { taxId: 'X' }, {}));
  const ends = Promise.allSettled([order, change]);
  await erasure.waitedFor();
  await erasure.commit();
  for (const end of await ends) {
    t.like(end, { status: 'rejected', reason: { code: 'customer.erased' } });
  }
  t.like((await left(books))[0], { orders: 0 });
  t.deepEqual((await books.audit()).faults, []);
});

test('an order that has begun refuses the erasure', async (t) => {
  const { books, id } = await open();
  const order = await held(books, async (context) => {
    await createOrder(
      books.dependencies,
      context,
      { customerId: id, contractCode: 'P' },
      { generateInvoice: false, forceInvoiceGeneration: false },
    );
  });
  const erasure = erasing(books, id);
  const refused = t.throwsAsync(erasure);
  await order.waitedFor();
  await order.commit();
  t.like(await refused, { errors: [{ code: 'customer.notErasable', path: 'order' }] });
});

test('a session that has begun is ended and emptied, and one that comes later is refused', async (t) => {
  const { books, id } = await open();
  const begun = await held(books, ({ tx, realNow }) => startSession({ tx, realNow }, session(id)));
  const first = erasing(books, id);
  await begun.waitedFor();
  await begun.commit();
  await first;
  t.like((await left(books))[0], { sessions: 0 });
  const other = await open();
  const erasure = await erasedIn(other.books, other.id);
  const late = other.books.work((context) => startSession(context, session(other.id)));
  const ends = Promise.allSettled([late]);
  await erasure.waitedFor();
  await erasure.commit();
  t.like((await ends)[0], { status: 'rejected', reason: { code: 'customer.erased' } });
  for (const each of [books, other.books]) t.deepEqual((await each.audit()).faults, []);
});

test('usage that names the customer is refused, whatever names it', async (t) => {
  const { books, id } = await open();
  const orderId = await books.order({ customerId: id, contractCode: 'METERED' });
  const [line] = await books.read((tx) => tx.query<{ id: number }>('select id from order_line'));
  await books.put(orderId, { orderStatus: 'Canceled' });
  await books.advance('2027-03-02');
  await erasing(books, id);
  for (const name of [
    { orderId },
    { lineId: line?.id ?? 0 },
    { customerId: id, priceCode: 'MINUTES' },
    { extCustomerRef: `erased-${id}`, priceCode: 'MINUTES' },
  ]) {
    const record = { quantity: '1', chargeDate: '2027-01-15', ...name };
    await t.throwsAsync(upload(books, [record]), { code: 'customer.erased' }, JSON.stringify(name));
  }
  t.like((await left(books))[0], { records: 0 });
});

test('a row of a file that names the customer fails, and the others are imported', async (t) => {
  const { books, id } = await open();
  const files = await importsOf(books);
  await erasing(books, id);
  const columns = ['updateMode', 'extCustomerRef', 'firstName', 'lastName', 'emailPrimary'];
  const { rows } = await files.customers(
    csv(columns, [
      ['U', `erased-${id}`, 'Ada', 'Byron', 'ada@example.com'],
      ['I', 'BO', 'Bo', 'Diddley', 'bo@example.com'],
    ]),
  );
  rowsAre(t, rows, [
    `2 Failure line 2: extCustomerRef: customer.erased: customer ${id} is erased, so nothing is written of it`,
    '3 Success',
  ]);
  const invoices = await files.invoices(
    csv(
      ['invoiceNumber', 'customerId', 'invoiceDate', 'dueDate', 'currentAmountDue'],
      [['OLD-1', String(id), '2027-01-01', '2027-02-01', '5.00']],
    ),
    [],
  );
  rowsAre(t, invoices.rows, [
    `2 Failure line 2: customerId: customer.erased: customer ${id} is erased, so nothing is written of it`,
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

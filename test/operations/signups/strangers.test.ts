/** What a stranger who types the e-mail address of a customer does to that customer: nothing. */
import test from 'ava';
import { refuseTooManyDeclines } from '../../../operations/hosted-pages/declines.ts';
import { readHome } from '../../../operations/self-service/home.ts';
import { listAccountInvoices } from '../../../operations/self-service/invoices.ts';
import { listOwnOrders } from '../../../operations/self-service/orders-own.ts';
import { listAccountPayments } from '../../../operations/self-service/payments.ts';
import { readStatement } from '../../../operations/self-service/statements.ts';
import { sharedDatabase } from '../support/books.ts';
import { openSignupBooks, type SignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();

/** A customer in New York with Ada's e-mail address. */
async function known(books: SignupBooks): Promise<number> {
  const id = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  await books.work(({ tx }) =>
    tx.query(`update contact set email_primary = 'ada@example.org' where customer_id = $1`, [id]),
  );
  return id;
}

/** `orders 0, invoices 0, payments 0, entries 0, open 0` of its own pages. */
const accountOf = (books: SignupBooks, customerId: number): Promise<string> =>
  books.read(async (tx) => {
    const today = books.today();
    const own = { customerId, currency: 'USD' };
    const { orders } = await listOwnOrders(books.dependencies, { tx, customerId, today });
    const invoices = await listAccountInvoices(tx, customerId, null);
    const payments = await listAccountPayments(tx, customerId, null);
    const period = { from: '2027-01-01', to: '2027-12-31', before: null };
    const { currencies } = await readStatement(tx, { ...own, ...period });
    const { balances } = await readHome(tx, own, today);
    const [statement] = currencies;
    return [
      `orders ${orders.map(({ status }) => status).join(' ') || 0}`,
      `invoices ${invoices.rows.length}`,
      `payments ${payments.rows.length}`,
      `entries ${statement?.entries.length} to ${Number(statement?.closing)}`,
      `open ${Number(balances[0]?.open)}`,
    ].join(', ');
  });

const NOTHING = 'orders 0, invoices 0, payments 0, entries 0 to 0, open 0';

test('three declined cards count against link and network, and leave no trace in the account', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books);
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline', 'decline', 'decline');
  for (let count = 0; count < 3; count += 1) {
    await books.submit(id, { token: 'bad' });
    await books.advance(id);
    t.is(await accountOf(books, customerId), NOTHING);
    await books.settle();
    await books.advance(id);
    t.is(await accountOf(books, customerId), NOTHING);
  }
  t.is((await books.row(id)).status, 'FAILED');
  t.is((await books.row(id)).customerId, customerId);
  const counted = await books.read((tx) =>
    tx.query('select network, customer_id from card_decline'),
  );
  t.deepEqual(counted, Array(3).fill({ network: '192.0.2.1', customerId: null }));
  t.deepEqual(await books.faults(), []);
});

test('strangers do not lock a customer out, nor does it lock out strangers', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books);
  await books.work(({ tx, realNow }) =>
    tx.query(
      `insert into card_decline (tenant_id, network, customer_id, declined_at)
       select $1, '192.0.2.8', $2, $3 from generate_series(1, 10)`,
      [tx.tenantId, customerId, realNow],
    ),
  );
  t.is((await books.take(await books.link())).kind, 'taken');
  const other = await known(books);
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline', 'decline', 'decline');
  for (let count = 0; count < 3; count += 1) {
    await books.submit(id, { token: 'bad' });
    await books.carry(id);
  }
  const user = { network: '198.51.100.1', customerId: other };
  await t.notThrowsAsync(books.work((context) => refuseTooManyDeclines(context, user)));
});

test('of a sign-up that is paid in the end, the account shows what was paid', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books);
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline');
  await books.submit(id, { token: 'bad' });
  await books.carry(id);
  await books.submit(id);
  t.is((await books.carry(id)).phase, 'Processed');
  t.is(
    await accountOf(books, customerId),
    'orders Active, invoices 1, payments 1, entries 2 to 0, open 0',
  );
  t.deepEqual(await books.faults(), []);
});

/** What receipts say of their parties: what held when the payment was made. */
import test from 'ava';
import { readFrozenParties } from '../../../operations/invoices/page-source.ts';
import { oldPartiesPass } from '../../../operations/processes/old-parties.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

/** `Ada of Test tenant`, as the payment, the credit or the refund has them. */
const partiesOf = (books: PaymentBooks, id: number): Promise<string> =>
  books.read(async (tx) => {
    const { customer, sender } = await readFrozenParties(tx, { id }, 'payment');
    return `${customer.name} of ${sender.name}`;
  });

const rename = (books: PaymentBooks, customerId: number, name: string) =>
  books.work(({ tx }) =>
    tx.query('update customer set name = $3 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      customerId,
      name,
    ]),
  );

test('a payment, a credit and a refund say for ever what their customer was called', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const payment = await books.paid({ customerId, amount: '10' });
  await rename(books, customerId, 'Second');
  const credit = await books.credit({ customerId, amount: '5' });
  await rename(books, customerId, 'Third');
  const refund = await books.refunded({ customerId, amount: '3' });
  await rename(books, customerId, 'Fourth');
  const names = await Promise.all([payment, credit, refund].map((id) => partiesOf(books, id)));
  t.deepEqual(
    names.map((each) => each.split(' of ')[0]),
    ['A customer', 'Second', 'Third'],
  );
  t.deepEqual((await books.audit()).faults, []);
});

test('the credit that a negative invoice leaves has the parties of that day', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '-20');
  await rename(books, customerId, 'Second');
  const [credit] = await books.read((tx) =>
    tx.query<{ id: number }>(`select id from payment where customer_id = $1`, [customerId]),
  );
  t.regex(await partiesOf(books, credit?.id ?? 0), /^A customer of /);
});

test('a payment of before shows its parties of today until a pass has kept them, and then for ever', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.paid({ customerId, amount: '10' });
  await books.work(({ tx }) =>
    tx.query(
      'update payment set customer_party_id = null, tenant_party_id = null where tenant_id = $1',
      [tx.tenantId],
    ),
  );
  await rename(books, customerId, 'Second');
  t.regex(await partiesOf(books, id), /^Second of /);
  await oldPartiesPass({
    dependencies: books.dependencies,
    relayDb: db.relay,
    onError: (error) => t.fail(String(error)),
  });
  await rename(books, customerId, 'Third');
  t.regex(await partiesOf(books, id), /^Second of /);
  t.deepEqual((await books.audit()).faults, []);
});

/** What is kept of a customer's financials: of whatever happens, and of documents of before. */
import test from 'ava';
import { migrate } from '../../../db/connection/migrate.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import { ownDatabase } from '../support/books.ts';
import { held } from '../support/held.ts';
import { card, cash, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { corrupt } from './corrupt.ts';

const db = await ownDatabase();

/** What is kept of the customers, in the order of their making, as text. */
async function kept(books: PaymentBooks): Promise<string[]> {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select currency || ' outstanding ' || outstanding_balance || ' of ' || lifetime_value
         || ', last ' || coalesce(last_invoiced_date || ' ' || last_invoice_amount, 'none')
         || '; unapplied ' || unapplied_balance || ' of ' || lifetime_payments
         || ', last ' || coalesce(last_payment_date || ' ' || last_payment_amount, 'none') as text
       from customer_balance order by customer_id, currency`,
    ),
  );
  return rows.map(({ text }) => text.replaceAll(/(\.\d\d)00\b/g, '$1'));
}

/**
 * ONE has the invoices 1001 of 100 and 1002 of 50, of which the last is cancelled, and pays 30 in cash
 * and 90 by card, of which 15 go back. TWO has paid 40 and a surcharge of 1 the day after 8, which were
 * cancelled. THREE has an invoice, and a credit in another currency.
 */
async function story(): Promise<PaymentBooks> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const [one, two, three] = [
    await books.customer({ ref: 'ONE' }),
    await books.customer({ ref: 'TWO' }),
    await books.customer({ ref: 'THREE' }),
  ];
  await books.bill(one, '100');
  await books.pay({ customerId: one, amount: '30' });
  await books.paid({ customerId: one, amount: '90', method: card('tok') });
  await books.unpay(await books.pay({ customerId: two, amount: '8' }));
  await books.advance('2027-01-16');
  await books.bill(one, '50');
  await books.cancelInvoice(1002);
  await books.refunded({ customerId: one, amount: '15' });
  await books.paid({ customerId: two, amount: '40', totalSurcharge: '1', method: cash });
  await books.bill(three, '7');
  await books.credit({ customerId: three, amount: '5', currencyCode: 'EUR' });
  return books;
}

const ofStory = [
  'USD outstanding 0.00 of 100.00, last 2027-01-15 100.00; unapplied 5.00 of 105.00, last 2027-01-15 90.00',
  'USD outstanding 0.00 of 0.00, last none; unapplied 40.00 of 40.00, last 2027-01-16 41.00',
  'EUR outstanding 0.00 of 0.00, last none; unapplied 5.00 of 0.00, last none',
  'USD outstanding 7.00 of 7.00, last 2027-01-16 7.00; unapplied 0.00 of 0.00, last none',
];

test.serial(
  'sums and the last documents are kept, and a cancelled one gives way to the one before',
  async (t) => {
    const books = await story();
    t.deepEqual(await kept(books), ofStory);
    t.deepEqual(await books.faults(), []);
  },
);

test.serial('the migration fills them of the documents of before', async (t) => {
  const books = await story();
  await corrupt(books, [
    'drop trigger keep_sums_of_new on invoice',
    'drop trigger keep_sums_of_changed on invoice',
    'drop trigger keep_sums_of_new on payment',
    'drop trigger keep_sums_of_changed on payment',
    'drop function keep_sums_of_new_invoice, keep_sums_of_changed_invoice',
    'drop function keep_sums_of_new_payment, keep_sums_of_changed_payment',
    `alter table customer_balance drop column outstanding_balance, drop column lifetime_value,
       drop column last_invoice_id, drop column last_invoiced_date, drop column last_invoice_amount,
       drop column unapplied_balance, drop column lifetime_payments,
       drop column last_payment_id, drop column last_payment_date, drop column last_payment_amount`,
    `delete from migration where name = '0400-kept-financials'`,
  ]);
  await migrate(db.ownerUrl);
  t.deepEqual(await kept(books), ofStory);
  t.deepEqual(await books.faults(), []);
  const [customerId = 0] = await books.read((tx) =>
    tx
      .query<{ id: number }>('select id from customer order by id')
      .then((rows) => rows.map(({ id }) => id)),
  );
  await books.bill(customerId, '9');
  t.deepEqual(await books.faults(), []);
});

test.serial(
  'two transactions at the books of a customer both count, one after the other',
  async (t) => {
    const books = await openPaymentBooks(db, { today: '2027-01-15' });
    const customerId = await books.customer({ ref: 'BOTH' });
    await books.bill(customerId, '100');
    const first = await held(books, ({ tx }) => lockCustomer(tx, { id: customerId }));
    const all = [
      books.bill(customerId, '50'),
      books.pay({ customerId, amount: '30' }),
      books.credit({ customerId, amount: '200' }),
    ];
    await first.waitedFor();
    await Promise.all([first.commit(), ...all]);
    t.deepEqual(await kept(books), [
      'USD outstanding 0.00 of 150.00, last 2027-01-15 50.00; unapplied 80.00 of 30.00, last 2027-01-15 30.00',
    ]);
    t.deepEqual(await books.faults(), []);
  },
);

test.serial(
  'a writer without the lock of the customer waits for the sums, and adds to them',
  async (t) => {
    const books = await openPaymentBooks(db, { today: '2027-01-15' });
    const customerId = await books.customer({ ref: 'BARE' });
    await books.bill(customerId, '100');
    await books.bill(customerId, '50');
    const open = `update invoice set outstanding_balance = outstanding_balance - 10
    where customer_id = $1 and current_amount_due = $2`;
    const first = await held(books, ({ tx }) => tx.query(open, [customerId, '100']));
    const second = books.work(({ tx }) => tx.query(open, [customerId, '50']));
    await first.waitedFor();
    await Promise.all([first.commit(), second]);
    t.deepEqual(await kept(books), [
      'USD outstanding 130.00 of 150.00, last 2027-01-15 50.00; unapplied 0.00 of 0.00, last none',
    ]);
  },
);

test.serial(
  'an invoice with an earlier day than the last one does not become the last',
  async (t) => {
    const books = await openPaymentBooks(db, { today: '2027-01-15' });
    const customerId = await books.customer({ ref: 'EARLIER' });
    await books.bill(customerId, '100');
    await books.work(({ tx }) =>
      tx.query(
        `insert into invoice select (jsonb_populate_record(i, jsonb_build_object('id', v.id,
         'invoice_number', v.number, 'invoice_date', v.day))).*
       from invoice i, (values (nextval('id_seq'), 'A', date '2027-01-14'),
         (nextval('id_seq'), 'B', date '2027-01-16'), (nextval('id_seq'), 'C', date '2027-01-13'))
         v(id, number, day)`,
      ),
    );
    t.deepEqual(await kept(books), [
      'USD outstanding 400.00 of 400.00, last 2027-01-16 100.00; unapplied 0.00 of 0.00, last none',
    ]);
    t.deepEqual(
      (await books.faults()).filter(({ check }) => check === 'balance.financials'),
      [],
    );
  },
);

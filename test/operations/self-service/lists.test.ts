/** The lists of an account: 50 a page, the newest first, and each page goes on where the last ended. */
import test from 'ava';
import { listAccountInvoices } from '../../../operations/self-service/invoices.ts';
import {
  listAccountPayments,
  PAID_INVOICES_MAX,
  readAccountPayment,
} from '../../../operations/self-service/payments.ts';
import { compare, sum } from '../../../domain/money/money.ts';
import { sharedDatabase } from '../support/books.ts';
import { cash, openPaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

test('121 invoices are three pages; of those of one day the later made one comes first', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const count = 121;
  await books.bill(customerId, '1');
  // Copies of the first one, two a day, as a moved in history has them: older ones are made later.
  await books.work(({ tx }) =>
    tx.query(
      `insert into invoice (tenant_id, id, customer_id, invoice_number, is_imported, status, invoice_date,
         due_date, currency, previous_balance, payments_and_adjustments, outstanding_balance,
         current_amount_due, total_due, created_at, updated_at)
       select tenant_id, nextval('id_seq'), customer_id, 'A' || n, true, status,
         date '2027-01-14' - n / 2, due_date, currency, 0, 0, 1, 1, 1, created_at, updated_at
       from invoice, generate_series(2, ${count}) n where customer_id = $1 order by n`,
      [customerId],
    ),
  );
  const dates: string[] = [];
  const ids = new Set<number>();
  let before: number | null = null;
  for (const expected of [50, 50, 21]) {
    const page = await books.read((tx) => listAccountInvoices(tx, customerId, before));
    t.is(page.rows.length, expected);
    for (const { id, invoiceDate } of page.rows) {
      ids.add(id);
      dates.push(invoiceDate);
    }
    before = page.next;
  }
  t.is(before, null);
  t.is(ids.size, count);
  t.deepEqual(dates, dates.toSorted().toReversed());
});

test('51 payments are two pages, and what each was used for sums to its amount', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '7.50');
  for (let paid = 0; paid < 51; paid += 1) {
    await books.paid({ customerId, amount: '5', method: cash });
  }
  const first = await books.read((tx) => listAccountPayments(tx, customerId, null));
  const second = await books.read((tx) => listAccountPayments(tx, customerId, first.next));
  t.is(first.rows.length, 50);
  t.is(second.rows.length, 1);
  t.is(second.next, null);
  const uses: string[] = [];
  for (const { id } of [...first.rows.slice(-1), ...second.rows]) {
    const payment = await books.read((tx) => readAccountPayment(tx, { customerId, id }));
    if (payment === undefined) return t.fail();
    const { invoices, furtherInvoices, surcharge, unapplied, goneBack, otherDebts } = payment;
    t.is(furtherInvoices, '0');
    const parts = [...invoices.map(({ amount }) => amount), surcharge, unapplied];
    t.is(compare(sum([...parts, goneBack, otherDebts]), payment.amount), 0);
    uses.push(...invoices.map(({ amount }) => Number(amount).toFixed(2)), unapplied);
  }
  t.deepEqual(uses, ['2.50', '2.5000', '5.00', '0.0000']);
  return undefined;
});

test('of a payment of 503 invoices 500 are named, and the others are one sum', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '1');
  const count = PAID_INVOICES_MAX + 3;
  await books.work(({ tx }) =>
    tx.query(
      `insert into invoice (tenant_id, id, customer_id, invoice_number, is_imported, status, invoice_date,
         due_date, currency, previous_balance, payments_and_adjustments, outstanding_balance,
         current_amount_due, total_due, created_at, updated_at)
       select tenant_id, nextval('id_seq'), customer_id, 'A' || n, true, status, invoice_date, due_date,
         currency, 0, 0, 1, 1, 1, created_at, updated_at
       from invoice, generate_series(2, ${count}) n where customer_id = $1 order by n`,
      [customerId],
    ),
  );
  await books.paid({ customerId, amount: String(count), method: cash });
  const { rows } = await books.read((tx) => listAccountPayments(tx, customerId, null));
  const payment = await books.read((tx) =>
    readAccountPayment(tx, { customerId, id: rows[0]?.id ?? 0 }),
  );
  t.is(payment?.invoices.length, 500);
  t.is(compare(payment?.furtherInvoices ?? '0', '3'), 0);
  t.is(compare(payment?.unapplied ?? '1', '0'), 0);
});

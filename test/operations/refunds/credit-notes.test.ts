/** Credit notes that refund what was paid, before and after the gateway's answer. */
import test, { type ExecutionContext } from 'ava';
import type { CreditNoteInput } from '../../../domain/invoices/credit-note.ts';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  cash,
  check,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  return { books, customerId: await books.customer() };
}

const noteOf = (books: PaymentBooks, input: CreditNoteInput = {}, refund = true) =>
  books.work((its) =>
    createCreditNote(its, { number: '1001' }, { reason: 'Line was down', ...input }, { refund }),
  );

const clean = async (t: ExecutionContext, books: PaymentBooks) =>
  t.deepEqual(await books.faults(), []);

/** `credit.created`, .. in the order in which they were raised. */
const eventsAfter = (books: PaymentBooks, id: number) =>
  books.read(async (tx) =>
    (
      await tx.query<{ type: string }>('select type from event where id > $1 order by id', [id])
    ).map(({ type }) => type),
  );

const lastEvent = (books: PaymentBooks) =>
  books.read(async (tx) => {
    const [row] = await tx.query<{ id: number }>('select coalesce(max(id), 0) as id from event');
    return row?.id ?? 0;
  });

test('a note of 40.00 closes the 23.44 that are open, and 16.56 go back by the way they came', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '73.44');
  await books.pay({ customerId, amount: '50' });
  const before = await lastEvent(books);
  await noteOf(books, { amount: '40.00' });
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 73.44', '1002 Paid 0.00 of -40.00']);
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 50.00 Cash back 16.56',
    '#2 Refund Paid -16.56',
    '#3 Credit Paid 40.00',
  ]);
  t.deepEqual(await books.applications(), [
    '#1 to 1001: 50.00 leaving 0.00',
    '#1 to 1001: -16.56 leaving 16.56',
    '#3 to 1001: 40.00 leaving 0.00',
  ]);
  t.deepEqual((await books.ledger()).at(-1), 'refund #2 16.56');
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await eventsAfter(books, before), [
    'invoice.created',
    'invoice.paid',
    'credit.created',
    'invoice.paid',
    'refund.success',
  ]);
  await clean(t, books);
});

test('the original stays Paid, without an event; what no payment paid stays unapplied', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.credit({ customerId, amount: '30' });
  await books.pay({ customerId, amount: '70' });
  const before = await lastEvent(books);
  await noteOf(books, { amount: '80.00' });
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00', '1002 Paid 0.00 of -80.00']);
  t.deepEqual((await books.payments()).slice(1), [
    '#2 Payment Refunded 70.00 Cash back 70.00',
    '#3 Refund Paid -70.00',
    '#4 Credit Paid 80.00 left 10.00',
  ]);
  t.deepEqual(await eventsAfter(books, before), [
    'invoice.created',
    'invoice.paid',
    'credit.created',
    'refund.success',
  ]);
  t.deepEqual(await books.balances(), ['-10.00 USD']);
  await clean(t, books);
});

test('money goes back from the newest payment first, each part by its way', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.pay({ customerId, amount: '30', method: check });
  await books.advance('2027-01-16');
  await books.paid({ customerId, amount: '50', method: card('tok_1') });
  await books.advance('2027-01-17');
  await books.paid({ customerId, amount: '20', method: card('tok_2') });
  await noteOf(books, { amount: '80.00' });
  await books.settle();
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 30.00 Check back 10.00',
    '#2 Payment Refunded 50.00 CreditCard back 50.00',
    '#3 Payment Voided 20.00 CreditCard back 20.00',
    '#4 Refund Paid -80.00',
    '#5 Credit Paid 80.00',
  ]);
  t.deepEqual(
    books.gateway.calls.filter((call) => /^(void|refund)/.test(call)),
    ['void back 20.00: approve', 'refund back 50.00: approve'],
  );
  await clean(t, books);
});

test('a note refunds only what is paid of its invoice', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.bill(customerId, '40', { dueDate: '2027-03-01' });
  await books.pay({ customerId, amount: '120' });
  // 100 of it are applied to 1001, 20 to 1002. 25 are refunded, of 1002 and then of 1001.
  await books.refund({ customerId, amount: '25', method: cash });
  t.deepEqual(await books.open(), [
    '1001 Outstanding 5.00 of 100.00',
    '1002 Outstanding 40.00 of 40.00',
  ]);
  await noteOf(books);
  t.deepEqual(await books.open(), [
    '1001 Paid 0.00 of 100.00',
    '1002 Outstanding 40.00 of 40.00',
    '1003 Paid 0.00 of -100.00',
  ]);
  t.deepEqual((await books.payments()).slice(0, 3), [
    '#1 Payment Refunded 120.00 Cash back 120.00',
    '#2 Refund Paid -25.00 Cash',
    '#3 Refund Paid -95.00',
  ]);
  await clean(t, books);
});

test('until the gateway has answered the money is applied to nothing; declined, it is unapplied', async (t) => {
  for (const [act, open, left] of [
    ['approve', '1003 Outstanding 25.00 of 25.00', '#1 Payment Voided 60.00 CreditCard back 60.00'],
    ['decline', '1003 Paid 0.00 of 25.00', '#1 Payment Paid 60.00 CreditCard left 35.00'],
  ] as const) {
    const { books, customerId } = await opened();
    await books.bill(customerId, '60');
    await books.paid({ customerId, amount: '60', method: card('tok_1') });
    await noteOf(books);
    t.deepEqual(await books.open(), ['1001 Paid 0.00 of 60.00', '1002 Paid 0.00 of -60.00']);
    t.deepEqual((await books.payments()).slice(0, 2), [
      '#1 Payment Paid 60.00 CreditCard left 60.00 back 60.00',
      '#2 Refund Pending Waiting -60.00',
    ]);
    await books.bill(customerId, '25');
    t.is((await books.open()).at(-1), '1003 Outstanding 25.00 of 25.00');
    await refused(t, books.refund({ customerId, amount: '1' }), 'payment.refundTooHigh');
    await clean(t, books);
    books.gateway.onReturn(act);
    await books.settle();
    t.is((await books.open()).at(-1), open);
    t.is((await books.payments())[0], left);
    t.is((await books.open())[0], '1001 Paid 0.00 of 60.00');
    await clean(t, books);
  }
});

test('of a refund that is declined in part, the rest is unapplied', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '60');
  await books.paid({ customerId, amount: '20', method: card('tok_1') });
  await books.paid({ customerId, amount: '40', method: card('tok_2') });
  await noteOf(books, { amount: '50.00' });
  books.gateway.onReturn('approve', 'decline');
  await books.settle();
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 20.00 CreditCard left 10.00',
    '#2 Payment Voided 40.00 CreditCard back 40.00',
    '#3 Refund Paid -40.00',
    '#4 Credit Paid 50.00',
  ]);
  t.deepEqual((await books.open())[0], '1001 Paid 0.00 of 60.00');
  await clean(t, books);
});

test('a charge that is settled while its refund waits is refunded, not voided', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '60');
  await books.paid({ customerId, amount: '60', method: card('tok_1') });
  await noteOf(books);
  await books.advance('2027-01-16');
  await books.settle();
  t.is(books.gateway.calls.at(-1), 'refund back 60.00: approve');
  t.is((await books.payments())[0], '#1 Payment Refunded 60.00 CreditCard back 60.00');
  await clean(t, books);
});

test('the note names its refund; one that refunds nothing names none', async (t) => {
  const { books, customerId } = await opened();
  const named = () =>
    books.read(async (tx) =>
      (
        await tx.query<{ text: string }>(
          `select i.invoice_number || coalesce(' ' || round(p.amount, 2), '') as text
           from invoice i left join payment p on p.id = i.refund_id
           where i.credit_note_of is not null order by i.id`,
        )
      ).map(({ text }) => text),
    );
  await books.bill(customerId, '60');
  await noteOf(books, { amount: '10.00' });
  await books.pay({ customerId, amount: '50' });
  await noteOf(books, { amount: '20.00' });
  t.deepEqual(await named(), ['1002', '1003 -20.00']);
  await clean(t, books);
});

test('of two notes at once that refund all, one is refused, and of note and refund at once the later', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '60');
  await books.pay({ customerId, amount: '60' });
  const notes = await Promise.allSettled([noteOf(books), noteOf(books)]);
  t.is(notes.filter(({ status }) => status === 'fulfilled').length, 1);
  await clean(t, books);
  const other = await opened();
  await other.books.bill(other.customerId, '60');
  await other.books.pay({ customerId: other.customerId, amount: '60' });
  const [note, refund] = await Promise.allSettled([
    noteOf(other.books),
    other.books.refund({ customerId: other.customerId, amount: '60', method: cash }),
  ]);
  // A note after the refund finds nothing to refund, and closes what is open again.
  t.is(note.status, 'fulfilled');
  const [paid] = await other.books.payments();
  t.is(paid, '#1 Payment Refunded 60.00 Cash back 60.00');
  t.deepEqual((await other.books.open())[0], '1001 Paid 0.00 of 60.00');
  t.true(refund.status === 'rejected' || refund.status === 'fulfilled');
  await clean(t, other.books);
});

test('note and payment at once: the payment is applied to what is then open, and goes back if it came first', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '60');
  const ends = await Promise.allSettled([
    noteOf(books, { amount: '40.00' }),
    books.create({ customerId, amount: '60' }),
  ]);
  t.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );
  t.is((await books.open())[0], '1001 Paid 0.00 of 60.00');
  // Either 40 went back, or 40 of the payment are unapplied.
  t.true(['-40.00 USD', undefined].includes((await books.balances())[0]));
  await clean(t, books);
});

test('of a note and the cancellation of its invoice at once, one is refused', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '60');
  await books.pay({ customerId, amount: '20' });
  const ends = await Promise.allSettled([noteOf(books), books.cancelInvoice(1001)]);
  t.is(ends.filter(({ status }) => status === 'fulfilled').length, 1);
  await clean(t, books);
});

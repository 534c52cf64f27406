/** Refunds of invoices: only money applied to them goes back, and credit notes may take its place. */
import test, { type ExecutionContext } from 'ava';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  cash,
  check,
  openPaymentBooks,
  type PaymentBooks,
  type PaymentSent,
} from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

interface Shop {
  readonly books: PaymentBooks;
  readonly customerId: number;
  /** Refunds of the invoices with these ids. */
  readonly refund: (
    amount: string,
    invoiceIds: readonly number[],
    more?: Partial<PaymentSent>,
  ) => Promise<number>;
}

async function opened(): Promise<Shop> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  return {
    books,
    customerId,
    refund: (amount, invoiceIds, more = {}) =>
      books.refund({ customerId, amount, invoiceIds, ...more }),
  };
}

const byNote = { creditNote: true, invoiceText: 'Line was down' } as const;
const note = (books: PaymentBooks, amount: string | null, number = '1001') =>
  books.work((its) =>
    createCreditNote(its, { number }, { reason: 'Courtesy', amount }, { refund: false }),
  );
const clean = async (t: ExecutionContext, books: PaymentBooks) =>
  t.deepEqual(await books.faults(), []);

test('20.00 of a paid invoice go back, and 20.00 are open', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '73.44');
  await books.pay({ customerId, amount: '73.44' });
  await refund('20', [id]);
  t.deepEqual(await books.open(), ['1001 Outstanding 20.00 of 73.44']);
  t.deepEqual((await books.applications()).at(-1), '#1 to 1001: -20.00 leaving 20.00');
  t.deepEqual(await books.balances(), ['20.00 USD']);
  await clean(t, books);
});

test('with creditNote it gets a note of -20.00 instead, with the text of the refund', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '73.44');
  await books.pay({ customerId, amount: '73.44' });
  await refund('20', [id], byNote);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 73.44', '1002 Paid 0.00 of -20.00']);
  t.deepEqual(await books.applications(), [
    '#1 to 1001: 73.44 leaving 0.00',
    '#1 to 1001: -20.00 leaving 20.00',
    '#3 to 1001: 20.00 leaving 0.00',
  ]);
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 73.44 Cash back 20.00',
    '#2 Refund Paid -20.00',
    '#3 Credit Paid 20.00',
  ]);
  const [row] = await books.read((tx) =>
    tx.query<{ notes: string; isOf: boolean }>(
      `select i.notes, i.credit_note_of = $1 and i.refund_id = p.id as is_of
       from invoice i, payment p where i.number_value = 1002 and p.payment_type = 'Refund'`,
      [id],
    ),
  );
  t.deepEqual(row, { notes: 'Line was down', isOf: true });
  t.deepEqual(await books.balances(), []);
  await clean(t, books);
});

test('only what is applied to the invoices goes back, unapplied money and others stay', async (t) => {
  const { books, customerId, refund } = await opened();
  const first = await books.bill(customerId, '30');
  await books.bill(customerId, '40', { dueDate: '2027-03-01' });
  await books.pay({ customerId, amount: '90' });
  await refused(t, refund('30.01', [first]), 'payment.refundTooHigh', 'processPayment/amount');
  await refund('30', [first]);
  t.deepEqual(await books.open(), ['1001 Outstanding 10.00 of 30.00', '1002 Paid 0.00 of 40.00']);
  // The 20 that were unapplied pay of what is open again.
  t.deepEqual((await books.applications()).slice(2), [
    '#1 to 1001: -30.00 leaving 50.00',
    '#1 to 1001: 20.00 leaving 0.00',
  ]);
});

test('the newest payment comes first, and of it the newest application', async (t) => {
  const { books, customerId, refund } = await opened();
  const first = await books.bill(customerId, '30', { dueDate: '2027-01-20' });
  const second = await books.bill(customerId, '40', { dueDate: '2027-01-25' });
  const third = await books.bill(customerId, '50', { dueDate: '2027-01-30' });
  await books.pay({ customerId, amount: '20' });
  await books.advance('2027-01-16');
  await books.pay({ customerId, amount: '100', method: check });
  // The check paid 10 of the first, all of the second and of the third.
  await refund('45', [first, second], byNote);
  t.deepEqual(await books.open(), [
    '1001 Paid 0.00 of 30.00',
    '1002 Paid 0.00 of 40.00',
    '1003 Paid 0.00 of 50.00',
    '1004 Paid 0.00 of -5.00',
    '1005 Paid 0.00 of -40.00',
  ]);
  await refused(
    t,
    refund('26', [first], { method: check }),
    'payment.refundTooHigh',
    'processPayment/amount',
  );
  await refund('10', [third, first]);
  t.is((await books.open())[2], '1003 Outstanding 10.00 of 50.00');
  await clean(t, books);
});

test('of the method that it names, as of any refund', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '60');
  await books.paid({ customerId, amount: '20', method: card('tok_1') });
  await books.pay({ customerId, amount: '40' });
  const sent = { method: card('tok_1') };
  await refused(t, refund('20.01', [id], sent), 'payment.refundTooHigh');
  await refund('20', [id], sent);
  await books.settle();
  t.is((await books.payments())[0], '#1 Payment Voided 20.00 CreditCard back 20.00');
  t.deepEqual(await books.open(), ['1001 Outstanding 20.00 of 60.00']);
  await clean(t, books);
});

test('until the gateway has answered nothing is open again; declined, it stays so', async (t) => {
  for (const [act, more, open] of [
    ['approve', {}, ['1001 Outstanding 25.00 of 60.00']],
    ['decline', {}, ['1001 Paid 0.00 of 60.00']],
    ['approve', byNote, ['1001 Paid 0.00 of 60.00', '1002 Paid 0.00 of -25.00']],
    ['decline', byNote, ['1001 Paid 0.00 of 60.00']],
  ] as const) {
    const { books, customerId, refund } = await opened();
    const id = await books.bill(customerId, '60');
    await books.paid({ customerId, amount: '60', method: card('tok_1') });
    await refund('25', [id], more);
    t.deepEqual(await books.open(), ['1001 Paid 0.00 of 60.00']);
    // Reserved money is not refunded again.
    await refused(t, refund('35.01', [id]), 'payment.refundTooHigh');
    await clean(t, books);
    books.gateway.onReturn(act);
    await books.settle();
    t.deepEqual(await books.open(), [...open], act);
    await clean(t, books);
  }
});

test('other notes see what a refund with notes has reserved as gone, and the invoice is not cancelled', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '100');
  await books.paid({ customerId, amount: '60', method: card('tok_1') });
  await refund('25', [id], byNote);
  await refused(t, note(books, '75.01'), 'creditNote.tooHigh', 'creditNote/amount');
  await refused(t, books.cancelInvoice(1001), 'invoice.credited');
  // All that stands for others: 75 close the 40 that are open.
  await note(books, null);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00', '1002 Paid 0.00 of -75.00']);
  await refused(t, note(books, null), 'creditNote.nothingLeft');
  await clean(t, books);
  await books.settle();
  t.deepEqual(await books.open(), [
    '1001 Paid 0.00 of 100.00',
    '1002 Paid 0.00 of -75.00',
    '1003 Paid 0.00 of -25.00',
  ]);
  t.deepEqual(await books.balances(), ['-35.00 USD']);
  await clean(t, books);
});

test('what was reserved stands again if the gateway declines', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '60');
  await books.paid({ customerId, amount: '60', method: card('tok_1') });
  await refund('60', [id], byNote);
  await refused(t, note(books, '0.01'), 'creditNote.nothingLeft');
  await refused(t, refund('1', [id], byNote), 'payment.refundTooHigh');
  books.gateway.onReturn('decline');
  await books.settle();
  await note(books, '60');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 60.00', '1002 Paid 0.00 of -60.00']);
  await clean(t, books);
});

test('each invoice gets a note of what went back of it, also if a later call is declined', async (t) => {
  const { books, customerId, refund } = await opened();
  const first = await books.bill(customerId, '30', { dueDate: '2027-01-20' });
  const second = await books.bill(customerId, '40', { dueDate: '2027-01-25' });
  await books.paid({ customerId, amount: '20', method: card('tok_1') });
  await books.paid({ customerId, amount: '50', method: card('tok_2') });
  await refund('65', [first, second], byNote);
  books.gateway.onReturn('approve', 'decline');
  await books.settle();
  t.deepEqual(await books.open(), [
    '1001 Paid 0.00 of 30.00',
    '1002 Paid 0.00 of 40.00',
    '1003 Paid 0.00 of -10.00',
    '1004 Paid 0.00 of -40.00',
  ]);
  t.is((await books.payments())[2], '#3 Refund Paid -50.00');
  await clean(t, books);
});

test('an Outstanding invoice keeps what is open of it', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '100');
  await books.pay({ customerId, amount: '60' });
  await refund('25', [id], byNote);
  t.deepEqual(await books.open(), ['1001 Outstanding 40.00 of 100.00', '1002 Paid 0.00 of -25.00']);
  await refund('10', [id]);
  t.is((await books.open())[0], '1001 Outstanding 50.00 of 100.00');
  await clean(t, books);
});

test('more than stands of an invoice is refused, and what cannot be credited', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '100');
  await books.pay({ customerId, amount: '100' });
  await note(books, '80');
  // The note leaves 80 unapplied, and 100 of the payment stay on the invoice, of which 20 stand.
  await refused(t, refund('20.01', [id], byNote), 'creditNote.tooHigh', 'processPayment/amount');
  await refund('20', [id], byNote);
  await refused(t, refund('1', [id], byNote), 'creditNote.nothingLeft', 'processPayment/amount');
  await refund('1', [id]);
  const zero = await books.bill(customerId, '0');
  await refused(t, refund('1', [id, zero], byNote), 'invoice.notCreditable');
  await clean(t, books);
});

test('the input is refused with the place of the mistake', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '60');
  const gone = await books.bill(customerId, '5', { dueDate: '2027-03-01' });
  await books.pay({ customerId, amount: '60' });
  await books.cancelInvoice(1002);
  const at = 'processPayment/invoices/invoice[1]/@id';
  await refused(t, refund('1', [gone]), 'payment.invoice', at);
  const other = await books.customer();
  const others = await books.bill(other, '5');
  await refused(t, refund('1', [others]), 'payment.invoice', at);
  await refused(t, refund('1', [id, id]), 'payment.invoice', at.replace('[1]', '[2]'));
  await refused(t, refund('1', [id], { currencyCode: 'EUR' }), 'payment.currency', at);
  await refused(t, refund('1', [], byNote), 'field.required', 'processPayment/invoices');
  const silent = { creditNote: true, invoiceText: ' ' };
  await refused(t, refund('1', [id], silent), 'field.required', 'processPayment/invoiceText');
  for (const type of ['Payment', 'Credit'] as const) {
    const sent = { type, customerId, amount: '1', ...byNote, method: cash };
    await refused(t, books.pay(sent), 'field.invalid', 'processPayment/creditNote');
  }
  await clean(t, books);
});

test('another refund under way does not take what is reserved of the invoices', async (t) => {
  const { books, customerId, refund } = await opened();
  await books.bill(customerId, '50', { dueDate: '2027-01-20' });
  const second = await books.bill(customerId, '50', { dueDate: '2027-01-25' });
  await books.paid({ customerId, amount: '100', method: card('tok_1') });
  await refund('50', [second]);
  await books.refund({ customerId, amount: '50', method: cash });
  // The one in cash had to leave the newest application to the other.
  t.deepEqual(await books.open(), ['1001 Outstanding 50.00 of 50.00', '1002 Paid 0.00 of 50.00']);
  await clean(t, books);
  await books.settle();
  t.deepEqual(await books.open(), [
    '1001 Outstanding 50.00 of 50.00',
    '1002 Outstanding 50.00 of 50.00',
  ]);
  await clean(t, books);
});

test('an invoice that is cancelled while its refund is under way leaves it the money', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '50');
  await books.paid({ customerId, amount: '30', method: card('tok_1') });
  await refund('20', [id]);
  await books.cancelInvoice(1001);
  await books.bill(customerId, '50');
  t.deepEqual((await books.open())[1], '1002 Outstanding 40.00 of 50.00');
  await clean(t, books);
  await books.settle();
  t.is((await books.payments())[0], '#1 Payment Paid 30.00 CreditCard back 20.00');
  await clean(t, books);
});

test('unapplied money of the payment pays others while its applied money is refunded', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '30');
  await books.paid({ customerId, amount: '50', method: card('tok_1') });
  await refund('30', [id]);
  await books.bill(customerId, '25');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00', '1002 Outstanding 5.00 of 25.00']);
  await clean(t, books);
  await books.settle();
  t.deepEqual((await books.open())[0], '1001 Outstanding 30.00 of 30.00');
  await clean(t, books);
});

test('of a refund of the invoice and a note at once, what stands goes back once', async (t) => {
  const { books, customerId, refund } = await opened();
  const id = await books.bill(customerId, '60');
  await books.pay({ customerId, amount: '60' });
  const ends = await Promise.allSettled([refund('60', [id], byNote), note(books, '60')]);
  t.is(ends.filter(({ status }) => status === 'fulfilled').length, 1);
  t.is((await books.open()).length, 2);
  await clean(t, books);
});

/** A payment whose invoices are paid or cancelled before its turn charges nobody. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  cash,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

interface Opened {
  readonly books: PaymentBooks;
  readonly customerId: number;
  /** Of 100, number 1001. */
  readonly invoiceId: number;
}

async function opened(options: Readonly<Record<string, unknown>> = {}): Promise<Opened> {
  const books = await openPaymentBooks(db, { today: '2027-01-15', ...options });
  const customerId = await books.customer();
  const invoiceId = await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  return { books, customerId, invoiceId };
}

test('of two simultaneous payments of one invoice the second is canceled without a charge', async (t) => {
  const { books, customerId, invoiceId } = await opened();
  const named = { customerId, amount: '100', invoiceIds: [invoiceId] };
  const first = await books.pay({ ...named, method: card('tok_a') });
  const second = await books.pay({ ...named, method: card('tok_b') });
  const held = books.gateway.hold('tok_a');
  const carried = books.carry(first);
  await held.arrived;
  t.like(await books.carry(second), { done: false, phase: 'Waiting' });
  held.release();
  await carried;
  t.like(await books.carry(second), {
    done: true,
    status: 'Canceled',
    did: 'was canceled: the invoices that it names have nothing open',
  });
  t.deepEqual(books.gateway.calls, ['charge tok_a 100.00: approve']);
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 100.00 CreditCard',
    '#2 Payment Canceled 100.00 CreditCard',
  ]);
  t.like(await books.carry(second), { done: true, status: 'Canceled' });
  t.deepEqual(await books.faults(), []);
});

test('autopay and a payment of the same invoice charge once, whichever comes first', async (t) => {
  for (const isAutopayFirst of [true, false]) {
    const books = await openPaymentBooks(db, {
      today: '2027-01-15',
      file: { settings: { autopayOn: 'dueDate' } },
    });
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: 'tok_filed' });
    const more = { isAutoPay: true, dueDate: '2027-01-16' };
    const invoiceId = await books.bill(customerId, '100', more);
    await books.advance('2027-01-16');
    const pay = () =>
      books.pay({ customerId, amount: '100', invoiceIds: [invoiceId], method: card('tok_sent') });
    await (isAutopayFirst ? books.claim() : pay());
    await (isAutopayFirst ? pay() : books.claim());
    await books.settle();
    const token = isAutopayFirst ? 'tok_filed' : 'tok_sent';
    t.deepEqual(books.gateway.calls, [`charge ${token} 100.00: approve`]);
    t.deepEqual(
      (await books.payments()).map((text) => text.split(' ')[2]),
      ['Paid', 'Canceled'],
    );
    t.deepEqual(await books.faults(), []);
  }
});

test('cash that arrives while a payment waits cancels it; if less is open it is charged as asked', async (t) => {
  for (const [paid, status] of [
    ['100', 'Canceled'],
    ['60', 'Paid'],
  ] as const) {
    const { books, customerId, invoiceId } = await opened();
    const named = { customerId, amount: '100', invoiceIds: [invoiceId] };
    const cascade = await books.pay({ ...named, method: card('tok') });
    await books.pay({ ...named, amount: paid, method: cash });
    t.like(await books.carry(cascade), { done: true, status });
    t.is(books.gateway.calls.length, status === 'Paid' ? 1 : 0);
    const [own] = await books.payments();
    t.is(own, `#1 Payment ${status} 100.00 CreditCard${status === 'Paid' ? ' left 60.00' : ''}`);
    t.deepEqual(await books.faults(), []);
  }
});

test('the open amount counts the named invoices that are open; a cancelled one is not', async (t) => {
  const { books, customerId, invoiceId } = await opened();
  const other = await books.bill(customerId, '30', { dueDate: '2027-01-21' });
  const pay = () =>
    books.pay({ customerId, amount: '50', invoiceIds: [invoiceId, other], method: card('tok') });
  const [first, second] = [await pay(), await pay()];
  await books.cancelInvoice(1001);
  t.like(await books.carry(first), { status: 'Paid' });
  t.like(await books.carry(second), { status: 'Canceled' });
  t.deepEqual(books.gateway.calls, ['charge tok 50.00: approve']);
  t.deepEqual(await books.applications(), ['#1 to 1002: 30.00 leaving 20.00']);
  t.deepEqual(await books.faults(), []);
});

test('a payment that names no invoice is charged, whatever is open', async (t) => {
  const { books, customerId } = await opened();
  const cascade = await books.pay({ customerId, amount: '10', method: card('tok') });
  await books.pay({ customerId, amount: '100', method: cash });
  t.like(await books.carry(cascade), { status: 'Paid' });
  t.deepEqual(await books.faults(), []);
});

test('if the invoice is paid between two attempts of a cascade, the next method is not charged', async (t) => {
  const { books, customerId, invoiceId } = await opened();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.file(customerId, 2, { token: 'tok_2' });
  books.gateway.onCharge('tok_1', 'decline');
  const named = { customerId, amount: '100', invoiceIds: [invoiceId] };
  const cascade = await books.pay({ ...named, method: onFile(1) });
  const held = books.gateway.hold('tok_1');
  const carried = books.carry(cascade);
  await held.arrived;
  await books.pay({ ...named, method: cash });
  held.release();
  t.like(await carried, { done: true, status: 'Canceled' });
  t.deepEqual(books.gateway.calls, ['charge tok_1 100.00: decline']);
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 100.00 CreditCard by 1',
    '#2 Payment Paid 100.00 Cash',
    '#3 Payment Canceled 100.00 CreditCard by 2',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a canceled payment leaves its invoices in another currency to autopay', async (t) => {
  const euro = { unitsFrom: 0, price: 9, currency: 'EUR' };
  const tiers = { pricingType: 'TieredPricing', price: undefined, tiers: [euro] };
  const plans = [recurring('E', 9, { ...prepaid, ...tiers })];
  const { books, customerId, invoiceId } = await opened({ plans });
  await books.file(customerId, 1, { token: 'tok_filed' });
  await books.order({ customerId, contractCode: 'E', currency: 'EUR', isAutoPay: true });
  const named = { customerId, amount: '100', invoiceIds: [invoiceId] };
  const cascade = await books.pay({ ...named, generateInvoice: true, method: card('tok_sent') });
  await books.pay({ ...named, method: cash });
  t.like(await books.carry(cascade), { status: 'Canceled' });
  await books.settle();
  t.deepEqual(books.gateway.calls, ['charge tok_filed 9.00: approve']);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00', '1002 Paid 0.00 of 9.00']);
  t.deepEqual(await books.faults(), []);
});

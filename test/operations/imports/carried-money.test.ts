/** Money around what was carried over: taken back, under way, applied to nothing. */

import test from 'ava';
import type { Withdrawal } from '../../../providers/gateway/gateway.ts';
import { sharedDatabase } from '../support/books.ts';
import { openCollectionBooks, type CollectionBooks } from '../support/collection-books.ts';
import { card } from '../support/payment-books.ts';
import {
  batchInit,
  beginInit,
  carriedOf,
  everything,
  finishInit,
  zeroedOf,
} from '../support/batch-init.ts';

const db = await sharedDatabase();
const zeroing = { ...everything, zeroOutCustomerBalance: true };

async function opened(): Promise<{ readonly books: CollectionBooks; readonly a: number }> {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  return { books, a: await books.customer() };
}

const idOf = async (books: CollectionBooks, number: number): Promise<number> => {
  const [row] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from invoice where invoice_number = $1', [number]),
  );
  return row?.id ?? 0;
};

/** The gateway withdraws a part of the payment, about which its workflow asks. */
async function withdraw(books: CollectionBooks, paymentId: number, amount: string): Promise<void> {
  const [row] = await books.work(({ tx }) =>
    tx.query<{ charge: string }>(
      `update payment set gateway_news_on = $2 where id = $1 returning transaction_id as charge`,
      [paymentId, books.today()],
    ),
  );
  const withdrawal: Withdrawal = {
    kind: 'dispute',
    ref: `du_${amount}`,
    amount,
    currency: 'USD',
    reason: 'fraudulent',
    isHardDecline: false,
    isReinstated: false,
  };
  books.gateway.withdraws(row?.charge ?? '', [withdrawal]);
  await books.carry(paymentId);
}

/** The scripted gateway has no log of its withdrawals. */
const faultsOf = async (books: CollectionBooks) =>
  (await books.faults()).filter(({ check }) => !check.startsWith('sandbox.'));

test('a refund of what had paid a carried-over invoice adds to what is kept of it', async (t) => {
  const { books, a } = await opened();
  await books.bill(a, '30');
  await books.paid({ customerId: a, amount: '30' });
  await batchInit(books, everything);
  t.deepEqual(await carriedOf(books), ['1001 0.00 was Paid']);
  await books.refunded({ customerId: a, amount: '10' });
  t.deepEqual(await books.open(), ['1001 CarriedOver 0.00 of 30.00']);
  t.deepEqual(await carriedOf(books), ['1001 10.00 was Paid']);
  t.deepEqual(await books.balances(), ['10.00 USD']);
  t.deepEqual(await books.applications(), [
    '#1 to 1001: 30.00 leaving 0.00',
    '#1 to 1001: -10.00 leaving 10.00',
  ]);
  await books.unpay(await paymentOf(books, 1));
  t.deepEqual(await carriedOf(books), ['1001 30.00 was Paid']);
  t.deepEqual(await books.balances(), ['30.00 USD']);
  // New money does not reach it.
  await books.paid({ customerId: a, amount: '25' });
  t.deepEqual(await carriedOf(books), ['1001 30.00 was Paid']);
  t.deepEqual(await books.faults(), []);
});

const paymentOf = async (books: CollectionBooks, place: number): Promise<number> => {
  const rows = await books.read((tx) =>
    tx.query<{ id: number }>('select id from payment order by id'),
  );
  return rows[place - 1]?.id ?? 0;
};

test('a partly paid invoice keeps what was open, and grows when the payment is withdrawn', async (t) => {
  const { books, a } = await opened();
  await books.bill(a, '80');
  const id = await books.paid({ customerId: a, amount: '50', method: card('tok_a') });
  await batchInit(books, zeroing);
  t.deepEqual(await carriedOf(books), ['1001 30.00 was Outstanding']);
  t.deepEqual(await zeroedOf(books), ['zeroOut -30.00 USD']);
  await withdraw(books, id, '20');
  t.deepEqual(await carriedOf(books), ['1001 50.00 was Outstanding']);
  t.deepEqual(await books.balances(), ['20.00 USD']);
  await withdraw(books, id, '30');
  t.deepEqual(await carriedOf(books), ['1001 80.00 was Outstanding']);
  t.deepEqual(await books.payments(), ['#1 Payment Canceled 50.00 CreditCard']);
  t.deepEqual(await faultsOf(books), []);
});

test('of a payment that was closed, what is applied is refundable, and all can be withdrawn', async (t) => {
  const { books, a } = await opened();
  await books.bill(a, '88');
  const id = await books.paid({ customerId: a, amount: '100', method: card('tok_a') });
  await batchInit(books, zeroing);
  t.deepEqual(await carriedOf(books), ['#1 closed 12.00', '1001 0.00 was Paid']);
  t.deepEqual(await zeroedOf(books), ['zeroOut 12.00 USD']);
  const tooHigh = { code: 'payment.refundTooHigh' };
  await t.throwsAsync(books.refund({ customerId: a, amount: '88.01' }), tooHigh);
  await books.refunded({ customerId: a, amount: '50' });
  t.deepEqual(await carriedOf(books), ['#1 closed 12.00', '1001 50.00 was Paid']);
  await t.throwsAsync(books.refund({ customerId: a, amount: '38.01' }), tooHigh);
  t.deepEqual(await books.faults(), []);
  // The gateway takes back all that is left, also what was closed.
  await withdraw(books, id, '50');
  t.deepEqual(await carriedOf(books), ['#1 closed 0.00', '1001 88.00 was Paid']);
  t.deepEqual(await books.balances(), ['100.00 USD']);
  t.deepEqual(await faultsOf(books), []);
});

test('a check that bounces takes what was closed of it back as well', async (t) => {
  const { books, a } = await opened();
  const id = await books.paid({ customerId: a, amount: '12' });
  await batchInit(books, zeroing);
  await books.unpay(id);
  t.deepEqual(await carriedOf(books), ['#1 closed 0.00']);
  t.deepEqual(await books.balances(), ['12.00 USD']);
  t.deepEqual(await books.payments(), ['#1 Payment Canceled 12.00 Cash']);
  t.deepEqual(await books.faults(), []);
});

for (const [outcome, act, after] of [
  [
    'approved',
    'Approved',
    { balances: [], payments: '#1 Payment Refunded 12.00 CreditCard back 12.00' },
  ],
  [
    'declined',
    'Declined',
    { balances: ['-12.00 USD'], payments: '#1 Payment Paid 12.00 CreditCard left 12.00' },
  ],
] as const) {
  test(`zeroing leaves money that a refund has reserved, which is then ${outcome}`, async (t) => {
    const { books, a } = await opened();
    await books.bill(a, '30');
    await books.paid({ customerId: a, amount: '42', method: card('tok_a') });
    books.gateway.onReturn('process');
    const refund = await books.refund({ customerId: a, amount: '12' });
    await books.carry(refund);
    await batchInit(books, zeroing);
    t.deepEqual(await zeroedOf(books), []);
    t.deepEqual(await books.balances(), ['-12.00 USD']);
    t.deepEqual(await books.faults(), []);
    await books.gateway.finish(act);
    await books.settle();
    t.deepEqual(await books.balances(), after.balances);
    t.deepEqual(await carriedOf(books), ['1001 0.00 was Paid']);
    t.deepEqual(await books.faults(), []);
    await books.bill(a, '12');
    const left = outcome === 'approved' ? 'Outstanding 12.00' : 'Paid 0.00';
    t.is((await books.open()).at(-1), `1002 ${left} of 12.00`);
    t.deepEqual(await books.faults(), []);
  });
}

test('a refund that waits for its turn finds nothing left once the money was closed', async (t) => {
  const { books, a } = await opened();
  await books.paid({ customerId: a, amount: '12', method: card('tok_a') });
  const refund = await books.refund({ customerId: a, amount: '12' });
  await batchInit(books, zeroing);
  await books.carry(refund);
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 12.00 CreditCard',
    '#2 Refund Declined -12.00',
  ]);
  t.deepEqual(await carriedOf(books), ['#1 closed 12.00']);
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.faults(), []);
});

test('a payment that is at its gateway meanwhile stays unapplied; one that waits is canceled', async (t) => {
  const { books, a } = await opened();
  const b = await books.customer();
  const dueDate = '2027-01-20';
  const [one, two] = [
    await books.bill(a, '30', { dueDate }),
    await books.bill(b, '40', { dueDate }),
  ];
  books.gateway.onCharge('tok_a', 'process');
  const charged = await books.pay({
    customerId: a,
    amount: '30',
    method: card('tok_a'),
    invoiceIds: [one],
  });
  await books.carry(charged);
  const waiting = await books.pay({
    customerId: b,
    amount: '40',
    method: card('tok_b'),
    invoiceIds: [two],
  });
  await batchInit(books, zeroing);
  t.deepEqual(await books.faults(), []);
  await books.gateway.finish('Approved');
  await books.settle();
  await books.carry(waiting);
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 30.00 CreditCard left 30.00',
    '#2 Payment Canceled 40.00 CreditCard',
  ]);
  t.deepEqual(await carriedOf(books), ['1001 30.00 was Outstanding', '1002 40.00 was Outstanding']);
  t.deepEqual(await books.balances(), ['-30.00 USD']);
  t.deepEqual(await books.faults(), []);
  // It meets the next invoice.
  await books.bill(a, '50');
  t.is((await books.open()).at(-1), '1003 Outstanding 20.00 of 50.00');
  t.deepEqual(await books.faults(), []);
});

test('it is payable by no name, and cannot be cancelled', async (t) => {
  const { books, a } = await opened();
  await books.bill(a, '30');
  await batchInit(books, everything);
  const invoiceIds = [await idOf(books, 1001)];
  await t.throwsAsync(books.pay({ customerId: a, amount: '30', invoiceIds }), {
    code: 'payment.invoice',
    message: /is CarriedOver, not Outstanding/,
  });
  await t.throwsAsync(books.cancelInvoice(1001), { code: 'invoice.notCancellable' });
  await books.paid({ customerId: a, amount: '30' });
  t.deepEqual(await books.payments(), ['#1 Payment Paid 30.00 Cash left 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('credits and debits that were carried over are applied to nothing', async (t) => {
  const { books, a } = await opened();
  const b = await books.customer();
  await books.credit({ customerId: a, amount: '20' });
  await books.credit({ customerId: b, amount: '-20' });
  await batchInit(books, everything);
  await books.bill(a, '20');
  await books.paid({ customerId: b, amount: '20' });
  t.deepEqual(await books.open(), ['1001 Outstanding 20.00 of 20.00']);
  t.deepEqual(await books.payments(), [
    '#1 Credit CarriedOver 20.00',
    '#2 Credit CarriedOver -20.00',
    '#3 Payment Paid 20.00 Cash left 20.00',
  ]);
  t.deepEqual(await carriedOf(books), ['#1 20.00 was Paid', '#2 -20.00 was Paid']);
  t.deepEqual(await books.faults(), []);
});

test('what a carried-over credit had paid is kept with it, and is not money again', async (t) => {
  const { books, a } = await opened();
  await books.bill(a, '10');
  const id = await books.paid({ customerId: a, amount: '6' });
  await books.credit({ customerId: a, amount: '7' });
  await batchInit(books, { carryForwardCreditMemos: true });
  t.deepEqual(await carriedOf(books), ['#2 3.00 was Paid']);
  await books.unpay(id);
  t.deepEqual(await books.open(), ['1001 Outstanding 6.00 of 10.00']);
  await books.cancelInvoice(1001);
  t.deepEqual(await carriedOf(books), ['#2 7.00 was Paid']);
  t.deepEqual(await books.payments(), [
    '#1 Payment Canceled 6.00 Cash',
    '#2 Credit CarriedOver 7.00',
  ]);
  t.deepEqual(await books.balances(), ['-7.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a debit whose money is taken back after it was carried over grows', async (t) => {
  const { books, a } = await opened();
  await books.credit({ customerId: a, amount: '-20' });
  const id = await books.paid({ customerId: a, amount: '5' });
  await batchInit(books, zeroing);
  t.deepEqual(await carriedOf(books), ['#1 -15.00 was Paid']);
  await books.unpay(id);
  t.deepEqual(await carriedOf(books), ['#1 -20.00 was Paid']);
  t.deepEqual(await books.balances(), ['5.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('autopay and retries end', async (t) => {
  const file = { settings: { autopayOn: 'dueDate' } };
  const books = await openCollectionBooks(db, { today: '2027-01-15', file });
  const a = await books.customer();
  const b = await books.customer();
  await books.file(a, 1, { token: 'tok_a' });
  await books.file(b, 1, { token: 'tok_b' });
  books.gateway.onCharge('tok_b', 'decline');
  await books.bill(a, '30', { dueDate: '2027-01-20', isAutoPay: true });
  await books.bill(b, '30', { dueDate: '2027-01-15', isAutoPay: true });
  await books.autopaid();
  t.is((await books.attempts()).length, 1);
  const batchId = await beginInit(books, zeroing);
  await finishInit(books, batchId);
  t.deepEqual(
    (await books.attempts()).map((text) => text.replace(/^.*#1/, '#1')),
    ['#1: ended overtaken'],
  );
  await books.live('2027-01-25');
  t.deepEqual(await books.paidOn(), ['2027-01-15 Declined 30.00']);
  t.deepEqual(await books.faults(), []);
});

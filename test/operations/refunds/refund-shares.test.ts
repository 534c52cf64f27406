/** A refund over several payments: one gateway call each, and the result when one declines. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { card, cash, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

const back = (books: PaymentBooks) =>
  books.gateway.calls.filter((call) => call.startsWith('refund') || call.startsWith('void'));

/** Cash of the 15th, cards of the 16th and 17th, each 10, all unapplied; it is the 18th. */
async function threeWays(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.pay({ customerId, amount: '10' });
  await books.advance('2027-01-16');
  await books.paid({ customerId, amount: '10', method: card('tok_1') });
  await books.advance('2027-01-17');
  await books.paid({ customerId, amount: '10', method: card('tok_2') });
  await books.advance('2027-01-18');
  return { books, customerId };
}

test('one call of the gateway for each payment touched', async (t) => {
  const { books, customerId } = await threeWays();
  await books.refunded({ customerId, amount: '30' });
  t.deepEqual(back(books), ['refund back 10.00: approve', 'refund back 10.00: approve']);
  t.deepEqual(
    (await books.payments()).map((text) => text.split(' ').slice(1, 4).join(' ')),
    [
      'Payment Refunded 10.00',
      'Payment Refunded 10.00',
      'Payment Refunded 10.00',
      'Refund Paid -30.00',
    ],
  );
  t.deepEqual(await books.faults(), []);
});

test('if the first call is declined the refund is, and nothing is returned', async (t) => {
  const { books, customerId } = await threeWays();
  const before = await books.payments();
  books.gateway.onReturn('decline');
  await books.refunded({ customerId, amount: '30' });
  t.deepEqual(back(books), ['refund back 10.00: decline']);
  t.deepEqual(await books.payments(), [...before, '#4 Refund Declined -30.00']);
  t.deepEqual(await books.balances(), ['-30.00 USD']);
  await books.refunded({ customerId, amount: '30' });
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.faults(), []);
});

test('if a later call is declined the refund is Paid with the refunded shares', async (t) => {
  const { books, customerId } = await threeWays();
  books.gateway.onReturn('approve', 'decline');
  await books.refunded({ customerId, amount: '30' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 10.00 Cash left 10.00',
    '#2 Payment Paid 10.00 CreditCard left 10.00',
    '#3 Payment Refunded 10.00 CreditCard back 10.00',
    '#4 Refund Paid -10.00',
  ]);
  t.deepEqual((await books.ledger()).at(-1), 'refund #4 10.00');
  t.deepEqual(await books.balances(), ['-20.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('the lost answer of a refund is looked up; a resolved one is as the person says', async (t) => {
  const { books, customerId } = await threeWays();
  books.gateway.onReturn('loseAnswer', 'loseCall');
  const cascade = await books.refund({ customerId, amount: '20' });
  t.like(await books.carry(cascade), {
    done: false,
    phase: 'Charging',
    failureCode: 'gateway.unknown',
  });
  t.deepEqual(await books.faults(), []);
  t.like(await books.carry(cascade), {
    done: false,
    phase: 'Charging',
    failureCode: 'gateway.unknown',
  });
  t.like(await books.resolve(cascade, 'declined'), { done: false });
  // Not concluded yet: the declined share stays reserved until then.
  t.deepEqual(await books.faults(), []);
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual((await books.payments()).at(-1), '#4 Refund Paid -10.00');
  t.deepEqual(await books.faults(), []);
});

test('until the last call is answered, a partly refunded payment cannot be cancelled', async (t) => {
  const { books, customerId } = await threeWays();
  const [, , last] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from payment order by id'),
  );
  books.gateway.onReturn('approve', 'loseCall');
  const cascade = await books.refund({ customerId, amount: '20' });
  t.like(await books.carry(cascade), { done: false, phase: 'Charging' });
  await refused(t, books.unpay(last?.id ?? 0), 'payment.notCancellable');
  t.deepEqual(await books.faults(), []);
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await books.faults(), []);
});

test('an answered call of a refund counts as under way until the refund is concluded', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '6');
  // #1: 6 applied, 4 left; #2: 10 left, of an earlier day.
  await books.paid({ customerId, amount: '10', method: card('tok_1') });
  await books.paid({ customerId, amount: '10', method: card('tok_2') });
  await books.work(({ tx }) =>
    tx.query(`update payment set effective_date = '2027-01-10' where balance = 10`),
  );
  books.gateway.onReturn('approve', 'loseCall');
  const cascade = await books.refund({ customerId, amount: '14' });
  await books.carry(cascade);
  await books.refund({ customerId, amount: '6', method: cash });
  t.deepEqual((await books.payments()).slice(0, 2), [
    '#1 Payment Paid 10.00 CreditCard back 10.00',
    '#2 Payment Paid 10.00 CreditCard left 10.00 back 10.00',
  ]);
  t.deepEqual(await books.faults(), []);
  await books.settle();
  t.deepEqual((await books.payments()).slice(0, 2), [
    '#1 Payment Refunded 10.00 CreditCard back 10.00',
    '#2 Payment Voided 10.00 CreditCard back 10.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

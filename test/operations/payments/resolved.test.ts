/** Calls that a gateway never answers are resolved by a person. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { fileThree, onFile, openPaymentBooks } from '../support/payment-books.ts';
import type { PaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

/** A customer with tok_1, tok_2 and tok_3 on file. */
async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await fileThree(books, customerId);
  return { books, customerId };
}

const resultsOf = (books: PaymentBooks) =>
  books.read((tx) =>
    tx.query(
      `select is_success as good, error_code as code, status_message as said
       from processor_result order by id`,
    ),
  );

test('a call that the gateway never answers is resolved once, with a reason', async (t) => {
  for (const outcome of ['approved', 'declined'] as const) {
    const { books, customerId } = await opened();
    const waiting = await books.pay({ customerId, amount: '30', method: onFile(3) });
    t.like(await books.resolve(waiting, outcome), { done: false, phase: 'Waiting' });
    books.gateway.onCharge('tok_3', 'loseCall');
    await books.carry(waiting);
    const status = outcome === 'approved' ? 'Paid' : 'Declined';
    t.like(await books.resolve(waiting, outcome), { done: true, status });
    t.like((await resultsOf(books))[0], {
      said: 'the bank says so',
      good: outcome === 'approved',
      code: outcome === 'approved' ? '0' : 'resolved',
    });
    t.like(await books.resolve(waiting, 'declined'), { done: true, status });
    t.like(await books.carry(waiting), { done: true, status });
    t.is(books.gateway.calls.length, 1);
    t.deepEqual(await books.faults(), [], outcome);
  }
});

test("a payment resolved as approved with the gateway's transaction can be refunded there", async (t) => {
  const { books, customerId } = await opened();
  const cascade = await books.pay({ customerId, amount: '30', method: onFile(3) });
  books.gateway.onCharge('tok_3', 'loseAnswer');
  await books.carry(cascade);
  const [charge] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from sandbox_transaction'),
  );
  await books.resolve(cascade, 'approved', String(charge?.id));
  await books.refunded({ customerId, amount: '30' });
  t.is(books.gateway.calls.at(-1), 'void back 30.00: approve');
  t.deepEqual(await books.payments(), [
    '#1 Payment Voided 30.00 ACH by 3 back 30.00',
    '#2 Refund Paid -30.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('after a resolve as declined the cascade continues with the next method', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'loseCall');
  const cascade = await books.pay({ customerId, amount: '30', method: onFile(1) });
  await books.carry(cascade);
  t.like(await books.resolve(cascade, 'declined'), { done: false, phase: 'Waiting' });
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.is(books.gateway.calls.at(-1), 'charge tok_2 30.00: approve');
  t.deepEqual(await books.faults(), []);
});

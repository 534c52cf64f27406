/** A gateway is asked under a key that is stored before the call. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

test('a process that writes no key cannot begin a call', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.pay({ customerId, amount: '7', method: card('tok') });
  const begun = books.work(({ tx }) =>
    tx.query(`update payment set gateway_key = null, phase = 'Charging' where id = $1`, [id]),
  );
  await t.throwsAsync(begun, { code: '23514' });
});

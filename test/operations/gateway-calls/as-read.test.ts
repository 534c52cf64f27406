/** A payment is written only if it is still as it was read. */

import test from 'ava';
import { writePayments } from '../../../db/queries/payments/payments.ts';
import { paymentAfter } from '../../../domain/payments/state.ts';
import { latestOf } from '../../../operations/gateway-calls/cascade.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

test('writing a payment that changed since it was read fails the transaction, and nothing is written', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.pay({ customerId, amount: '10' });
  const cancelTwice = books.work(async (context) => {
    const payment = await latestOf(context, id);
    const transition = paymentAfter(payment, { happened: 'canceled' });
    writePayments(context.tx, [{ payment, transition }], context.time);
    writePayments(context.tx, [{ payment, transition }], context.time);
  });
  await t.throwsAsync(cancelTwice, { message: new RegExp(`payment ${id} is no longer as it was`) });
  t.deepEqual(await books.payments(), ['#1 Payment Paid 10.00 Cash left 10.00']);
  t.deepEqual(await books.faults(), []);
});

/** Refunds with credit notes beside other credits of the same invoice. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks } from '../support/payment-books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

test('unused days that are credited while a refund with notes is under way leave it what stands', async (t) => {
  for (const [act, open, payments] of [
    ['approve', ['1001 Paid 0.00 of 31.00', '1002 Paid 0.00 of -15.00'], 'back 31.00'],
    ['decline', ['1001 Paid 0.00 of 31.00'], 'CreditCard'],
  ] as const) {
    const books = await openPaymentBooks(db, {
      today: '2027-01-15',
      plans: [recurring('P', 31, prorated)],
      file: { settings: { creditUnusedOnCancel: true } },
    });
    const customerId = await books.customer();
    const order = { customerId, contractCode: 'P' };
    const orderId = await books.order(order, { generateInvoice: true });
    await books.paid({ customerId, amount: '31', method: card('tok_1') });
    await books.advance('2027-01-29');
    const [invoice] = await books.read((tx) =>
      tx.query<{ id: number }>('select id from invoice order by id'),
    );
    await books.refund({
      customerId,
      amount: '31',
      invoiceIds: [invoice?.id ?? 0],
      invoiceText: 'Line was down',
      creditNote: true,
    });
    // 15 of 31 days are used, and 16.00 are credited, whatever the gateway will say.
    await books.put(orderId, { orderStatus: 'Canceled' });
    t.true((await books.payments()).includes('#3 Credit Paid 16.00 left 16.00'));
    t.deepEqual(await books.faults(), []);
    books.gateway.onReturn(act);
    await books.settle();
    t.deepEqual(await books.open(), [...open]);
    t.true((await books.payments())[0]?.endsWith(payments));
    t.deepEqual(await books.balances(), act === 'approve' ? [] : ['-16.00 USD']);
    t.deepEqual(await books.faults(), []);
  }
});

test('a note of a refund is made also of an invoice that was carried over meanwhile', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.bill(customerId, '60');
  await books.paid({ customerId, amount: '60', method: card('tok_1') });
  await books.refund({
    customerId,
    amount: '25',
    invoiceIds: [id],
    invoiceText: 'Line was down',
    creditNote: true,
  });
  await books.work(({ tx }) =>
    tx.query(
      `update invoice set status = 'CarriedOver', carried_over_from = 'Paid',
      carried_open = 0 where id = $1`,
      [id],
    ),
  );
  await books.settle();
  t.deepEqual(await books.open(), ['1001 CarriedOver 0.00 of 60.00', '1002 Paid 0.00 of -25.00']);
  t.is((await books.payments())[0], '#1 Payment Paid 60.00 CreditCard back 25.00');
});

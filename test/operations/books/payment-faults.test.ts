/** Breaks each invariant of payments in a tenant of its own, and expects the audit to report it. */

import test from 'ava';
import {
  paymentChecks,
  applicationChecks,
  withdrawalChecks,
  findingChecks,
} from '../../../operations/books/checks/payments.ts';
import { sandboxChecks } from '../../../operations/books/checks/sandbox.ts';
import { ownDatabase } from '../support/books.ts';
import {
  card,
  cash,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';
import { paymentBreaks } from './payment-breaks.ts';

const db = await ownDatabase();

/**
 * ONE owes 100 (1001) and 50 (1002), pays 30 in cash and 90 by card, and has a credit of 10 and a
 * debit of 5. The day after, 15 of the card payment are refunded. TWO has paid 40 and a surcharge
 * of 1, and had a cascade, two declined cards and a voided payment. A payment of THREE was
 * canceled.
 */
async function story(): Promise<PaymentBooks> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const [one, two, three] = [
    await books.customer({ ref: 'ONE' }),
    await books.customer({ ref: 'TWO' }),
    await books.customer({ ref: 'THREE' }),
  ];
  await books.bill(one, '100', { dueDate: '2027-01-20' });
  await books.bill(one, '50', { dueDate: '2027-01-21' });
  await books.pay({ customerId: one, amount: '30' });
  await books.paid({ customerId: one, amount: '90', method: card('tok') });
  await books.credit({ customerId: one, amount: '10' });
  await books.advance('2027-01-16');
  await books.credit({ customerId: one, amount: '-5' });
  await books.refunded({ customerId: one, amount: '15' });
  await books.paid({ customerId: two, amount: '40', totalSurcharge: '1', method: cash });
  await books.file(two, 1, { token: 'tok_1' });
  await books.file(two, 2, { token: 'tok_2', lastFour: '2222' });
  books.gateway.onCharge('tok_1', 'decline');
  await books.paid({ customerId: two, amount: '6', method: onFile(1) });
  books.gateway.onCharge('bad', 'decline', 'decline');
  for (const amount of ['11', '12']) {
    await books.paid({ customerId: two, amount, method: card('bad') });
  }
  await books.paid({ customerId: two, amount: '8', method: card('tok', null, '8888') });
  await books.refunded({ customerId: two, amount: '8', method: card('tok', null, '8888') });
  await books.refunded({ customerId: two, amount: '6', method: cash });
  await books.unpay(await books.pay({ customerId: three, amount: '3' }));
  return books;
}

/** The faults that the audit reports, with names in place of ids. */
async function found(books: PaymentBooks): Promise<string[]> {
  const names = await books.read((tx) =>
    tx.query<{ id: number; name: string }>(
      `select id, '#' || row_number() over (order by id) as name from payment
       union all select id, ext_customer_ref from customer`,
    ),
  );
  const byId = new Map(names.map(({ id, name }) => [String(id), name]));
  return besideLedger(await books.faults()).map(({ check, object, detail }) =>
    `${check}: ${object}: ${detail}`
      .replaceAll(
        /(payment|credit|refund|customer) (\d+)/g,
        (_all, kind, id) => `${kind} ${byId.get(String(id)) ?? '#'}`,
      )
      .replaceAll(/(entry|application|charge|void|cascade) \d+/g, '$1 #'),
  );
}

test.serial('the audit finds no fault in these payments', async (t) => {
  const books = await story();
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 30.00 Cash',
    '#2 Payment Paid 90.00 CreditCard back 15.00',
    '#3 Credit Paid 10.00',
    '#4 Credit Paid -5.00 left -5.00',
    '#5 Refund Paid -15.00',
    '#6 Payment Paid 41.00 Cash left 40.00',
    '#7 Payment Declined 6.00 CreditCard by 1',
    '#8 Payment Refunded 6.00 CreditCard by 2 back 6.00',
    '#9 Payment Declined 11.00 CreditCard',
    '#10 Payment Declined 12.00 CreditCard',
    '#11 Payment Voided 8.00 CreditCard back 8.00',
    '#12 Refund Paid -8.00 CreditCard',
    '#13 Refund Paid -6.00 Cash',
    '#14 Payment Canceled 3.00 Cash',
  ]);
  t.deepEqual(await found(books), []);
});

for (const [rule, statements, expected] of paymentBreaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    // What a break changes about the facts of events is shown by event-faults.test.ts.
    const ofBooks = (await found(books)).filter((text) => !text.startsWith('event.'));
    t.deepEqual(ofBooks, [...expected]);
  });
}

test.serial('these faults break every rule of payments', async (t) => {
  const seen = new Set(
    paymentBreaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])),
  );
  for (const { name, rule } of [
    ...paymentChecks,
    ...applicationChecks,
    ...withdrawalChecks,
    ...sandboxChecks,
    ...findingChecks,
  ]) {
    t.true(seen.has(name), `${name}: ${rule}`);
  }
});

test.serial('no role can change or delete ledger entries and applications', async (t) => {
  const books = await story();
  for (const table of ['ledger_entry', 'invoice_payment']) {
    const column = table === 'ledger_entry' ? 'amount' : 'amount_applied';
    for (const change of [
      `update ${table} set ${column} = 1 where ${own}`,
      `delete from ${table} where ${own}`,
      // Not even if the statement meets no row.
      `delete from ${table} where false`,
      `truncate ${table}`,
    ]) {
      await t.throwsAsync(corrupt(books, [change]), { message: /append-only/ }, change);
      const service = books.work(({ tx }) => tx.query(change));
      await t.throwsAsync(service, { message: /permission denied|append-only/ }, change);
    }
  }
  const results = books.work(({ tx }) => tx.query('delete from processor_result'));
  await t.throwsAsync(results, { message: /permission denied/ });
  t.deepEqual(await found(books), []);
});

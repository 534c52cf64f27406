/** Ageing beside payments: it waits for those under way, and races end with one status. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openDunningBooks } from '../support/dunning-books.ts';
import { card } from '../support/payment-books.ts';

const db = await sharedDatabase();

test('ageing waits for a payment that waits for its turn, an hour after 00:00 at most', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-19');
  await books.create({ customerId, amount: '10', method: card('tok_slow') });
  await books.advance('2027-01-20');
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-20');
  books.later(3_599_000);
  await books.age();
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-20');
  books.later(1_000);
  await books.age();
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-02-04');
  await books.settle();
  t.is(await books.standing(customerId), 'Active, closed');
  t.deepEqual(await books.faults(), []);
});

test('money in processing takes no step upwards; once it is declined, the next 00:00 does', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  const old = await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.bill(customerId, '7', { dueDate: '2027-01-10' });
  await books.advance('2027-01-19');
  books.gateway.onCharge('tok_days', 'accept');
  const method = card('tok_days');
  const cascade = await books.pay({ customerId, amount: '10', invoiceIds: [old], method });
  await books.carry(cascade);
  await books.advance('2027-01-24');
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-25');
  // The other invoice is 15 days overdue: nothing in processing would pay it.
  await books.advance('2027-01-25');
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-02-04');
  await books.advance('2027-02-04');
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-02-05');
  t.deepEqual(await books.faults(), []);
  await books.gateway.finish('Declined');
  await books.carry(cascade, 1);
  await books.advance('2027-02-05');
  t.is(await books.standing(customerId), 'Overdue2, open, next 2027-03-06');
  t.deepEqual(await books.faults(), []);
});

test('a payment beside the run of its day: whichever is first, the customer ends Active, not paused', async (t) => {
  const suspends = [{ daysOverdue: 15, status: 'Suspended1' }];
  for (let round = 1; round <= 8; round += 1) {
    const books = await openDunningBooks(db, { today: '2027-01-01', thresholds: suspends });
    const customerId = await books.customer();
    await books.bill(customerId, '10', { dueDate: '2027-01-05' });
    await books.advance('2027-01-19');
    books.tomorrow();
    const pays = books.paid({ customerId, amount: '10' });
    await Promise.all(round % 2 === 0 ? [pays, books.age()] : [books.age(), pays]);
    t.is(await books.standing(customerId), 'Active, closed');
    const steps = (await books.transitions(customerId)).length;
    t.true(steps === 0 || steps === 2, String(steps));
    const open = await books.read((tx) =>
      tx.query('select id from service_pause where resumed_on is null'),
    );
    t.deepEqual(open, []);
    t.deepEqual(await books.faults(), []);
  }
});

test('two runs at once take each step once', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customers = await Promise.all([books.customer(), books.customer(), books.customer()]);
  for (const id of customers) await books.bill(id, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-19');
  books.tomorrow();
  await Promise.all([books.age(), books.age(), books.age()]);
  for (const id of customers) {
    t.deepEqual(await books.transitions(id), ['2027-01-20 Active to Overdue1']);
  }
  t.deepEqual(await books.faults(), []);
});

/** A customer's life by age: the days of the thresholds, suspension and return, what is forgiven. */

import test from 'ava';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { sharedDatabase } from '../support/books.ts';
import { openDunningBooks } from '../support/dunning-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 31, prorated), recurring('FEE', 10, prepaid)];

test('a status changes at 00:00 of exactly the Nth day after the dueDate, in the zone of the tenant', async (t) => {
  // Cairo's 00:00 of 30 April 2027 does not exist: the clocks go from 00:00 to 01:00.
  for (const timezone of ['America/New_York', 'Europe/Berlin', 'Africa/Cairo', 'Pacific/Apia']) {
    const books = await openDunningBooks(db, { today: '2027-02-28', timezone });
    const customerId = await books.customer();
    await books.bill(customerId, '30', { dueDate: '2027-03-01' });
    await books.advance('2027-03-01');
    t.is(await books.standing(customerId), 'Active, no dunning');
    await books.advance('2027-03-02');
    // 1 March + 15.
    t.is(await books.standing(customerId), 'Active, open, next 2027-03-16');
    await books.advance('2027-03-15');
    t.deepEqual(await books.transitions(customerId), []);
    await books.advance('2027-03-16');
    t.is(await books.standing(customerId), 'Overdue1, open, next 2027-03-31');
    await books.advance('2027-04-29');
    t.is(await books.standing(customerId), 'Overdue2, open, next 2027-04-30');
    await books.advance('2027-04-30');
    t.is(await books.standing(customerId), 'Suspended1, open');
    await books.advance('2027-08-01');
    t.deepEqual(await books.transitions(customerId), [
      '2027-03-16 Active to Overdue1',
      '2027-03-31 Overdue1 to Overdue2',
      '2027-04-30 Overdue2 to Suspended1',
    ]);
    t.deepEqual(await books.faults(), []);
  }
});

test('a suspended customer is not billed; paying everything brings it back at once, and bills again', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01', plans });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  // Due on 31 January: suspended on 1 April, after the invoices of February, March and April.
  await books.advance('2027-05-10');
  t.deepEqual(await books.transitions(customerId), [
    '2027-02-15 Active to Overdue1',
    '2027-03-02 Overdue1 to Overdue2',
    '2027-04-01 Overdue2 to Suspended1',
  ]);
  t.is(await books.orderNow(orderId), 'Active');
  t.is((await books.invoices()).length, 4);
  await books.paid({ customerId, amount: '124' });
  t.is(await books.standing(customerId), 'Active, closed');
  t.is((await books.transitions(customerId)).at(-1), '2027-05-10 Suspended1 to Active');
  t.is(await books.orderNow(orderId), 'Active next 2027-05-10 bills 2027-05-11');
  await books.advance('2027-05-11');
  // The day of resumption is served: 22 of the 31 days of May.
  t.is(
    (await books.invoices()).at(-1),
    '1005 on 2027-05-11 due 2027-06-10 Outstanding 22.00: P 2027-05-10 2027-05-31 22.00',
  );
  t.deepEqual(await books.faults(), []);
});

test('paying the oldest invoice returns the customer to the status of the next one', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  const oldest = await books.bill(customerId, '10', { dueDate: '2027-01-01' });
  const next = await books.bill(customerId, '20', { dueDate: '2027-01-25' });
  await books.bill(customerId, '30', { dueDate: '2027-02-20' });
  await books.advance('2027-03-02');
  t.is(await books.standing(customerId), 'Suspended1, open');
  await books.paid({ customerId, amount: '10', invoiceIds: [oldest] });
  // 25 January + 30 is 24 February: Overdue2, and 26 March is the next step.
  t.is(await books.standing(customerId), 'Overdue2, open, next 2027-03-26');
  await books.paid({ customerId, amount: '20', invoiceIds: [next] });
  // 20 February + 15 is 7 March.
  t.is(await books.standing(customerId), 'Active, open, next 2027-03-07');
  await books.advance('2027-03-07');
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-03-22');
  t.deepEqual(await books.faults(), []);
});

test('a credit and a cancellation bring a customer back like a payment', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const [credited, cancelled] = [await books.customer(), await books.customer()];
  await books.bill(credited, '10', { dueDate: '2027-01-05' });
  await books.bill(cancelled, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-20');
  t.is(await books.standing(credited), 'Overdue1, open, next 2027-02-04');
  await books.credit({ customerId: credited, amount: '10' });
  t.is(await books.standing(credited), 'Active, closed');
  await books.cancelInvoice(1002);
  t.is(await books.standing(cancelled), 'Active, closed');
  t.deepEqual(await books.faults(), []);
});

test('an invoice that opens again keeps its age: its statuses come at the next 00:00, one mail', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  const payment = await books.paid({ customerId, amount: '10' });
  await books.advance('2027-02-10');
  t.is(await books.standing(customerId), 'Active, no dunning');
  await books.unpay(payment);
  t.is(await books.standing(customerId), 'Active, open, next 2027-02-11');
  await books.advance('2027-02-11');
  t.deepEqual(await books.transitions(customerId), [
    '2027-02-11 Active to Overdue1',
    '2027-02-11 Overdue1 to Overdue2',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a refund that reopens an invoice opens its dunning again', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-20');
  await books.paid({ customerId, amount: '10' });
  t.is(await books.standing(customerId), 'Active, closed');
  await books.refunded({ customerId, amount: '4' });
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-21');
  await books.advance('2027-01-21');
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-02-04');
  t.deepEqual(await books.faults(), []);
});

test('an InActive customer takes no order', async (t) => {
  const inactive = [{ daysOverdue: 3, status: 'InActive1' }];
  const books = await openDunningBooks(db, { today: '2027-01-01', plans, thresholds: inactive });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-08');
  t.is(await books.standing(customerId), 'InActive1, open');
  await refused(t, books.order({ customerId, contractCode: 'FEE' }), 'customer.inactive');
  await books.paid({ customerId, amount: '10' });
  t.truthy(await books.order({ customerId, contractCode: 'FEE' }));
});

test('a suspension by hand is changed by no ageing, and activating forgives what was reached', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-22');
  await books.customerAction(customerId, 'suspend');
  t.is(await books.standing(customerId), 'Suspended1, open');
  // 5 February would make it Overdue2.
  await books.advance('2027-02-10');
  t.deepEqual(await books.transitions(customerId), [
    '2027-01-20 Active to Overdue1',
    '2027-01-22 Overdue1 to Suspended1 by hand',
  ]);
  await books.customerAction(customerId, 'activate');
  t.is(await books.standing(customerId), 'Active, open, next 2027-03-06');
  await books.advance('2027-03-06');
  t.deepEqual((await books.transitions(customerId)).slice(2), [
    '2027-02-10 Suspended1 to Active by hand',
    '2027-03-06 Active to Suspended1',
  ]);
  await books.customerAction(customerId, 'suspend');
  await books.paid({ customerId, amount: '10' });
  // It is suspended by hand now, although it was suspended by age before.
  t.is(await books.standing(customerId), 'Suspended1, closed');
  t.deepEqual(await books.faults(), []);
});

test('a late run makes a transition for each threshold that was passed', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-06');
  books.jump('2027-02-20');
  t.true((await books.faults()).some(({ check }) => check === 'dunning.overdue'));
  await books.run();
  t.deepEqual(await books.transitions(customerId), [
    '2027-02-20 Active to Overdue1',
    '2027-02-20 Overdue1 to Overdue2',
  ]);
  await books.run();
  t.is((await books.transitions(customerId)).length, 2);
  // One mail, for the last of them; the status itself is one change of the customer.
  const events = await books.read((tx) =>
    tx.query(`select type, detail from event where type in ('customer.transition', 'customer.updated')
      order by id`),
  );
  t.deepEqual(events, [
    { type: 'customer.transition', detail: { by: 'ageing' } },
    { type: 'customer.transition', detail: { by: 'ageing', mail: true } },
    { type: 'customer.updated', detail: null },
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a customer has one status over all currencies, by the oldest invoice of any', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-20' });
  const euro = await books.bill(customerId, '10', { dueDate: '2027-01-05', currency: 'EUR' });
  await books.advance('2027-01-20');
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-02-04');
  await books.paid({ customerId, amount: '10', currencyCode: 'EUR', invoiceIds: [euro] });
  t.is(await books.standing(customerId), 'Active, closed');
  await books.advance('2027-01-21');
  t.is(await books.standing(customerId), 'Active, open, next 2027-02-04');
  t.deepEqual(await books.faults(), []);
});

test('a hold stops steps upwards until somebody resumes it; each keeps its reason', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await refused(t, books.ask(customerId, 'hold'), 'update.refused');
  await books.advance('2027-01-10');
  const promised = 'promised for 1 February';
  t.deepEqual(await books.ask(customerId, 'hold', promised, 'one'), { did: 'is held' });
  // The same request once more has the same answer; another one is refused, and changes nothing.
  t.deepEqual(await books.ask(customerId, 'hold', promised, 'one'), { did: 'is held' });
  await t.throwsAsync(books.ask(customerId, 'hold', 'promised for March'), {
    message: 'it is held already: promised for 1 February',
  });
  await books.advance('2027-02-06');
  t.is(await books.standing(customerId), 'Active, open, held: promised for 1 February');
  t.deepEqual(await books.faults(), []);
  t.deepEqual(await books.ask(customerId, 'resume', 'no money came'), { did: 'continues' });
  await t.throwsAsync(books.ask(customerId, 'resume'), { message: 'it is not held' });
  t.is(await books.standing(customerId), 'Active, open, next 2027-02-07');
  await books.advance('2027-02-07');
  t.deepEqual(await books.transitions(customerId), [
    '2027-02-07 Active to Overdue1',
    '2027-02-07 Overdue1 to Overdue2',
  ]);
  const notes = await books.read((tx) =>
    tx.query('select action, reason, noted_on::text as on from dunning_note order by id'),
  );
  t.deepEqual(notes, [
    { action: 'hold', reason: 'promised for 1 February', on: '2027-01-10' },
    { action: 'resume', reason: 'no money came', on: '2027-02-06' },
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a held customer that pays comes back, and a later dunning is not held', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-21');
  await books.ask(customerId, 'hold');
  await books.paid({ customerId, amount: '10' });
  t.is(await books.standing(customerId), 'Active, closed');
  await books.bill(customerId, '10', { dueDate: '2027-01-25' });
  await books.advance('2027-01-26');
  t.is(await books.standing(customerId), 'Active, open, next 2027-02-09');
  t.deepEqual(await books.faults(), []);
});

test('a second invoice that becomes overdue wakes the workflow of the dunning, once', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.bill(customerId, '7', { dueDate: '2027-01-10' });
  await books.advance('2027-01-10');
  t.deepEqual(await books.nudged(), [customerId]);
  await books.advance('2027-01-11');
  t.deepEqual(await books.nudged(), [customerId]);
  t.deepEqual((await books.wake(customerId)).owed, ['17.00 USD, 6 days since 2027-01-05']);
  await books.age();
  await books.advance('2027-01-15');
  t.deepEqual(await books.nudged(), []);
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-20');
  t.deepEqual(await books.faults(), []);
});

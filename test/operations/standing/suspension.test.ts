/** Suspended, resumed and cancelled orders: what is still billed, and when. */

import test from 'ava';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

test('a suspended order bills nothing; after a resumption it bills the rest of its period', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.advance('2027-02-20');
  await books.suspend(id);
  t.is(await books.orderNow(id), 'Suspended');
  await books.advance('2027-04-01');
  t.is((await books.invoices()).length, 2);
  await books.activate(id);
  // Due at once, and so billed by the next run.
  t.is(await books.orderNow(id), 'Active next 2027-04-01 bills 2027-04-02');
  await books.advance('2027-04-15');
  t.deepEqual((await books.invoices()).slice(2), [
    // 14 of the 31 days from 15 March to 14 April.
    '1003 on 2027-04-02 due 2027-05-02 Outstanding 14.00: P 2027-04-01 2027-04-14 14.00',
    '1004 on 2027-04-15 due 2027-05-15 Outstanding 31.00: P 2027-04-15 2027-05-14 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a period billed before the suspension is not billed again on resumption', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.advance('2027-01-20');
  await books.suspend(id);
  await books.advance('2027-01-25');
  await books.activate(id);
  t.is(await books.orderNow(id), 'Active next 2027-02-15 bills 2027-02-15');
  await books.advance('2027-02-15');
  t.is((await books.invoices()).length, 2);
  t.deepEqual((await books.audit()).faults, []);
});

test('arrears of a period that elapsed during a suspension are billed on resumption', async (t) => {
  const plans = [recurring('P', 31, { isProrated: true }), recurring('WHOLE', 31)];
  const books = await openBooks(db, { today: '2027-03-01', plans });
  const customerId = await books.customer();
  const one = await books.order({ customerId, contractCode: 'P', separateInvoice: 1 });
  const two = await books.order({ customerId, contractCode: 'WHOLE', separateInvoice: 1 });
  await books.advance('2027-03-10');
  await books.suspend(one);
  await books.suspend(two);
  await books.advance('2027-04-20');
  t.deepEqual(await books.invoices(), []);
  await books.activate(one);
  await books.activate(two);
  await books.advance('2027-05-01');
  t.deepEqual(await books.invoices(), [
    // The days of suspension and of resumption are served: 1 to 10 March, 20 to 30 April.
    '1001 on 2027-04-21 due 2027-05-21 Outstanding 10.00: P 2027-03-01 2027-03-10 10.00',
    '1002 on 2027-04-21 due 2027-05-21 Outstanding 31.00: WHOLE 2027-03-01 2027-03-10 31.00',
    // 11 of the 30 days of April: 31.00 x 11 / 30 = 11.366...
    '1003 on 2027-05-01 due 2027-05-31 Outstanding 11.37: P 2027-04-20 2027-04-30 11.37',
    '1004 on 2027-05-01 due 2027-05-31 Outstanding 31.00: WHOLE 2027-04-20 2027-04-30 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('arrears of a period with a pause inside are billed on their usual day', async (t) => {
  const plans = [recurring('P', 31, { isProrated: true })];
  const books = await openBooks(db, { today: '2027-03-01', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  await books.advance('2027-03-05');
  await books.suspend(id);
  await books.advance('2027-03-16');
  await books.activate(id);
  t.is(await books.orderNow(id), 'Active next 2027-04-01 bills 2027-04-01');
  await books.advance('2027-04-01');
  t.deepEqual(await books.invoices(), [
    // 31 days without the 6th to the 15th.
    '1001 on 2027-04-01 due 2027-05-01 Outstanding 21.00: P 2027-03-01 2027-03-31 21.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a suspended order that never resumes bills its served arrears at its end', async (t) => {
  const plans = [recurring('P', 31, { isProrated: true }), recurring('PRE', 31, prorated)];
  const books = await openBooks(db, { today: '2027-03-01', plans });
  const customerId = await books.customer();
  const ends = { endDate: '2027-05-15', isAutoRenew: false };
  const arrears = await books.order({ customerId, contractCode: 'P', ...ends });
  const inAdvance = await books.order({ customerId, contractCode: 'PRE', ...ends });
  await books.advance('2027-03-10');
  await books.suspend(arrears);
  await books.suspend(inAdvance);
  t.is(await books.orderNow(arrears), 'Suspended ends 2027-05-15 next 2027-05-16 bills 2027-05-16');
  t.is(await books.orderNow(inAdvance), 'Suspended ends 2027-05-15');
  await books.advance('2027-05-16');
  t.is(await books.orderNow(arrears), 'Complete ends 2027-05-15');
  t.is(await books.orderNow(inAdvance), 'Complete ends 2027-05-15');
  t.deepEqual((await books.invoices()).slice(1), [
    '1002 on 2027-05-16 due 2027-06-15 Outstanding 10.00: P 2027-03-01 2027-03-10 10.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a suspended order renews like an Active one', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', endDate: '2027-02-14' };
  const id = await books.order(order, { generateInvoice: true });
  await books.suspend(id);
  await books.advance('2027-02-15');
  t.is(await books.orderNow(id), 'Suspended ends 2027-03-14');
  t.deepEqual((await books.audit()).faults, []);
});

test('an order suspended on its first day bills its one-time charge once it resumes', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.suspend(id);
  await books.advance('2027-01-20');
  t.deepEqual(await books.invoices(), []);
  await books.activate(id);
  await books.advance('2027-01-21');
  t.deepEqual(await books.invoices(), [
    // The 15th and the days from the 20th are served: 27 of 31 days, 29.95 x 27 / 31 = 26.085...
    '1001 on 2027-01-21 due 2027-02-20 Outstanding 75.09: ' +
      'GOLD-SETUP 2027-01-15 2027-01-15 49.00, GOLD-FEE 2027-01-15 2027-02-14 26.09',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test("suspend and activate are refused if the order's status does not allow them", async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  await refused(t, books.activate(id), 'order.transition');
  await books.suspend(id);
  await refused(t, books.suspend(id), 'order.transition');
  await refused(t, books.generate(id), 'order.notBillable');
  await books.put(id, { orderStatus: 'Canceled' });
  await refused(t, books.activate(id), 'order.transition', 'subscriptionOrder/orderStatus');
  await refused(t, books.suspend(999_999), 'order.unknown');
});

test('cancelling bills the arrears up to today at the next 00:00, then nothing', async (t) => {
  const plans = [recurring('P', 31, { isProrated: true }), recurring('PRE', 31, prorated)];
  const books = await openBooks(db, { today: '2027-03-01', plans });
  const customerId = await books.customer();
  const arrears = await books.order({ customerId, contractCode: 'P' });
  const inAdvance = await books.order({ customerId, contractCode: 'PRE' });
  await books.advance('2027-03-10');
  await books.put(arrears, { orderStatus: 'Canceled' });
  await books.put(inAdvance, { orderStatus: 'Canceled' });
  t.is(await books.orderNow(arrears), 'Canceled ends 2027-03-10 next 2027-03-11 bills 2027-03-11');
  t.is(await books.orderNow(inAdvance), 'Canceled ends 2027-03-10');
  await books.advance('2027-05-01');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-03-02 due 2027-04-01 Outstanding 31.00: PRE 2027-03-01 2027-03-31 31.00',
    '1002 on 2027-03-11 due 2027-04-10 Outstanding 10.00: P 2027-03-01 2027-03-10 10.00',
  ]);
  t.is(await books.orderNow(arrears), 'Canceled ends 2027-03-10');
  t.deepEqual((await books.audit()).faults, []);
});

test('an order cancelled before it was billed bills no prepaid and no one-time charge', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  const future = await books.order({ customerId, contractCode: 'GOLD', startDate: '2027-02-01' });
  await books.put(id, { orderStatus: 'Canceled' });
  await books.put(future, { orderStatus: 'Canceled' });
  await books.advance('2027-03-01');
  t.deepEqual(await books.invoices(), []);
  t.deepEqual((await books.audit()).faults, []);
});

test('orders of a suspended customer pause, and continue when it is Active again', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.advance('2027-02-01');
  await books.customerAction(customerId, 'suspend');
  await books.advance('2027-02-20');
  t.is((await books.invoices()).length, 1);
  await books.customerAction(customerId, 'activate');
  await books.advance('2027-02-21');
  t.deepEqual((await books.invoices()).slice(1), [
    // 23 of the 28 days from 15 February: 31.00 x 23 / 28 = 25.464...
    '1002 on 2027-02-21 due 2027-03-23 Outstanding 25.46: P 2027-02-20 2027-03-14 25.46',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a charge that is not prorated costs its full price for a resumed period', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prepaid)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.suspend(id);
  await books.advance('2027-03-01');
  await books.activate(id);
  await books.advance('2027-03-15');
  t.deepEqual((await books.invoices()).slice(1), [
    '1002 on 2027-03-02 due 2027-04-01 Outstanding 31.00: P 2027-03-01 2027-03-14 31.00',
    '1003 on 2027-03-15 due 2027-04-14 Outstanding 31.00: P 2027-03-15 2027-04-14 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

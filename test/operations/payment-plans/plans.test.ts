/** Installments: on which day, how much, and what stands back meanwhile. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { monthly, openCollectionBooks } from '../support/collection-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

async function opened(file: Readonly<Record<string, unknown>> = {}) {
  const books = await openCollectionBooks(db, { today: '2027-01-15', file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  return { books, customerId };
}

test('an installment charges the lesser of its amount and what is owed, by the month', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '120');
  await books.plan(customerId);
  t.is(await books.planNow(customerId), 'enabled, 3 of 3 to come, next 2027-01-31');
  await books.live('2027-02-28');
  t.is(await books.planNow(customerId), 'enabled, 1 of 3 to come, next 2027-03-31');
  t.deepEqual(await books.open(), ['1001 Outstanding 20.00 of 120.00']);
  await books.live('2027-04-30');
  t.is(await books.planNow(customerId), 'ended, 0 of 3 to come');
  t.deepEqual(await books.paidOn(), [
    '2027-01-31 Paid 50.00',
    '2027-02-28 Paid 50.00',
    '2027-03-31 Paid 20.00',
  ]);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 120.00']);
  t.deepEqual(await books.faults(), []);
});

test('with nothing owed it charges nothing, and counts', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '50');
  await books.plan(customerId);
  await books.live('2027-03-31');
  t.deepEqual(await books.attempts(), [
    '2027-01-31 installment 1 #1: done paid',
    '2027-02-28 installment 2 #1: done nothingOwed',
    '2027-03-31 installment 3 #1: done nothingOwed',
  ]);
  t.is(await books.planNow(customerId), 'ended, 0 of 3 to come');
  t.deepEqual(await books.faults(), []);
});

test('regardless of the balance it charges its amount, and the rest is unapplied', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '70');
  await books.plan(customerId, { ...monthly, chargeOnlyIfBalanceOwed: false });
  await books.live('2027-03-31');
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 50.00 CreditCard by 1',
    '#2 Payment Paid 50.00 CreditCard by 1 left 30.00',
    '#3 Payment Paid 50.00 CreditCard by 1 left 50.00',
  ]);
  t.deepEqual(await books.balances(), ['-80.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('an installment of today is charged at once', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '50');
  await books.plan(customerId, { ...monthly, startDate: '2027-01-15' });
  t.is(await books.planNow(customerId), 'enabled, 2 of 3 to come, next 2027-02-15');
  await books.settle();
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 50.00']);
  t.deepEqual(await books.faults(), []);
});

test('without a method on file it charges nothing, and counts', async (t) => {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '50');
  await books.plan(customerId);
  await books.live('2027-01-31');
  t.deepEqual(await books.attempts(), [
    '2027-01-31 installment 1 #1: done noMethod',
    '2027-02-28 installment 2 #1: due',
  ]);
});

test('a declined installment is tried again by the retry days, and counts once', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '200');
  await books.plan(customerId);
  books.gateway.onCharge('tok_1', 'decline', 'decline', 'approve');
  await books.live('2027-01-31');
  t.is(await books.planNow(customerId), 'enabled, 2 of 3 to come, next 2027-02-01');
  await books.live('2027-02-28');
  t.deepEqual(await books.attempts(), [
    '2027-01-31 installment 1 #1: done declined',
    '2027-02-28 installment 2 #1: done paid',
    '2027-02-01 installment 1 #2: done declined',
    '2027-02-03 installment 1 #3: done paid',
    '2027-03-31 installment 3 #1: due',
  ]);
  t.is(await books.planNow(customerId), 'enabled, 1 of 3 to come, next 2027-03-31');
  t.deepEqual(await books.faults(), []);
});

test('a plan is enabled until the retries of its last installment have ended', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.plan(customerId, { ...monthly, totalNumberOfInstallments: 1 });
  books.gateway.onCharge('tok_1', 'decline', 'decline', 'decline', 'decline', 'decline');
  await books.live('2027-02-06');
  t.is(await books.planNow(customerId), 'enabled, 0 of 1 to come, next 2027-02-07');
  await books.live('2027-02-07');
  t.is(await books.planNow(customerId), 'ended, 0 of 1 to come');
  t.is(books.gateway.calls.length, 5);
  t.deepEqual(await books.faults(), []);
});

test('no invoice pays itself while a plan is enabled; those of meanwhile are paid at the next 00:00', async (t) => {
  const { books, customerId } = await opened();
  await books.plan(customerId, { ...monthly, totalNumberOfInstallments: 1 });
  await books.live('2027-01-20');
  await books.bill(customerId, '80', { isAutoPay: true });
  await books.live('2027-01-31');
  t.deepEqual(await books.paidOn(), ['2027-01-31 Paid 50.00']);
  t.is(await books.planNow(customerId), 'ended, 0 of 1 to come');
  t.deepEqual(await books.faults(), []);
  await books.live('2027-02-01');
  t.deepEqual(await books.paidOn(), ['2027-01-31 Paid 50.00', '2027-02-01 Paid 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('an invoice that was reopened is not paid after the plan', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '80', { isAutoPay: true });
  await books.settle();
  const cash = await books.pay({ customerId, amount: '10' });
  await books.plan(customerId);
  await books.bill(customerId, '10', { isAutoPay: true });
  await books.unpay(cash);
  await books.disablePlan(customerId);
  await books.live('2027-01-20');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 80.00', '1002 Outstanding 10.00 of 10.00']);
  t.deepEqual(await books.faults(), []);
});

test('enabling a plan ends the retries under way, also one that waits for its turn', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'decline', 'decline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.bill(customerId, '40', { isAutoPay: true });
  await books.settle();
  await books.advance('2027-01-16');
  await books.claimAttempts({ kind: 'retry', limit: 1 });
  await books.plan(customerId);
  await books.settle();
  t.deepEqual((await books.attempts()).slice(0, 2), [
    '2027-01-16 1001 #1: done planEnabled',
    '2027-01-16 1002 #1: ended planEnabled',
  ]);
  t.is(books.gateway.calls.length, 2);
  await books.live('2027-01-31');
  t.deepEqual((await books.paidOn()).at(-1), '2027-01-31 Paid 50.00');
  t.deepEqual(await books.faults(), []);
});

test('a change is of what is still to come: amount, days and number', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '500');
  await books.plan(customerId);
  await books.live('2027-02-10');
  await books.changePlan(customerId, { chargeAmount: '60' });
  t.is(await books.planNow(customerId), 'enabled, 2 of 3 to come, next 2027-02-28');
  // The days of every second week from 31 January that are still to come.
  await books.changePlan(customerId, { frequencyUnits: 'Weeks', frequencyValue: 2 });
  t.is(await books.planNow(customerId), 'enabled, 2 of 3 to come, next 2027-02-14');
  await books.live('2027-02-14');
  await books.changePlan(customerId, { startDate: '2027-02-20', totalNumberOfInstallments: 4 });
  t.is(await books.planNow(customerId), 'enabled, 2 of 4 to come, next 2027-02-20');
  await books.live('2027-02-20');
  await books.changePlan(customerId, { totalNumberOfInstallments: 3 });
  t.is(await books.planNow(customerId), 'ended, 0 of 3 to come');
  t.deepEqual(await books.paidOn(), [
    '2027-01-31 Paid 50.00',
    '2027-02-14 Paid 60.00',
    '2027-02-20 Paid 60.00',
  ]);
  t.deepEqual(await books.faults(), []);
  await refused(
    t,
    books.changePlan(customerId, { chargeAmount: '1' }),
    'paymentPlan.ended',
    'paymentPlan',
  );
});

test('installments that a change leaves out come back with a later change', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '500');
  await books.plan(customerId);
  books.gateway.onCharge('tok_1', 'decline');
  await books.live('2027-01-31');
  // The retry of 1 February keeps the plan enabled.
  await books.changePlan(customerId, { totalNumberOfInstallments: 1 });
  t.is(await books.planNow(customerId), 'enabled, 0 of 1 to come, next 2027-02-01');
  t.deepEqual(await books.faults(), []);
  await books.changePlan(customerId, { totalNumberOfInstallments: 2 });
  await books.live('2027-02-28');
  t.deepEqual(await books.paidOn(), [
    '2027-01-31 Declined 50.00',
    '2027-02-01 Paid 50.00',
    '2027-02-28 Paid 50.00',
  ]);
  t.is(await books.planNow(customerId), 'ended, 0 of 2 to come');
  t.deepEqual(await books.faults(), []);
});

test('a start that moves to today is charged at once, and not twice on one day', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '500');
  await books.plan(customerId);
  await books.changePlan(customerId, { startDate: '2027-01-15' });
  await books.settle();
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 50.00']);
  await books.changePlan(customerId, { frequencyUnits: 'Days' });
  await books.settle();
  t.is(await books.planNow(customerId), 'enabled, 2 of 3 to come, next 2027-01-16');
  t.deepEqual(await books.faults(), []);
});

test('disabling a plan ends its installments and retries, once', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.plan(customerId);
  books.gateway.onCharge('tok_1', 'decline');
  await books.live('2027-01-31');
  await books.disablePlan(customerId);
  await books.disablePlan(customerId);
  await books.live('2027-03-31');
  t.deepEqual(await books.attempts(), [
    '2027-01-31 installment 1 #1: done declined',
    '2027-02-28 installment 2 #1: ended planEnded',
    '2027-02-01 installment 1 #2: ended planEnded',
  ]);
  t.is(await books.planNow(customerId), 'ended, 2 of 3 to come');
  t.is(books.gateway.calls.length, 1);
  t.deepEqual(await books.faults(), []);
  // Another plan may follow.
  await books.plan(customerId, { ...monthly, startDate: '2027-04-15' });
  t.is(await books.planNow(customerId), 'enabled, 3 of 3 to come, next 2027-04-15');
});

test('an installment that waits for its turn is not charged after the plan was disabled', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.plan(customerId);
  await books.advance('2027-01-31');
  await books.claimAttempts({ kind: 'installment', limit: 10 });
  await books.disablePlan(customerId);
  await books.settle();
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(await books.paidOn(), ['2027-01-31 Canceled 50.00']);
  t.deepEqual(await books.faults(), []);
});

test('a payment that comes beside an installment leaves it what is still owed', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '60');
  await books.plan(customerId);
  await books.advance('2027-01-31');
  await books.claimAttempts({ kind: 'installment', limit: 10 });
  await books.pay({ customerId, amount: '45' });
  await books.settle();
  t.deepEqual(books.gateway.calls, ['charge tok_1 15.00: approve']);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 60.00']);
  await books.advance('2027-02-28');
  await books.bill(customerId, '20');
  await books.claimAttempts({ kind: 'installment', limit: 10 });
  await books.pay({ customerId, amount: '20' });
  await books.settle();
  t.is(books.gateway.calls.length, 1);
  t.deepEqual((await books.attempts()).slice(1, 2), [
    '2027-02-28 installment 2 #1: done overtaken',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('an installment whose answer is lost is asked for, and not charged again', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.plan(customerId);
  books.gateway.onCharge('tok_1', 'loseAnswer');
  await books.advance('2027-01-31');
  await books.claimAttempts({ kind: 'installment', limit: 10 });
  const [cascadeId = 0] = await books.pending();
  t.false((await books.carry(cascadeId)).done);
  t.is(await books.planNow(customerId), 'enabled, 2 of 3 to come, next 2027-02-28');
  t.deepEqual((await books.claimAttempts({ kind: 'installment', limit: 10 })).payments, []);
  t.true((await books.carry(cascadeId, 1)).done);
  t.deepEqual(await books.open(), ['1001 Outstanding 50.00 of 100.00']);
  t.deepEqual(await books.faults(), []);
});

test('two claims, a change and the end of a plan at once charge an installment at most once', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '500');
  await books.plan(customerId);
  await books.advance('2027-01-31');
  const claims = await Promise.all([
    books.claimAttempts({ kind: 'installment', limit: 10 }),
    books.changePlan(customerId, { chargeAmount: '70' }),
    books.claimAttempts({ kind: 'installment', limit: 10 }),
    books.pay({ customerId, amount: '5' }),
  ]);
  t.is(claims.length, 4);
  await books.settle();
  t.is(books.gateway.calls.length, 1);
  t.is(await books.planNow(customerId), 'enabled, 2 of 3 to come, next 2027-02-28');
  t.deepEqual(await books.faults(), []);
});

test('a skipped installment counts, charges nothing, and keeps its reason', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '500');
  await books.plan(customerId);
  t.is(await books.skip('moved house, card 4111 1111 1111 1111', 'one'), 'skipped installment 1');
  // A repetition of the request skips nothing more.
  t.is(await books.skip('moved house', 'one'), 'skipped installment 1');
  await books.live('2027-02-27');
  t.deepEqual(await books.paidOn(), []);
  await books.live('2027-03-31');
  const [skipped, ...others] = await books.attempts();
  t.regex(
    skipped ?? '',
    /^2027-01-31 installment 1 #1: done skipped \(moved house, card [^1]*1111\)$/,
  );
  t.deepEqual(others, [
    '2027-02-28 installment 2 #1: done paid',
    '2027-03-31 installment 3 #1: done paid',
  ]);
  await refused(t, books.skip('too late', 'two'), 'update.refused');
  t.is(await books.skip('moved house', 'one'), 'skipped installment 1');
  t.deepEqual(await books.faults(), []);
});

test('skipping the last installment ends the plan', async (t) => {
  const { books, customerId } = await opened();
  await books.plan(customerId, { ...monthly, totalNumberOfInstallments: 1 });
  await books.skip('paid by cheque', 'one');
  t.is(await books.planNow(customerId), 'ended, 0 of 1 to come');
  t.deepEqual(await books.faults(), []);
});

test('a customer has one enabled plan', async (t) => {
  const { books, customerId } = await opened();
  await refused(t, books.changePlan(customerId, {}), 'paymentPlan.unknown');
  await refused(t, books.disablePlan(customerId), 'paymentPlan.unknown');
  await books.plan(customerId);
  await refused(t, books.plan(customerId), 'paymentPlan.exists', 'paymentPlan');
  await refused(t, books.plan(0), 'customer.unknown');
});

test('installments missed while nothing ran are all charged, each once', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '500');
  await books.plan(customerId, { ...monthly, frequencyUnits: 'Days' });
  await books.advance('2027-02-05');
  for (let count = 0; count < 3; count += 1) await books.collect();
  t.deepEqual(await books.paidOn(), [
    '2027-02-05 Paid 50.00',
    '2027-02-05 Paid 50.00',
    '2027-02-05 Paid 50.00',
  ]);
  t.is(await books.planNow(customerId), 'ended, 0 of 3 to come');
  t.deepEqual(await books.faults(), []);
});

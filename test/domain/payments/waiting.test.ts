/** How long payments wait for their payers, and what these agree to. */
import test from 'ava';
import {
  absentUntil,
  agreedOf,
  isWaitOver,
  presentUntil,
  waitText,
  waitsUntil,
} from '../../../domain/payments/waiting.ts';

const today = '2027-01-15';
const absent = { status: 'ActionRequired', newsOn: '2027-01-18', actionEndsAt: null } as const;

test('an absent payer has until 00:00 of the day so many days later', (t) => {
  t.deepEqual(absentUntil({ today, actionDays: 3 }), { payer: 'absent', on: '2027-01-18' });
  t.deepEqual(waitsUntil(absent, 'America/New_York'), new Date('2027-01-18T05:00:00Z'));
  t.deepEqual(waitsUntil(absent, 'Europe/Berlin'), new Date('2027-01-17T23:00:00Z'));
  t.is(waitsUntil({ ...absent, status: 'Paid' }, 'Europe/Berlin'), null);
});

test('an installment waits at most until the day of the next one', (t) => {
  const until = (nextInstallmentOn: string | null) =>
    absentUntil({ today, actionDays: 3, nextInstallmentOn });
  t.deepEqual(until('2027-01-16'), { payer: 'absent', on: '2027-01-16' });
  t.deepEqual(until('2027-01-31'), { payer: 'absent', on: '2027-01-18' });
  t.deepEqual(until(null), { payer: 'absent', on: '2027-01-18' });
});

test('a payer on a page has 30 minutes', (t) => {
  const until = presentUntil(new Date('2027-01-15T10:00:00Z'));
  t.deepEqual(until, { payer: 'present', at: new Date('2027-01-15T10:30:00Z') });
});

test("a wait is over by the tenant's day, or in real time", (t) => {
  const realNow = new Date('2027-06-01T00:00:00Z');
  t.false(isWaitOver(absent, { today: '2027-01-17', realNow }));
  t.true(isWaitOver(absent, { today: '2027-01-18', realNow }));
  const actionEndsAt = new Date('2027-06-01T00:00:01Z');
  const present = { ...absent, newsOn: null, actionEndsAt };
  t.false(isWaitOver(present, { today: '2027-12-31', realNow }));
  t.true(isWaitOver(present, { today: '2027-01-01', realNow: actionEndsAt }));
});

test('the payer agrees to what is open, at most the amount, with its surcharge', (t) => {
  const payment = { amount: '103', surcharge: '3' };
  t.is(agreedOf(payment, '100'), '103');
  t.is(agreedOf(payment, '250'), '103');
  t.is(agreedOf(payment, '40'), '43');
});

test('the Web UI says until when it waits', (t) => {
  t.is(
    waitText(new Date('2027-01-18T05:00:00Z')),
    'waits for the payer until 2027-01-18 05:00 UTC',
  );
});

/** The first day here of each charge of an order that moved in. */
import test from 'ava';
import {
  type BilledElsewhere,
  billedElsewhere,
  hasDaysElsewhere,
  startsElsewhere,
  takenAlong,
} from '../../../domain/billing/due/elsewhere.ts';
import { scheduleOf } from '../../../domain/calendar/calendar.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import { chargeWith, planWith, tiersOf } from '../fixtures.ts';

const startDate = '2026-10-15';
const monthly = scheduleOf(planWith(), startDate);
const periods = { schedule: monthly, startDate };
const today = '2027-01-15';

const fee = chargeWith();
const arrears = chargeWith({ isPrepaid: false });
const whole = chargeWith({ isProrated: false });
const wholeLater = chargeWith({ isPrepaid: false, isProrated: false });
const calls = chargeWith({ chargeType: 'UsageCharge' });
const setup = chargeWith({ chargeType: 'OneTimeCharge' });
const lateFee = chargeWith({ isPenalty: true });
const tax = chargeWith({ isTax: true, isProrated: false, tiers: tiersOf([['0', null, null]]) });

function starts(elsewhere: BilledElsewhere, ...charges: readonly Charge[]): (string | null)[] {
  const lines = charges.map((charge) => ({ charge, isActive: true }));
  return charges.map(startsElsewhere(lines, { ...elsewhere, ...periods }));
}

test('periods in arrears are over up to the one of the day of the call', (t) => {
  const said = (billedThrough: string, on = today) =>
    billedElsewhere(billedThrough, periods, on).arrearsBilledThrough;
  t.is(said('2027-02-14'), '2027-01-14');
  t.is(said('2027-01-14'), '2027-01-14');
  t.is(said('2026-12-20'), '2026-12-20');
  // On its last day a period is not over.
  t.is(said('2027-02-14', '2027-01-14'), '2026-12-14');
  t.is(said('2026-12-01', '2026-11-14'), null);
  t.is(said('2026-12-01', '2026-09-01'), null);
  t.deepEqual(billedElsewhere(null, periods, today).billedThrough, null);
});

test('the last period of an order that has ended is over on the day after', (t) => {
  const ended = { ...periods, lastDay: '2027-01-10' };
  t.is(billedElsewhere('2027-01-10', ended, '2027-01-12').arrearsBilledThrough, '2027-01-10');
  t.is(billedElsewhere('2027-01-10', ended, '2027-01-10').arrearsBilledThrough, '2026-12-14');
});

test('each kind of charge begins after its own days', (t) => {
  const elsewhere = billedElsewhere('2027-01-20', periods, today);
  t.deepEqual(starts(elsewhere, fee, arrears, whole, wholeLater, calls, setup, lateFee), [
    '2027-01-21',
    '2027-01-15',
    '2027-02-15',
    '2027-01-15',
    '2027-01-15',
    null,
    null,
  ]);
  t.deepEqual(starts(billedElsewhere('2027-01-14', periods, today), whole), ['2027-01-15']);
});

test('a tax in percent begins with the first charge that it may tax', (t) => {
  const elsewhere = billedElsewhere('2027-01-20', periods, today);
  t.deepEqual(starts(elsewhere, fee, tax), ['2027-01-21', '2027-01-21']);
  t.deepEqual(starts(elsewhere, whole, tax), ['2027-02-15', '2027-02-15']);
  t.deepEqual(starts(elsewhere, whole, fee, tax), ['2027-02-15', '2027-01-21', '2027-01-21']);
  // Nothing that it may tax: as any charge that is not prorated.
  t.deepEqual(starts(elsewhere, arrears, tax), ['2027-01-15', '2027-02-15']);
});

test('a later order takes it along as long as a period of it lasts', (t) => {
  const elsewhere = billedElsewhere('2027-01-20', periods, today);
  t.is(takenAlong(elsewhere, monthly, '2027-01-18').billedThrough, '2027-01-20');
  t.is(takenAlong(elsewhere, monthly, '2027-02-14').billedThrough, '2027-01-20');
  t.is(takenAlong(elsewhere, monthly, '2027-02-15').billedThrough, null);
  t.is(hasDaysElsewhere(elsewhere, '2027-01-20'), true);
  t.is(hasDaysElsewhere(elsewhere, '2027-01-21'), false);
});

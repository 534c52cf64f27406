/** The days on which penalties are due, which follow from the customer's ageing. */
import test from 'ava';
import { applyDue, dueOf } from '../../../domain/billing/due/due.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { BillableLine } from '../../../domain/standing/line.ts';
import { chargeWith, lineWith, orderWith } from '../fixtures.ts';
import { billedOn, shown } from './billed.ts';

const lateFee = chargeWith({ isPenalty: true, chargeType: 'OneTimeCharge' });
const surcharge = chargeWith({ isPenalty: true });

const fee = (penaltySince: IsoDate | null, changes: Partial<BillableLine> = {}) =>
  orderWith({ lines: [lineWith({ charge: lateFee, penaltySince, ...changes })] });
const monthly = (penaltySince: IsoDate | null, changes: Partial<BillableLine> = {}) =>
  orderWith({ lines: [lineWith({ charge: surcharge, penaltySince, ...changes })] });
/** `index first..last amount` of what is due by a day, then the next day. */
const due = (order: BillableOrder, today: IsoDate) => billedOn(order, [today])[0]?.slice(1);

test('a one-time penalty is due on the day of the step, each time the customer gets there', (t) => {
  t.deepEqual(due(fee('2027-01-20'), '2027-01-19'), ['next 2027-01-20']);
  t.deepEqual(due(fee('2027-01-20'), '2027-01-20'), ['0 2027-01-20..2027-01-20 31', 'next null']);
  t.deepEqual(due(fee(null), '2027-01-20'), ['next null']);
  const order = fee('2027-05-03', { nextPeriodIndex: 3 });
  const fourth = dueOf(order, '2027-05-04');
  t.deepEqual(shown(fourth), ['3 2027-05-03..2027-05-03 31']);
  t.is(applyDue(order, fourth).lines[0]?.nextPeriodIndex, 4);
});

test('a one-time penalty is of a day within the line’s own days', (t) => {
  const days = { startsOn: '2027-01-10', endsOn: '2027-01-20' };
  for (const day of ['2027-01-10', '2027-01-20']) {
    t.deepEqual(due(fee(day, days), '2027-03-01'), [`0 ${day}..${day} 31`, 'next null']);
  }
  for (const day of ['2027-01-09', '2027-01-21']) {
    t.deepEqual(due(fee(day, days), '2027-03-01'), ['next null']);
  }
});

test('a cancelled order bills no one-time penalty', (t) => {
  const order = { ...fee('2027-01-20'), status: 'Canceled', endedOn: '2027-02-14' } as const;
  t.deepEqual(due(order, '2027-03-01'), ['next null']);
});

test('a recurring penalty begins with the first period that begins on its day or later', (t) => {
  // January has begun, so February is the first.
  t.deepEqual(due(monthly('2027-01-20'), '2027-01-31'), ['next 2027-02-01']);
  t.deepEqual(due(monthly('2027-01-20'), '2027-02-01'), [
    '1 2027-02-01..2027-02-28 31',
    'next 2027-03-01',
  ]);
  t.deepEqual(due(monthly('2027-02-01'), '2027-02-01'), [
    '1 2027-02-01..2027-02-28 31',
    'next 2027-03-01',
  ]);
  t.deepEqual(due(monthly('2026-12-10'), '2027-01-01'), [
    '0 2027-01-01..2027-01-31 31',
    'next 2027-02-01',
  ]);
  // What is billed stays billed.
  t.deepEqual(due(monthly('2027-01-20', { nextPeriodIndex: 2 }), '2027-02-01'), [
    'next 2027-03-01',
  ]);
});

test('the first period of an order begins with the order', (t) => {
  const lines = (penaltySince: IsoDate) => monthly(penaltySince, { nextPeriodIndex: 3 }).lines;
  const order = orderWith({ startDate: '2027-04-16' });
  for (const day of ['2027-04-10', '2027-04-16']) {
    // 15 of April's 30 days.
    t.deepEqual(due({ ...order, lines: lines(day) }, '2027-04-16'), [
      '3 2027-04-16..2027-04-30 15.5',
      'next 2027-05-01',
    ]);
  }
  t.deepEqual(due({ ...order, lines: lines('2027-04-17') }, '2027-04-17'), ['next 2027-05-01']);
});

/** How many charges of an order may be due at once, and that the check builds no charges. */
import test from 'ava';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { BillableLine } from '../../../domain/standing/line.ts';
import { refuseTooManyLines, refuseTooMuchDue } from '../../../domain/billing/due/limits.ts';
import { chargeWith, lineWith, orderWith, tiersOf } from '../fixtures.ts';

const daily = { billingPeriod: 'Daily', anchor: '2027-01-01', alignmentDay: null } as const;

function linesOf(count: number, changes: Partial<BillableLine> = {}): BillableLine[] {
  return Array.from({ length: count }, (_, index) =>
    lineWith({ id: index + 1, position: index + 1, ...changes }),
  );
}

/** The refusal of the order on that day; null if it is accepted. */
function refusal(order: BillableOrder, today: IsoDate): string | null {
  try {
    refuseTooMuchDue(order, today);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('an order has at most 500 line items', (t) => {
  t.notThrows(() => refuseTooManyLines(500));
  t.throws(() => refuseTooManyLines(501), {
    code: 'field.invalid',
    message: 'an order has at most 500 line items, not 501',
  });
});

test('1,000 elapsed periods of a line are billed at once, more are refused', (t) => {
  const order = orderWith({ schedule: daily });
  // Day 1,000 from 2027-01-01 on is 2029-09-26.
  t.is(refusal(order, '2029-09-26'), null);
  t.is(
    refusal(order, '2029-09-27'),
    'FEE has more than 1000 elapsed periods to bill at once, from 2027-01-01 to 2029-09-27',
  );
});

test('5,000 charges of all lines are billed at once, more are refused', (t) => {
  // 500 lines of 10 days.
  const order = orderWith({ schedule: daily, lines: linesOf(500) });
  t.is(refusal(order, '2027-01-10'), null);
  t.is(
    refusal(order, '2027-01-11'),
    'the 500 line items have more than 5000 charges to bill at once, from 2027-01-01 to 2027-01-11',
  );
});

test('each tier that a quantity reaches is a charge', (t) => {
  const charge = chargeWith({
    pricingType: 'TieredPricing',
    tiers: tiersOf([
      ['0', '10', '3.00'],
      ['10', '20', '2.00'],
      ['20', null, '1.00'],
    ]),
  });
  const ten = (quantity: string, count: number) =>
    orderWith({ schedule: daily, lines: linesOf(count, { charge, quantity }) });
  // 20 units lie in two tiers: 250 lines of 10 days make 5,000 charges.
  t.is(refusal(ten('20', 250), '2027-01-10'), null);
  t.regex(refusal(ten('20', 251), '2027-01-10') ?? '', /^the 251 line items have more than 5000/);
  t.regex(refusal(ten('21', 250), '2027-01-10') ?? '', /^the 250 line items have more than 5000/);
});

test('a pause that has ended stays as long as it was', (t) => {
  // 4 days are not served: day 1,004 is the 1,000th.
  const pauses = [{ suspendedOn: '2027-01-05', resumedOn: '2027-01-10' }];
  const order = orderWith({ schedule: daily, pauses });
  t.is(refusal(order, '2029-09-30'), null);
  t.regex(refusal(order, '2029-10-01') ?? '', /1000 elapsed/);
});

test('billed, one-time and future charges do not count', (t) => {
  const lines = [...linesOf(500, { nextPeriodIndex: 5_000 }), ...linesOf(600, { isActive: false })];
  t.is(refusal(orderWith({ schedule: daily, lines }), '2027-06-01'), null);
});

test('each usage window that has elapsed counts as one, whatever its price', (t) => {
  const usage = chargeWith({ chargeType: 'UsageCharge', pricingType: 'TieredPricing' });
  const ten = (count: number) =>
    orderWith({ schedule: daily, lines: linesOf(count, { charge: usage, quantity: '0' }) });
  // 500 lines of 10 days, the last of which is billed on 11 January.
  t.is(refusal(ten(500), '2027-01-11'), null);
  t.regex(refusal(ten(501), '2027-01-11') ?? '', /^the 501 line items have more than 5000/);
});

test('paused charges count as if resumed, so that a resumption is always accepted', (t) => {
  const order = orderWith({ schedule: daily, startDate: '2024-01-01' });
  const since1945 = {
    ...order,
    schedule: { ...daily, anchor: '1945-01-01' },
    startDate: '1945-01-01',
  };
  const hold = { suspendedOn: '2026-12-01', resumedOn: null };
  t.regex(
    refusal({ ...since1945, customerSuspended: true, pauses: [hold] }, '2027-01-01') ?? '',
    /1000 elapsed/,
  );
  t.regex(
    refusal({ ...since1945, status: 'Suspended', pauses: [hold] }, '2027-01-01') ?? '',
    /1000 elapsed/,
  );
  // Suspended for four years after a month of service: 31 days are due, the pause is not.
  const held = orderWith({
    schedule: daily,
    status: 'Suspended',
    pauses: [{ suspendedOn: '2027-01-31', resumedOn: null }],
  });
  t.is(refusal(held, '2031-01-31'), null);
});

test('a Draft may have any start date: the limit applies when it is activated', (t) => {
  const order = orderWith({
    schedule: { ...daily, anchor: '1945-01-01' },
    startDate: '1945-01-01',
  });
  t.is(refusal({ ...order, status: 'Draft' }, '2027-01-01'), null);
  t.regex(refusal(order, '2027-01-01') ?? '', /1000 elapsed/);
});

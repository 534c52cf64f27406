/** What order lines with days of their own bill: worked out by hand. */
import test from 'ava';
import { applyDue, dueOf } from '../../../domain/billing/due/due.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import { draftInvoices } from '../../../domain/billing/rate/draft.ts';
import { refuseTooMuchDue } from '../../../domain/billing/due/limits.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { BillableLine } from '../../../domain/standing/line.ts';
import { arrears, billedOn, shown, unprorated } from './billed.ts';
import { chargeWith, lineWith, orderWith } from '../fixtures.ts';
import { invoicedOrder } from './invoiced.ts';
import { percentage } from './rated.ts';

type LineDays = Partial<Pick<BillableLine, 'startsOn' | 'endsOn'>>;

const withDays = (days: LineDays, line = lineWith()): BillableOrder =>
  orderWith({ lines: [{ ...line, ...days }] });
const once = lineWith({ charge: chargeWith({ chargeType: 'OneTimeCharge' }) });

test('a prepaid charge bills the days up to its line’s last one, and none after it', (t) => {
  t.deepEqual(billedOn(withDays({ endsOn: '2027-01-10' }), ['2027-01-01', '2027-02-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-10 10', 'next null'],
    ['2027-02-01', 'next null'],
  ]);
  // A late run: 10 of February's 28 days, 31.00 x 10 / 28.
  t.deepEqual(billedOn(withDays({ endsOn: '2027-02-10' }), ['2027-02-20']), [
    ['2027-02-20', '0 2027-01-01..2027-01-31 31', '1 2027-02-01..2027-02-10 11.07', 'next null'],
  ]);
  t.deepEqual(billedOn(withDays({ endsOn: '2027-01-31' }), ['2027-01-01', '2027-02-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-31 31', 'next null'],
    ['2027-02-01', 'next null'],
  ]);
});

test('a line that ends in a billed period credits nothing here, and bills nothing more', (t) => {
  const order = orderWith();
  const billed = applyDue(order, dueOf(order, '2027-01-01'));
  const ended = {
    ...billed,
    lines: billed.lines.map((line) => ({ ...line, endsOn: '2027-01-10' })),
  };
  t.deepEqual(billedOn(ended, ['2027-01-11', '2027-02-01']), [
    ['2027-01-11', 'next null'],
    ['2027-02-01', 'next null'],
  ]);
});

test('a later last day bills the days between', (t) => {
  const order = withDays({ endsOn: '2027-01-10' });
  const billed = applyDue(order, dueOf(order, '2027-01-01'));
  const later = {
    ...billed,
    lines: billed.lines.map((line) => ({ ...line, endsOn: '2027-02-10' })),
  };
  t.deepEqual(billedOn(later, ['2027-01-05', '2027-01-11', '2027-02-01']), [
    ['2027-01-05', 'next 2027-01-11'],
    ['2027-01-11', '0 2027-01-11..2027-01-31 21', 'next 2027-02-01'],
    ['2027-02-01', '1 2027-02-01..2027-02-10 11.07', 'next null'],
  ]);
});

test('a charge in arrears is due on the day after its line’s last one', (t) => {
  const order = withDays({ endsOn: '2027-02-10' }, arrears());
  t.deepEqual(billedOn(order, ['2027-02-01', '2027-02-10', '2027-02-11', '2027-03-01']), [
    ['2027-02-01', '0 2027-01-01..2027-01-31 31', 'next 2027-02-11'],
    ['2027-02-10', 'next 2027-02-11'],
    ['2027-02-11', '1 2027-02-01..2027-02-10 11.07', 'next null'],
    ['2027-03-01', 'next null'],
  ]);
});

test('a charge that is not prorated costs its whole period for any day of it', (t) => {
  t.deepEqual(billedOn(withDays({ endsOn: '2027-01-10' }, unprorated), ['2027-01-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-10 31', 'next null'],
  ]);
  t.deepEqual(
    billedOn(withDays({ startsOn: '2027-01-20' }, unprorated), ['2027-01-01', '2027-01-20']),
    [
      ['2027-01-01', 'next 2027-01-20'],
      ['2027-01-20', '0 2027-01-20..2027-01-31 31', 'next 2027-02-01'],
    ],
  );
  const inArrears = arrears({ isProrated: false });
  t.deepEqual(billedOn(withDays({ endsOn: '2027-01-10' }, inArrears), ['2027-01-11']), [
    ['2027-01-11', '0 2027-01-01..2027-01-10 31', 'next null'],
  ]);
});

test('a line that begins later bills from its first day on, by the order’s periods', (t) => {
  const order = withDays({ startsOn: '2027-03-10' });
  t.deepEqual(billedOn(order, ['2027-01-01', '2027-03-09', '2027-03-10', '2027-04-01']), [
    ['2027-01-01', 'next 2027-03-10'],
    ['2027-03-09', 'next 2027-03-10'],
    // 22 of March's 31 days.
    ['2027-03-10', '2 2027-03-10..2027-03-31 22', 'next 2027-04-01'],
    ['2027-04-01', '3 2027-04-01..2027-04-30 31', 'next 2027-05-01'],
  ]);
  t.deepEqual(
    billedOn(withDays({ startsOn: '2027-03-10' }, arrears()), ['2027-01-01', '2027-04-01']),
    [
      ['2027-01-01', 'next 2027-04-01'],
      ['2027-04-01', '2 2027-03-10..2027-03-31 22', 'next 2027-05-01'],
    ],
  );
});

test('the pointer of a line stays where it is until the line has begun to bill', (t) => {
  const order = withDays({ startsOn: '2027-03-10' });
  t.is(dueOf(order, '2027-03-09').nextPeriodIndex.size, 0);
  t.deepEqual([...dueOf(order, '2027-03-10').nextPeriodIndex], [[1, 3]]);
});

test('a line of one day bills this day', (t) => {
  const day = { startsOn: '2027-01-15', endsOn: '2027-01-15' };
  t.deepEqual(billedOn(withDays(day), ['2027-01-15']), [
    ['2027-01-15', '0 2027-01-15..2027-01-15 1', 'next null'],
  ]);
  t.deepEqual(billedOn(withDays(day, arrears()), ['2027-01-15', '2027-01-16']), [
    ['2027-01-15', 'next 2027-01-16'],
    ['2027-01-16', '0 2027-01-15..2027-01-15 1', 'next null'],
  ]);
});

test('a one-time charge is due on the later of the order’s start and its line’s first day', (t) => {
  t.deepEqual(billedOn(withDays({ startsOn: '2027-03-10' }, once), ['2027-01-01', '2027-03-12']), [
    ['2027-01-01', 'next 2027-03-10'],
    ['2027-03-12', '0 2027-03-10..2027-03-10 31', 'next null'],
  ]);
  t.is(
    dueOf(withDays({ startsOn: '2027-03-10' }, once), '2027-03-12').charges[0]?.dueOn,
    '2027-03-10',
  );
  t.deepEqual(billedOn(withDays({ startsOn: '2026-12-01' }, once), ['2027-01-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-01 31', 'next null'],
  ]);
  // Due on its first day, also if a run comes after its last one.
  const brief = { startsOn: '2027-03-10', endsOn: '2027-03-11' };
  t.deepEqual(billedOn(withDays(brief, once), ['2027-03-20']), [
    ['2027-03-20', '0 2027-03-10..2027-03-10 31', 'next null'],
  ]);
});

test('days before the order’s start are the order’s', (t) => {
  for (const line of [lineWith(), arrears(), once]) {
    const order = withDays({ startsOn: '2026-11-20' }, line);
    t.deepEqual(shown(dueOf(order, '2027-02-01')), shown(dueOf(withDays({}, line), '2027-02-01')));
  }
});

test('a line without a day in common with its order bills nothing', (t) => {
  const never = [
    { endsOn: '2026-12-31' },
    { startsOn: '2027-01-20' },
    { startsOn: '2027-03-10', endsOn: '2027-04-09' },
  ];
  for (const days of never) {
    for (const line of [lineWith(), unprorated, arrears(), once]) {
      const order = { ...withDays(days, line), endDate: '2027-01-15', isAutoRenew: false };
      t.deepEqual(billedOn(order, ['2027-01-01', '2027-05-01']), [
        ['2027-01-01', 'next null'],
        ['2027-05-01', 'next null'],
      ]);
    }
  }
});

test('the order’s end cuts a line that would end later, and a later end of the order adds days', (t) => {
  const order = {
    ...withDays({ endsOn: '2027-02-10' }),
    endDate: '2027-01-20',
    isAutoRenew: false,
  };
  t.deepEqual(billedOn(order, ['2027-01-01', '2027-02-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-20 20', 'next null'],
    ['2027-02-01', 'next null'],
  ]);
  const extended = { ...applyDue(order, dueOf(order, '2027-01-01')), endDate: '2027-02-28' };
  t.deepEqual(billedOn(extended, ['2027-01-21', '2027-02-01']), [
    ['2027-01-21', '0 2027-01-21..2027-01-31 11', 'next 2027-02-01'],
    ['2027-02-01', '1 2027-02-01..2027-02-10 11.07', 'next null'],
  ]);
  t.deepEqual(billedOn({ ...order, isAutoRenew: true }, ['2027-02-01']), [
    ['2027-02-01', '0 2027-01-01..2027-01-31 31', '1 2027-02-01..2027-02-10 11.07', 'next null'],
  ]);
});

test('a cancelled order bills in arrears up to its end, and a line up to its own', (t) => {
  const canceled = { status: 'Canceled', endedOn: '2027-01-20' } as const;
  const lines = [
    { ...arrears(), id: 1, endsOn: '2027-01-10' },
    { ...arrears(), id: 2, startsOn: '2027-01-11' },
    { ...arrears(), id: 3, startsOn: '2027-01-21' },
    { ...once, id: 4, startsOn: '2027-01-15' },
  ];
  t.deepEqual(billedOn(orderWith({ ...canceled, lines }), ['2027-01-21']), [
    ['2027-01-21', '0 2027-01-01..2027-01-10 10', '#2 0 2027-01-11..2027-01-20 10', 'next null'],
  ]);
});

test('a line whose first day is in a pause begins on resumption', (t) => {
  const pauses = [{ suspendedOn: '2027-01-10', resumedOn: '2027-01-21' }];
  const order = { ...withDays({ startsOn: '2027-01-15' }), pauses };
  // 21 to 31 January.
  t.deepEqual(billedOn(order, ['2027-01-21']), [
    ['2027-01-21', '0 2027-01-21..2027-01-31 11', 'next 2027-02-01'],
  ]);
  const setup = { ...withDays({ startsOn: '2027-01-15' }, once), pauses };
  t.is(dueOf(setup, '2027-01-21').charges[0]?.dueOn, '2027-01-21');
  // 15 January is not served, and 20 January is not either.
  const over = { ...withDays({ startsOn: '2027-01-15', endsOn: '2027-01-20' }), pauses };
  t.deepEqual(billedOn(over, ['2027-01-21']), [['2027-01-21', 'next null']]);
});

test('a line in arrears that ends in a pause is due on resumption, or after the order’s end', (t) => {
  const line = { ...arrears(), endsOn: '2027-01-20' };
  const suspended = orderWith({
    status: 'Suspended',
    pauses: [{ suspendedOn: '2027-01-10', resumedOn: null }],
    lines: [line],
  });
  t.deepEqual(billedOn(suspended, ['2027-01-21', '2027-02-01']), [
    ['2027-01-21', 'next null'],
    ['2027-02-01', 'next null'],
  ]);
  const resumed = orderWith({
    pauses: [{ suspendedOn: '2027-01-10', resumedOn: '2027-02-05' }],
    lines: [line],
  });
  const due = dueOf(resumed, '2027-02-05');
  t.deepEqual(shown(due), ['0 2027-01-01..2027-01-10 10']);
  t.is(due.charges[0]?.dueOn, '2027-02-05');
  const ending = { ...suspended, endDate: '2027-02-15', isAutoRenew: false };
  t.deepEqual(billedOn(ending, ['2027-02-01', '2027-02-16']), [
    ['2027-02-01', 'next 2027-02-16'],
    ['2027-02-16', '0 2027-01-01..2027-01-10 10', 'next null'],
  ]);
  t.is(dueOf({ ...ending, status: 'Complete' }, '2027-02-20').charges[0]?.dueOn, '2027-02-16');
});

test('lines of an aligned order share its periods, and its stub', (t) => {
  const aligned = (days: LineDays): BillableOrder => ({
    ...withDays(days, lineWith({ nextPeriodIndex: -1 })),
    schedule: { billingPeriod: 'Monthly', anchor: '2027-02-01', alignmentDay: 1 },
    startDate: '2027-01-21',
  });
  t.deepEqual(billedOn(aligned({ endsOn: '2027-01-25' }), ['2027-01-21', '2027-02-01']), [
    ['2027-01-21', '-1 2027-01-21..2027-01-25 5', 'next null'],
    ['2027-02-01', 'next null'],
  ]);
  t.deepEqual(billedOn(aligned({ startsOn: '2027-01-25' }), ['2027-01-21', '2027-01-25']), [
    ['2027-01-21', 'next 2027-01-25'],
    ['2027-01-25', '-1 2027-01-25..2027-01-31 7', 'next 2027-02-01'],
  ]);
  // 19 of February's 28 days, 31.00 x 19 / 28.
  t.deepEqual(billedOn(aligned({ startsOn: '2027-02-10' }), ['2027-02-10']), [
    ['2027-02-10', '0 2027-02-10..2027-02-28 21.04', 'next 2027-03-01'],
  ]);
});

test('a one-time penalty is due if its step is within the line’s days', (t) => {
  const fee = lineWith({
    charge: chargeWith({ chargeType: 'OneTimeCharge', isPenalty: true }),
    penaltySince: '2027-02-10',
  });
  const due = ['2027-02-10', '0 2027-02-10..2027-02-10 31', 'next null'];
  const notDue = ['2027-02-10', 'next null'];
  const cases = [
    { days: {}, is: due },
    { days: { startsOn: '2027-02-10' }, is: due },
    { days: { endsOn: '2027-02-10' }, is: due },
    { days: { startsOn: '2027-02-11' }, is: notDue },
    { days: { endsOn: '2027-02-09' }, is: notDue },
  ];
  for (const { days, is } of cases) {
    t.deepEqual(billedOn(withDays(days, fee), ['2027-02-10']), [is]);
  }
  // A step before the last day stays due after it, and a step outside moves no pointer.
  t.deepEqual(billedOn(withDays({ endsOn: '2027-02-10' }, fee), ['2027-02-20']).flat()[1], due[1]);
  t.is(dueOf(withDays({ startsOn: '2027-02-11' }, fee), '2027-02-20').nextPeriodIndex.size, 0);
});

test('a recurring penalty covers periods begun since its step, within the line’s days', (t) => {
  const fee = lineWith({
    charge: chargeWith({ isPenalty: true }),
    nextPeriodIndex: -1,
    penaltySince: '2027-02-10',
  });
  t.deepEqual(billedOn(withDays({ endsOn: '2027-03-10' }, fee), ['2027-02-10', '2027-03-01']), [
    ['2027-02-10', 'next 2027-03-01'],
    ['2027-03-01', '2 2027-03-01..2027-03-10 10', 'next null'],
  ]);
  // February was under way on the day of the step, also for a line that begins in it later.
  t.deepEqual(billedOn(withDays({ startsOn: '2027-02-15' }, fee), ['2027-02-15', '2027-03-01']), [
    ['2027-02-15', 'next 2027-03-01'],
    ['2027-03-01', '2 2027-03-01..2027-03-31 31', 'next 2027-04-01'],
  ]);
});

test('charges before a line’s first day do not count towards what is due at most', (t) => {
  const daily = (startsOn: IsoDate | null): BillableOrder => ({
    ...withDays({ startsOn }),
    schedule: { billingPeriod: 'Daily', anchor: '2020-01-01', alignmentDay: null },
    startDate: '2020-01-01',
  });
  t.throws(() => refuseTooMuchDue(daily(null), '2027-01-01'), { code: 'order.tooManyPeriods' });
  t.notThrows(() => refuseTooMuchDue(daily('2026-12-01'), '2027-01-01'));
  t.is(dueOf(daily('2026-12-01'), '2027-01-01').charges.length, 32);
});

test('what a rollback gives back is due again within the line’s days', (t) => {
  const line = { ...arrears(), startsOn: '2027-01-05', endsOn: '2027-02-10' };
  const order = orderWith({ lines: [line] });
  const all = ['0 2027-01-05..2027-01-31 27', '1 2027-02-01..2027-02-10 11.07'];
  const due = dueOf(order, '2027-02-11');
  t.deepEqual(shown(due), all);
  const billed = applyDue(order, due);
  t.deepEqual(shown(dueOf(billed, '2027-06-01')), []);
  // A rollback voids the billed days, and sets the pointer back to the first of their periods.
  t.deepEqual(shown(dueOf({ ...billed, lines: [line] }, '2027-06-01')), all);
});

/** `amount, ...` of the charges of each invoice that the days make, one after the other. */
function invoicedOn(start: BillableOrder, days: readonly IsoDate[]): string[] {
  let order = start;
  return days.map((today) => {
    const due = dueOf(order, today);
    const invoices = draftInvoices({
      customer: { id: 5, paymentTerms: null, purchaseOrder: null },
      tenantTerms: { value: 30, units: 'Days' },
      today,
      orders: [{ order: invoicedOrder(order), due }],
      taxing: byRates([]),
    });
    order = applyDue(order, due);
    const charges = invoices.flatMap(({ lines }) => lines.flatMap((line) => line.charges));
    return `${today} ${charges.map(({ amount }) => amount).join(', ')}`;
  });
}

test('a percentage is of what is due with it while its line lasts', (t) => {
  const percent = (days: LineDays): BillableOrder => {
    const line = lineWith({ id: 2, position: 2, charge: percentage('10') });
    return orderWith({ lines: [lineWith(), { ...line, ...days }] });
  };
  const days = ['2027-01-01', '2027-02-01', '2027-02-10', '2027-03-01'];
  t.deepEqual(invoicedOn(percent({ endsOn: '2027-02-09' }), days), [
    '2027-01-01 31.00, 3.10',
    '2027-02-01 31.00, 3.10',
    '2027-02-10 ',
    '2027-03-01 31.00',
  ]);
  // On its first day nothing else is due.
  t.deepEqual(invoicedOn(percent({ startsOn: '2027-02-10' }), days), [
    '2027-01-01 31.00',
    '2027-02-01 31.00',
    '2027-02-10 0.00',
    '2027-03-01 31.00, 3.10',
  ]);
});

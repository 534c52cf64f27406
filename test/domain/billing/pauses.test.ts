/** What suspended orders bill, alone or with their customer: worked out by hand. */
import test from 'ava';
import { dueOf } from '../../../domain/billing/due/due.ts';
import { arrears, billedOn, unprorated, until } from './billed.ts';
import { chargeWith, lineWith, orderWith } from '../fixtures.ts';

const paused = { suspendedOn: '2027-01-10', resumedOn: '2027-01-21' };
const held = { status: 'Suspended', pauses: [{ ...paused, resumedOn: null }] } as const;

test('a suspended order bills nothing, and has no next billable date', (t) => {
  for (const line of [lineWith(), unprorated, arrears()]) {
    t.deepEqual(billedOn(orderWith({ ...held, lines: [line] }), ['2027-02-01', '2027-05-01']), [
      ['2027-02-01', 'next null'],
      ['2027-05-01', 'next null'],
    ]);
  }
});

test('arrears bill the served days, including those of suspension and resumption', (t) => {
  // 1 to 10 and 21 to 31 January.
  t.deepEqual(billedOn(orderWith({ pauses: [paused], lines: [arrears()] }), ['2027-02-01']), [
    ['2027-02-01', '0 2027-01-01..2027-01-31 21', 'next 2027-03-01'],
  ]);
  const whole = arrears({ isProrated: false });
  t.deepEqual(billedOn(orderWith({ pauses: [paused], lines: [whole] }), ['2027-02-01']), [
    ['2027-02-01', '0 2027-01-01..2027-01-31 31', 'next 2027-03-01'],
  ]);
});

test('on resumption arrears bill the elapsed periods with a served day', (t) => {
  const pauses = [{ suspendedOn: '2027-01-10', resumedOn: '2027-03-22' }];
  t.deepEqual(billedOn(orderWith({ pauses, lines: [arrears()] }), ['2027-03-22', '2027-04-01']), [
    ['2027-03-22', '0 2027-01-01..2027-01-10 10', 'next 2027-04-01'],
    ['2027-04-01', '2 2027-03-22..2027-03-31 10', 'next 2027-05-01'],
  ]);
  const [january] = dueOf(orderWith({ pauses, lines: [arrears()] }), '2027-03-22').charges;
  t.is(january?.dueOn, '2027-03-22');
});

test('on resumption a prepaid charge bills the present period if it is not billed yet', (t) => {
  const pauses = [{ suspendedOn: '2027-01-10', resumedOn: '2027-03-22' }];
  const billedJanuary = lineWith({ nextPeriodIndex: 1 });
  // 22 to 31 March; nothing for February, and no credit for January.
  t.deepEqual(billedOn(orderWith({ pauses, lines: [billedJanuary] }), ['2027-03-22']), [
    ['2027-03-22', '2 2027-03-22..2027-03-31 10', 'next 2027-04-01'],
  ]);
  t.deepEqual(
    billedOn(orderWith({ pauses, lines: [{ ...unprorated, nextPeriodIndex: 1 }] }), ['2027-03-22']),
    [['2027-03-22', '2 2027-03-22..2027-03-31 31', 'next 2027-04-01']],
  );
  t.deepEqual(billedOn(orderWith({ pauses: [paused], lines: [billedJanuary] }), ['2027-01-21']), [
    ['2027-01-21', 'next 2027-02-01'],
  ]);
});

test('a period suspended before it was billed costs its served days only', (t) => {
  const pauses = [{ suspendedOn: '2027-01-01', resumedOn: '2027-01-21' }];
  // 1 January and 21 to 31 January.
  t.deepEqual(billedOn(orderWith({ pauses }), ['2027-01-21']), [
    ['2027-01-21', '0 2027-01-01..2027-01-31 12', 'next 2027-02-01'],
  ]);
});

test('pauses of the order and of its customer may overlap or touch', (t) => {
  const pauses = [
    { suspendedOn: '2027-01-15', resumedOn: '2027-01-26' },
    { suspendedOn: '2027-01-10', resumedOn: '2027-01-21' },
    { suspendedOn: '2027-01-25', resumedOn: '2027-01-28' },
    { suspendedOn: '2027-01-30', resumedOn: '2027-01-30' },
  ];
  // 1 to 10 and 28 to 31 January: 26 and 27 are within the third pause.
  t.deepEqual(billedOn(orderWith({ pauses, lines: [arrears()] }), ['2027-02-01']), [
    ['2027-02-01', '0 2027-01-01..2027-01-31 14', 'next 2027-03-01'],
  ]);
});

test('a charge ends with the last served day of its period', (t) => {
  const cases = [
    [{ suspendedOn: '2027-01-10', resumedOn: '2027-02-01' }],
    [
      { suspendedOn: '2027-01-10', resumedOn: '2027-01-21' },
      { suspendedOn: '2027-01-20', resumedOn: '2027-02-01' },
    ],
  ];
  for (const pauses of cases) {
    t.deepEqual(billedOn(orderWith({ pauses, lines: [arrears()] }), ['2027-02-01']), [
      ['2027-02-01', '0 2027-01-01..2027-01-10 10', 'next 2027-03-01'],
    ]);
  }
});

test('a charge begins with the first served day of its period', (t) => {
  const pauses = [{ suspendedOn: '2027-01-31', resumedOn: '2027-02-10' }];
  const line = { ...arrears(), nextPeriodIndex: 1 };
  t.deepEqual(billedOn(orderWith({ pauses, lines: [line] }), ['2027-03-01']), [
    // 19 of February's 28 days: 31.00 x 19 / 28.
    ['2027-03-01', '1 2027-02-10..2027-02-28 21.04', 'next 2027-04-01'],
  ]);
});

test('a one-time charge that a pause delayed is due on resumption', (t) => {
  const setup = lineWith({ charge: chargeWith({ chargeType: 'OneTimeCharge' }) });
  const pauses = [{ suspendedOn: '2026-12-20', resumedOn: '2027-01-21' }];
  const order = orderWith({ pauses, lines: [setup] });
  t.deepEqual(billedOn({ ...order, customerSuspended: true }, ['2027-01-01']), [
    ['2027-01-01', 'next null'],
  ]);
  t.is(dueOf(order, '2027-01-21').charges[0]?.dueOn, '2027-01-21');
  t.deepEqual(billedOn({ ...order, status: 'Suspended' }, ['2027-02-01']), [
    ['2027-02-01', 'next null'],
  ]);
});

test('the end of a suspended order bills its arrears, but no prepaid or one-time charge', (t) => {
  const once = lineWith({ id: 2, charge: chargeWith({ chargeType: 'OneTimeCharge' }) });
  const prepaid = lineWith({ id: 3 });
  const order = orderWith({
    ...held,
    endDate: '2027-02-15',
    isAutoRenew: false,
    lines: [arrears(), once, prepaid],
  });
  t.deepEqual(billedOn(order, ['2027-02-01', '2027-02-15', '2027-02-16', '2027-02-17']), [
    ['2027-02-01', 'next 2027-02-16'],
    ['2027-02-15', 'next 2027-02-16'],
    ['2027-02-16', '0 2027-01-01..2027-01-10 10', 'next null'],
    ['2027-02-17', 'next null'],
  ]);
  const [charge] = dueOf({ ...order, status: 'Complete' }, '2027-02-20').charges;
  t.is(charge?.dueOn, '2027-02-16');
  t.is(dueOf({ ...order, lines: [once, prepaid] }, '2027-02-01').nextBillableDate, null);
});

test('a suspended customer bills nothing, not even at the end of an order', (t) => {
  const pauses = [{ suspendedOn: '2027-01-10', resumedOn: null }];
  const order = { ...until('2027-02-15', arrears()), pauses, customerSuspended: true };
  t.deepEqual(billedOn(order, ['2027-02-16']), [['2027-02-16', 'next null']]);
  const resumed = { ...order, status: 'Complete', customerSuspended: false } as const;
  const activated = {
    ...resumed,
    pauses: [{ suspendedOn: '2027-01-10', resumedOn: '2027-03-05' }],
  };
  t.deepEqual(billedOn(activated, ['2027-03-05']), [
    ['2027-03-05', '0 2027-01-01..2027-01-10 10', 'next null'],
  ]);
});

test('of several pauses each has its own days, and the days between them are served', (t) => {
  const pauses = [
    { suspendedOn: '2027-01-20', resumedOn: '2027-01-24' },
    { suspendedOn: '2027-01-04', resumedOn: '2027-01-08' },
    // Suspended again on the day of resumption: the day itself is served.
    { suspendedOn: '2027-01-08', resumedOn: '2027-01-10' },
  ];
  // 5 to 7, 9, and 21 to 23 January are not.
  t.deepEqual(billedOn(orderWith({ pauses, lines: [arrears()] }), ['2027-02-01']), [
    ['2027-02-01', '0 2027-01-01..2027-01-31 24', 'next 2027-03-01'],
  ]);
});

test('a pause that begins or ends beside a period takes nothing of it', (t) => {
  const pausing = (suspendedOn: string, resumedOn: string) =>
    orderWith({ pauses: [{ suspendedOn, resumedOn }], lines: [arrears()] });
  // A later pause, of 11 to 19 February: 31.00 x 19 / 28 are 21.04.
  t.deepEqual(billedOn(pausing('2027-02-10', '2027-02-20'), ['2027-02-01', '2027-03-01']), [
    ['2027-02-01', '0 2027-01-01..2027-01-31 31', 'next 2027-03-01'],
    ['2027-03-01', '1 2027-02-01..2027-02-28 21.04', 'next 2027-04-01'],
  ]);
  // Not served are the first days of February only: January is due when service goes on.
  t.deepEqual(billedOn(pausing('2027-01-31', '2027-02-05'), ['2027-02-04', '2027-02-05']), [
    ['2027-02-04', 'next 2027-02-05'],
    ['2027-02-05', '0 2027-01-01..2027-01-31 31', 'next 2027-03-01'],
  ]);
  t.deepEqual(billedOn(pausing('2027-01-31', '2027-02-02'), ['2027-02-01', '2027-02-02']), [
    ['2027-02-01', 'next 2027-02-02'],
    ['2027-02-02', '0 2027-01-01..2027-01-31 31', 'next 2027-03-01'],
  ]);
  // A pause up to the first day, which is not served.
  const last = { ...pausing('2026-12-20', '2027-01-02'), startDate: '2026-12-01' };
  t.deepEqual(billedOn(last, ['2027-02-01'])[0]?.slice(-2), [
    '0 2027-01-02..2027-01-31 30',
    'next 2027-03-01',
  ]);
});

test('a billed period is passed one by one, whatever pause comes later', (t) => {
  const january = { periodIndex: 0, from: '2027-01-01', to: '2027-01-31' };
  const pauses = [{ suspendedOn: '2027-03-05', resumedOn: '2027-04-20' }];
  const order = orderWith({ pauses, lines: [lineWith({ billed: [january] })] });
  t.deepEqual(billedOn(order, ['2027-02-01']), [
    ['2027-02-01', '1 2027-02-01..2027-02-28 31', 'next 2027-03-01'],
  ]);
});

test('of a suspended order nothing is due before the day after its end', (t) => {
  const order = { ...until('2027-03-31', arrears()), ...held };
  t.deepEqual(billedOn(order, ['2027-03-31', '2027-04-01']), [
    ['2027-03-31', 'next 2027-04-01'],
    ['2027-04-01', '0 2027-01-01..2027-01-10 10', 'next null'],
  ]);
  // Arrears that no run has billed before the suspension wait, too.
  const late = { ...order, pauses: [{ suspendedOn: '2027-02-10', resumedOn: null }] };
  t.deepEqual(billedOn(late, ['2027-02-15', '2027-03-31', '2027-04-01']), [
    ['2027-02-15', 'next 2027-04-01'],
    ['2027-03-31', 'next 2027-04-01'],
    [
      '2027-04-01',
      '0 2027-01-01..2027-01-31 31',
      // 10 of February's 28 days.
      '1 2027-02-01..2027-02-10 11.07',
      'next null',
    ],
  ]);
  // Ended within its first month: usage has days of grace, a fee has none.
  const usage = chargeWith({ chargeType: 'UsageCharge' });
  const metered = lineWith({ id: 2, charge: usage, windows: [] });
  const short = { ...until('2027-01-20'), ...held, usageGraceDays: 5 };
  t.is(dueOf({ ...short, lines: [metered] }, '2027-01-15').nextBillableDate, '2027-01-26');
  t.is(
    dueOf({ ...short, lines: [metered, arrears()] }, '2027-01-15').nextBillableDate,
    '2027-01-21',
  );
});

test('a pause of any length is skipped at no cost', (t) => {
  const daily = orderWith({
    schedule: { billingPeriod: 'Daily', anchor: '2027-01-01', alignmentDay: null },
    pauses: [{ suspendedOn: '2027-01-01', resumedOn: '2037-01-01' }],
    lines: [lineWith({ nextPeriodIndex: 1 })],
  });
  t.deepEqual(billedOn(daily, ['2037-01-01']), [
    ['2037-01-01', '3653 2037-01-01..2037-01-01 31', 'next 2037-01-02'],
  ]);
});

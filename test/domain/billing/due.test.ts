/** The charges that are due from day to day: worked out by hand, one case a line. */
import test from 'ava';
import { applyDue, dueOf, firstDueOn } from '../../../domain/billing/due/due.ts';
import { billedFor, arrears, billedOn, shown, unprorated, until } from './billed.ts';
import { chargeWith, lineWith, orderWith, tiersOf } from '../fixtures.ts';

test('a prepaid charge is billed on the first day of each period, once', (t) => {
  t.deepEqual(
    billedOn(orderWith(), ['2026-12-31', '2027-01-01', '2027-01-01', '2027-01-31', '2027-02-01']),
    [
      ['2026-12-31', 'next 2027-01-01'],
      ['2027-01-01', '0 2027-01-01..2027-01-31 31', 'next 2027-02-01'],
      ['2027-01-01', 'next 2027-02-01'],
      ['2027-01-31', 'next 2027-02-01'],
      ['2027-02-01', '1 2027-02-01..2027-02-28 31', 'next 2027-03-01'],
    ],
  );
});

test('a charge in arrears is billed the day after the end of each period', (t) => {
  t.deepEqual(
    billedOn(orderWith({ lines: [arrears()] }), ['2027-01-31', '2027-02-01', '2027-02-02']),
    [
      ['2027-01-31', 'next 2027-02-01'],
      ['2027-02-01', '0 2027-01-01..2027-01-31 31', 'next 2027-03-01'],
      ['2027-02-02', 'next 2027-03-01'],
    ],
  );
});

test('each elapsed period of a backdated order is a charge of its own', (t) => {
  const order = orderWith({ startDate: '2026-11-01', lines: [lineWith({ nextPeriodIndex: -2 })] });
  t.deepEqual(billedOn(order, ['2027-01-20']), [
    [
      '2027-01-20',
      '-2 2026-11-01..2026-11-30 31',
      '-1 2026-12-01..2026-12-31 31',
      '0 2027-01-01..2027-01-31 31',
      'next 2027-02-01',
    ],
  ]);
});

test('a one-time charge is billed on the start date, once, also in arrears', (t) => {
  const setup = lineWith({
    id: 2,
    charge: chargeWith({ chargeType: 'OneTimeCharge', isPrepaid: false }),
  });
  const order = orderWith({ lines: [setup, arrears()] });
  t.deepEqual(billedOn(order, ['2026-12-31', '2027-01-01', '2027-02-01']), [
    ['2026-12-31', 'next 2027-01-01'],
    ['2027-01-01', '#2 0 2027-01-01..2027-01-01 31', 'next 2027-02-01'],
    ['2027-02-01', '0 2027-01-01..2027-01-31 31', 'next 2027-03-01'],
  ]);
  t.deepEqual([...dueOf(order, '2027-01-01').nextPeriodIndex], [[2, 1]]);
  t.deepEqual(
    billedOn(orderWith({ lines: [setup] }), ['2027-01-01'])
      .flat()
      .at(-1),
    'next null',
  );
});

test('the stub before an alignment day costs its share of the period that ends with the stub', (t) => {
  const aligned = {
    schedule: { billingPeriod: 'Monthly', anchor: '2027-02-01', alignmentDay: 1 },
    startDate: '2027-01-21',
  } as const;
  // 11 of January's 31 days.
  t.deepEqual(
    billedOn(orderWith({ ...aligned, lines: [lineWith({ nextPeriodIndex: -1 })] }), [
      '2027-01-21',
      '2027-02-01',
    ]),
    [
      ['2027-01-21', '-1 2027-01-21..2027-01-31 11', 'next 2027-02-01'],
      ['2027-02-01', '0 2027-02-01..2027-02-28 31', 'next 2027-03-01'],
    ],
  );
  t.deepEqual(
    billedOn(orderWith({ ...aligned, lines: [{ ...unprorated, nextPeriodIndex: -1 }] }), [
      '2027-01-21',
    ]),
    [['2027-01-21', '-1 2027-01-21..2027-01-31 31', 'next 2027-02-01']],
  );
  t.deepEqual(
    billedOn(orderWith({ ...aligned, lines: [{ ...arrears(), nextPeriodIndex: -1 }] }), [
      '2027-02-01',
    ]),
    [['2027-02-01', '-1 2027-01-21..2027-01-31 11', 'next 2027-03-01']],
  );
});

test('the first period begins on the start date, wherever a kept anchor is', (t) => {
  const order = orderWith({ startDate: '2027-04-16', lines: [lineWith({ nextPeriodIndex: 3 })] });
  // 15 of April's 30 days, 3 periods after the anchor.
  t.deepEqual(billedOn(order, ['2027-04-16']), [
    ['2027-04-16', '3 2027-04-16..2027-04-30 15.5', 'next 2027-05-01'],
  ]);
});

test('a period is cut at the end date unless the order renews', (t) => {
  t.deepEqual(billedOn(until('2027-01-10'), ['2027-01-01', '2027-02-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-10 10', 'next null'],
    ['2027-02-01', 'next null'],
  ]);
  t.deepEqual(
    billedOn(until('2027-01-10', arrears()), ['2027-01-10', '2027-01-11', '2027-02-01']),
    [
      ['2027-01-10', 'next 2027-01-11'],
      ['2027-01-11', '0 2027-01-01..2027-01-10 10', 'next null'],
      ['2027-02-01', 'next null'],
    ],
  );
  t.deepEqual(billedOn({ ...until('2027-01-10'), isAutoRenew: true }, ['2027-01-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-31 31', 'next 2027-02-01'],
  ]);
  t.deepEqual(billedOn({ ...until('2027-01-10', arrears()), status: 'Complete' }, ['2027-01-11']), [
    ['2027-01-11', '0 2027-01-01..2027-01-10 10', 'next null'],
  ]);
});

test('a later end bills the days that were not billed yet, an earlier end credits nothing', (t) => {
  const billed = applyDue(until('2027-01-10'), dueOf(until('2027-01-10'), '2027-01-01'));
  t.deepEqual(
    billedOn({ ...billed, endDate: '2027-01-15' }, ['2027-01-10', '2027-01-11', '2027-01-12']),
    [
      ['2027-01-10', 'next 2027-01-11'],
      ['2027-01-11', '0 2027-01-11..2027-01-15 5', 'next null'],
      ['2027-01-12', 'next null'],
    ],
  );
  t.deepEqual(billedOn({ ...billed, isAutoRenew: true }, ['2027-01-11']), [
    ['2027-01-11', '0 2027-01-11..2027-01-31 21', 'next 2027-02-01'],
  ]);
  t.deepEqual(billedOn({ ...billed, endDate: '2027-01-05' }, ['2027-01-06']), [
    ['2027-01-06', 'next null'],
  ]);
  const inArrears = applyDue(
    until('2027-01-10', arrears()),
    dueOf(until('2027-01-10', arrears()), '2027-01-11'),
  );
  t.deepEqual(billedOn({ ...inArrears, endDate: '2027-02-28' }, ['2027-01-31', '2027-02-01']), [
    ['2027-01-31', 'next 2027-02-01'],
    ['2027-02-01', '0 2027-01-11..2027-01-31 21', 'next 2027-03-01'],
  ]);
});

test('a charge that is not prorated is billed once for a period, even if the end moves', (t) => {
  const cut = until('2027-01-10', unprorated);
  const billed = applyDue(cut, dueOf(cut, '2027-01-01'));
  t.deepEqual(shown(dueOf(cut, '2027-01-01')), ['0 2027-01-01..2027-01-10 31']);
  t.deepEqual(billedOn({ ...billed, endDate: '2027-02-10' }, ['2027-01-11', '2027-02-01']), [
    ['2027-01-11', 'next 2027-02-01'],
    ['2027-02-01', '1 2027-02-01..2027-02-10 31', 'next null'],
  ]);
});

test('a canceled order bills its arrears up to its last day, and nothing else', (t) => {
  const once = lineWith({ id: 2, charge: chargeWith({ chargeType: 'OneTimeCharge' }) });
  const lines = [arrears(), once, lineWith({ id: 3 })];
  const order = orderWith({ status: 'Canceled', endedOn: '2027-02-14', lines });
  t.deepEqual(billedOn(order, ['2027-02-14', '2027-02-15', '2027-06-01']), [
    ['2027-02-14', '0 2027-01-01..2027-01-31 31', 'next 2027-02-15'],
    // 14 of February's 28 days.
    ['2027-02-15', '1 2027-02-01..2027-02-14 15.5', 'next null'],
    ['2027-06-01', 'next null'],
  ]);
  for (const changes of [
    { billsNothingMore: true },
    { endedOn: null },
    { endedOn: '2026-12-20' },
  ]) {
    t.deepEqual(billedOn({ ...order, ...changes }, ['2027-06-01']), [['2027-06-01', 'next null']]);
  }
});

test('a superseded order also bills the prepaid days before its change that were not billed', (t) => {
  const fee = lineWith({ id: 3, charge: chargeWith({ isPrepaid: true, isProrated: true }) });
  const order = orderWith({ status: 'Superseded', endedOn: '2027-02-14', lines: [fee] });
  t.deepEqual(billedOn(order, ['2027-02-15', '2027-06-01']), [
    [
      '2027-02-15',
      '#3 0 2027-01-01..2027-01-31 31',
      '#3 1 2027-02-01..2027-02-14 15.5',
      'next null',
    ],
    ['2027-06-01', 'next null'],
  ]);
  t.deepEqual(billedOn({ ...order, endedOn: null }, ['2027-06-01']), [['2027-06-01', 'next null']]);
});

test('an order bills first what is due first, its credit or its arrears', (t) => {
  const order = orderWith({ status: 'Superseded', endedOn: '2027-02-14', lines: [arrears()] });
  // January's arrears.
  t.is(firstDueOn({ ...order, creditFrom: '2027-02-15' }, '2027-02-05'), '2027-02-01');
  t.is(firstDueOn({ ...order, creditFrom: '2027-01-20' }, '2027-02-05'), '2027-01-20');
});

test('what is billed is kept of the periods that are open, with its cost if days have one', (t) => {
  const billedOf = (line: Parameters<typeof until>[1]) => {
    const order = until('2027-02-10', line);
    return applyDue(order, dueOf(order, '2027-03-01')).lines[0]?.billed;
  };
  // January is closed; February may still get days.
  const february = { periodIndex: 1, from: '2027-02-01', to: '2027-02-10' };
  t.deepEqual(billedOf(unprorated), [february]);
  const parts = [{ tierId: 1, unitPrice: '31.00', quantity: '1', amount: '11.07' }];
  t.deepEqual(billedOf(lineWith()), [{ ...february, cost: { days: 10, parts } }]);
  const percentage = chargeWith({ tiers: tiersOf([['0', null, null]]) });
  t.deepEqual(billedOf(lineWith({ charge: percentage })), [
    { ...february, cost: { days: 10, parts: [] } },
  ]);
  const rolledBack = lineWith({
    billed: [
      { periodIndex: 0, from: '2027-01-01', to: '2027-01-31' },
      { ...february, cost: { days: 10, parts } },
    ],
  });
  t.deepEqual(billedOf(rolledBack), [{ ...february, cost: { days: 10, parts } }]);
});

test('while a period is cut short, runs that bill nothing leave it open for a later end', (t) => {
  const first = until('2027-01-10');
  const billed = applyDue(first, dueOf(first, '2027-01-01'));
  const again = dueOf(billed, '2027-01-20');
  t.is(again.nextPeriodIndex.size, 0);
  t.deepEqual(billedOn({ ...applyDue(billed, again), endDate: '2027-01-15' }, ['2027-01-20']), [
    ['2027-01-20', '0 2027-01-11..2027-01-15 5', 'next null'],
  ]);
});

test('a change owes its credit from its day on, unless the customer is suspended', (t) => {
  const order = orderWith({ status: 'Superseded', endedOn: '2027-01-31', lines: [] });
  t.is(firstDueOn(order, '2027-02-01'), null);
  t.is(firstDueOn({ ...order, creditFrom: '2027-02-01' }, '2027-02-05'), '2027-02-01');
  const suspended = { ...order, creditFrom: '2027-02-01', customerSuspended: true };
  t.is(firstDueOn(suspended, '2027-02-05'), null);
});

test('drafts bill nothing, and future orders know their billing date', (t) => {
  t.deepEqual(billedOn(orderWith({ status: 'Draft' }), ['2027-06-01']), [
    ['2027-06-01', 'next null'],
  ]);
  t.deepEqual(billedOn(orderWith({ status: 'Provisioning' }), ['2026-12-01', '2027-01-01']), [
    ['2026-12-01', 'next 2027-01-01'],
    ['2027-01-01', '0 2027-01-01..2027-01-31 31', 'next 2027-02-01'],
  ]);
});

test('inactive lines and penalties are not due by the periods of their order', (t) => {
  const lines = [
    lineWith({ isActive: false }),
    lineWith({ id: 3, charge: chargeWith({ isPenalty: true }) }),
    lineWith({ id: 4, charge: chargeWith({ isPenalty: true, chargeType: 'OneTimeCharge' }) }),
  ];
  t.deepEqual(billedOn(orderWith({ lines }), ['2027-06-01']), [['2027-06-01', 'next null']]);
});

test('a percentage is due by its own schedule, and is never prorated by itself', (t) => {
  const percentage = chargeWith({ isPrepaid: false, tiers: tiersOf([['0', null, null]]) });
  const order = orderWith({ startDate: '2027-01-16', lines: [lineWith({ charge: percentage })] });
  t.deepEqual(billedOn(order, ['2027-01-16', '2027-02-01']), [
    ['2027-01-16', 'next 2027-02-01'],
    ['2027-02-01', '0 2027-01-16..2027-01-31 0', 'next 2027-03-01'],
  ]);
});

test('a period of quantity 0 is billed at 0, so that the invoice shows it', (t) => {
  t.deepEqual(billedOn(orderWith({ lines: [lineWith({ quantity: '0' })] }), ['2027-01-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-31 0', 'next 2027-02-01'],
  ]);
});

test('a rolled-back period is due again, later periods stay billed', (t) => {
  const line = lineWith({
    billed: [
      { periodIndex: 2, from: '2027-03-01', to: '2027-03-31' },
      { periodIndex: 0, from: '2027-01-01', to: '2027-01-31' },
    ],
  });
  t.deepEqual(billedOn(orderWith({ lines: [line] }), ['2027-03-02', '2027-03-03']), [
    ['2027-03-02', '1 2027-02-01..2027-02-28 31', 'next 2027-04-01'],
    ['2027-03-03', 'next 2027-04-01'],
  ]);
});

test('a gap between billed days is a charge of its own', (t) => {
  const billed = [billedFor({ periodIndex: 0, from: '2027-01-11', to: '2027-01-20' }, '10.00')];
  t.deepEqual(
    billedOn(orderWith({ lines: [lineWith({ billed })] }), ['2027-01-01', '2027-01-21']),
    [
      ['2027-01-01', '0 2027-01-01..2027-01-10 10', 'next 2027-01-21'],
      ['2027-01-21', '0 2027-01-21..2027-01-31 11', 'next 2027-02-01'],
    ],
  );
});

test('the gaps of each of several periods are charges of their own', (t) => {
  const billed = [
    billedFor({ periodIndex: 0, from: '2027-01-11', to: '2027-01-20' }, '10.00'),
    billedFor({ periodIndex: 1, from: '2027-02-11', to: '2027-02-20' }, '11.07'),
  ];
  t.deepEqual(billedOn(orderWith({ lines: [lineWith({ billed })] }), ['2027-02-21']), [
    [
      '2027-02-21',
      '0 2027-01-01..2027-01-10 10',
      '0 2027-01-21..2027-01-31 11',
      // 31.00 x 20 / 28 is 22.14, and for all 28 days 31.00.
      '1 2027-02-01..2027-02-10 11.07',
      '1 2027-02-21..2027-02-28 8.86',
      'next 2027-03-01',
    ],
  ]);
});

test("billed days beyond the order's end do not reduce what is due", (t) => {
  const days = { periodIndex: 0, from: '2027-01-21', to: '2027-01-31' };
  const late = lineWith({ billed: [billedFor(days, '11.00')] });
  t.deepEqual(billedOn(until('2027-01-10', late), ['2027-01-01']), [
    ['2027-01-01', '0 2027-01-01..2027-01-10 10', 'next null'],
  ]);
  const billed = [billedFor({ periodIndex: 0, from: '2027-01-01', to: '2027-01-05' }, '5.00')];
  const order = orderWith({ startDate: '2027-01-11', lines: [lineWith({ billed })] });
  t.deepEqual(billedOn(order, ['2027-01-11']), [
    ['2027-01-11', '0 2027-01-11..2027-01-31 21', 'next 2027-02-01'],
  ]);
});

test('each line has its own pointer', (t) => {
  const order = orderWith({ lines: [arrears(), lineWith({ id: 2 })] });
  const due = dueOf(order, '2027-01-01');
  t.deepEqual([...due.nextPeriodIndex], [[2, 1]]);
  t.deepEqual(shown(dueOf(applyDue(order, due), '2027-02-01')), [
    '0 2027-01-01..2027-01-31 31',
    '#2 1 2027-02-01..2027-02-28 31',
  ]);
});

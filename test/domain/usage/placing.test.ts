/** How the records of an upload are placed, worked out by hand. */
import test from 'ava';
import type { Charge } from '../../../domain/plans/plan.ts';
import type { Correctable } from '../../../domain/usage/corrections.ts';
import type { NamedLines, UsageLine } from '../../../domain/usage/lines.ts';
import { isDuplicate, placeRecords, type Upload } from '../../../domain/usage/placing.ts';
import { formFaults, type UsageRecord } from '../../../domain/usage/records.ts';
import { lineOfOrder, minutes, noRecord, orderOf } from './fixtures.ts';

const talk = lineOfOrder(orderOf({ endDate: '2027-12-31' }), { id: 1, nextPeriodIndex: 1 });
const agreed: Charge = {
  ...minutes,
  priceCode: 'AGREED',
  pricingType: 'UserEnteredPricing',
  tiers: [],
};
const [firstTier] = minutes.tiers;
const share: Charge = {
  ...minutes,
  priceCode: 'SHARE',
  tiers: firstTier ? [{ ...firstTier, price: null, percent: '2.5', unitsTo: null }] : [],
};
const lines: readonly UsageLine[] = [
  talk,
  lineOfOrder(orderOf(), { id: 2, charge: agreed }),
  lineOfOrder(orderOf(), { id: 3, charge: agreed, unitPrice: '2.50' }),
  lineOfOrder(orderOf(), { id: 4, charge: share }),
  lineOfOrder(orderOf({ currency: 'JPY' }), { id: 5 }),
  lineOfOrder(orderOf({ status: 'Canceled', endedOn: '2027-03-12' }), {
    id: 6,
    nextPeriodIndex: 3,
  }),
];
const named: NamedLines = {
  line: (id) => lines.find((line) => line.id === id),
  order: () => undefined,
  customer: () => undefined,
};

const stored: Correctable = {
  at: { id: 900 },
  line: talk,
  quantity: '50',
  corrected: '-10',
  amount: null,
  correctedAmount: '0',
  unitPrice: null,
  isCorrection: false,
  isBilled: false,
  percent: null,
  periodIndex: 1,
};
const correctable = new Map<string, Correctable>([
  ['open', stored],
  [
    'billed',
    {
      ...stored,
      at: { id: 901 },
      isBilled: true,
      amount: '5.00',
      correctedAmount: '-1.00',
      periodIndex: 0,
    },
  ],
  ['supplied', { ...stored, at: { id: 902 }, amount: '20.00', correctedAmount: '-4.00' }],
  [
    'percent',
    {
      ...stored,
      at: { id: 903 },
      isBilled: true,
      amount: '120.00',
      correctedAmount: '-24.00',
      percent: '2.5',
      periodIndex: 0,
    },
  ],
  ['correction', { ...stored, at: { id: 904 }, isCorrection: true }],
  ['ended', { ...stored, at: { id: 905 }, periodIndex: null }],
]);

const upload: Omit<Upload, 'records'> = {
  ofCall: null,
  named,
  storedRefs: new Set(['stored']),
  correctable,
  skipsDuplicates: false,
  today: '2027-02-10',
  graceDays: 0,
  costOf: () => '0',
};

function placed(records: readonly Partial<UsageRecord>[], more: Partial<Upload> = {}) {
  const all = records.map((record) => ({ ...noRecord, lineId: 1, ...record }));
  return placeRecords({ ...upload, ...more, records: all }, 100);
}

/** The faults of one record, `code element`. */
function faultsOf(record: Partial<UsageRecord>): string[] {
  return placed([record]).faults.map(({ code, element }) => `${code} ${element}`);
}

/** Window, quantity, amount and unit price of one record. */
function placeOf(record: Partial<UsageRecord>) {
  const { places, faults } = placed([record]);
  const [place] = places;
  if (place === undefined || isDuplicate(place)) return faults;
  return [place.periodIndex, place.quantity, place.amount, place.unitPrice];
}

test('what is wrong with the form of a record is known without anything stored', (t) => {
  const cases: readonly (readonly [Partial<UsageRecord>, ...string[]])[] = [
    [{ quantity: '0' }],
    [{ amount: '7.00' }],
    [{}, 'field.required quantity'],
    [{ quantity: '-1' }, 'field.invalid quantity'],
    [{ quantity: '1', amount: '-1' }, 'field.invalid amount'],
    [{ quantity: '1', unitPrice: '-1' }, 'field.invalid unitPrice'],
    [{ quantity: '-1', correctsExtRefId: 'A' }],
    [{ quantity: '0', correctsExtRefId: 'A' }, 'field.invalid quantity'],
    [{ quantity: '-1', amount: '0', correctsExtRefId: 'A' }],
    [{ quantity: '-1', amount: '0.01', correctsExtRefId: 'A' }, 'field.invalid amount'],
    [{ quantity: '1', chargeDate: '2027-01-06', chargeEndDate: '2027-01-06' }],
    [
      { quantity: '1', chargeDate: '2027-01-06', chargeEndDate: '2027-01-05' },
      'field.invalid chargeEndDate',
    ],
  ];
  for (const [record, ...codes] of cases) {
    const found = formFaults({ ...noRecord, ...record });
    t.deepEqual(
      found.map(({ code, element }) => `${code} ${element}`),
      codes,
    );
  }
});

test('a record is in the window of its day, or in the first later one that is not billed', (t) => {
  t.deepEqual(placeOf({ quantity: '70.50', chargeDate: '2027-02-01' }), [1, '70.5', null, null]);
  t.deepEqual(placeOf({ quantity: '70', chargeDate: '2027-01-31' }), [1, '70', null, null]);
  t.deepEqual(placeOf({ quantity: '70', chargeDate: '2027-04-30' }), [3, '70', null, null]);
  t.deepEqual(placeOf({ quantity: '70' }), [1, '70', null, null], 'today');
  t.deepEqual(placeOf({ amount: '7' }), [1, '1', '7.00', null]);
  // The order ended on 12 March, and its last window is billed.
  t.deepEqual(placeOf({ lineId: 6, quantity: '1', chargeDate: '2027-03-10' }), [
    3,
    '1',
    null,
    null,
  ]);
});

test('a record outside of the days of its line is refused', (t) => {
  for (const chargeDate of ['2026-12-31', '2028-01-01']) {
    t.deepEqual(faultsOf({ quantity: '1', chargeDate }), ['activity.outsideTerm chargeDate']);
  }
  const late = { lineId: 6, quantity: '1', chargeDate: '2027-03-13' };
  t.deepEqual(faultsOf(late), ['activity.outsideTerm chargeDate']);
  t.deepEqual(faultsOf({ quantity: '1', chargeEndDate: '2027-02-09' }), [
    'field.invalid chargeEndDate',
  ]);
});

test('a unit price counts for a price that is agreed, and must come from somewhere', (t) => {
  t.deepEqual(placeOf({ quantity: '1', unitPrice: '3.00' }), [1, '1', null, null]);
  t.deepEqual(placeOf({ lineId: 2, quantity: '1', unitPrice: '3.00' }), [1, '1', null, '3']);
  t.deepEqual(faultsOf({ lineId: 2, quantity: '1' }), ['field.required unitPrice']);
  t.deepEqual(placeOf({ lineId: 2, amount: '4.00' }), [1, '1', '4.00', null]);
  t.deepEqual(placeOf({ lineId: 3, quantity: '1' }), [1, '1', null, null]);
});

test('a percentage needs an amount, and an amount the decimals of its currency', (t) => {
  t.deepEqual(faultsOf({ lineId: 4, quantity: '1' }), ['field.required amount']);
  t.deepEqual(placeOf({ lineId: 4, quantity: '1', amount: '120' }), [1, '1', '120.00', null]);
  t.deepEqual(faultsOf({ amount: '0.005' }), ['field.invalid amount']);
  t.deepEqual(faultsOf({ lineId: 5, amount: '5.5' }), ['field.invalid amount']);
  t.deepEqual(placeOf({ lineId: 5, amount: '5.00' }), [1, '1', '5', null]);
});

test('a correction of an unbilled record is in that record’s window', (t) => {
  const march = { quantity: '-20', chargeDate: '2027-03-01', lineId: null };
  t.deepEqual(placeOf({ ...march, correctsExtRefId: 'open' }), [1, '-20', null, null]);
  // 20.00 x 20/50.
  t.deepEqual(placeOf({ ...march, correctsExtRefId: 'supplied' }), [1, '-20', '-8.00', null]);
  t.deepEqual(placeOf({ ...march, amount: '-3', correctsExtRefId: 'open' }), [
    1,
    '-20',
    '-3.00',
    null,
  ]);
  t.deepEqual(placeOf({ ...march, correctsExtRefId: 'ended' }), [null, '-20', null, null]);
});

test('a correction of a billed record is in its own window, with its part of the amount', (t) => {
  const march = { quantity: '-20', chargeDate: '2027-03-01' };
  t.deepEqual(placeOf({ ...march, correctsExtRefId: 'billed' }), [2, '-20', '-2.00', null]);
  const { places } = placed([{ ...march, correctsExtRefId: 'percent' }]);
  t.like(places[0], {
    amount: '-48.00',
    correctsBilled: true,
    correctedPercent: '2.5',
    corrects: { id: 903 },
  });
  t.deepEqual(placeOf({ amount: '-1', correctsExtRefId: 'billed' }), [1, '-1', '-1.00', null]);
});

test('a correction is refused for another record than it may correct', (t) => {
  const refusal = ['activity.correction correctsExtRefId'];
  t.deepEqual(faultsOf({ quantity: '-1', correctsExtRefId: 'none' }), refusal);
  t.deepEqual(faultsOf({ quantity: '-1', correctsExtRefId: 'correction' }), refusal);
  t.deepEqual(faultsOf({ lineId: 3, quantity: '-1', correctsExtRefId: 'open' }), refusal);
  t.deepEqual(faultsOf({ quantity: '-40.1', correctsExtRefId: 'open' }), refusal);
  t.deepEqual(faultsOf({ quantity: '-40', correctsExtRefId: 'open' }), []);
});

test('all corrections of a record together take away at most its quantity', (t) => {
  const twice = [
    { quantity: '-30', correctsExtRefId: 'open' },
    { quantity: '-10', correctsExtRefId: 'open' },
    { quantity: '-0.1', correctsExtRefId: 'open' },
  ];
  t.deepEqual(
    placed(twice).faults.map(({ index, message }) => [index, message]),
    [[2, 'of open only 0 is left to be corrected, not 0.1']],
  );
});

test('a correction may be of an earlier record of the upload, not of a later one', (t) => {
  const record = { extRefId: 'A', quantity: '50', amount: '5.00', chargeDate: '2027-03-05' };
  const correction = { lineId: null, quantity: '-20', correctsExtRefId: 'A' };
  const { places, faults } = placed([record, correction]);
  t.deepEqual(faults, []);
  t.like(places[1], {
    periodIndex: 2,
    amount: '-2.00',
    correctsBilled: false,
    corrects: { index: 0 },
  });
  t.is(placed([correction, record]).faults[0]?.code, 'activity.correction');
  // A record at fault says enough; its correction is not called unknown.
  const faulty = { ...record, chargeDate: '2026-01-01' };
  t.deepEqual(
    placed([faulty, correction]).faults.map(({ code }) => code),
    ['activity.outsideTerm'],
  );
});

test('a reference that is taken is refused, or passed over without a look at the record', (t) => {
  const records = [
    { extRefId: 'stored', quantity: '1', lineId: 99 },
    { extRefId: 'A', quantity: '1' },
    { extRefId: 'A', quantity: '1', lineId: 99 },
    { quantity: '1' },
    { quantity: '1' },
  ];
  t.deepEqual(
    placed(records).faults.map(({ index, code, element }) => [index, code, element]),
    [
      [0, 'activity.refTaken', 'extRefId'],
      [2, 'activity.refTaken', 'extRefId'],
    ],
  );
  const { places, faults } = placed(records, { skipsDuplicates: true });
  t.deepEqual(faults, []);
  t.deepEqual(
    places.map((place) => (isDuplicate(place) ? place.duplicateOf : place.index)),
    ['stored', 1, 'A', 3, 4],
  );
});

test('as many faults are listed as may be', (t) => {
  const records = Array.from({ length: 150 }, () => ({ ...noRecord, lineId: 99 }));
  t.is(placeRecords({ ...upload, records }, 100).faults.length, 100);
});

/** Which order line a usage record means. */
import test from 'ava';
import {
  lineOf,
  type NamedLines,
  type Naming,
  type UsageLine,
  type UsageOrder,
} from '../../../domain/usage/lines.ts';
import {
  firstOpen,
  needsBillDay,
  termOf,
  windowsOfLine,
} from '../../../domain/usage/line-windows.ts';
import { lineOfOrder, minutes, noRecord, orderOf } from './fixtures.ts';

const active = orderOf({ id: 10, number: '1001' });
const talk = lineOfOrder(active, { id: 1 });
const data = lineOfOrder(active, { id: 2, charge: { ...minutes, priceCode: 'DATA' } });
const old = lineOfOrder(active, {
  id: 3,
  isActive: false,
  charge: { ...minutes, priceCode: 'OLD' },
});
const rental = lineOfOrder(active, {
  id: 4,
  charge: { ...minutes, priceCode: 'LINE', chargeType: 'RecurringCharge' },
});
const single = orderOf({ id: 11, number: '1002' });
const only = lineOfOrder(single, { id: 5 });
const draft = orderOf({ id: 12, number: '1003', status: 'Draft' });
const drafted = lineOfOrder(draft, { id: 6 });
const twice = orderOf({ id: 13, number: '1004' });
const pair = [lineOfOrder(twice, { id: 7 }), lineOfOrder(twice, { id: 8 })];
const empty = orderOf({ id: 14, number: '1005' });

const later = lineOfOrder(orderOf({ id: 15, startDate: '2027-06-01', endDate: '2027-06-30' }), {
  id: 9,
});

const orders: readonly (readonly [UsageOrder, readonly UsageLine[]])[] = [
  [active, [talk, data, old, rental]],
  [single, [only]],
  [draft, [drafted]],
  [twice, pair],
  [empty, []],
];
const lines = orders.flatMap(([, own]) => own);

const named: NamedLines = {
  line: (id) => lines.find((line) => line.id === id),
  order(name) {
    const found = orders.find(([order]) =>
      'id' in name ? order.id === name.id : order.number === name.number,
    );
    return found && { order: found[0], lines: found[1] };
  },
  customer({ extCustomerRef, priceCode }) {
    if (extCustomerRef !== 'C-1') return undefined;
    return [talk, data, later].filter(({ charge }) => charge.priceCode === priceCode);
  },
};

const naming: Naming = { named, ofCall: null, day: '2027-01-06', corrected: null };

/** The id of the line, or the code of the fault and its element. */
function chosen(record: Partial<typeof noRecord>, more: Partial<Naming> = {}): number | string {
  const found = lineOf({ ...noRecord, ...record }, { ...naming, ...more });
  return 'line' in found ? found.line.id : `${found.fault.code} ${found.fault.element}`;
}

test('a record is for the line that it names', (t) => {
  t.is(chosen({ lineId: 1 }), 1);
  t.is(chosen({ orderNumber: '1001', priceCode: 'DATA' }), 2);
  t.is(chosen({ orderId: 10, priceCode: 'MINUTES' }), 1);
  t.is(chosen({ orderNumber: '1002' }), 5, 'the only usage line of the order');
  t.is(chosen({ extCustomerRef: 'C-1', priceCode: 'MINUTES' }), 1);
  t.is(chosen({}, { ofCall: { id: 11 } }), 5);
  t.is(chosen({ priceCode: 'DATA' }, { ofCall: { number: '1001' } }), 2);
  t.is(chosen({}, { corrected: data }), 2);
  t.is(chosen({}, { corrected: data, ofCall: { id: 10 } }), 2);
  t.is(chosen({ extCustomerRef: 'C-1', priceCode: 'DATA' }, { corrected: data }), 2);
});

test('further names must be those of the line', (t) => {
  const all = { lineId: 1, orderId: 10, orderNumber: '1001', extCustomerRef: 'C-1' };
  t.is(chosen({ ...all, customerId: 9, priceCode: 'MINUTES' }), 1);
  t.is(chosen({ ...all, orderId: 11 }), 'activity.reference order/@id');
  t.is(chosen({ ...all, orderNumber: '1002' }), 'activity.reference orderNumber');
  t.is(chosen({ ...all, customerId: 8 }), 'activity.reference customer/@id');
  t.is(chosen({ ...all, extCustomerRef: 'C-2' }), 'activity.reference extCustomerRef');
  t.is(chosen({ ...all, priceCode: 'DATA' }), 'activity.reference priceCode');
  const ofCall = { id: 11 };
  t.is(chosen({ lineId: 1 }, { ofCall }), 'activity.reference orderLineItem/@id');
  t.is(chosen({ orderId: 10, priceCode: 'DATA' }, { ofCall }), 'activity.reference order/@id');
  t.is(chosen({}, { ofCall, corrected: data }), 'activity.reference correctsExtRefId');
});

const refusals: readonly (readonly [string, Partial<typeof noRecord>, string])[] = [
  ['an unknown line', { lineId: 99 }, 'activity.reference orderLineItem/@id'],
  ['an unknown order id', { orderId: 99 }, 'activity.reference order/@id'],
  ['an unknown order number', { orderNumber: 'none' }, 'activity.reference orderNumber'],
  [
    'an unknown customer',
    { extCustomerRef: 'C-9', priceCode: 'X' },
    'activity.reference extCustomerRef',
  ],
  ['an unknown customer id', { customerId: 99, priceCode: 'X' }, 'activity.reference customer/@id'],
  ['no name', {}, 'field.required extCustomerRef'],
  ['a price alone', { priceCode: 'MINUTES' }, 'field.required extCustomerRef'],
  ['a customer alone', { extCustomerRef: 'C-1' }, 'field.required priceCode'],
  ['a price that the order has not', { orderId: 10, priceCode: 'X' }, 'activity.noMatch priceCode'],
  ['an order without usage', { orderId: 14 }, 'activity.noMatch order/@id'],
  ['an order with two usage lines', { orderNumber: '1001' }, 'activity.severalMatches orderNumber'],
  [
    'two lines of a price',
    { orderId: 13, priceCode: 'MINUTES' },
    'activity.severalMatches priceCode',
  ],
  ['a price of no order', { extCustomerRef: 'C-1', priceCode: 'X' }, 'activity.noMatch priceCode'],
  ['a line that is not active', { lineId: 3 }, 'activity.notTaken orderLineItem/@id'],
  ['its price', { orderId: 10, priceCode: 'OLD' }, 'activity.notTaken priceCode'],
  ['a line of another type', { orderId: 10, priceCode: 'LINE' }, 'activity.notTaken priceCode'],
  ['a draft', { orderNumber: '1003' }, 'activity.notTaken orderNumber'],
  ['a line of a draft', { lineId: 6 }, 'activity.notTaken orderLineItem/@id'],
];

for (const [what, record, refusal] of refusals) {
  test(`a record is refused for ${what}`, (t) => {
    t.is(chosen(record), refusal);
  });
}

test('of a customer only the day of the record decides which orders fit', (t) => {
  const record = { extCustomerRef: 'C-1', priceCode: 'MINUTES' };
  t.is(chosen(record, { day: '2026-12-31' }), 'activity.noMatch priceCode');
  t.is(chosen(record, { day: '2027-05-31' }), 1);
  t.is(chosen(record, { day: '2027-06-30' }), 'activity.severalMatches priceCode');
  t.is(chosen(record, { day: '2027-07-01' }), 1);
});

test('a line has the days of its order, cut by its own', (t) => {
  const cases: readonly (readonly [
    Partial<UsageOrder>,
    Partial<UsageLine>,
    string,
    string | null,
  ])[] = [
    [{}, {}, '2027-01-01', null],
    [{ endDate: '2027-12-31' }, {}, '2027-01-01', '2027-12-31'],
    [{ endDate: '2027-12-31', isAutoRenew: true }, {}, '2027-01-01', null],
    [{ status: 'Canceled', endedOn: '2027-03-12' }, {}, '2027-01-01', '2027-03-12'],
    // It never began.
    [{ status: 'Canceled', endedOn: null }, {}, '2027-01-01', '2026-12-31'],
    [{}, { startsOn: '2027-02-10', endsOn: '2027-04-09' }, '2027-02-10', '2027-04-09'],
    [{ endDate: '2027-03-31' }, { endsOn: '2027-04-09' }, '2027-01-01', '2027-03-31'],
  ];
  for (const [ofOrder, ofLine, start, end] of cases) {
    const term = termOf(lineOfOrder(orderOf(ofOrder), ofLine), 2);
    t.deepEqual([term.start, term.end], [start, end]);
  }
  t.true(termOf(lineOfOrder(orderOf({ status: 'Superseded' })), 0).isSuperseded);
});

test('the first open window is the first from the pointer on that is not closed', (t) => {
  t.is(firstOpen({ nextPeriodIndex: 0, closed: new Set() }, 0), 0);
  t.is(firstOpen({ nextPeriodIndex: -1, closed: new Set() }, 3), 3, 'a line that begins later');
  t.is(firstOpen({ nextPeriodIndex: 3, closed: new Set([3, 5]) }, 0), 4);
  const windows = windowsOfLine(
    lineOfOrder(active, { nextPeriodIndex: 1, closed: new Set([1]) }),
    0,
  );
  t.is(windows.indexOf('2027-01-06'), 2);
  t.is(windows.indexOf('2027-05-06'), 4);
  t.is(windows.firstOpen, 2);
});

test('an order gets a bill day if it has none by the day on which the window is due', (t) => {
  // January is due on 1 February, with two days of grace on the 3rd.
  const cases: readonly (readonly [Partial<UsageOrder>, number, boolean])[] = [
    [{ nextBillableDate: '2027-02-01' }, 0, false],
    [{ nextBillableDate: '2027-02-02' }, 0, true],
    [{ nextBillableDate: '2027-02-03' }, 2, false],
    [{ nextBillableDate: null }, 0, true],
    [{ nextBillableDate: null, status: 'Suspended' }, 0, false],
    [{ nextBillableDate: null, customerSuspended: true }, 0, false],
    // The resumption of the customer finds an ended order by that it was written in the pause.
    [{ nextBillableDate: null, customerSuspended: true, status: 'Complete' }, 0, true],
    [{ nextBillableDate: null, billsNothingMore: true }, 0, false],
  ];
  for (const [ofOrder, graceDays, needs] of cases) {
    const line = lineOfOrder(orderOf(ofOrder));
    t.is(needsBillDay({ line, periodIndex: 0 }, graceDays), needs, JSON.stringify(ofOrder));
  }
  const line = lineOfOrder(orderOf({ nextBillableDate: null }));
  t.false(needsBillDay({ line, periodIndex: null }, 0), 'it is never billed');
});

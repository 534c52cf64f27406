/** The parts of a period cost together what all their days cost at once. */
import test from 'ava';
import { applyDue, dueOf } from '../../../domain/billing/due/due.ts';
import { type IsoDate, addDays, daysFromTo, periodAt } from '../../../domain/calendar/calendar.ts';
import type { DueCharge } from '../../../domain/billing/due/due-charges.ts';
import { isPriced } from '../../../domain/billing/charges.ts';
import { draftInvoices } from '../../../domain/billing/rate/draft.ts';
import { invoicedLine } from '../../../domain/billing/forecast.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import type { InvoicedLine } from '../../../domain/billing/credit/dependents.ts';
import { unusedCredits } from '../../../domain/billing/credit/unused.ts';
import { rate } from '../../../domain/billing/rate/rate.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { BillableLine } from '../../../domain/standing/line.ts';
import { type Decimal, compare, negate, roundedAmount, sum } from '../../../domain/money/money.ts';
import { fc } from '../../support/random.ts';
import { chargeWith, lineWith, orderWith, tiersOf } from '../fixtures.ts';
import { amountOf, arrears, billedFor, until } from './billed.ts';
import { invoicedOrder } from './invoiced.ts';

const feeOf = (price: string, changes: Partial<BillableLine> = {}): BillableLine =>
  lineWith({ charge: chargeWith({ tiers: tiersOf([['0', null, price]]) }), ...changes });

/** An end of the order, and the day of the run that bills up to it. */
type Step = readonly [endDate: IsoDate, runOn: IsoDate];

/** `from..to amount` of what the runs bill while the end moves. */
function billed(start: BillableOrder, steps: readonly Step[]): string[] {
  let order = start;
  return steps.flatMap(([endDate, runOn]) => {
    order = { ...order, endDate };
    const due = dueOf(order, runOn);
    order = applyDue(order, due);
    return due.charges.map((each) => `${each.from}..${each.to} ${amountOf(each)}`);
  });
}

test('an end that moves four times costs the price of the period', (t) => {
  const order = until('2027-02-06', feeOf('29.95', { nextPeriodIndex: 1 }));
  // By themselves they cost 6.42, 10.70, 7.49 and 5.35: a cent too much.
  t.deepEqual(
    billed(order, [
      ['2027-02-06', '2027-02-01'],
      ['2027-02-16', '2027-02-07'],
      ['2027-02-23', '2027-02-17'],
      ['2027-02-28', '2027-02-24'],
    ]),
    [
      '2027-02-01..2027-02-06 6.42',
      '2027-02-07..2027-02-16 10.69',
      '2027-02-17..2027-02-23 7.49',
      '2027-02-24..2027-02-28 5.35',
    ],
  );
});

test('arrears, tiers, agreed and negative prices, other currencies: each sums up', (t) => {
  const halves: readonly Step[] = [
    ['2027-02-14', '2027-02-15'],
    ['2027-02-28', '2027-03-01'],
  ];
  const inArrears = arrears({ tiers: tiersOf([['0', null, '29.95']]) });
  // 14 of 28 days are 14.975.
  t.deepEqual(billed(until('2027-02-14', { ...inArrears, nextPeriodIndex: 1 }), halves), [
    '2027-02-01..2027-02-14 14.98',
    '2027-02-15..2027-02-28 14.97',
  ]);
  const agreed = lineWith({ charge: chargeWith({ pricingType: 'UserEnteredPricing', tiers: [] }) });
  const given = { ...agreed, unitPrice: '-29.95', nextPeriodIndex: 1 };
  t.deepEqual(billed(until('2027-02-14', given), halves), [
    '2027-02-01..2027-02-14 -14.98',
    '2027-02-15..2027-02-28 -14.97',
  ]);
  const tiers = tiersOf([
    ['0', '1', '29.95'],
    ['1', null, '29.97'],
  ]);
  const seats = chargeWith({ pricingType: 'TieredPricing', tiers });
  const line = lineWith({ charge: seats, quantity: '2', nextPeriodIndex: 1 });
  // Tier by tier: 14.98 and 14.99, then 14.97 and 14.98.
  t.deepEqual(billed(until('2027-02-14', line), halves), [
    '2027-02-01..2027-02-14 29.97',
    '2027-02-15..2027-02-28 29.95',
  ]);
});

test('days of a pause are in no part, and days that were billed before a pause stay billed', (t) => {
  const pauses = [{ suspendedOn: '2027-02-07', resumedOn: '2027-02-12' }];
  const order = { ...until('2027-02-14', feeOf('29.95', { nextPeriodIndex: 1 })), pauses };
  // 10 of 28 days are 10.69643, with 14 more 25.67143: 14.98 by themselves.
  t.deepEqual(
    billed(order, [
      ['2027-02-14', '2027-02-14'],
      ['2027-02-28', '2027-02-15'],
    ]),
    ['2027-02-01..2027-02-14 10.7', '2027-02-15..2027-02-28 14.97'],
  );
  const first = applyDue(
    until('2027-02-14', feeOf('29.95', { nextPeriodIndex: 1 })),
    dueOf(until('2027-02-14', feeOf('29.95', { nextPeriodIndex: 1 })), '2027-02-01'),
  );
  const [rest] = dueOf({ ...first, pauses, endDate: '2027-02-28' }, '2027-02-15').charges;
  t.is(rest && amountOf(rest), '14.97');
});

/** Parts of February, with what they cost. */
const partsWith = (
  ...parts: readonly (readonly [from: IsoDate, to: IsoDate, amount: Decimal, price?: Decimal])[]
) =>
  parts.map(([from, to, amount, unitPrice = '29.95']) =>
    billedFor({ periodIndex: 1, from, to }, amount, unitPrice),
  );

const february = (price: string, parts: BillableLine['billed']) =>
  orderWith({ lines: [feeOf(price, { nextPeriodIndex: 1, billed: parts })] });

const amountsOf = (order: BillableOrder, today: IsoDate): string[] =>
  dueOf(order, today).charges.map((each) => `${each.from}..${each.to} ${amountOf(each)}`);

test('a part that was rolled back costs again what the others leave of the price', (t) => {
  const standing = partsWith(
    ['2027-02-01', '2027-02-06', '6.42'],
    ['2027-02-17', '2027-02-23', '7.49'],
  );
  // The days from the 24th on are due later, and then cost 5.35.
  t.deepEqual(amountsOf(february('29.95', standing), '2027-02-20'), [
    '2027-02-07..2027-02-16 10.69',
  ]);
  t.deepEqual(amountsOf(february('29.95', standing), '2027-02-24'), [
    '2027-02-07..2027-02-16 10.69',
    '2027-02-24..2027-02-28 5.35',
  ]);
});

test('what older parts cost too much or too little is made up for, and never given back', (t) => {
  const early = partsWith(['2027-02-01', '2027-02-14', '14.90']);
  t.deepEqual(amountsOf(february('29.95', early), '2027-02-15'), ['2027-02-15..2027-02-28 15.05']);
  const dear = partsWith(['2027-02-01', '2027-02-27', '0.29', '0.28']);
  t.deepEqual(amountsOf(february('0.28', dear), '2027-02-28'), ['2027-02-28..2027-02-28 0']);
});

test('what earlier invoices cost too much is made up for by all that is due together', (t) => {
  // A dollar a day; 4 days cost 20.00. The 10 before them cost nothing, the 14 after them 8.00.
  const dear = partsWith(['2027-02-11', '2027-02-14', '20.00', '28.00']);
  t.deepEqual(amountsOf(february('28.00', dear), '2027-02-15'), [
    '2027-02-01..2027-02-10 0',
    '2027-02-15..2027-02-28 8',
  ]);
  // Amounts have the decimals of their currency.
  const [first] = dueOf(february('28.00', dear), '2027-02-15').charges;
  t.like(first && rate([first], 'USD')[0], { amount: '0.00' });
});

test('tiers of one price are two, and days at another quantity stand for themselves', (t) => {
  const tiers = tiersOf([
    ['0', '10', '2.80'],
    ['10', '20', '2.80'],
  ]);
  const charge = chargeWith({ pricingType: 'TieredPricing', tiers });
  const line = lineWith({ charge, quantity: '20', nextPeriodIndex: 1 });
  // Each half of February costs 14.00 for each tier.
  t.deepEqual(
    billed(until('2027-02-14', line), [
      ['2027-02-14', '2027-02-01'],
      ['2027-02-28', '2027-02-15'],
    ]),
    ['2027-02-01..2027-02-14 28', '2027-02-15..2027-02-28 28'],
  );
  const half = partsWith(['2027-02-01', '2027-02-14', '14.98']);
  const two = february('29.95', half);
  const lines = two.lines.map((each) => ({ ...each, quantity: '2' }));
  t.deepEqual(amountsOf({ ...two, lines }, '2027-02-15'), ['2027-02-15..2027-02-28 29.95']);
});

test('days at another price stand for themselves; free days cost nothing', (t) => {
  const dearer = partsWith(['2027-02-01', '2027-02-14', '29.98', '59.95']);
  t.deepEqual(amountsOf(february('29.95', dearer), '2027-02-15'), ['2027-02-15..2027-02-28 14.98']);
  const free = partsWith(['2027-02-01', '2027-02-14', '0', '0']);
  t.deepEqual(amountsOf(february('0', free), '2027-02-15'), ['2027-02-15..2027-02-28 0']);
});

const cuts = fc.record({
  cents: fc.integer({ min: 1, max: 100_000 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  month: fc.integer({ min: 0, max: 11 }),
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  isPrepaid: fc.boolean(),
  /** The days after which the order ends for the time being. */
  ends: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 30 }),
});

test('whatever cuts a period, its parts sum up to the price of all their days', (t) => {
  let parts = 0;
  const property = fc.property(cuts, ({ cents, quantity, month, currency, isPrepaid, ends }) => {
    const price = String(cents / 100);
    const tiers = tiersOf(
      [
        ['0', '3', price],
        ['3', null, String(cents / 50)],
      ],
      currency,
    );
    const charge = chargeWith({ isPrepaid, pricingType: 'TieredPricing', tiers });
    const line = lineWith({ charge, quantity: String(quantity), nextPeriodIndex: month });
    const { start, end } = periodAt(orderWith().schedule, month);
    const days = daysFromTo(start, end);
    let order = orderWith({ currency, isAutoRenew: false, lines: [line] });
    const charges: DueCharge[] = [];
    for (const after of ends.toSorted((a, b) => a - b).filter((each) => each < days)) {
      order = { ...order, endDate: addDays(start, after) };
      const due = dueOf(order, addDays(start, after + 1));
      charges.push(...due.charges);
      order = applyDue(order, due);
      const covered = charges.flatMap((each) => rate([each], currency).filter(isPriced));
      for (const tier of tiers) {
        const ofTier = covered.filter((each) => 'tierId' in each && each.tierId === tier.id);
        const [first] = ofTier;
        if (first === undefined || !('unitPrice' in first)) continue;
        const share = { numerator: after + 1, denominator: days, currency };
        const at = { price: first.unitPrice ?? '0', quantity: first.quantity ?? '0' };
        t.is(
          compare(sum(ofTier.map(({ amount }) => amount)), roundedAmount({ ...at, ...share })),
          0,
        );
        t.true(ofTier.every(({ amount }) => compare(amount, '0') >= 0));
      }
    }
    parts += charges.length;
  });
  fc.assert(property, { numRuns: 100 });
  t.true(parts > 300, `${parts} parts`);
});

/** What the invoices of some runs bill of an order. */
function invoiced(order: BillableOrder, today: IsoDate): InvoicedLine {
  const [invoice] = draftInvoices({
    customer: { id: 5, paymentTerms: null, purchaseOrder: null },
    tenantTerms: { value: 30, units: 'Days' },
    today,
    orders: [{ order: invoicedOrder(order), due: dueOf(order, today) }],
    taxing: byRates([]),
  });
  return invoicedLine(invoice?.lines[0]?.charges ?? [], { invoicedOn: today });
}

test('whatever parts a period has, its credit leaves what the used days cost', (t) => {
  const lastDays = fc.integer({ min: 0, max: 30 });
  const property = fc.property(cuts, lastDays, ({ cents, month, currency, ends }, used) => {
    const price = String(cents / 100);
    const charge = chargeWith({ tiers: tiersOf([['0', null, price]], currency) });
    const { schedule, pauses } = orderWith();
    const { start, end } = periodAt(schedule, month);
    const days = daysFromTo(start, end);
    const line = lineWith({ charge, nextPeriodIndex: month });
    let order = orderWith({ currency, isAutoRenew: false, lines: [line] });
    const lines: InvoicedLine[] = [];
    let last = 0;
    for (const after of ends.toSorted((a, b) => a - b).filter((each) => each < days)) {
      order = { ...order, endDate: addDays(start, after) };
      lines.push(invoiced(order, addDays(start, last)));
      order = applyDue(order, dueOf(order, addDays(start, last)));
      last = after + 1;
    }
    const view = { schedule, pauses, currency, unusedFrom: addDays(start, used) };
    const credits = lines.flatMap((each) => unusedCredits(each, view));
    const amounts = [
      ...lines.flatMap(({ charges }) => charges.map(({ amount }) => amount)),
      ...credits.map(({ amount }) => negate(amount)),
    ];
    const share = { numerator: Math.min(used, last), denominator: days, currency };
    t.is(compare(sum(amounts), roundedAmount({ price, quantity: '1', ...share })), 0);
  });
  fc.assert(property, { numRuns: 200 });
});

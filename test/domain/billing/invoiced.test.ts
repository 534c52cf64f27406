/** A drafted line is read for its credits as it is once it is stored. */
import test from 'ava';
import { adjust } from '../../../domain/billing/rate/draft.ts';
import { rate } from '../../../domain/billing/rate/rate.ts';
import { invoicedLine } from '../../../domain/billing/forecast.ts';
import { tax } from '../../../domain/billing/rate/tax.ts';
import { draftCharge } from '../../../domain/billing/rate/total.ts';
import type { DueCharge } from '../../../domain/billing/due/due-charges.ts';
import { chargeWith, lineWith, tiersOf } from '../fixtures.ts';
import { billedFor } from './billed.ts';
import { costing, dueWith, percentOfOthers } from './rated.ts';

const vat = {
  country: 'DE',
  state: null,
  percent: '20',
  taxCode: 'STANDARD',
  name: 'VAT',
  category: 'S',
  exemptionReason: null,
} as const;

test('its charges name their periods, windows and bases, and subtotals are left out', (t) => {
  const coded = chargeWith({ taxCodes: ['STANDARD'] });
  const due = dueWith({ line: lineWith({ charge: coded }) });
  const usageDue = dueWith({ line: lineWith({ id: 2, charge: chargeWith({ id: 101 }) }) });
  const usage = costing('40.00', { kind: 'usage', due: usageDue });
  const subTotal = costing('40.00', { kind: 'usageSubTotal', due: usageDue });
  if (usage.kind !== 'usage' || subTotal.kind !== 'usageSubTotal') return t.fail();
  const charges = tax(
    adjust(
      [
        costing('31.00', { kind: 'period', due }),
        costing('-3.10', { kind: 'discount', due }),
        usage,
        { ...subTotal, window: usage.window },
        percentOfOthers('10'),
        costing('49.00', { kind: 'oneTime', due: dueWith({ line: lineWith({ id: 3 }) }) }),
        costing('5.00', { kind: 'usage', due: usageDue }),
      ],
      'USD',
    ),
    'USD',
    [vat],
  );
  const drafts = charges.map((charge, index) => draftCharge(charge, index + 1, '2027-01-01'));
  const line = invoicedLine(drafts, { invoicedOn: '2027-01-01', isProvided: true });
  t.like(line, { invoicedOn: '2027-01-01', isProvided: true });
  t.false(invoicedLine([], { invoicedOn: '2027-01-01' }).isProvided);
  const shown = line.charges.map((charge) => {
    const { position, kind, isRecurring, isProrated, orderLineId, couponId, windowId } = charge;
    const flags = `${isRecurring ? 'recurring' : '-'} ${isProrated ? 'prorated' : '-'}`;
    const period = charge.billed?.periodId ?? '-';
    const base = charge.basePositions?.join('+') ?? '-';
    const ids = [orderLineId, couponId, windowId].map((id) => id ?? '-').join(' ');
    return `${position} ${kind}: ${flags}, line coupon window ${ids}, ${period} of ${base}`;
  });
  // A charge of a plan is recurring whatever bills it; discounts and rates are not of the plan.
  t.deepEqual(shown, [
    '1 period: recurring prorated, line coupon window 1 - -, 1 of -',
    '2 discount: - -, line coupon window 1 1 -, 1 of -',
    '3 usage: recurring prorated, line coupon window 2 - 1, - of -',
    '5 percent: recurring prorated, line coupon window 50 - -, 2 of 1+3+6+7',
    '6 oneTime: recurring prorated, line coupon window 3 - -, 3 of -',
    '7 usage: recurring prorated, line coupon window 2 - 2, - of -',
    '8 tax: - -, line coupon window - - -, - of 1+2',
  ]);
  t.like(line.charges[0], {
    id: 1,
    credited: '0',
    taxCode: 'STANDARD',
    billed: { periodId: 1, periodIndex: 0, from: '2027-01-01', to: '2027-01-31' },
    before: null,
  });
  t.is(line.charges[3]?.billed?.periodId, 2);
  t.like(line.charges[1], { isRecurring: false, isProrated: false });
});

test('a part of a period knows what its earlier days were billed at its price', (t) => {
  // February at a dollar a day: days 5 and 6 were billed, then 1 to 4, 7 to 10, and 11 to 14.
  const charge = chargeWith({ tiers: tiersOf([['0', null, '28.00']]) });
  const billed = [
    billedFor({ periodIndex: 1, from: '2027-02-05', to: '2027-02-06' }, '2.00', '28.00'),
  ];
  const part = (from: string, to: string, dueDays: number, id = 1): DueCharge =>
    dueWith({
      line: lineWith({ id, charge }),
      periodIndex: 1,
      from,
      to,
      share: { numerator: 4, denominator: 28 },
      before: { billed, dueDays },
    });
  const january = dueWith({ line: lineWith({ charge }) });
  const parts = [
    january,
    part('2027-02-01', '2027-02-04', 0),
    part('2027-02-07', '2027-02-10', 4),
    part('2027-02-11', '2027-02-14', 8),
    part('2027-02-01', '2027-02-04', 0, 2),
  ];
  const charges = [...rate(parts, 'USD'), costing('9.00', { kind: 'discount' })];
  const drafts = charges.flatMap((each, index) =>
    'amount' in each ? [draftCharge(each, index + 1, '2027-02-15')] : [],
  );
  const line = invoicedLine(drafts, { invoicedOn: '2027-02-15' });
  t.deepEqual(
    line.charges.map(({ before }) => before),
    [
      null,
      { days: 0, amount: '0' },
      { days: 6, amount: '6' },
      { days: 10, amount: '10' },
      { days: 0, amount: '0' },
      null,
    ],
  );
});

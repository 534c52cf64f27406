/** The payments that a refund takes from. */
import test from 'ava';
import { add, compare, sum } from '../../../domain/money/money.ts';
import { takeRefund, type RefundablePayment } from '../../../domain/payments/allocation.ts';
import { fc } from '../../support/random.ts';

const paid = (
  id: number,
  effectiveDate: string,
  refundable: string,
  unapplied = '0',
): RefundablePayment => ({ id, effectiveDate, refundable, unapplied });

const taken: readonly [
  rule: string,
  amount: string,
  payments: readonly RefundablePayment[],
  expected: readonly [paymentId: number, amount: string][] | null,
][] = [
  [
    'the unapplied money of the newest first, then its applied, then the older one’s',
    '60',
    [paid(1, '2027-01-10', '100'), paid(2, '2027-02-10', '50', '20')],
    [
      [2, '50'],
      [1, '10'],
    ],
  ],
  [
    'unapplied money of an old payment before applied money of a new one',
    '30',
    [paid(1, '2027-01-10', '100', '25'), paid(2, '2027-02-10', '50')],
    [
      [1, '25'],
      [2, '5'],
    ],
  ],
  [
    'unapplied money of the newest before that of an older one',
    '12',
    [paid(1, '2027-01-10', '10', '10'), paid(2, '2027-02-10', '10', '10')],
    [
      [2, '10'],
      [1, '2'],
    ],
  ],
  [
    'on one day the payment that was made later is the newer',
    '5',
    [paid(1, '2027-01-10', '10', '0'), paid(2, '2027-01-10', '10', '0')],
    [[2, '5']],
  ],
  [
    'reserved money does not count as unapplied',
    '10',
    [paid(1, '2027-01-10', '5', '8'), paid(2, '2027-01-01', '20')],
    [
      [1, '5'],
      [2, '5'],
    ],
  ],
  ['all of it', '10', [paid(1, '2027-01-10', '10', '3')], [[1, '10']]],
  ['all of it, of which nothing is unapplied', '10', [paid(1, '2027-01-10', '10')], [[1, '10']]],
  ['a cent more than was paid', '10.01', [paid(1, '2027-01-10', '10', '3')], null],
  ['nothing was paid', '0.01', [], null],
  ['nothing is left of it', '1', [paid(1, '2027-01-10', '0', '0')], null],
];

for (const [rule, amount, payments, expected] of taken) {
  test(`a refund takes: ${rule}`, (t) => {
    const takes = takeRefund(amount, payments);
    t.deepEqual(takes?.map((take) => [take.paymentId, take.amount]) ?? null, expected);
  });
}

const cents = fc
  .integer({ min: 1, max: 40_000 })
  .map((n) => add('0', `${n}`.padStart(3, '0').replace(/(\d\d)$/, '.$1')));
const day = fc.integer({ min: 10, max: 28 }).map((n) => `2027-01-${n}`);
const refundables = fc
  .array(fc.record({ effectiveDate: day, refundable: cents, part: fc.nat({ max: 2 }) }), {
    maxLength: 6,
  })
  .map((list) =>
    list.map(({ effectiveDate, refundable, part }, index) =>
      paid(index + 1, effectiveDate, refundable, ['0', '1.25', refundable][part] ?? '0'),
    ),
  );

test('a refund takes exactly its amount, never more than a payment has, or nothing at all', (t) => {
  const count = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(refundables, cents, (payments, amount) => {
      const takes = takeRefund(amount, payments);
      const there = sum(payments.map((each) => each.refundable));
      t.is(takes === null, compare(amount, there) > 0);
      count[takes === null ? 'refused' : 'taken'] += 1;
      if (takes === null) return;
      t.is(compare(sum(takes.map((each) => each.amount)), amount), 0);
      t.is(new Set(takes.map((each) => each.paymentId)).size, takes.length);
      for (const take of takes) {
        const from = payments.find(({ id }) => id === take.paymentId);
        t.is(compare(take.amount, '0'), 1);
        t.true(compare(take.amount, from?.refundable ?? '0') <= 0);
      }
    }),
  );
  t.true(count.taken > 5 && count.refused > 5, JSON.stringify(count));
});

test('applied money is refunded only after all unapplied money', (t) => {
  let reachedApplied = 0;
  fc.assert(
    fc.property(refundables, cents, (payments, amount) => {
      const takes = takeRefund(amount, payments) ?? [];
      const free = ({ unapplied, refundable }: RefundablePayment): string =>
        compare(unapplied, refundable) < 0 ? unapplied : refundable;
      const of = (id: number): string =>
        takes.find(({ paymentId }) => paymentId === id)?.amount ?? '0';
      if (payments.every((each) => compare(of(each.id), free(each)) <= 0)) return;
      for (const each of payments) t.true(compare(of(each.id), free(each)) >= 0);
      reachedApplied += 1;
    }),
  );
  t.true(reachedApplied > 3, `${reachedApplied} refunds took applied money`);
});

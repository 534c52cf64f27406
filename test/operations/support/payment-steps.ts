/** Random steps with payments, as callers may do them at any time, and their expected results. */

import type { Act } from '../../support/scripted-gateway.ts';
import { prepaid, prorated, recurring } from './plans.ts';
import type { Outlooks } from './tally.ts';
import { fc } from '../../support/random.ts';

export const plans = [
  recurring('PRE', 31, prepaid),
  recurring('WEEK', 7.35, prorated, { billingPeriod: 'Weekly' }),
];
const acts: readonly Act[] = [
  'approve',
  'approve',
  'approve',
  'decline',
  'hardDecline',
  'loseAnswer',
  'loseDecline',
  'loseCall',
  'process',
  'pass',
  'beUnavailable',
  'beInvalid',
];

const pick = fc.nat({ max: 1_000 });
const amount = fc.oneof(
  fc.constantFrom('10', '31', '7.35', '100'),
  fc.integer({ min: 1, max: 12_000 }).map((n) => (n / 100).toFixed(2)),
);
export const methods = ['cash', 'check', 'card', 'otherCard', 'file', 'none'] as const;
const act = fc.constantFrom(...acts);

const paying = fc.record({
  do: fc.constantFrom('pay', 'pay', 'pay', 'credit', 'debit', 'refund', 'refund', 'refund'),
  which: pick,
  amount,
  method: fc.constantFrom(...methods),
  preference: fc.constantFrom(1, 2, 3),
  surcharge: fc.constantFrom(null, null, '1.5'),
  generate: fc.boolean(),
  names: fc.array(pick, { maxLength: 2 }),
  isAnyNamed: fc.constantFrom(false, false, false, false, true),
  part: fc.constantFrom('all', 'half', 'cent', 'amount'),
  daysAgo: fc.constantFrom(0, 0, 0, 5),
  isEuro: fc.constantFrom(false, false, false, true),
  acts: fc.array(act, { maxLength: 3 }),
  isCarried: fc.boolean(),
});
export const step = fc.oneof(
  { weight: 12, arbitrary: paying },
  { weight: 4, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      plan: fc.constantFrom('PRE', 'WEEK'),
      which: pick,
      isAutoPay: fc.boolean(),
      bill: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      bill: amount,
      which: pick,
      isNegative: fc.constantFrom(false, false, false, true),
      isAutoPay: fc.boolean(),
      isEuro: fc.constantFrom(false, false, true),
      due: fc.integer({ min: 0, max: 40 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('unpay', 'cancel', 'rollBack', 'settle', 'approve', 'decline', 'finish'),
      which: pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ file: fc.constantFrom(1, 2, 3), which: pick, acts: fc.array(act) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      imports: amount,
      which: pick,
      paidBefore: fc.constantFrom('none', 'cent', 'all'),
      isEuro: fc.constantFrom(false, false, true),
      due: fc.integer({ min: -100, max: 20 }),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
export type Importing = Extract<Step, { readonly imports: string }>;
export type Paying = typeof paying extends fc.Arbitrary<infer T> ? T : never;

export const kinds = [
  'advance',
  'order',
  'bill',
  'file',
  'import',
  'pay',
  'credit',
  'debit',
  'refund',
  'unpay',
  'cancel',
  'rollBack',
  'settle',
  'approve',
  'decline',
  'finish',
] as const;
export type Kind = (typeof kinds)[number];

export function kindOf(it: Step): Kind {
  if ('days' in it) return 'advance';
  if ('plan' in it) return 'order';
  if ('bill' in it) return 'bill';
  if ('file' in it) return 'file';
  if ('imports' in it) return 'import';
  return it.do;
}

/** The named invoices and methods are chosen at random, and so may not fit. */
const misfits = ['payment.invoice', 'payment.currency', 'paymentMethod.unknown'] as const;

/** The reasons for refusals of each kind of step, and its minimum share of successes. */
export const outlooks: Outlooks<Kind> = {
  advance: { succeeds: 1, refusals: [] },
  order: { succeeds: 1, refusals: [] },
  bill: { succeeds: 1, refusals: [] },
  file: { succeeds: 1, refusals: [] },
  import: { succeeds: 1, refusals: [] },
  pay: { succeeds: 0.5, refusals: misfits },
  credit: { succeeds: 0.4, refusals: misfits },
  debit: { succeeds: 0.5, refusals: ['paymentMethod.unknown'] },
  // Without payments nothing can be refunded.
  refund: {
    succeeds: 0.3,
    refusals: ['payment.refundTooHigh', 'payment.amount', 'paymentMethod.unknown'],
  },
  unpay: { succeeds: 0.3, refusals: ['payment.notCancellable', 'payment.unknown'] },
  cancel: { succeeds: 0.2, refusals: ['invoice.notCancellable'] },
  rollBack: { succeeds: 0.2, refusals: ['invoice.notCancellable'] },
  settle: { succeeds: 1, refusals: [] },
  approve: { succeeds: 1, refusals: [] },
  decline: { succeeds: 1, refusals: [] },
  finish: { succeeds: 1, refusals: [] },
};

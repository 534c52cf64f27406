import test from 'ava';
import { planAfter } from '../../../domain/payment-plans/schedule.ts';

/** Three installments of each month's 31st, or its last day; one has had its turn. */
const plan = {
  startDate: '2027-01-31',
  frequencyValue: 1,
  frequencyUnits: 'Months',
  totalNumberOfInstallments: 3,
  counted: 1,
  isEnabled: true,
  endedOn: null,
} as const;
const open = { hasOpenAttempts: true, today: '2027-03-02' };
const idle = { hasOpenAttempts: false, today: '2027-03-02' };

test('an installment that has had its turn counts, and the next one gets the day after it', (t) => {
  const { counted, next, hasEnded } = planAfter(plan, { ...open, countedOn: '2027-02-28' });
  t.deepEqual(
    { counted, next, hasEnded },
    {
      counted: 2,
      next: { installment: 3, dueOn: '2027-03-31' },
      hasEnded: false,
    },
  );
});

test('after the last installment none comes, and the plan ends once no attempt is open', (t) => {
  const last = { ...plan, counted: 2 };
  const waiting = planAfter(last, { ...open, countedOn: '2027-02-28' });
  t.deepEqual(waiting, {
    counted: 3,
    isEnabled: true,
    endedOn: null,
    next: null,
    hasEnded: false,
  });
  const ended = planAfter({ ...plan, ...waiting }, { ...idle, countedOn: null });
  t.deepEqual(ended, {
    counted: 3,
    isEnabled: false,
    endedOn: '2027-03-02',
    next: null,
    hasEnded: true,
  });
});

test('the last installment ends the plan at once if it leaves no attempt open', (t) => {
  const { endedOn, hasEnded } = planAfter(
    { ...plan, counted: 2 },
    { ...idle, countedOn: '2027-02-28' },
  );
  t.deepEqual({ endedOn, hasEnded }, { endedOn: '2027-03-02', hasEnded: true });
});

test('a plan without an open attempt continues while installments are to come', (t) => {
  const { hasEnded, isEnabled } = planAfter(plan, { ...idle, countedOn: null });
  t.deepEqual({ hasEnded, isEnabled }, { hasEnded: false, isEnabled: true });
});

test('a plan that was disabled keeps the day on which it was', (t) => {
  const disabled = { ...plan, counted: 3, isEnabled: false, endedOn: '2027-02-01' };
  const { endedOn, hasEnded } = planAfter(disabled, { ...idle, countedOn: null });
  t.deepEqual({ endedOn, hasEnded }, { endedOn: '2027-02-01', hasEnded: false });
});

/** Statuses by age: the days of the thresholds, late runs, forgiveness, changed thresholds. */

import test from 'ava';
import { addDays, type IsoDate } from '../../../domain/calendar/calendar.ts';
import {
  ageingSteps,
  isOverdue,
  nextStep,
  statusAtOnce,
  stepOn,
  type AgeingRules,
  type Standing,
} from '../../../domain/dunning/ageing.ts';
import type { CustomerStatus } from '../../../domain/customers/status.ts';
import { fc } from '../../support/random.ts';

const rules: AgeingRules = {
  thresholds: [
    { daysOverdue: 15, status: 'Overdue1' },
    { daysOverdue: 30, status: 'Overdue2' },
    { daysOverdue: 60, status: 'Suspended1' },
  ],
  inForceOn: '2026-01-01',
};

/** An Active customer whose oldest open invoice was due on 31 January 2027. */
function standing(more: Partial<Standing> = {}): Standing {
  const oldestDueOn = more.oldestDueOn === undefined ? '2027-01-31' : more.oldestDueOn;
  return {
    status: 'Active',
    isByHand: false,
    oldestDueOn,
    oldestUnaidedOn: oldestDueOn,
    movedInOn: null,
    forgivenOn: null,
    ...more,
  };
}

const shown = (steps: ReturnType<typeof ageingSteps>): string[] =>
  steps.map(({ from, to, isMailed, isPenalized }) => {
    return `${from} to ${to}${isMailed ? ', mailed' : ''}${isPenalized ? ', penalized' : ''}`;
  });

test('an invoice is overdue from the day after its dueDate', (t) => {
  t.false(isOverdue('2027-01-31', '2027-01-31'));
  t.true(isOverdue('2027-01-31', '2027-02-01'));
  t.false(isOverdue(null, '2027-02-01'));
});

test('a threshold of N days is reached on the Nth day after the dueDate, not before', (t) => {
  // 31 January + 15 days is 15 February; + 30 is 2 March; + 60 is 1 April 2027.
  t.deepEqual(ageingSteps(standing(), rules, '2027-02-14'), []);
  t.deepEqual(shown(ageingSteps(standing(), rules, '2027-02-15')), [
    'Active to Overdue1, mailed, penalized',
  ]);
  t.deepEqual(ageingSteps(standing({ status: 'Overdue1' }), rules, '2027-03-01'), []);
  t.deepEqual(shown(ageingSteps(standing({ status: 'Overdue1' }), rules, '2027-03-02')), [
    'Overdue1 to Overdue2, mailed, penalized',
  ]);
  t.deepEqual(shown(ageingSteps(standing({ status: 'Overdue2' }), rules, '2027-04-01')), [
    'Overdue2 to Suspended1, mailed, penalized',
  ]);
  t.deepEqual(ageingSteps(standing({ status: 'Suspended1' }), rules, '2029-01-01'), []);
});

test('29 February counts: 30 January 2028 and 31 days is 1 March', (t) => {
  const leap = { ...rules, thresholds: [{ daysOverdue: 31, status: 'Overdue1' as const }] };
  const due = standing({ oldestDueOn: '2028-01-30' });
  t.deepEqual(ageingSteps(due, leap, '2028-02-29'), []);
  t.is(ageingSteps(due, leap, '2028-03-01').length, 1);
});

test('a late run makes a transition for each threshold that was passed, and one mail', (t) => {
  t.deepEqual(shown(ageingSteps(standing(), rules, '2027-04-09')), [
    'Active to Overdue1, penalized',
    'Overdue1 to Overdue2, penalized',
    'Overdue2 to Suspended1, mailed, penalized',
  ]);
});

test('what was reached by the first day of the thresholds is one quiet transition', (t) => {
  const since = { ...rules, inForceOn: '2027-03-02' };
  t.deepEqual(shown(ageingSteps(standing(), since, '2027-03-02')), ['Active to Overdue2']);
  // The run comes late: the threshold of 1 April was reached under these thresholds.
  t.deepEqual(shown(ageingSteps(standing(), since, '2027-04-03')), [
    'Active to Overdue2',
    'Overdue2 to Suspended1, mailed, penalized',
  ]);
});

test('changed thresholds move a customer quietly, up or down', (t) => {
  const later: AgeingRules = {
    thresholds: [
      { daysOverdue: 40, status: 'Overdue1' },
      { daysOverdue: 80, status: 'Suspended2' },
    ],
    inForceOn: '2027-03-03',
  };
  const from = (status: CustomerStatus, today: IsoDate) =>
    shown(ageingSteps(standing({ status }), later, today));
  t.deepEqual(from('Overdue1', '2027-03-03'), ['Overdue1 to Active']);
  // No threshold has Overdue2 any more.
  t.deepEqual(from('Overdue2', '2027-03-03'), ['Overdue2 to Active']);
  t.deepEqual(from('Suspended1', '2027-03-03'), ['Suspended1 to Active']);
  const early = { ...rules, inForceOn: '2027-03-03' };
  t.deepEqual(shown(ageingSteps(standing({ status: 'Suspended3' }), early, '2027-03-03')), [
    'Suspended3 to Overdue2',
  ]);
});

test('a customer whose debts are paid returns at once to what the rest says', (t) => {
  const suspended = { status: 'Suspended1' } as const;
  const atOnce = (oldestDueOn: IsoDate | null) =>
    statusAtOnce(standing({ ...suspended, oldestDueOn }), rules, '2027-04-02');
  t.is(atOnce(null), 'Active');
  // Open, but not overdue.
  t.is(atOnce('2027-04-02'), 'Active');
  // 14, 15, 30 and 60 days.
  t.is(atOnce('2027-03-19'), 'Active');
  t.is(atOnce('2027-03-18'), 'Overdue1');
  t.is(atOnce('2027-03-03'), 'Overdue2');
  t.is(atOnce('2027-02-01'), null);
});

test('nothing goes upwards at once, and a customer suspended by hand goes nowhere', (t) => {
  t.is(statusAtOnce(standing(), rules, '2027-12-31'), null);
  const byHand = standing({ status: 'Suspended1', isByHand: true });
  t.is(statusAtOnce({ ...byHand, oldestDueOn: null }, rules, '2027-12-31'), null);
  t.deepEqual(ageingSteps(byHand, rules, '2027-12-31'), []);
  t.is(nextStep(byHand, rules), null);
});

test('activating a customer forgives the thresholds reached by then', (t) => {
  // Activated on 5 March, 33 days overdue: the next one is reached with 60 days, on 1 April.
  const forgiven = standing({ forgivenOn: '2027-03-05' });
  t.deepEqual(ageingSteps(forgiven, rules, '2027-03-31'), []);
  t.like(nextStep(forgiven, rules), { on: '2027-04-01', status: 'Suspended1' });
  t.deepEqual(shown(ageingSteps(forgiven, rules, '2027-04-01')), [
    'Active to Suspended1, mailed, penalized',
  ]);
  // A younger debt has thresholds of its own that lie ahead: 20 February + 15 is 7 March.
  const younger = standing({ forgivenOn: '2027-03-05', oldestDueOn: '2027-02-20' });
  t.deepEqual(shown(ageingSteps(younger, rules, '2027-03-07')), [
    'Active to Overdue1, mailed, penalized',
  ]);
});

test('an invoice that a payment in processing would pay makes no step upwards, and none down', (t) => {
  const aided = standing({ status: 'Overdue1', oldestUnaidedOn: null });
  t.deepEqual(ageingSteps(aided, rules, '2027-03-02'), []);
  t.is(statusAtOnce(aided, rules, '2027-03-02'), null);
  // Another invoice has become old enough by itself: 5 February + 30 is 7 March.
  const other = { ...aided, oldestUnaidedOn: '2027-02-05' };
  t.deepEqual(ageingSteps(other, rules, '2027-03-06'), []);
  t.is(ageingSteps(other, rules, '2027-03-07').length, 1);
});

/** Runs on the given days and on the days that each step names, as a clock does. */
function lifeOf(dueOn: IsoDate, visited: ReadonlySet<number>, daysMax: number): string[] {
  let status: CustomerStatus = 'Active';
  const life: string[] = [];
  let runsOn: IsoDate | null = addDays(dueOn, 1);
  for (let day = 1; day <= daysMax; day += 1) {
    const today = addDays(dueOn, day);
    if (!visited.has(day) && today !== runsOn) continue;
    for (const step of ageingSteps(standing({ status, oldestDueOn: dueOn }), rules, today)) {
      life.push(`${today} ${step.from} ${step.to} ${step.isMailed}`);
      status = step.to;
    }
    runsOn = nextStep(standing({ status, oldestDueOn: dueOn }), rules)?.on ?? null;
  }
  return life;
}

test('however an advance is split, the transitions are the same', (t) => {
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 100 }));
  const offset = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(days, offset, (visited, from) => {
      const dueOn = addDays('2026-02-01', from);
      t.deepEqual(lifeOf(dueOn, new Set(visited), 100), lifeOf(dueOn, new Set(), 100));
    }),
  );
  t.is(lifeOf('2027-01-31', new Set(), 100).length, 3);
});

test('a run that comes late ends where runs in time end, one transition for each threshold', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (age) => {
      const today = addDays('2027-01-31', age);
      const late = ageingSteps(standing(), rules, today);
      const passed = rules.thresholds.filter(({ daysOverdue }) => daysOverdue <= age);
      t.deepEqual(
        late.map(({ to }) => to),
        passed.map(({ status }) => status),
      );
      t.is(late.filter(({ isMailed }) => isMailed).length, passed.length === 0 ? 0 : 1);
    }),
  );
});

const due = { on: '2027-01-20', status: 'Overdue1' } as const;
const today = '2027-01-20';
const stepOns: readonly [
  rule: string,
  before: string | null,
  on: string,
  earliest: string,
  stays: string,
][] = [
  ['of a later day is of that day', null, '2027-01-25', '2027-01-21', '2027-01-25'],
  ['of today is of today before the run', null, today, today, today],
  ['that a change makes due after the run comes tomorrow', null, today, '2027-01-21', '2027-01-21'],
  ['that waits today is not put off by a change', today, today, '2027-01-21', today],
  [
    'that waits since yesterday is not put off either',
    '2027-01-19',
    today,
    '2027-01-21',
    '2027-01-19',
  ],
  [
    'that waited moves to the day of the next invoice',
    today,
    '2027-01-25',
    '2027-01-21',
    '2027-01-25',
  ],
];

for (const [rule, before, on, earliest, stays] of stepOns) {
  test(`a step ${rule}`, (t) => {
    t.is(stepOn(before, { next: { ...due, on }, today, earliest }), stays);
  });
}

test('without a further threshold there is no next step', (t) => {
  t.is(stepOn(today, { next: null, today, earliest: '2027-01-21' }), null);
});

test('what was overdue when it was moved in is one change without mail and penalty, later steps are not', (t) => {
  // Due on 31 January, moved in on 10 March: 15 February and 2 March lie before, 1 April does not.
  const movedIn = standing({ movedInOn: '2027-03-10' });
  t.deepEqual(shown(ageingSteps(movedIn, rules, '2027-03-11')), ['Active to Overdue2']);
  t.deepEqual(shown(ageingSteps({ ...movedIn, status: 'Overdue2' }, rules, '2027-04-01')), [
    'Overdue2 to Suspended1, mailed, penalized',
  ]);
  // A run that comes late.
  t.deepEqual(shown(ageingSteps(movedIn, rules, '2027-04-02')), [
    'Active to Overdue2',
    'Overdue2 to Suspended1, mailed, penalized',
  ]);
});

test('a threshold of the first run after the move is part of its change, that of the next day is not', (t) => {
  // Overdue2 is reached on 2 March.
  const before = standing({ movedInOn: '2027-03-01' });
  t.deepEqual(shown(ageingSteps(before, rules, '2027-03-02')), ['Active to Overdue2']);
  const earlier = standing({ movedInOn: '2027-02-28' });
  t.deepEqual(shown(ageingSteps(earlier, rules, '2027-03-02')), [
    'Active to Overdue1',
    'Overdue1 to Overdue2, mailed, penalized',
  ]);
});

test('an invoice that was not overdue yet when it was moved in ages like any other', (t) => {
  const atOnce = { ...rules, thresholds: [{ daysOverdue: 1, status: 'Overdue1' as const }] };
  for (const movedInOn of ['2027-01-31', '2027-01-05']) {
    t.deepEqual(shown(ageingSteps(standing({ movedInOn }), atOnce, '2027-02-01')), [
      'Active to Overdue1, mailed, penalized',
    ]);
  }
  const overdue = standing({ movedInOn: '2027-02-01', oldestDueOn: '2027-01-31' });
  t.deepEqual(shown(ageingSteps(overdue, atOnce, '2027-02-02')), ['Active to Overdue1']);
});

test('an invoice that was moved in before the thresholds were in force counts from their first day', (t) => {
  const movedIn = standing({ movedInOn: '2027-02-10' });
  t.deepEqual(shown(ageingSteps(movedIn, { ...rules, inForceOn: '2027-03-05' }, '2027-03-05')), [
    'Active to Overdue2',
  ]);
});

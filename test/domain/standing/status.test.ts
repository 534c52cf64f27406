/** The statuses that an order may have, the status on a day, and terms. */
import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import {
  type OrderStatus,
  orderStatuses,
  afterInvoice,
  assertTransition,
  canEdit,
  lastDayIfCancelled,
  nextTransitionOn,
  statusOn,
  type OrderTerms,
} from '../../../domain/standing/status.ts';
import { dueDate, firstTerms, renewedEnd, termOf, termOn } from '../../../domain/calendar/terms.ts';

test('an order changes only to the statuses that its status allows', (t) => {
  const allowed: Record<OrderStatus, readonly OrderStatus[]> = {
    Draft: ['Draft', 'Provisioning', 'Active', 'Canceled'],
    Provisioning: ['Provisioning', 'Canceled'],
    Active: ['Active', 'Suspended', 'Canceled'],
    Suspended: ['Active', 'Suspended', 'Canceled'],
    Complete: ['Complete'],
    Superseded: ['Superseded'],
    Canceled: ['Canceled'],
  };
  for (const from of orderStatuses) {
    for (const to of orderStatuses) {
      if (allowed[from].includes(to)) t.notThrows(() => assertTransition(from, to));
      else t.throws(() => assertTransition(from, to), { code: 'order.transition' });
    }
    t.is(canEdit(from), !['Complete', 'Superseded', 'Canceled'].includes(from));
  }
});

test('a term counts in whole months if possible, else in days', (t) => {
  const cases = [
    ['2027-01-01', '2027-12-31', 12, 'Months'],
    ['2027-01-31', '2027-02-27', 1, 'Months'],
    ['2027-01-31', '2027-02-28', 29, 'Days'],
    ['2027-01-31', '2027-03-30', 2, 'Months'],
    ['2028-02-29', '2029-02-27', 12, 'Months'],
    ['2027-01-01', '2027-01-01', 1, 'Days'],
    ['2027-01-01', '2027-01-30', 30, 'Days'],
    ['2027-02-01', '2027-02-28', 1, 'Months'],
    ['2000-03-01', '2027-02-28', 324, 'Months'],
    ['2000-03-01', '2027-03-01', 9862, 'Days'],
  ] as const;
  for (const [start, end, value, units] of cases) {
    t.deepEqual(termOf(start, end), { value, units }, `${start} ${end}`);
  }
  t.throws(() => termOf('2027-01-02', '2027-01-01'), { message: /a term/ });
});

test('renewals are counted from the start of the term, not from the last end', (t) => {
  const monthly = { termStart: '2027-01-31', termFirstEnd: '2027-02-27' };
  t.deepEqual(
    [0, 1, 2, 3].map((n) => renewedEnd(monthly, n)),
    ['2027-02-27', '2027-03-30', '2027-04-29', '2027-05-30'],
  );
  const days = { termStart: '2027-01-01', termFirstEnd: '2027-01-30' };
  t.deepEqual(
    [0, 1, 2].map((n) => renewedEnd(days, n)),
    ['2027-01-30', '2027-03-01', '2027-03-31'],
  );
});

test('the present term of a day is the one that contains it', (t) => {
  const term = { termStart: '2027-01-31', termFirstEnd: '2027-02-27' };
  t.deepEqual(termOn(term, '2027-01-31'), { start: '2027-01-31', end: '2027-02-27' });
  t.deepEqual(termOn(term, '2027-02-27'), { start: '2027-01-31', end: '2027-02-27' });
  t.deepEqual(termOn(term, '2027-02-28'), { start: '2027-02-28', end: '2027-03-30' });
  t.deepEqual(termOn(term, '2031-01-30'), { start: '2030-12-31', end: '2031-01-30' });
  // Each of 1,500 days is in exactly one term, and each term begins where the previous one ended.
  let current = termOn(term, term.termStart);
  for (let days = 1; days < 1500; days += 1) {
    const date = addDays(term.termStart, days);
    const found = termOn(term, date);
    if (date <= current.end) t.deepEqual(found, current);
    else t.is(found.start, addDays(current.end, 1));
    current = found;
  }
});

test('terms in months clip to the end of the month', (t) => {
  t.is(dueDate('2027-01-31', { value: 1, units: 'Months' }), '2027-02-28');
  t.is(dueDate('2027-01-31', { value: 30, units: 'Days' }), '2027-03-02');
  t.is(dueDate('2027-01-31', { value: 0, units: 'Days' }), '2027-01-31');
  const terms = { value: 14, units: 'Days' } as const;
  t.is(firstTerms(null, terms, { value: 30, units: 'Days' }), terms);
  t.is(firstTerms(null, null), null);
});

const order: OrderTerms = {
  status: 'Active',
  startDate: '2027-01-01',
  endDate: '2027-01-31',
  isAutoRenew: false,
  termStart: '2027-01-01',
  termFirstEnd: '2027-01-31',
  changeOn: null,
  awaitsChange: false,
};

test('an order is activated on its start, and Complete the day after its end', (t) => {
  const cases = [
    [{ status: 'Provisioning' }, '2026-12-31', 'Provisioning', '2027-01-31'],
    [{ status: 'Provisioning' }, '2027-01-01', 'Active', '2027-01-31'],
    [{ status: 'Provisioning' }, '2027-02-01', 'Complete', '2027-01-31'],
    [{}, '2027-01-31', 'Active', '2027-01-31'],
    [{}, '2027-02-01', 'Complete', '2027-01-31'],
    [{ status: 'Suspended' }, '2027-02-01', 'Complete', '2027-01-31'],
    [{ status: 'Draft' }, '2027-02-01', 'Draft', '2027-01-31'],
    [{ status: 'Canceled' }, '2027-02-01', 'Canceled', '2027-01-31'],
    [{ endDate: null, termFirstEnd: null }, '2037-02-01', 'Active', null],
  ] as const;
  for (const [changes, today, status, endDate] of cases) {
    t.deepEqual(statusOn({ ...order, ...changes }, today), { status, endDate });
  }
});

test('an order that renews continues by its term, over several terms at once if necessary', (t) => {
  const renewing = { ...order, isAutoRenew: true };
  t.deepEqual(statusOn(renewing, '2027-01-31'), { status: 'Active', endDate: '2027-01-31' });
  t.deepEqual(statusOn(renewing, '2027-02-01'), { status: 'Active', endDate: '2027-02-28' });
  t.deepEqual(statusOn(renewing, '2027-06-30'), { status: 'Active', endDate: '2027-06-30' });
  t.deepEqual(statusOn({ ...renewing, status: 'Suspended', endDate: '2027-02-28' }, '2027-03-01'), {
    status: 'Suspended',
    endDate: '2027-03-31',
  });
});

test('the next transition is the future start, or the day after the end', (t) => {
  t.is(nextTransitionOn({ ...order, status: 'Provisioning' }), '2027-01-01');
  t.is(nextTransitionOn(order), '2027-02-01');
  t.is(nextTransitionOn({ ...order, status: 'Suspended' }), '2027-02-01');
  t.is(nextTransitionOn({ ...order, endDate: null }), null);
  for (const status of ['Draft', 'Complete', 'Superseded', 'Canceled'] as const) {
    t.is(nextTransitionOn({ ...order, status }), null);
  }
});

test('a cancelled order ends that day or at its earlier end; an order that never began has no end', (t) => {
  const today = '2027-02-14';
  const order = {
    status: 'Active',
    startDate: '2027-01-01',
    endDate: null,
    isAutoRenew: false,
    termStart: '2027-01-01',
    termFirstEnd: null,
    changeOn: null,
    awaitsChange: false,
  } as const;
  const cases: readonly [Partial<OrderTerms>, string | null][] = [
    [{}, today],
    [{ endDate: '2027-12-31' }, today],
    [{ endDate: today }, today],
    // The run that makes the order Complete is yet to come.
    [{ endDate: '2027-02-13' }, '2027-02-13'],
    // The run that renews the order is yet to come.
    [{ endDate: '2027-01-31', termFirstEnd: '2027-01-31', isAutoRenew: true }, today],
    [{ status: 'Suspended' }, today],
    [{ status: 'Complete', endDate: '2027-01-31' }, '2027-01-31'],
    [{ startDate: today, termStart: today }, today],
    [{ status: 'Provisioning', startDate: today, termStart: today }, today],
    [{ status: 'Provisioning', startDate: '2027-02-15', termStart: '2027-02-15' }, null],
    [{ status: 'Provisioning', startDate: '2027-02-15', endDate: '2027-03-14' }, null],
    [{ status: 'Draft' }, null],
    [{ status: 'Draft', endDate: '2027-01-31' }, null],
  ];
  for (const [fields, last] of cases) {
    t.is(lastDayIfCancelled({ ...order, ...fields }, today), last, JSON.stringify(fields));
  }
});

test('an order is suspended with its invoice if it is Active, and cancelled in any status', (t) => {
  const order = {
    startDate: '2027-01-01',
    endDate: '2027-12-31',
    isAutoRenew: true,
    termStart: '2027-01-01',
    termFirstEnd: '2027-12-31',
    awaitsChange: false,
    endedOn: null,
    billsNothingMore: false,
  };
  const today = '2027-02-14';
  const { endDate, endedOn, billsNothingMore } = order;
  for (const status of orderStatuses) {
    const suspended = { status: 'Suspended', endDate, endedOn, billsNothingMore } as const;
    const expected = status === 'Active' ? suspended : null;
    t.deepEqual(afterInvoice({ ...order, status }, 'Suspended', today), expected, status);
    const hasEnded = status === 'Canceled' || status === 'Superseded';
    const began = status !== 'Draft';
    t.deepEqual(
      afterInvoice({ ...order, status }, 'Canceled', today),
      {
        status: 'Canceled',
        billsNothingMore: true,
        endDate: hasEnded ? endDate : began ? today : null,
        endedOn: hasEnded ? endedOn : began ? today : null,
      },
      status,
    );
  }
});

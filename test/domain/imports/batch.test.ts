/** Batch jobs: their progress, what they say at the end, and which parents they may have. */
import test from 'ava';
import {
  batchStatuses,
  checkNamedParent,
  checkParent,
  isFinished,
  progressOf,
  successMessage,
  takesUpload,
} from '../../../domain/imports/batch.ts';
import { DomainError } from '../../../domain/errors.ts';

const START = Date.UTC(2027, 0, 1);
const work = { successCount: 0, failCount: 0, rowCount: null, startedAt: null };

const progress = [
  ['before its first row', work, 0, '0 0 null'],
  ['at the instant of its start', { ...work, startedAt: START }, 0, '0 0 null'],
  [
    'without the number of rows',
    { ...work, successCount: 500, startedAt: START },
    2,
    '500 250 null',
  ],
  [
    'with 401 of 1203 rows',
    { successCount: 400, failCount: 1, rowCount: 1203, startedAt: START },
    2,
    '401 201 4',
  ],
  ['without a row so far', { ...work, rowCount: 9, startedAt: START }, 60, '0 0 null'],
  ['with all rows done', { ...work, successCount: 9, rowCount: 9, startedAt: START }, 3, '9 3 0'],
  [
    'at less than a row a second',
    { ...work, failCount: 1, rowCount: 3, startedAt: START },
    10,
    '1 0 20',
  ],
] as const;

for (const [when, job, seconds, expected] of progress) {
  test(`a job ${when} shows ${expected}`, (t) => {
    const shown = progressOf(job, START + seconds * 1_000);
    t.is(`${shown.rowsDone} ${shown.rowsPerSecond} ${shown.secondsRemaining}`, expected);
  });
}

test('a clock that was set back shows no negative rate', (t) => {
  const job = { ...work, successCount: 5, rowCount: 9, startedAt: START };
  t.deepEqual(progressOf(job, START - 1), {
    rowsDone: 5,
    rowsPerSecond: 0,
    secondsRemaining: null,
  });
});

test('a job is finished once it is neither a Draft nor Queued', (t) => {
  t.deepEqual(batchStatuses.filter(isFinished), ['Success', 'PartialSuccess', 'Failure']);
});

test('every job says how many of its records succeeded', (t) => {
  const said = successMessage({ successCount: 0, failCount: 2 });
  t.is(said, 'Success, 0 records successfully processed, 2 failed');
});

test('files are uploaded for imports, and for nothing that BatchInit carries over', (t) => {
  t.true(takesUpload('customers') && takesUpload('invoices') && takesUpload('lines'));
  t.false(takesUpload('init') || takesUpload('carriedInvoices'));
});

const named = { path: 'batchProcess/parentBatchProcess', value: '7' };

function refusal(check: () => void): string {
  try {
    check();
    return 'none';
  } catch (error) {
    return error instanceof DomainError ? `${error.code} ${error.path}` : String(error);
  }
}

test('only jobs of line items have a parent, and they need one', (t) => {
  t.is(
    refusal(() => checkNamedParent('lines', named)),
    'none',
  );
  t.is(
    refusal(() => checkNamedParent('invoices', null)),
    'none',
  );
  t.is(
    refusal(() => checkNamedParent('lines', null)),
    `field.required ${named.path}`,
  );
  t.is(
    refusal(() => checkNamedParent('customers', named)),
    `field.invalid ${named.path}`,
  );
});

test('the parent is a job of invoices that is not finalized', (t) => {
  const of = (kind: 'invoices' | 'lines', status: 'Draft' | 'Queued' | 'Failure') =>
    refusal(() => checkParent({ kind, status }, named));
  t.is(of('invoices', 'Draft'), 'none');
  t.is(of('lines', 'Draft'), `field.invalid ${named.path}`);
  t.is(of('invoices', 'Queued'), `field.invalid ${named.path}`);
  t.is(of('invoices', 'Failure'), `field.invalid ${named.path}`);
});

/** One list of what can be due: its order, and that every list that needs a kind has it. */

import test from 'ava';
import { agendaBranches } from '../../../db/queries/due/agenda.ts';
import { dueAudits } from '../../../operations/books/due.ts';
import { objectWorkflowKinds } from '../../../operations/workflow-kinds/table.ts';
import { dueKinds, dueStages, type DueKind } from '../../../operations/due/due.ts';
import { leftOut } from '../support/left-out.ts';

/** The names are compared as text, because the types do not allow a made-up kind. */
type Row = Omit<DueKind, 'agenda' | 'workflow'> & {
  readonly agenda: string | null;
  readonly workflow: string | null;
};

const auditsOf = (isDated: boolean) =>
  Object.entries(dueAudits)
    .filter(([, audit]) => (audit !== null) === isDated)
    .map(([name]) => name);

const dueLists = [
  {
    name: 'the branches of the agenda',
    entryOf: (_: string, { agenda }: Row) => agenda,
    entries: Object.keys(agendaBranches),
  },
  {
    name: 'the audits of what is due by a day',
    entryOf: (name: string, { agenda }: Row) => (agenda === null ? null : name),
    entries: auditsOf(true),
  },
  {
    name: 'what is under way without a day',
    entryOf: (name: string, { agenda }: Row) => (agenda === null ? name : null),
    entries: auditsOf(false),
  },
  {
    name: 'the kinds of workflows',
    entryOf: (_: string, { workflow }: Row) => workflow,
    entries: objectWorkflowKinds,
    others: 'any',
  },
] as const;

const rowsOf = (rows: readonly Row[]) => Object.fromEntries(rows.map((row) => [row.name, row]));

test('the agenda and the audit have every kind of due thing', (t) => {
  t.deepEqual(leftOut<Row>(rowsOf(dueKinds), dueLists), []);
});

test('a kind of due thing that a list lacks is reported by name', (t) => {
  const [first] = dueKinds;
  const dated = { ...first, name: 'report', agenda: 'report', workflow: 'reports' };
  t.deepEqual(leftOut<Row>(rowsOf([...dueKinds, dated]), dueLists), [
    'report is left out of the branches of the agenda (report)',
    'report is left out of the audits of what is due by a day (report)',
    'report is left out of the kinds of workflows (reports)',
  ]);
  const undated = { ...dated, agenda: null, workflow: 'order' };
  t.deepEqual(leftOut<Row>(rowsOf([...dueKinds, undated]), dueLists), [
    'report is left out of what is under way without a day (report)',
  ]);
  const withoutAutopay = dueKinds.filter(({ name }) => name !== 'autopay');
  t.deepEqual(leftOut<Row>(rowsOf(withoutAutopay), dueLists), [
    'the branches of the agenda has autopay, which is of no kind',
    'the audits of what is due by a day has autopay, which is of no kind',
  ]);
});

/** The kinds that follow one of a later stage. */
function misplaced(rows: readonly Pick<DueKind, 'name' | 'stage'>[]): string[] {
  const places = rows.map(({ stage }) => dueStages.indexOf(stage));
  return rows
    .filter((_, index) => places.slice(0, index).some((place) => place > (places[index] ?? -1)))
    .map(({ name, stage }) => `${name} (${stage})`);
}

test('the list is in the order of processing at an instant', (t) => {
  t.deepEqual(misplaced(dueKinds), []);
  t.deepEqual(misplaced([...dueKinds, { name: 'close', stage: 'changes' }]), ['close (changes)']);
  t.deepEqual(misplaced(dueKinds.toReversed()), [
    'ageing (ageing)',
    'debt (ageing)',
    'payment (collection)',
    'installment (collection)',
    'retry (collection)',
    'autopay (collection)',
    'order (billing)',
    'prices (prices)',
    'pause (pauses)',
    'settlement (settlement)',
  ]);
});

test("the day's run has a part for each kind with a date; workflows process what is under way", (t) => {
  const inRun = dueKinds.filter(({ run }) => run !== null).map(({ name }) => name);
  t.deepEqual(inRun, [
    'settlement',
    'pause',
    'prices',
    'order',
    'autopay',
    'retry',
    'installment',
    'debt',
    'ageing',
    'commission',
    'trialEnding',
    'renewalNotice',
    'priceChange',
    'cardExpiring',
    'debitNotice',
  ]);
  const dated = dueKinds.filter(({ agenda }) => agenda !== null).map(({ name }) => name);
  t.deepEqual(inRun, dated);
});

test('kinds without a date are counted while they are pending, and only those', (t) => {
  const counted = dueKinds.filter(({ underWay }) => underWay !== null).map(({ name }) => name);
  const dateless = dueKinds.filter(({ agenda }) => agenda === null).map(({ name }) => name);
  t.deepEqual(counted, dateless);
});

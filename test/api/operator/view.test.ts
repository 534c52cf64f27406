/** What the operator's pages make of figures, and of texts that people wrote. */
import test from 'ava';
import { alarmsIn, figureOf } from '../../../api/operator/figures.ts';
import { age, operatorPage } from '../../../api/operator/view.ts';
import { figureNames, type Counted, type FiguresByName } from '../../../operations/figures/read.ts';

const nothing = Object.fromEntries(
  figureNames.map((name) => [name, [] as readonly Counted[]]),
) as FiguresByName;

test('an age has its two largest units', (t) => {
  const ages = [0, 0.4, 59, 60, 61, 3_600, 3_660, 90_000, 172_800, -5].map(age);
  t.deepEqual(ages, [
    '0 s',
    '0 s',
    '59 s',
    '1 min',
    '1 min 1 s',
    '1 h',
    '1 h 1 min',
    '1 d 1 h',
    '2 d',
    '0 s',
  ]);
});

test('a figure has its sum, its kinds and the oldest, and asks for attention when that is old', (t) => {
  const figures = {
    ...nothing,
    paymentsOpen: [
      { kind: 'Waiting', count: 2, oldestSeconds: 7_200 },
      { kind: 'Processing', count: 1, oldestSeconds: 90_000 },
    ],
    outbox: [{ kind: null, count: 3, oldestSeconds: 59 }],
    eventsUnnumbered: [{ kind: null, count: 3, oldestSeconds: 60 }],
    heldCustomers: [{ kind: 'tax.refused', count: 1, oldestSeconds: 1 }],
  };
  t.deepEqual(figureOf('paymentsOpen', figures), {
    label: 'Payments not final',
    text: '3',
    note: 'Waiting 2, Processing 1, oldest 1 d 1 h',
    isAlarm: false,
  });
  t.deepEqual(alarmsIn(figures), ['Held customers', 'Events without a number']);
  t.deepEqual(alarmsIn(nothing), []);
});

test('no text of a row is markup', (t) => {
  const evil = '<script>alert(1)</script>"';
  const page = operatorPage({
    title: evil,
    lead: evil,
    trail: [{ text: evil, address: '/ops' }],
    visitor: { name: evil, logOutKey: evil },
    sections: [
      {
        id: 'one',
        title: evil,
        note: evil,
        figures: [{ label: evil, text: evil, note: evil }],
        table: { columns: [evil], rows: [{ cells: [{ text: evil }] }], empty: evil },
        links: [{ text: evil, address: '/ops' }],
      },
    ],
  });
  t.false(page.includes('<script'));
  t.false(page.includes('1)</script>"'));
});

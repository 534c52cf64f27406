/** Where the series of a tenant go on after a restoration. */
import test from 'ava';
import { numberingOf, type WrittenSeries } from '../../../domain/invoices/number-series.ts';
import type { CounterRow } from '../../../db/queries/processes/restoration.ts';
import { seriesOf, type GivenNumbers } from '../../../operations/processes/restored-numbers.ts';

const counter = (kind: CounterRow['kind'], next: number, prefix = '', year = 0): CounterRow => ({
  kind,
  prefix,
  year,
  first: 1,
  next,
});

function told(
  counters: readonly CounterRow[],
  given: Partial<GivenNumbers>,
  numbering: { readonly invoice?: WrittenSeries; readonly creditNote?: WrittenSeries } = {},
): string[] {
  return seriesOf(counters, {
    tenant: { label: 'demo', numbering: numberingOf(numbering) },
    today: '2027-01-15',
    highestOrder: 1_020,
    given: { numbers: new Map(), ...given },
  }).map(({ name, last, upTo }) => `${name}: ${last} to ${upTo ?? 'untold'}`);
}

const both = [counter('order', 1_011), counter('invoice', 1_101)];

test('without the last number and without a leap nobody knows where a series goes on', (t) => {
  t.deepEqual(told(both, {}), ['demo/order: 1010 to untold', 'demo/invoice: 1100 to untold']);
});

test('what is told counts, unless Temporal knows of a higher one; a leap comes after what is known', (t) => {
  const numbers = new Map([
    ['demo/order', 1_015],
    ['demo/invoice', 1_107],
  ]);
  t.deepEqual(told(both, { numbers }), ['demo/order: 1010 to 1020', 'demo/invoice: 1100 to 1107']);
  t.deepEqual(told(both, { leap: 50 }), ['demo/order: 1010 to 1070', 'demo/invoice: 1100 to 1150']);
});

test('a yearly series may have begun a new year in the lost time, and a series its first number', (t) => {
  const yearly = { prefix: 'INV-{YYYY}-', yearly: true };
  const of2026 = [counter('invoice', 413, 'INV-{YYYY}-', 2026)];
  t.deepEqual(told(of2026, { leap: 50 }, { invoice: yearly }), [
    'demo/invoice/INV-{YYYY}-@2026: 412 to 462',
    'demo/invoice/INV-{YYYY}-@2027: 0 to 50',
  ]);
  const credits = told(both, { leap: 50 }, { creditNote: { prefix: 'CN-' } });
  t.is(credits.at(-1), 'demo/invoice/CN-: 1000 to 1050');
});

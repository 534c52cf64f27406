/** npm ci prints no engine warnings on any Node that the README promises. */
import test from 'ava';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

interface Locked {
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

/** The oldest and the newest of each line that is promised, and of lines to come. */
const promised = ['22.20.0', '22.99.99', '24.12.0', '24.99.99', '26.0.0', '26.99.99', '28.0.0'];

test('the README promises what package.json does', (t) => {
  t.is(JSON.parse(read('package.json')).engines.node, '^22.20 || ^24.12 || >=26');
  t.true(/\bNode 22\.20, 24\.12, or 26\s+and newer\b/.test(read('README.md')));
});

test('every locked package takes every Node that is promised', (t) => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const refused = Object.entries(packages).flatMap(([name, { optional, engines }]) => {
    const range = engines?.node;
    if (range === undefined || optional === true) return [];
    const outside = promised.filter((version) => !isWithin(version, range));
    return outside.length === 0 ? [] : [`${name}: ${range} refuses ${outside.join(', ')}`];
  });
  t.deepEqual(refused, []);
  t.true(Object.values(packages).filter(({ engines }) => engines?.node).length > 100);
});

test('ranges are read as npm reads them', (t) => {
  for (const [range, within, outside] of [
    ['>= 22.17.0', '22.17.0 26.0.0', '22.16.9'],
    ['^20.19.0 || >=22.12', '20.19.0 20.99.0 23.0.0', '20.18.9 21.0.0 22.11.9'],
    ['6.* || 8 || >= 10.*', '6.1.0 8.9.9 10.0.0', '5.0.0 7.0.0 9.9.9'],
    ['>=12.14.0 <13 || 14 >=14.17', '12.14.0 14.17.0', '13.0.0 14.16.0 15.0.0'],
    ['~18.2.1', '18.2.9', '18.3.0'],
  ] as const) {
    for (const version of within.split(' ')) t.true(isWithin(version, range), range);
    for (const version of outside.split(' ')) t.false(isWithin(version, range), range);
  }
});

/** Of npm's ranges, the forms that locked packages use; another one throws. */
function isWithin(version: string, range: string): boolean {
  return range.split('||').some((alternative) =>
    alternative
      .replaceAll(/(>=|<=|<|>|\^|~)\s+/g, '$1')
      .trim()
      .split(/\s+/)
      .every((comparator) => holds(version, comparator)),
  );
}

function holds(version: string, comparator: string): boolean {
  const [, operator = '', bound = ''] = /^(>=|<|\^|~|)v?([\dx.*]+)$/.exec(comparator) ?? [];
  if (bound === '')
    throw new Error(`a range of a form that this test does not read: ${comparator}`);
  const given = bound.split('.').filter((part) => /^\d+$/.test(part));
  const order = compare(version, given);
  // How many leading parts must be the same: all that are given, or those that ^ and ~ keep.
  const fixed = { '>=': 0, '<': 0, '^': 1, '~': 2, '': given.length }[operator] ?? 0;
  const isSameLine = compare(version, given.slice(0, fixed), fixed) === 0;
  return operator === '<' ? order < 0 : order >= 0 && isSameLine;
}

/** Above 0 if the version is later than the bound; parts that the bound leaves out are 0. */
function compare(version: string, bound: readonly string[], parts = 3): number {
  const mine = version.split('.');
  for (let index = 0; index < parts; index += 1) {
    const difference = Number(mine[index]) - Number(bound[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

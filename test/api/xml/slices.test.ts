/** Long work in slices: other work runs between them, and nothing is lost or changed. */
import test from 'ava';
import { z } from 'zod';
import { mapInSlices, startSlices } from '../../../api/xml/slices.ts';
import { compile } from '../../../api/xml/codec.ts';
import { attribute, integer, listOf, root, text } from '../../../api/xml/types.ts';

/** Each item takes as many milliseconds as it says; returns what happened, in order. */
async function happens(items: readonly number[]): Promise<(number | 'other')[]> {
  let nowMs = 0;
  let isDone = false;
  const happened: (number | 'other')[] = [];
  const other = (): void => {
    if (isDone) return;
    happened.push('other');
    setImmediate(other);
  };
  const slices = startSlices(() => nowMs);
  setImmediate(other);
  const results = await mapInSlices(
    items,
    (item) => {
      nowMs += item;
      happened.push(item);
      return item;
    },
    slices,
  );
  isDone = true;
  if (results.join() !== items.join()) throw new Error(`it came to ${results.join()}`);
  return happened;
}

test('other work runs after an item that took long, or after many that did', async (t) => {
  t.deepEqual(await happens([40, 40, 1]), [40, 'other', 40, 'other', 1]);
  t.deepEqual(await happens([1, 1, 1, 1, 1, 1]), [1, 1, 1, 1, 1, 'other', 1]);
});

test('short work is done without a break', async (t) => {
  t.deepEqual(await happens([1, 1, 1]), [1, 1, 1]);
  t.deepEqual(await happens([]), []);
});

test('a list in slices is written as it is without slices', async (t) => {
  const item = z.strictObject({ name: text(), count: attribute(integer(0, 9)).nullish() });
  const codec = compile(root('list', listOf('item', item)));
  for (const list of [[], [{ name: 'a' }], [{ name: '<&>', count: 3 }, { name: '' }]]) {
    t.is(await codec.encodeInSlices(list), codec.encode(list));
  }
  const single = compile(root('item', item));
  t.is(await single.encodeInSlices({ name: 'a' }), single.encode({ name: 'a' }));
});

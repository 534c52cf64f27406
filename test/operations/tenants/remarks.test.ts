/** What applying a file remarks: no mistakes, and things that its author may not expect. */
import test from 'ava';
import { mistakeText } from '../../../operations/tenants/file/mistakes.ts';
import { bench, draftOf, sample, spoiled, textOf } from './support.ts';

test('bounds of a usage charge hold for nothing, which applying remarks, in a dry run too', async (t) => {
  const it = await bench(t);
  const minutes = 'plans[1].charges[1]';
  const bounds = { [`${minutes}.minQuantity`]: '10', [`${minutes}.maxQuantity`]: '500' };
  const text = textOf(spoiled(draftOf(sample('demo')), bounds));
  for (const isDryRun of [true, false]) {
    const applied = await it.apply(text, { isDryRun });
    if (!applied.isValid) return t.fail(JSON.stringify(applied.mistakes));
    t.deepEqual(
      applied.remarks.map((remark) => mistakeText({ ...remark, line: null })),
      [
        `${minutes}.minQuantity: of a usage charge holds for nothing`,
        `${minutes}.maxQuantity: of a usage charge holds for nothing`,
      ],
    );
    t.true(applied.remarks.every(({ line }) => line !== null));
  }
  const plain = await it.apply(sample('demo'));
  t.deepEqual(plain.isValid && plain.remarks, []);
});

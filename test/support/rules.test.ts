/** The check of docs/rules finds what it is for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { testFolder } from './folder.ts';
import { mistakesInRules, rulesIn } from './rules.ts';

const held = `# Rules of usage

What it is about.

## Windows

- A window is due the day after its end.
  [usage](../../test/usage.test.ts): “is billed the day
  after”; [late](../../test/late.test.ts): “late ones”
- A window is closed once.
  [usage](../../test/usage.test.ts): “closed once”

## Records
`;

test('a rule is a list item with the tests that hold it', (t) => {
  const rules = rulesIn(held, 'docs/rules/usage.md');
  t.deepEqual(
    rules.map(({ heldBy }) => heldBy),
    [
      [
        { file: 'test/usage.test.ts', words: 'is billed the day after' },
        { file: 'test/late.test.ts', words: 'late ones' },
      ],
      [{ file: 'test/usage.test.ts', words: 'closed once' }],
    ],
  );
  t.true(rules[1]?.text.endsWith('“closed once”'));
});

test('rules without a test, absent tests and dead links are found', (t) => {
  const root = testFolder(t);
  mkdirSync(join(root, 'docs/rules'), { recursive: true });
  mkdirSync(join(root, 'test'));
  writeFileSync(join(root, 'test/usage.test.ts'), `test('is billed the day after', () => {});`);
  writeFileSync(join(root, 'docs/rules/usage.md'), `${held}- Nobody holds this.\n`);
  writeFileSync(join(root, 'docs/rules/README.md'), '- [tax](tax.md)\n- [usage](usage.md)\n');
  t.deepEqual(mistakesInRules(root).toSorted(), [
    'docs/rules/README.md: links to tax.md, which is not there',
    'docs/rules/usage.md: links to ../../test/late.test.ts, which is not there',
    'docs/rules/usage.md: no test holds “Nobody holds this.”',
    'docs/rules/usage.md: test/usage.test.ts does not have “closed once”',
  ]);
});

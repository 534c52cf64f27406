/** The records of asserted codes: a code that nobody recorded is reported. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { neverAsserted, noteAsserted } from './asserted.ts';

test('a code is asserted if any process has recorded it, and otherwise reported', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sundial-asserted-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.deepEqual(neverAsserted(folder, ['a.one', 'a.two', 'a.three']), ['a.one', 'a.two', 'a.three']);
  writeFileSync(join(folder, 'another'), 'a.two\nb.two\n');
  noteAsserted('a.one and more', folder);
  t.deepEqual(neverAsserted(folder, ['a.one', 'a.two', 'a.three']), ['a.three']);
});

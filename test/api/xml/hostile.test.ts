/** Hostile documents are refused with little memory, at a cost proportional to their length. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { isLong } from '../../support/random.ts';
import { documents } from './hostile-documents.ts';

const MEGABYTES = 80;

test('hostile documents of 8 MiB are refused in constant memory', async (t) => {
  const entry = join(import.meta.dirname, 'hostile-memory.ts');
  // With twice the memory in use the process would fail.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${MEGABYTES}`, entry],
    { timeout: 240_000 },
  );
  t.deepEqual(stdout.trim().split('\n'), [
    'elements 400 document.elements',
    'names 400 document.elements',
    'repeated 400 document.elements',
    'spaced 400 field.repeated',
    'deep 400 document.depth',
    'closing 400 document.malformed',
    'attributes 400 document.elements',
    'attribute 400 attribute.unknown',
    'blanks 400 field.required',
    'equals 400 document.malformed',
    'quotes 400 document.malformed',
    'name 400 document.malformed',
    'text 400 field.tooLong',
    'lines 400 document.malformed',
    'entities 400 document.elements',
    'ampersands 400 document.entity',
    'references 400 document.elements',
    'sections 400 document.elements',
    'comments 400 document.elements',
    'openComments 400 document.malformed',
    'instructions 400 document.elements',
    'declaration 400 document.malformed',
  ]);
});

if (isLong) {
  test('four times the length costs about four times the CPU', async (t) => {
    const entry = join(import.meta.dirname, 'hostile-growth.ts');
    const measured = async (): Promise<Set<string>> => {
      const command = ['--single-threaded', entry];
      const { stdout } = await promisify(execFile)(process.execPath, command, { timeout: 240_000 });
      const lines = stdout.trim().split('\n');
      t.is(lines.length, 2 * Object.keys(documents).length);
      return new Set(
        lines.flatMap((line) => (line.endsWith(' fits') ? [] : [line.split(' ')[0] ?? ''])),
      );
    };
    // A quadratic cost appears in every process; a disturbance affects only some of them.
    let tooDear = await measured();
    for (let again = 0; again < 2 && tooDear.size > 0; again += 1) {
      tooDear = tooDear.intersection(await measured());
    }
    t.deepEqual([...tooDear], []);
  });
}

/** Documents made to cost: each is refused in little memory, at a cost that its length explains. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { documents } from './hostile-documents.ts';

const MEGABYTES = 80;

test('documents of 8 MiB that were made to cost are refused in flat memory', async (t) => {
  const entry = join(import.meta.dirname, 'hostile-memory.ts');
  // With twice the memory in use it would end with an error.
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
  // A cost that grows with the square does so in every process; what disturbs one of them does not.
  let tooDear = await measured();
  for (let again = 0; again < 2 && tooDear.size > 0; again += 1) {
    tooDear = tooDear.intersection(await measured());
  }
  t.deepEqual([...tooDear], []);
});

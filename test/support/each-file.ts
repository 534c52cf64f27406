/**
 * AVA loads this into the process of each test file, before the file. It names the file to what the
 * process loads and starts, and records the time that the file took.
 */
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { cpuSeconds } from './cpu-time.ts';
import { FILE_VARIABLE, RECORDS_VARIABLE, type Spent } from './records.ts';

const root = join(import.meta.dirname, '../..');
const file = relative(root, fileURLToPath(test.meta.file));
const records = process.env[RECORDS_VARIABLE];
process.env[FILE_VARIABLE] = file;

if (records !== undefined) {
  process.once('exit', () => {
    const spent: Spent = { file, seconds: performance.now() / 1000, cpuSeconds: cpuSeconds() };
    appendFileSync(join(records, 'spent'), `${JSON.stringify(spent)}\n`);
  });
}

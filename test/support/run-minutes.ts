/**
 * Entry of `npm run fuzz`, `npm run chaos` and `npm run topology`: runs one test file for some minutes.
 * `npm run chaos -- --minutes 10 --seed 7` repeats the choices of that seed; without it they are new.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment } from '../../config.ts';
import { MINUTES_VARIABLE } from './minutes.ts';
import { SEED_VARIABLE } from './records.ts';

const MINUTES_MAX = 24 * 60;
const SEED_MAX = 2 ** 31;
const [file = '', ...given] = process.argv.slice(2);

/** Ends the process where the text is no such number, and says what would be one. */
function whole(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  process.stderr.write(`--${name} must be a whole number from 1 to ${max}, not ${text}\n`);
  process.exit(2);
}

const { values } = parseArgs({
  args: given,
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * (SEED_MAX - 1))) },
  },
});
const minutes = whole('minutes', values.minutes, MINUTES_MAX);
const seed = whole('seed', values.seed, SEED_MAX);
process.stdout.write(`${minutes} minutes with --seed ${seed}\n`);
// What has failed is told at once: a second run would take the same minutes again.
const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), file, '--fail-fast'], {
  env: childEnvironment({ [MINUTES_VARIABLE]: String(minutes), [SEED_VARIABLE]: String(seed) }),
  stdio: 'inherit',
});
const [code] = await once(child, 'close');
process.exitCode = code ?? 1;

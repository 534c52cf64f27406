/**
 * Which codes of errors the tests have asserted. Each test process notes those that it saw and
 * compared; the run of all tests compares the notes with the catalogue, so that a code that is only
 * mentioned, or stands in a test that never comes so far, counts as untested.
 */
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder of the notes; without it nothing is noted. */
export const ASSERTED_VARIABLE = 'SUNDIAL_TEST_ASSERTED';

// oxlint-disable-next-line no-process-env -- the tests' own way of handing it over
const given = process.env[ASSERTED_VARIABLE];
const noted = new Set<string>();

/**
 * Call it after the assertion: an answer said what the test expects.
 *
 * @param error the code, or a text that begins with it and a blank
 */
export function noteAsserted(error: string, folder = given): void {
  const [code = ''] = error.split(' ', 1);
  if (folder === undefined || noted.has(code)) return;
  noted.add(code);
  appendFileSync(join(folder, String(process.pid)), `${code}\n`);
}

/** Those of the codes that no process has noted. */
export function neverAsserted(folder: string, codes: readonly string[]): string[] {
  const asserted = new Set(
    readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  );
  return codes.filter((code) => !asserted.has(code));
}

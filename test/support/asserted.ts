/**
 * Records which error codes the tests have asserted. Each test process records the codes that it
 * compared; the run of all tests compares the records with the catalogue. So a code that is only
 * mentioned, or is in a test that does not run that far, counts as untested.
 */
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder of the records; without it nothing is recorded. */
export const ASSERTED_VARIABLE = 'SUNDIAL_TEST_ASSERTED';

const given = process.env[ASSERTED_VARIABLE];
const noted = new Set<string>();

/**
 * Call it after the assertion, when an answer was the expected one.
 *
 * @param error the code, or a text that begins with it and a blank
 */
export function noteAsserted(error: string, folder = given): void {
  const [code = ''] = error.split(' ', 1);
  if (folder === undefined || noted.has(code)) return;
  noted.add(code);
  appendFileSync(join(folder, String(process.pid)), `${code}\n`);
}

/** The codes that no process has recorded. */
export function neverAsserted(folder: string, codes: readonly string[]): string[] {
  const asserted = new Set(
    readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  );
  return codes.filter((code) => !asserted.has(code));
}

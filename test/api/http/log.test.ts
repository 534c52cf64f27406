/** The log of the API buffers its lines; only kill -9 may lose any. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const run = promisify(execFile);
const file = join(import.meta.dirname, '../../../api/http/log.ts');

/** The output of a process that logs with these statements. */
async function printedBy(statements: string): Promise<string[]> {
  const script = `import { createLogger } from '${file}'; const log = createLogger('info'); ${statements}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
}

test('a process that exits or crashes has written all its lines', async (t) => {
  t.deepEqual(await printedBy(`log.info('one'); log.info('two');`), ['one', 'two']);
  t.deepEqual(await printedBy(`log.info('one'); throw new Error('broken');`), ['one']);
});

test('a warning is written at once, after the lines before it', async (t) => {
  const killed = `process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);`;
  t.deepEqual(await printedBy(`log.info('one'); log.warn('two'); log.info('three'); ${killed}`), [
    'one',
    'two',
  ]);
});

test('buffered lines are written soon', async (t) => {
  const killedLater = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000);`;
  t.deepEqual(await printedBy(`log.info('one'); ${killedLater}`), ['one']);
});

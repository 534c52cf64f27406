/** The answers of the commands to unknown options. */
import test from 'ava';
import { execFile } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

for (const entry of [
  'cli/start.ts',
  'cli/demo.ts',
  'cli/tenant.ts',
  'cli/audit.ts',
  'cli/commissions.ts',
  'cli/rehearse.ts',
  'bench/main.ts',
]) {
  test(`${entry} refuses an unknown option and names it`, async (t) => {
    const { promise, resolve } = Promise.withResolvers<{ code: unknown; said: string }>();
    execFile(process.execPath, [entry, '--foo'], { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error?.code, said: stdout + stderr });
    });
    const { code, said } = await promise;
    t.is(code, 1);
    t.regex(said, /Unknown option '--foo'/);
    t.notRegex(said, /^\s+at /m);
  });
}

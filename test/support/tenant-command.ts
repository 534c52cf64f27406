/** Runs `npm run tenant -- ...` on a test's database. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../config.ts';

/** Returns its output, or its error output. */
export async function tenantCommand(ownerUrl: string, ...args: string[]): Promise<string> {
  const entry = join(import.meta.dirname, '../../cli/tenant.ts');
  const env = childEnvironment({ DATABASE_URL: ownerUrl });
  try {
    return (await promisify(execFile)(process.execPath, [entry, ...args], { env })).stdout;
  } catch (error) {
    return (error as { readonly stderr: string }).stderr;
  }
}

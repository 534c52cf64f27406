/** Runs `npm run tenant -- ...` on a test's database, and reads what commands left in the audit log. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../config.ts';
import type { Books } from '../operations/support/books.ts';

export const OPERATOR = 'Anna';

/** Returns its output, or its error output. */
export async function tenantCommand(ownerUrl: string, ...args: string[]): Promise<string> {
  const entry = join(import.meta.dirname, '../../cli/tenant.ts');
  const env = childEnvironment({ DATABASE_URL: ownerUrl, OPERATOR });
  try {
    return (await promisify(execFile)(process.execPath, [entry, ...args], { env })).stdout;
  } catch (error) {
    return (error as { readonly stderr: string }).stderr;
  }
}

/** `Anna: tenant payment close payment 42` */
export async function commandsOf({ read }: Pick<Books, 'read'>): Promise<string[]> {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', username || ':', path, object_type, object_id) as text
       from audit_log where action = 'command' order by id`,
    ),
  );
  return rows.map(({ text }) => text);
}

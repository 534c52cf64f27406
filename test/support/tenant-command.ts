/** Runs `npm run tenant -- ...` on a test's database, and reads what commands left in the audit log. */
import type { Books } from '../operations/support/books.ts';
import { command } from './commands.ts';

export const OPERATOR = 'Anna';

/** Returns its output, or its error output. */
export async function tenantCommand(ownerUrl: string, ...args: string[]): Promise<string> {
  const env = { DATABASE_URL: ownerUrl, OPERATOR };
  const { code, stdout, stderr } = await command({ entry: 'cli/tenant.ts', args, env });
  return code === 0 ? stdout : stderr;
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

/** Has the tenant's books checked after the demo, by the command that anybody would use. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { heading, say, explain } from './words.ts';

const audit = join(import.meta.dirname, '../audit.ts');

export async function showAudit(): Promise<void> {
  heading('The audit');
  explain(
    'npm run audit checks the invariants of the books: balances against the ledger, numbers without ' +
      'gaps, periods billed once, payments, debts, retries, installments, events, callbacks, mails ' +
      'and workflows. For the tenant demo it says:',
  );
  say('', await answer());
}

/** What it prints, also about faults. */
async function answer(): Promise<string> {
  const ran = promisify(execFile)(process.execPath, [audit, '--tenant', 'demo']);
  const { stdout, stderr } = await ran.catch(
    (error: { stdout?: string; stderr?: string }) => error,
  );
  return (stdout || stderr || 'nothing').trimEnd();
}

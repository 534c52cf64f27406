/** Says where the mails to the demo's customers are. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config.ts';
import { MAIL_FOLDER } from '../../providers/mail/open-mailer.ts';
import { pointTo } from './words.ts';

/** Nothing where a server sends them. */
export function pointToMails(): void {
  const folder = join(loadConfig().dataDir, MAIL_FOLDER);
  const count = mailsIn(folder);
  if (count === 0) return;
  pointTo(`${count} mails to the customers, as files that any mail program opens:`, folder);
}

/** Those of all runs of the demo. */
function mailsIn(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => /^demo\..*\.eml$/.test(name)).length;
  } catch {
    return 0;
  }
}

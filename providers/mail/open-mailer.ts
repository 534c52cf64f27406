/** Chooses how mails are sent: through SMTP_URL, else into a folder of DATA_DIR. */
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { openEmlFolder } from './eml-folder.ts';
import type { Mailer } from './mailer.ts';
import { openSmtp } from './smtp.ts';

export const MAIL_FOLDER = 'mail';

export function openMailer({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Mailer {
  return smtpUrl === undefined ? openEmlFolder(join(dataDir, MAIL_FOLDER)) : openSmtp(smtpUrl);
}

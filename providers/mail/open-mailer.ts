/** Chooses how mails are sent: through SMTP_URL, else into a folder of DATA_DIR. */
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Mailer, SendOutcome } from './mailer.ts';
import { openSmtp } from './smtp.ts';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import { composed } from './compose.ts';

export const MAIL_FOLDER = 'mail';

export function openMailer({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Mailer {
  return smtpUrl === undefined ? openEmlFolder(join(dataDir, MAIL_FOLDER)) : openSmtp(smtpUrl);
}

/* Writes mails as .eml files into a folder, where no SMTP server is configured. */

/** @param folder is made on first use */
export function openEmlFolder(folder: string): Mailer {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    destination: `folder ${folder}`,
    async check() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return null;
      } catch (error) {
        return codeOf(error);
      }
    },
    async send(mail): Promise<SendOutcome> {
      try {
        const { message } = await transport.sendMail(composed(mail));
        // The name is that of the mail, so a mail that is written again replaces itself.
        const file = join(folder, `${fileNameOf(mail.messageId)}.eml`);
        await writeFile(`${file}.part`, message, { mode: 0o600 });
        await rename(`${file}.part`, file);
        return { outcome: 'sent' };
      } catch (error) {
        return { outcome: 'deferred', code: codeOf(error) };
      }
    },
    close: () => transport.close(),
  };
}

/** `<demo.2012.1798761600000@localhost>` → `demo.2012.1798761600000`. */
function fileNameOf(messageId: string): string {
  return messageId
    .replace(/^</, '')
    .replace(/@.*$/, '')
    .replaceAll(/[^\w.-]/g, '_');
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : 'EUNKNOWN';
}

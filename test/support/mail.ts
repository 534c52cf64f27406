/** A mailer for tests that send no mail. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkerSettings } from '../../activities/run-worker.ts';
import { openEmlFolder } from '../../providers/mail/open-mailer.ts';

export const localPages = { publicUrl: 'http://localhost', baseDomain: 'localhost' };

/** Its folder is made at the first mail, so it never is. */
export function unsentMail(): WorkerSettings['mail'] {
  const mailer = openEmlFolder(join(tmpdir(), 'sundial-unsent-mail'));
  return { mailer, host: 'localhost', pages: localPages };
}

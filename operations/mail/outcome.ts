/** What becomes of a mail after an attempt, and its record. */
import { pauseMinutes, type MailState } from '../../domain/mail/kinds.ts';
import {
  recordDeferred,
  recordEnded,
  recordInterrupted,
  recordSent,
  type ClaimedMail,
} from '../../db/queries/mail/mails.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Answered } from '../../providers/mail/mailer.ts';
import type { TenantInfo } from '../context/context.ts';
import { since, type WorkLine } from '../context/work-log.ts';

export type Result =
  | { readonly state: 'sent' }
  | {
      /** `interrupted`: whether the server takes the mail is unknown. */
      readonly state:
        | Extract<MailState, 'queued' | 'failed' | 'noAddress' | 'obsolete'>
        | 'interrupted';
      readonly code: string;
    };

export function resultOf(answered: Answered): Result {
  switch (answered.outcome) {
    case 'sent':
      return { state: 'sent' };
    case 'deferred':
      return { state: 'queued', code: answered.code };
    case 'refused':
      return { state: 'failed', code: answered.code };
    case 'unanswered':
      return { state: 'interrupted', code: answered.code };
  }
}

export async function record(tx: Tx, mail: ClaimedMail, result: Result): Promise<void> {
  const pause = pauseMinutes(mail.attempts);
  if (result.state === 'sent') await recordSent(tx, mail.id);
  else if (result.state === 'interrupted') await recordInterrupted(tx, mail, pause);
  else if (result.state === 'queued') {
    await recordDeferred(tx, mail, { code: result.code, pauseMinutes: pause });
  } else await recordEnded(tx, mail, { state: result.state, code: result.code });
}

/** The line of the log. */
export function lineOf(
  { label }: TenantInfo,
  { id, kind, attempts, withoutUbl }: ClaimedMail,
  { result, began }: { readonly result: Result; readonly began: number },
): WorkLine {
  return {
    work: result.state === 'sent' ? 'mail' : 'retry',
    ...(result.state === 'sent' ? {} : { of: 'mail', code: result.code, state: result.state }),
    tenant: label,
    mail: id,
    kind,
    attempts,
    ...(withoutUbl === null ? {} : { withoutUbl }),
    milliseconds: since(began),
  };
}

/**
 * Makes what the mail of a password reset says: its token is made when the mail is, so that no
 * queue, log or history has it.
 */
import { resetAskedAfter, resetEnd } from '../../domain/self-service/reset.ts';
import { renewReset } from '../../db/queries/hosted-pages/password-resets.ts';
import { newPageToken } from '../hosted-pages/tokens.ts';
import type { MailObject, MailSending } from './subject.ts';

/** A further attempt makes another token, which ends the one before. Undefined if it is over. */
export async function makeReset(
  { tx, realNow, origin }: Pick<MailSending, 'tx' | 'realNow' | 'origin'>,
  id: number,
): Promise<MailObject | undefined> {
  const { token, hash } = newPageToken();
  const expiresAt = resetEnd(realNow);
  const renewed = await renewReset(tx, id, {
    hash,
    expiresAt,
    requestedAfter: resetAskedAfter(realNow),
  });
  if (renewed === undefined) return undefined;
  const { username, person } = renewed;
  const resetAddress = `${origin}/widget/reset/${token}`;
  return { subject: { kind: 'passwordReset', username, resetAddress }, invoice: null, person };
}

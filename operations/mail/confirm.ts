/**
 * Makes what the mail says by which a visitor confirms an order: the token of its page is made when
 * the mail is, so that no queue, log or history has it.
 */
import { customerName } from '../../domain/customers/name.ts';
import type { MailSource } from '../../domain/mail/source.ts';
import { newPageToken } from '../hosted-pages/tokens.ts';
import { readSender } from '../invoices/page-source.ts';
import { renewConfirmation } from '../signups/ask-to-confirm.ts';
import type { MailSending } from './subject.ts';

export interface ConfirmMail {
  readonly to: string | null;
  readonly source: MailSource;
}

/** A further attempt makes another token, which ends the one before. Undefined if it is over. */
export async function makeConfirmation(
  { tx, realNow, origin }: Pick<MailSending, 'tx' | 'realNow' | 'origin'>,
  tryId: number,
): Promise<ConfirmMail | undefined> {
  const { token, hash } = newPageToken();
  const [renewed, sender] = await Promise.all([
    renewConfirmation(tx, { tryId, hash, realNow }),
    readSender(tx),
  ]);
  if (renewed === undefined || sender === undefined) return undefined;
  const { email, locale, ...person } = renewed;
  return {
    to: email,
    source: {
      customer: {
        name: customerName(person),
        extCustomerRef: null,
        locale,
        billingContact: { ...person, address: {} },
      },
      sender,
      subject: { kind: 'signupConfirm', confirmAddress: `${origin}/signup/confirm/${token}` },
    },
  };
}

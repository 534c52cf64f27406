/** The content of mails about accounts: a new password, another e-mail address, a sign-up to confirm. */
import { fill } from '../text/fill.ts';
import type { MailSubject } from './source.ts';
import type { MailWords } from '../text/messages.ts';

type PasswordReset = Extract<MailSubject, { readonly kind: 'passwordReset' }>;
type SignupConfirm = Extract<MailSubject, { readonly kind: 'signupConfirm' }>;

/**
 * The user name, and the address of the page that takes the password.
 *
 * @param sender the tenant's name
 * @example resetContent(subject, { own, sender: 'Demo' }).subject // 'Your password at Demo'
 */
export function resetContent(
  { username, resetAddress }: PasswordReset,
  { own, sender }: { readonly own: MailWords; readonly sender: string },
) {
  const { subject, lead } = own.passwordReset;
  return {
    subject: fill(subject, { sender }),
    paragraphs: [fill(lead, { sender }), own.resetHow],
    facts: [
      { name: 'username', label: own.username, value: username },
      { name: 'resetAddress', label: own.resetAddress, value: resetAddress },
    ],
    table: null,
    remarks: [own.resetIgnored],
  };
}

/**
 * What an address is told that is no longer that of an account.
 *
 * @example changedContent({ own, sender: 'Demo' }).subject // 'Your e-mail address at Demo'
 */
export function changedContent({
  own,
  sender,
}: {
  readonly own: MailWords;
  readonly sender: string;
}) {
  const { subject, lead } = own.contactChanged;
  return {
    subject: fill(subject, { sender }),
    paragraphs: [fill(lead, { sender }), own.changedNow],
    facts: [],
    table: null,
    remarks: [own.changedByOther],
  };
}

/**
 * The address of the page whose button makes an order that charges nothing today.
 *
 * @param sender the tenant's name
 * @example confirmContent(subject, { own, sender: 'Demo' }).subject
 *   // 'Please confirm your order at Demo'
 */
export function confirmContent(
  { confirmAddress }: SignupConfirm,
  { own, sender }: { readonly own: MailWords; readonly sender: string },
) {
  const { subject, lead } = own.signupConfirm;
  return {
    subject: fill(subject, { sender }),
    paragraphs: [fill(lead, { sender }), own.confirmHow],
    facts: [{ name: 'confirmAddress', label: own.resetAddress, value: confirmAddress }],
    table: null,
    remarks: [own.confirmIgnored],
  };
}

/** The kinds of mails to customers, and the states of a mail. */

export const mailKinds = [
  'newInvoice',
  'newOrder',
  'paymentReceived',
  'paymentFailed',
  'customerOverdue',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** The kinds that a caller may request; the others follow from events only. */
export const requestableMailKinds = ['newInvoice', 'newOrder', 'paymentReceived'] as const;
export type RequestableMailKind = (typeof requestableMailKinds)[number];

/** Only `queued` mails are sent. `obsolete`: what the mail was to say no longer holds. */
export const mailStates = [
  'queued',
  'sending',
  'sent',
  'failed',
  'givenUp',
  'noAddress',
  'obsolete',
] as const;
export type MailState = (typeof mailStates)[number];

const LENGTH_MAX = 254;
/** One address, without a name: no blank, control character, comma or angle bracket. */
const addressForm = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,253}$/u;

/**
 * Whether a text is the address of one mailbox and nothing else, so that it cannot add a header or
 * a second recipient.
 *
 * @example isMailAddress('ada@example.com') // true; 'a@b.example, c@d.example' is none
 */
export function isMailAddress(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return text.length <= LENGTH_MAX && addressForm.test(text) && !/[\u0000-\u001f\u007f]/.test(text);
}

const FIRST_PAUSE_MINUTES = 1;
export const PAUSE_MINUTES_MAX = 240;

/**
 * The pause after an attempt that may succeed later: it doubles from a minute up to four hours.
 *
 * @example pauseMinutes(1) // 1; pauseMinutes(4) // 8; pauseMinutes(20) // 240
 */
export function pauseMinutes(attempts: number): number {
  return Math.min(FIRST_PAUSE_MINUTES * 2 ** Math.max(0, attempts - 1), PAUSE_MINUTES_MAX);
}

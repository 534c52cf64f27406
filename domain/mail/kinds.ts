/** The kinds of mails to customers, and the states of a mail. */

/** The kinds that a tenant enables in its file. All but debitNotice follow events. */
export const notifiedMailKinds = [
  'newInvoice',
  'newCreditNote',
  'newOrder',
  'paymentReceived',
  'paymentFailed',
  'paymentAction',
  'customerOverdue',
  'trialEnding',
  'renewalNotice',
  'priceChange',
  'cardExpiring',
  'debitNotice',
] as const;

export type NotifiedMailKind = (typeof notifiedMailKinds)[number];

/**
 * The last ones follow no event: people ask on a page for a new password, change the e-mail address,
 * of which the old one is told, or fill in a sign-up that they have to confirm.
 */
export const mailKinds = [
  ...notifiedMailKinds,
  'passwordReset',
  'contactChanged',
  'signupConfirm',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** The kinds that the emailCc of a billing contact gets copies of. */
export const copiedMailKinds: ReadonlySet<MailKind> = new Set<MailKind>([
  'newInvoice',
  'newCreditNote',
]);

/** The kinds that a caller may request; the others follow from events only. */
export const requestableMailKinds = [
  'newInvoice',
  'newCreditNote',
  'newOrder',
  'paymentReceived',
] as const;
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

/** The limits of RFC 5321, 4.5.3.1. */
export const MAIL_ADDRESS_LENGTH_MAX = 254;
const LOCAL_PART_LENGTH_MAX = 64;
/** Words with single dots between them, without a comment or quotes, in any script (RFC 6531). */
const localForm = /^[^\s\p{Cc}@<>()[\]\\,;:".]+(\.[^\s\p{Cc}@<>()[\]\\,;:".]+)*$/u;
const labelForm = /^[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/**
 * Whether a text is the address of one mailbox and nothing else, to which a mail can go, and which
 * cannot add a header or a second recipient.
 *
 * @example isMailAddress('ada@example.com') // true; 'a@b.example, c@d.example' is none
 */
export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@');
  return (
    text.length <= MAIL_ADDRESS_LENGTH_MAX &&
    more.length === 0 &&
    local.length <= LOCAL_PART_LENGTH_MAX &&
    localForm.test(local) &&
    isDomain(domain)
  );
}

/** A name and not a number: no mail goes to `a@127.0.0.1`. */
function isDomain(text: string): boolean {
  const labels = text.split('.');
  return labels.every((label) => labelForm.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

export const COPIES_MAX = 5;
const BETWEEN_COPIES = ', ';
/** As long as a list of so many addresses may be. */
export const COPIES_LENGTH_MAX =
  COPIES_MAX * MAIL_ADDRESS_LENGTH_MAX + (COPIES_MAX - 1) * BETWEEN_COPIES.length;

/**
 * The addresses of a list with commas between them; null if one is no address, or if they are too
 * many.
 *
 * @example copyAddresses('ada@example.com,bob@example.com') // ['ada@example.com', 'bob@example.com']
 */
export function copyAddresses(text: string): readonly string[] | null {
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.length <= COPIES_MAX && addresses.every(isMailAddress) ? addresses : null;
}

/**
 * The list as it is stored and read.
 *
 * @example listedCopies('ada@example.com,bob@example.com') // 'ada@example.com, bob@example.com'
 */
export function listedCopies(text: string): string {
  return (copyAddresses(text) ?? []).join(BETWEEN_COPIES);
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

/** A hosted sign-up: its status, its tries, and its limits. */

/** DRAFT until it is made, has failed, or its 30 minutes are over. */
export const signupStatuses = ['DRAFT', 'PROCESSED', 'FAILED', 'EXPIRED'] as const;
export type SignupStatus = (typeof signupStatuses)[number];

/**
 * Storing: the interface takes the card to the vault. Submitted: the workflow's turn. Charging: its
 * payment is not final. Confirming: it waits for the button of a mailed page. The others are final;
 * after `returned` the form is shown again.
 */
export type TryStatus =
  | 'storing'
  | 'submitted'
  | 'charging'
  | 'confirming'
  | 'paid'
  | 'declined'
  | 'returned';

/** What of its price the page shows. */
export const displayAmounts = ['none', 'allCharges', 'oneTimeChargesOnly'] as const;
export type DisplayAmount = (typeof displayAmounts)[number];

/** A link takes forms for so long, in real time; a form that it took is carried to its end. */
export const LINK_MINUTES = 30;
/** The decline with this number fails the signup. */
export const DECLINES_MAX = 3;
/** A try whose card is not stored by then was lost with its process: the form is open again. */
export const STORING_SECONDS_MAX = 60;
/** The button of a mailed page counts for so long, from the mail on. */
export const CONFIRM_MINUTES = 30;
/** And no longer than so after its try, however late its mail is. */
export const CONFIRM_MINUTES_MAX = 60;
/** Open sign-ups of one network that hold a redemption of a coupon while nothing is paid. */
export const HELD_REDEMPTIONS_MAX = 3;
/** Mails to one address, whoever typed it. */
export const CONFIRMS_PER_HOUR_MAX = 3;

/** Tries that are not final. */
export const openTries: readonly TryStatus[] = ['storing', 'submitted', 'charging', 'confirming'];

/* By what a sign-up finds a customer that exists already. */

/** What a sign-up says of its customer, as it was sent. */
export interface MatchFields {
  readonly extCustomerRef: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** What is compared; each finds a customer only if those before it find none. */
export interface MatchKeys {
  readonly extCustomerRef: string | null;
  /** In small letters. */
  readonly email: string | null;
  /** Its digits. */
  readonly phone: string | null;
}

const PHONE_DIGITS_MIN = 7;

/**
 * An extCustomerRef is compared as it is, an e-mail address without case, and a phone by its digits,
 * if it has 7 or more. A column of contacts has the same keys.
 *
 * @example matchKeys({ extCustomerRef: null, email: 'Ada@X.org', phone: '+1 (555) 01-00' })
 *   // { extCustomerRef: null, email: 'ada@x.org', phone: '15550100' }
 */
export function matchKeys({ extCustomerRef, email, phone }: MatchFields): MatchKeys {
  const digits = (phone ?? '').replaceAll(/[^0-9]/g, '');
  return {
    extCustomerRef: extCustomerRef || null,
    email: email?.toLowerCase() || null,
    phone: digits.length < PHONE_DIGITS_MIN ? null : digits,
  };
}

/**
 * The names under which sign-ups wait for each other that may find, or make, one customer: in one
 * order, so that no two wait for each other.
 *
 * @example matchNames({ extCustomerRef: null, email: 'ada@x.org', phone: null }) // ['email ada@x.org']
 */
export function matchNames({ extCustomerRef, email, phone }: MatchKeys): readonly string[] {
  return [
    ...(email === null ? [] : [`email ${email}`]),
    ...(phone === null ? [] : [`phone ${phone}`]),
    ...(extCustomerRef === null ? [] : [`ref ${extCustomerRef}`]),
  ];
}

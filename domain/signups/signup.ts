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
/** Mails to one address, whoever typed it. */
export const CONFIRMS_PER_HOUR_MAX = 3;

/** Tries that are not final. */
export const openTries: readonly TryStatus[] = ['storing', 'submitted', 'charging', 'confirming'];

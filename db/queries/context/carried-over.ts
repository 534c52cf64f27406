/** Conditions that see through CarriedOver, which hides the status of an invoice before. */

/** The status of an invoice, or the one that it had before it was carried over. */
export const standingStatus = (i: string): string =>
  `coalesce(${i}.carried_over_from, ${i}.status)`;

/**
 * Whether an invoice is paid in full, or was when it was carried over and nothing was taken back;
 * never null.
 */
export const isPaidInFull = (i: string): string => `(${i}.status = 'Paid'
  or (${i}.status = 'CarriedOver' and ${i}.carried_over_from = 'Paid' and ${i}.carried_open = 0))`;

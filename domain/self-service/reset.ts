/** How long a password reset holds, and how many a customer gets; all instants are real time. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RESET_MINUTES = 30;
/** A mail that could not be sent for so long is not sent any more. */
const MAILED_HOURS = 24;
/** Longer than any link holds, so that an old one is over, and not unknown, for a while. */
const KEPT_HOURS = 48;
const COUNTED_HOURS = 1;

/** For a customer and hour, whichever of its contacts. */
export const RESETS_PER_HOUR_MAX = 3;

/**
 * The end of a link that is mailed now.
 *
 * @example resetEnd(at('10:00')) // 10:30
 */
export const resetEnd = (mailedAt: Date): Date =>
  new Date(mailedAt.getTime() + RESET_MINUTES * MINUTE_MS);

/**
 * A reset that was asked for earlier is mailed no more.
 *
 * @example resetAskedAfter(new Date('2027-01-02T10:00:00Z')) // 2027-01-01T10:00:00Z
 */
export const resetAskedAfter = (now: Date): Date =>
  new Date(now.getTime() - MAILED_HOURS * HOUR_MS);

/**
 * A row of a reset that was asked for earlier can go.
 *
 * @example resetsGoneBefore(new Date('2027-01-03T10:00:00Z')) // 2027-01-01T10:00:00Z
 */
export const resetsGoneBefore = (now: Date): Date => new Date(now.getTime() - KEPT_HOURS * HOUR_MS);

/**
 * Resets from then on count against the limit.
 *
 * @example resetsCountedSince(at('10:00')) // 09:00
 */
export const resetsCountedSince = (now: Date): Date =>
  new Date(now.getTime() - COUNTED_HOURS * HOUR_MS);

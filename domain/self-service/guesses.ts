/** When guesses at a user name have to wait for a mailed link; all instants are real time. */

/** Wrong passwords of one user name in a row. */
export const FAILURES_IN_A_ROW_MAX = 100;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

interface Guessed {
  readonly failures: number;
  readonly isKnownNetwork: boolean;
  readonly sendsMails: boolean;
}

/** `link`: only a mailed link leads on. `slow`: one guess a minute, as nobody can be mailed. */
export type Wall = 'none' | 'link' | 'slow';

/**
 * What stands before a guess; the same for a name that nobody has.
 *
 * @example wallFor({ failures: 100, isKnownNetwork: false, sendsMails: true }) // 'link'
 */
export function wallFor({ failures, isKnownNetwork, sendsMails }: Guessed): Wall {
  if (failures < FAILURES_IN_A_ROW_MAX || isKnownNetwork) return 'none';
  return sendsMails ? 'link' : 'slow';
}

/**
 * A row of wrong passwords that ended earlier is forgotten.
 *
 * @example guessesGoneBefore(new Date('2027-01-31T10:00:00Z')) // 2027-01-01T10:00:00Z
 */
export const guessesGoneBefore = (now: Date): Date => new Date(now.getTime() - KEPT_DAYS * DAY_MS);

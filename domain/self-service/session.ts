/** When a session of hosted self-service ends; all instants are real time. */

const IDLE_MINUTES = 30;
const HOURS_MAX = 8;
/** For so long an ended session still leads to the tenant's login. */
const LED_HOURS_AFTER_END = 24;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface SessionTimes {
  readonly startedAt: Date;
  readonly expiresAt: Date;
  /** It was ended before it expired; null if it was not. */
  readonly endedAt: Date | null;
}

/**
 * The end after a click: 30 minutes later, and 8 hours after the start at the latest.
 *
 * @example sessionEnd(at('10:00'), at('17:45')) // 18:00
 */
export function sessionEnd(startedAt: Date, clickedAt: Date): Date {
  const idle = clickedAt.getTime() + IDLE_MINUTES * MINUTE_MS;
  return new Date(Math.min(idle, startedAt.getTime() + HOURS_MAX * HOUR_MS));
}

/** By then the session has surely ended. */
const RELOAD_SECONDS_AFTER_END = 5;

/**
 * Seconds after which an idle page loads itself again.
 *
 * @param expiresAt as the click has left it
 * @example reloadSeconds(at('10:30'), at('10:00')) // 1,805
 */
export function reloadSeconds(expiresAt: Date, now: Date): number {
  const leftMs = Math.max(expiresAt.getTime() - now.getTime(), 0);
  return Math.ceil(leftMs / 1_000) + RELOAD_SECONDS_AFTER_END;
}

/** `open`: it takes clicks. `ended`: it leads to the login. `gone`: nothing is known of it. */
export type SessionState = 'open' | 'ended' | 'gone';

/**
 * What a session is at an instant: it ends at the very instant of its end.
 *
 * @example sessionState({ startedAt, expiresAt: at('10:30'), endedAt: null }, at('10:30')) // 'ended'
 */
export function sessionState({ expiresAt, endedAt }: SessionTimes, now: Date): SessionState {
  const end = Math.min(expiresAt.getTime(), endedAt?.getTime() ?? Number.POSITIVE_INFINITY);
  if (now.getTime() < end) return 'open';
  return now.getTime() < end + LED_HOURS_AFTER_END * HOUR_MS ? 'ended' : 'gone';
}

/**
 * Sessions that expired before this instant are gone, and their rows can go, too.
 *
 * @example goneBefore(new Date('2027-01-02T10:00:00Z')) // 2027-01-01T10:00:00Z
 */
export const goneBefore = (now: Date): Date =>
  new Date(now.getTime() - LED_HOURS_AFTER_END * HOUR_MS);

/* When guesses at a user name have to wait for a mailed link; all instants are real time. */

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

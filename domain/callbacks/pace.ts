/** When a callback is tried again, when it is given up, and how fast an endpoint is posted to. */

const RETRY_FIRST_MS = 30_000;
const RETRY_MS_MAX = 3_600_000;
const PAUSE_MS_MAX = 900_000;
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;
/** The most posts at once to one endpoint. */
export const POSTS_AT_ONCE_MAX = 32;
/** So many first failures in a row, of so many customers, are an outage of the endpoint. */
const OUTAGE_FIRST_FAILURES = 5;
const OUTAGE_CUSTOMERS = 3;
/** So many failures in a row are one, even if each of the events had failed before. */
const OUTAGE_FAILURES = POSTS_AT_ONCE_MAX;
/** Waiting customers that a look at an endpoint after an outage posts to. */
export const LANES_PER_LOOK = 2;

/**
 * The instant from which on a failed callback is given up: 3 days after its event's own creation.
 *
 * @example giveUpAt(Date.UTC(2027, 0, 1)) // Date.UTC(2027, 0, 4)
 */
export function giveUpAt(createdAt: number): number {
  return createdAt + GIVE_UP_AFTER_MS;
}

/**
 * The creation of the newest events that are given up at an instant.
 *
 * @example overdueBefore(Date.UTC(2027, 0, 4)) // Date.UTC(2027, 0, 1)
 */
export function overdueBefore(now: number): number {
  return now - GIVE_UP_AFTER_MS;
}

export interface FailedAttempt {
  /** Including the one that failed. */
  readonly attempts: number;
  readonly now: number;
  readonly giveUpAt: number;
}

/**
 * The instant of the next attempt after a failed one; null if there is none. The pauses double from
 * 30 seconds up to an hour, and the last attempt is at the instant of giving up.
 *
 * @example retryAt({ attempts: 1, now: 0, giveUpAt: 259_200_000 }) // 30_000
 */
export function retryAt({ attempts, now, giveUpAt: end }: FailedAttempt): number | null {
  if (now >= end) return null;
  return Math.min(now + doubled(attempts, RETRY_MS_MAX), end);
}

export interface Away {
  /** The outages in a row of an endpoint to which there was no connection; 0 if it answers. */
  readonly unreachable: number;
}

/**
 * How long an endpoint is left alone in an outage. One that answers, and refuses, is looked at every
 * 30 seconds, since it may refuse the events of some customers only.
 *
 * @example pauseAfter({ unreachable: 2 }) // 60_000
 */
export function pauseAfter({ unreachable }: Away): number {
  return unreachable === 0 ? RETRY_FIRST_MS : doubled(unreachable, PAUSE_MS_MAX);
}

function doubled(times: number, max: number): number {
  // Beyond this the pause has its maximum anyway.
  const doublings = Math.min(times - 1, 20);
  return Math.min(RETRY_FIRST_MS * 2 ** doublings, max);
}

/**
 * The posts at once after a batch without an outage: an endpoint that was away is posted to one by
 * one at first, then to twice as many at once after each batch.
 *
 * @example moreAtOnce(4) // 8
 */
export function moreAtOnce(atOnce: number): number {
  return Math.min(atOnce * 2, POSTS_AT_ONCE_MAX);
}

/** The failures since the last success. */
export interface Failures {
  readonly inARow: number;
  /** Those of events that had not failed before. */
  readonly first: number;
  /** The customers of the first failures. */
  readonly customers: number;
}

/**
 * Whether failures are the endpoint's own, and not those of single events. An event that has failed
 * before while others were taken says little of the endpoint.
 *
 * @example isOutage({ inARow: 5, first: 5, customers: 1 }) // false
 */
export function isOutage({ inARow, first, customers }: Failures): boolean {
  const isNew = first >= OUTAGE_FIRST_FAILURES && customers >= OUTAGE_CUSTOMERS;
  return isNew || inARow >= OUTAGE_FAILURES;
}

/**
 * Whether an event has failed already, apart from the outage that lasts since then, if one does.
 *
 * @example hasFailedBefore({ failedAt: 5, outageSince: 10 }) // true
 */
export function hasFailedBefore(event: {
  readonly failedAt: number | null;
  readonly outageSince: number | null;
}): boolean {
  const { failedAt, outageSince } = event;
  return failedAt !== null && (outageSince === null || failedAt < outageSince);
}

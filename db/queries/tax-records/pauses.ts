/** How long a tax provider that did not answer is left alone, before it is asked or told again. */

const PAUSE_MINUTES_MAX = 15;

/** In SQL: 1, 2, 4, 8 minutes and then always 15, by the number of failures before this one. */
export const pauseAfter = (failuresBefore: string): string =>
  `make_interval(mins => least(power(2, least(${failuresBefore}, 10)), ${PAUSE_MINUTES_MAX})::int)`;

/** In SQL: what was refused is refused again, so it waits longest. */
export const PAUSE_OF_REFUSED = `make_interval(mins => ${PAUSE_MINUTES_MAX})`;

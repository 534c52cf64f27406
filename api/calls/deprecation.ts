/** Calls that have a better successor: what the answers and the documents say of them, and until when they work. */
import assert from 'node:assert/strict';

/** `2026-11-28` */
export type Day = `${number}-${number}-${number}`;

interface Announced {
  /** The day of the release that announced it. */
  readonly since: Day;
  /** What to do instead: a sentence of Markdown without its full stop. */
  readonly instead: string;
}

/** A call of the specification never ends. A major release may remove one that only Sundial has. */
export type Deprecation =
  | (Announced & { readonly of: 'specification'; readonly endsOn?: undefined })
  | (Announced & { readonly of: 'sundial'; readonly endsOn?: Day });

/** How long an announced end lies ahead at least: docs/support.md promises it. */
const NOTICE_YEARS = 1;

/** Refuses what no type can: the table of routes is made when a process starts. */
export function checkedDeprecation(deprecation: Deprecation): Deprecation {
  const { of, since, endsOn } = deprecation;
  const announced = instantOf(since);
  if (endsOn === undefined) return deprecation;
  assert.equal(of, 'sundial', 'a call of the specification never ends');
  const soonest = new Date(announced);
  soonest.setUTCFullYear(soonest.getUTCFullYear() + NOTICE_YEARS);
  assert(instantOf(endsOn) >= soonest, `an end is announced ${NOTICE_YEARS} year before`);
  return deprecation;
}

/**
 * The headers of each answer (RFC 9745, RFC 8594).
 *
 * @param about the address of the page that says what to do instead
 */
export function deprecationHeaders(
  { since, endsOn }: Deprecation,
  about: string,
): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${instantOf(since).getTime() / 1_000}`,
    Link: `<${about}>; rel="deprecation"; type="text/html"`,
    ...(endsOn !== undefined && { Sunset: instantOf(endsOn).toUTCString() }),
  };
}

/** Two sentences of Markdown after the word "Deprecated". */
export const deprecationInWords = ({ since, instead, endsOn }: Deprecation): string =>
  `since ${since}: ${instead}. ${endsOn === undefined ? 'It keeps working.' : `It ends on ${endsOn}.`}`;

function instantOf(day: Day): Date {
  const instant = new Date(`${day}T00:00:00Z`);
  assert(instant.toJSON()?.startsWith(day), `${day} is no day`);
  return instant;
}

/** The known name that a misspelled one resembles, for refusals. */
import { closestMatch } from 'leven';

/** Names with more differences are other names. */
const DISTANCE_MAX = 3;
/** A longer text is no misspelled name, and takes long to compare. */
const GIVEN_LENGTH_MAX = 100;

/** So many codes of a tenant are compared at most. */
export const COMPARED_MAX = 2_000;

/** Letters in another case count as no difference; of a short name at most half may differ. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  if (given.length > GIVEN_LENGTH_MAX) return undefined;
  const names = new Map([...known].map((name) => [name.toLowerCase(), name]));
  const maxDistance = Math.min(DISTANCE_MAX, Math.floor(given.length / 2));
  const found = closestMatch(given.toLowerCase(), [...names.keys()], { maxDistance });
  return found === undefined ? undefined : names.get(found);
}

/** What a message ends with: `; did you mean status?`, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known);
  return name === undefined ? '' : `; did you mean ${name}?`;
}

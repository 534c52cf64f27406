/** Finds variables that look like ours, and are none: a misspelt name would be ignored silently. */

import leven from 'leven';

/** Other programs have them as well: variables with similar names may be theirs. */
const SHARED = new Set(['PATH', 'HOST', 'PORT', 'XDG_CACHE_HOME']);
/** Nobody else has variables that begin so. */
const OWN_LEADS = ['SECRET_KEYS_', 'PAYLOAD_KEY', 'TEMPORAL_TLS', 'CODEC_'];
const PRODUCT_LEAD = 'SUNDIAL_';
const TEST_LEAD = 'SUNDIAL_TEST_';
/** Below it a name is near to too many. */
const LENGTH_MIN = 7;

/** @param known the names of our variables */
export function unknownNames(
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  return names
    .filter((name) => !known.includes(name) && !name.startsWith(TEST_LEAD))
    .flatMap((name) => {
      const ofProduct = name.startsWith(PRODUCT_LEAD);
      const meant = nearest(ofProduct ? name.slice(PRODUCT_LEAD.length) : name, known);
      const isOurs = ofProduct || OWN_LEADS.some((lead) => name.startsWith(lead));
      if (meant === undefined && !isOurs) return [];
      const advice = meant === undefined ? 'README.md lists all' : `did you mean ${meant}?`;
      return [`${name} is no variable of Sundial: ${advice}`];
    });
}

function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  // Only secrets stand in files.
  const own = name.replace(/_FILE$/, '');
  if (known.includes(own)) return SHARED.has(own) ? undefined : own;
  if (name.length < LENGTH_MIN) return undefined;
  return known.find((each) => !SHARED.has(each) && isMisspelt(name, each));
}

/** One letter more, less or other, or two that changed places. */
function isMisspelt(name: string, known: string): boolean {
  const edits = leven(name, known, { maxDistance: 3 });
  return edits <= 1 || (edits === 2 && lettersOf(name) === lettersOf(known));
}

const lettersOf = (name: string): string => name.split('').toSorted().join('');

/** Compares a table of kinds with the lists of kinds, and reports each entry that is missing. */

/** A list with entries for certain kinds. */
export interface KindList<Kind> {
  readonly name: string;
  /** Its entry for a kind; null if the kind does not belong into it. */
  readonly entryOf: (name: string, kind: Kind) => string | null;
  readonly entries: readonly string[];
  /** Entries that belong to no kind; 'any' if the list contains more than kinds. */
  readonly others?: readonly string[] | 'any';
}

/** `gadget is left out of LIST (ENTRY)`, and `LIST has ENTRY, which is of no kind`. */
export function leftOut<Kind>(
  kinds: Readonly<Record<string, Kind>>,
  lists: readonly KindList<Kind>[],
): string[] {
  return lists.flatMap(({ name: list, entryOf, entries, others = [] }) => {
    const wanted = Object.entries(kinds).flatMap(([name, kind]) => {
      const entry = entryOf(name, kind);
      return entry === null ? [] : [{ name, entry }];
    });
    const missing = wanted
      .filter(({ entry }) => !entries.includes(entry))
      .map(({ name, entry }) => `${name} is left out of ${list} (${entry})`);
    if (others === 'any') return missing;
    const known = new Set([...wanted.map(({ entry }) => entry), ...others]);
    const strange = entries.filter((entry) => !known.has(entry));
    return [...missing, ...strange.map((entry) => `${list} has ${entry}, which is of no kind`)];
  });
}

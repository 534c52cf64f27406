/** A customer's own reference, as workflows show it to every user of the engine. */

/** Null without a reference, and for one that may be an e-mail address. */
export function shownReference(reference: string | null): string | null {
  return reference === null || reference.includes('@') ? null : reference;
}

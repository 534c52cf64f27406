/** A customer's own reference as workflows show it to everybody who uses the engine. */

/** Null without one, and for one that may be an e-mail address. */
export function shownReference(reference: string | null): string | null {
  return reference === null || reference.includes('@') ? null : reference;
}

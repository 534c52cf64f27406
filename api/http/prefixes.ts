/** The addresses of the interface: everything below /rest, or its other name. */

/** Both prefixes have the same calls; clients use both. */
export const restPrefixes = ['/rest', '/rest_v1'];

export const isBelowRest = (path: string): boolean =>
  restPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

/** Texts with placeholders in braces, and what puts values into them. */

/** A text that is not complete without values; `fill` alone makes a string of it. */
export interface Text<Name extends string> {
  readonly pattern: string;
  /** Of its placeholders, each once, in their order. */
  readonly names: readonly Name[];
}

/**
 * Reads a text: with placeholders it is no string yet.
 *
 * @example textOf('Page {page} of {pages}').names // ['page', 'pages']
 * @example textOf('Due date') // 'Due date'
 */
export function textOf(pattern: string): string | Text<string> {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.length === 0 ? pattern : { pattern, names: [...new Set(names)] };
}

/**
 * Puts values into the placeholders of a text.
 *
 * @example fill(words.page, { page: '2', pages: '5' }) // 'Page 2 of 5'
 */
export function fill<Name extends string>(
  { pattern }: Text<Name>,
  values: Readonly<Record<NoInfer<Name>, string>>,
): string {
  const known: Readonly<Record<string, string>> = values;
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}

/** The name of a customer that has none of its own. */

interface Names {
  readonly companyName?: string | null | undefined;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
}

const NAME_LENGTH_MAX = 255;

/**
 * The company's name, else first and last name, cut to the length of a name; empty without any.
 *
 * @example customerName({ companyName: null, firstName: 'Ada', lastName: 'Byron' }) // 'Ada Byron'
 */
export function customerName({ companyName, firstName, lastName }: Names): string {
  const name = companyName ?? [firstName, lastName].filter(Boolean).join(' ');
  return Array.from(name).slice(0, NAME_LENGTH_MAX).join('').trimEnd();
}

/** The addresses that a tenant's site names for its hosted pages: stylesheets, redirects, terms. */

export const ADDRESS_LENGTH_MAX = 2_000;
/** The stylesheet that Sundial has. */
export const DEFAULT_STYLESHEET = '/css/signup.css';

/**
 * Whether a text is an absolute address that every browser reads alike: browsers pass over or
 * turn round what is refused here, so that an address would lead elsewhere than it seems to.
 *
 * @example isPageAddress('https://www.demo.example\\@evil.example') // false
 */
export function isPageAddress(text: string): boolean {
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  return (
    authority !== undefined &&
    !authority.includes('@') &&
    !/[\\\s\p{C}]/u.test(text) &&
    URL.canParse(text)
  );
}

/**
 * The origin by which an address is compared, of an address that is one.
 *
 * @example originOf('https://www.Demo.example:443/ok?p=1') // 'https://www.demo.example'
 */
export function originOf(address: string): string {
  return new URL(address).origin;
}

/**
 * Whether its query has a parameter of that name, in whatever form.
 *
 * @example hasParameter('https://www.demo.example/ok?%74racking=1', 'tracking') // true
 */
export function hasParameter(address: string, name: string): boolean {
  return URL.parse(address)?.searchParams.has(name) ?? false;
}

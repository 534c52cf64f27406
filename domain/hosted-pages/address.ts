/** The addresses that a tenant's site names for its hosted pages: stylesheets, redirects, terms. */
import type { DomainErrorCode } from '../errors.ts';

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

/* Checks the origins of the addresses that a hosted page is started with. */

/** A parameter that is not taken. */
export interface StartFault {
  readonly code: DomainErrorCode | 'query.invalid' | 'query.required';
  /** The parameter. */
  readonly path: string;
  readonly value?: string | undefined;
  readonly message: string;
}

interface StartAddresses {
  /** Where the page leads, by the name of the parameter. */
  readonly redirects: Readonly<Record<string, string>>;
  /** An absolute address, or a path of this host. */
  readonly cssUrl: string;
  /** The origin of the tenant's hosted pages. */
  readonly ownOrigin: string;
}

/**
 * What is wrong with the addresses, by the origins that the tenant allows.
 *
 * @example originFaults({ redirects: { redirectURL: 'https://shop.example/x' }, ... }, [])
 *   // one fault of redirectURL
 */
export function originFaults(
  { redirects, cssUrl, ownOrigin }: StartAddresses,
  allowed: readonly string[],
): StartFault[] {
  const faults = Object.entries(redirects)
    .filter(([, address]) => !allowed.includes(originOf(address)))
    .map(([path, address]) => invalidParameter(path, address, `an address of ${ALLOWED}`));
  if (cssUrl.startsWith('/')) return faults;
  const origin = originOf(cssUrl);
  if (origin === ownOrigin || allowed.includes(origin)) return faults;
  const expected = `an address of this host, or of ${ALLOWED}`;
  return [...faults, invalidParameter('cssURL', cssUrl, expected)];
}

const ALLOWED = "an origin in hostedPages.allowedOrigins of the tenant's file";

/** @example invalidParameter('cssURL', 'x', 'an address') // a query.invalid of cssURL */
export const invalidParameter = (path: string, value: string, what: string): StartFault => ({
  code: 'query.invalid',
  path,
  value,
  message: `${path} must be ${what}`,
});

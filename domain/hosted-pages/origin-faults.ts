/** Checks the origins of the addresses that a hosted page is started with. */
import { originOf } from './address.ts';
import type { DomainErrorCode } from '../errors.ts';

/** A parameter that is not taken. */
export interface StartFault {
  readonly code: DomainErrorCode | 'query.invalid' | 'query.required';
  /** The parameter. */
  readonly path: string;
  readonly value?: string | undefined;
  readonly message: string;
}

export interface StartAddresses {
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

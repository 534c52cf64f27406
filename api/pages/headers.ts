/** The headers that every hosted page has, its refusals and redirects included. */

export interface PageSources {
  /** Of the stylesheet: absolute, or a path of this host. */
  readonly cssUrl: string;
  /** The addresses that the answers to its forms may lead to, beside this host. */
  readonly leadsTo: readonly string[];
  /** The origins whose frames may show it. */
  readonly ancestors: readonly string[];
}

export function pageHeaders(sources: PageSources): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': policyOf(sources),
    // Without a referrer at all, the Origin of our own forms would be null.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  };
}

function policyOf({ cssUrl, leadsTo, ancestors }: PageSources): string {
  const styles = ["'self'", ...originsOf([cssUrl])].join(' ');
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src ${styles}`,
    `font-src ${styles}`,
    `img-src ${styles}`,
    // Chrome checks where the answer to a form redirects as well.
    `form-action ${["'self'", ...originsOf(leadsTo)].join(' ')}`,
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');
}

/** An origin has no character that could end a directive. */
function originsOf(addresses: readonly string[]): string[] {
  const absolute = addresses.filter((address) => URL.canParse(address));
  return [...new Set(absolute.map((address) => new URL(address).origin))];
}

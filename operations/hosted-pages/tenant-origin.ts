/** Where a tenant's hosted pages are. */

export interface PagesHost {
  /** Scheme and port of the pages. */
  readonly publicUrl: string;
  /** Tenants are labels below it. */
  readonly baseDomain: string;
}

/**
 * The origin of the tenant's hosted pages, with scheme and port of PUBLIC_URL.
 *
 * @example tenantOrigin({ publicUrl: 'http://localhost:8080', baseDomain: 'localhost' }, 'demo')
 *   // 'http://demo.localhost:8080'
 */
export function tenantOrigin({ publicUrl, baseDomain }: PagesHost, label: string): string {
  const { protocol, port } = new URL(publicUrl);
  return new URL(`${protocol}//${label}.${baseDomain}${port === '' ? '' : `:${port}`}`).origin;
}

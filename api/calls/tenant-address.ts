/** The addresses of a tenant: of its interface, and of its hosted pages. */

/**
 * `https://demo.example.com/rest`: the label of the tenant before the host of PUBLIC_URL.
 */
export function tenantAddress(publicUrl: string, label: string): string {
  const { protocol, host, pathname } = new URL(publicUrl);
  return `${protocol}//${label}.${host}${pathname.replace(/\/$/, '')}/rest`;
}

interface Host {
  readonly publicUrl: string;
  readonly baseDomain: string;
}

/**
 * `http://demo.localhost:8080`: the origin of the tenant's hosted pages, with scheme and port of
 * PUBLIC_URL.
 */
export function tenantOrigin({ publicUrl, baseDomain }: Host, label: string): string {
  const { protocol, port } = new URL(publicUrl);
  return new URL(`${protocol}//${label}.${baseDomain}${port === '' ? '' : `:${port}`}`).origin;
}

/** The addresses of a tenant: of its interface, and of its hosted pages. */

export { tenantOrigin } from '../../operations/hosted-pages/tenant-origin.ts';

/**
 * `https://demo.example.com/rest`: the label of the tenant before the host of PUBLIC_URL.
 */
export function tenantAddress(publicUrl: string, label: string): string {
  const { protocol, host, pathname } = new URL(publicUrl);
  return `${protocol}//${label}.${host}${pathname.replace(/\/$/, '')}/rest`;
}

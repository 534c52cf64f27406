/** Where a sign-up leads at its end: the tenant's address with the tracking of the signup. */
import { asciiAddress } from '../../../pages/redirect.ts';

/**
 * Adds the parameter before the fragment; the rest of the address stays as the tenant wrote it.
 *
 * @example withTracking('https://a.example/ok?p=1#top', 'Zk3Pq')
 *   // 'https://a.example/ok?p=1&tracking=Zk3Pq#top'
 */
export function withTracking(address: string, tracking: string): string {
  const at = address.indexOf('#');
  const [front, fragment] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
  const parameter = `tracking=${encodeURIComponent(tracking)}`;
  if (!front.includes('?')) return asciiAddress(`${front}?${parameter}${fragment}`);
  const link = /[?&]$/.test(front) ? '' : '&';
  return asciiAddress(`${front}${link}${parameter}${fragment}`);
}

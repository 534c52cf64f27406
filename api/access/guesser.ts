/** What is stored of whoever logs in: nothing that shows a typed name, which may be a password. */
import { createHmac } from 'node:crypto';
import type { Guesser } from '../../operations/self-service/guesses.ts';
import type { RouteDependencies } from '../calls/services.ts';
import type { Credentials } from './credentials.ts';
import { networkOf } from './login-limits.ts';

type Keyed = Pick<RouteDependencies, 'fingerprintKey'>;

export function guesserOf(
  keyed: Keyed,
  { tenantId, username }: Pick<Credentials, 'tenantId' | 'username'>,
  address: string,
): Guesser {
  const name = printOf(keyed, ['name', tenantId, username]).toString('base64');
  return {
    login: username.includes('\u0000') ? '' : username,
    nameKey: `name ${name}`,
    network: networkPrint(keyed, { tenantId, address }),
  };
}

export const networkPrint = (
  keyed: Keyed,
  { tenantId, address }: { readonly tenantId: number; readonly address: string },
): Buffer => printOf(keyed, ['network', tenantId, networkOf(address)]);

const printOf = ({ fingerprintKey }: Keyed, parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', fingerprintKey).update(JSON.stringify(parts)).digest();

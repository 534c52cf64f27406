/** Which methods a gateway verifies by a charge of zero, before one comes on file. */
import { gatewayTable, type GatewayName } from '../../providers/gateway/gateway.ts';
import type { MethodInVault } from './methods.ts';

/**
 * Not an account whose numbers we had. One that was entered into fields of the gateway's own is no
 * method there before that.
 */
export function isVerifiable(
  gateway: GatewayName,
  { type, method }: Pick<MethodInVault, 'type' | 'method'>,
): boolean {
  if (type === 'ACH') return false;
  return method.debit == null || gatewayTable[gateway].hasAccount;
}

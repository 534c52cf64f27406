/** Ends all sessions of a customer at once, for whoever answers for the account. */
import { endSessions } from '../../db/queries/hosted-pages/sessions.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';

/** Returns how many were open; throws customer.unknown. */
export async function endSessionsOf(
  { tx, realNow: at }: Pick<OperationContext, 'tx' | 'realNow'>,
  address: CustomerAddress,
): Promise<number> {
  const { id } = await lockCustomer(tx, address);
  return endSessions(tx, { customerIds: [id], at });
}

/** Who tries a card, on the pages that take one. */
import type { CardSession } from '../../../../operations/self-service/card-limits.ts';
import { networkOf } from '../../../access/login-limits.ts';
import type { Visit } from './visit.ts';

export const cardSession = ({ session, account, call }: Visit): CardSession => ({
  sessionId: session.id,
  customerId: account.customerId,
  network: networkOf(call.address),
});

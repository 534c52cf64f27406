/** What the pages that take cards have in common: who tries one, and why a vault refuses it. */
import type { CardSession } from '../../../../operations/self-service/card-limits.ts';
import { networkOf } from '../../../access/login-limits.ts';
import { refusalOf } from '../../../calls/refusals.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { cardFaultOf } from '../../payment-methods/typed-card.ts';
import type { Visit } from './visit.ts';

export function cardSession({ session, account, call }: Visit): CardSession {
  const { customerId } = account;
  return { sessionId: session.id, customerId, network: networkOf(call.address) };
}

export interface CardNotTaken {
  readonly status: number;
  readonly problem: PageProblem;
}

/** Throws what only a bug can cause. */
export function cardNotTaken(error: unknown): CardNotTaken {
  const refusal = refusalOf(error);
  if (refusal.status === 500) throw error;
  return { status: refusal.status > 500 ? 503 : 400, problem: cardFaultOf(refusal) };
}

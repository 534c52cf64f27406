/** Ends a sign-up well: what it made stands, and its mails and its event follow. */
import { signupAfter } from '../../domain/signups/state.ts';
import { queueMailsOfSignup } from '../../db/queries/mail/queue.ts';
import type { OperationContext } from '../context/context.ts';
import { mailNudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { SignupRow } from './signup-row.ts';
import { stateOf, writeTransition } from './write.ts';

/**
 * Nothing is left to pay. This transaction must have locked the signup and its customer.
 *
 * @param isOtherwise the payment of the try was canceled in its turn, because others had paid
 */
export async function finishSignup(
  context: OperationContext,
  row: SignupRow,
  { isOtherwise = false }: { readonly isOtherwise?: boolean } = {},
): Promise<void> {
  const transition = signupAfter(stateOf(row), { happened: 'paid', isOtherwise });
  writeTransition(context, row, transition, isOtherwise ? { code: 'payment.canceled' } : {});
  const queued = await queueMailsOfSignup(context.tx, row.id);
  if (queued > 0) enqueue(context, [mailNudge]);
}

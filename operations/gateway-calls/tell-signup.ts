/** Wakes the hosted sign-up that waits for its payment. */
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import type { PendingPayment } from './cascade.ts';

/** Called in the transaction that makes a payment final; others have no sign-up. */
export function tellSignup(
  context: OperationContext,
  { signup_id: objectId }: Pick<PendingPayment, 'signup_id'>,
): void {
  if (objectId !== null) enqueue(context, [{ kind: 'signup', objectId }]);
}

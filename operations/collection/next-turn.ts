/** The next turn of a customer's payments. */
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';

/** Nudges what waits for a payment of the customer: its next payment, and a step by age. */
export async function callNext(context: OperationContext, customerId: number): Promise<void> {
  const waiting = await context.tx.query<{ kind: 'payment' | 'dunning'; id: number }>(
    `(select 'payment' as kind, cascade_id as id from payment
      where customer_id = $1 and status = 'Pending' and phase = 'Waiting' order by id limit 1)
     union all
     select 'dunning', customer_id from dunning
     where customer_id = $1 and waits_since is not null`,
    [customerId],
    'next-in-turn',
  );
  enqueue(
    context,
    waiting.map(({ kind, id: objectId }) => ({ kind, objectId })),
  );
}

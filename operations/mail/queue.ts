/** Queues the mails that follow numbered events. */
import { queueMailsOf } from '../../db/queries/mail/queue.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import { mailNudge } from '../context/nudge.ts';

/** Runs in the transaction that numbers the events, so that each of them is mailed once. */
export async function queueMails(
  context: OperationContext,
  events: readonly { readonly id: number }[],
): Promise<void> {
  const queued = await queueMailsOf(
    context.tx,
    events.map(({ id }) => id),
  );
  if (queued > 0) enqueue(context, [mailNudge]);
}

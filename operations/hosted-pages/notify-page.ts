/** Tells the hosted page that made a payment how the payment ended. */
import { noteDecline } from './declines.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';

/** The page that made a payment. */
export type PageOfPayment =
  | { readonly by: 'signup'; readonly signupId: number }
  | {
      readonly by: 'selfService';
      /** Null once the session's row is pruned, and of a pay link. */
      readonly sessionId: number | null;
      /** The invoice whose pay link it was. */
      readonly invoiceId: number | null;
      readonly network: string;
    };

interface Ending {
  /** The last method of the cascade was declined. */
  readonly isDeclined?: boolean;
}

/**
 * Called in the transaction that makes a payment final, or in which its gateway accepts a debit: a
 * sign-up is woken, and counts its declines itself; those of self-service are counted here, and those of
 * a pay link count for its invoice alone.
 */
export function notifyPage(
  context: OperationContext,
  { page, customerId }: { readonly page: PageOfPayment | null; readonly customerId: number },
  { isDeclined = false }: Ending = {},
): void {
  if (page?.by === 'signup') enqueue(context, [{ kind: 'signup', objectId: page.signupId }]);
  if (page?.by !== 'selfService' || !isDeclined) return;
  const { network, sessionId, invoiceId } = page;
  noteDecline(context, { network, invoiceId, customerId: invoiceId === null ? customerId : null });
  if (sessionId !== null) countDecline(context, sessionId);
}

/** The third decline ends the payments of a session. */
export function countDecline({ tx }: Pick<OperationContext, 'tx'>, sessionId: number): void {
  tx.send(
    'update self_service_session set declines = declines + 1 where tenant_id = $1 and id = $2',
    [tx.tenantId, sessionId],
    'count-decline-of-session',
  );
}

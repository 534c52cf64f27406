/** Writes what becomes of a sign-up and its newest try. */
import type { SignupState, SignupTransition } from '../../domain/signups/state.ts';
import { openTries } from '../../domain/signups/signup.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import type { SignupRow } from './signup-row.ts';

/** As the state machine sees it. */
export function stateOf({ status, lastTry, declines, orderId }: SignupRow): SignupState {
  return { status, lastTry: lastTry?.status ?? null, declines, isMade: orderId !== null };
}

export interface TryResult {
  /** Why it was declined or returned. */
  readonly code?: string | null;
  /** The field at fault, as the form names it. */
  readonly field?: string | null;
  readonly paymentId?: number | null;
}

/**
 * The newest try and the signup, which this transaction has locked, after what happened; raises
 * signup.processed.
 */
export function writeTransition(
  context: OperationContext,
  row: SignupRow,
  transition: SignupTransition,
  result: TryResult = {},
): void {
  const { tx, time, realNow } = context;
  const { state, failureCode, raises } = transition;
  if (row.lastTry !== null && state.lastTry !== row.lastTry.status) {
    const { code = null, field = null, paymentId = null } = result;
    const isOpen = state.lastTry !== null && openTries.includes(state.lastTry);
    const says = state.lastTry === 'declined' || state.lastTry === 'returned';
    tx.send(
      `update signup_try set status = $3, code = $4, field = $5,
         payment_id = coalesce($6, payment_id), ended_at = $7
       where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
        row.lastTry.id,
        state.lastTry,
        says ? (code ?? failureCode) : null,
        state.lastTry === 'returned' ? field : null,
        paymentId,
        isOpen ? null : realNow,
      ],
      'move-signup-try',
    );
  }
  const ended = state.status === 'DRAFT' ? null : realNow;
  tx.send(
    `update signup set status = $3, failure_code = $4, ended_at = $5, version = version + 1,
       updated_at = $6
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, row.id, state.status, failureCode, ended, time.now],
    'move-signup',
  );
  if (!raises) return;
  const { id: objectId, customerId } = row;
  const objectVersion = row.version + 1;
  raise(context, [{ type: 'signup.processed', customerId, objectId, objectVersion }]);
}

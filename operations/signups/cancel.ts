/** What an operator asks of a sign-up through its workflow: its end. */
import { writeUpdate } from '../access/audit-log.ts';
import { DomainError } from '../../domain/errors.ts';
import type { CancelOutcome } from '../../workflows/contract/contract.ts';
import { inOperation, type Dependencies } from '../context/context.ts';
import { answeredOnce } from '../context/update-answers.ts';
import { lockSignup } from './signup-row.ts';

export interface SignupCancellation {
  readonly signupId: number;
  readonly reason: string;
  /** Who asks for it. */
  readonly by?: string | undefined;
  /** @see UpdateRequest */
  readonly requestId: string;
}

/**
 * Notes the reason; the next step ends the sign-up, once no payment of it is Pending. Throws
 * update.refused.
 */
export function cancelSignup(
  dependencies: Dependencies,
  tenantId: number,
  { signupId, reason, by, requestId }: SignupCancellation,
): Promise<CancelOutcome> {
  return inOperation(dependencies, tenantId, async ({ tx, time }) => {
    const row = await lockSignup(tx, { id: signupId });
    const request = { kind: 'signup', objectId: signupId, requestId } as const;
    return answeredOnce(tx, request, () => {
      if (row === undefined) throw refused('there is no such signup');
      if (row.status !== 'DRAFT') throw refused(`it is ${row.status} already`);
      if (row.cancelReason !== null) throw refused(`it ends already: ${row.cancelReason}`);
      tx.send(
        `update signup set cancel_reason = $3, version = version + 1, updated_at = $4
         where tenant_id = $1 and id = $2`,
        [tx.tenantId, signupId, reason, time.now],
        'cancel-signup',
      );
      writeUpdate(tx, { by, update: 'cancel', object: { type: 'signup', id: signupId } });
      const isCharging = row.lastTry?.status === 'charging';
      const did = isCharging ? 'ends unless its payment is approved' : 'ends';
      return Promise.resolve({ did });
    });
  });
}

function refused(why: string): DomainError {
  return new DomainError('update.refused', why);
}

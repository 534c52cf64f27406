/** Ends sessions of self-service, whose rows name customers and no contacts. */
import type { Tx } from '../../connection/tenancy.ts';

export interface EndedSessions {
  readonly customerIds: readonly number[];
  /** Real time. */
  readonly at: Date;
  /** The session that stays. */
  readonly except?: number | null;
}

/** Returns how many sessions were open. */
export async function endSessions(
  tx: Tx,
  { customerIds, at, except = null }: EndedSessions,
): Promise<number> {
  if (customerIds.length === 0) return 0;
  const ended = await tx.query(
    `update self_service_session set ended_at = $4
     where tenant_id = $1 and customer_id = any($2) and ended_at is null and expires_at > $4
       and id is distinct from $3
     returning 1`,
    [tx.tenantId, customerIds, except, at],
    'end-sessions-of-customers',
  );
  return ended.length;
}

/**
 * A login that is under way holds its contact, so that whoever has this lock sees its session. A
 * login that comes later waits, and then finds another password.
 */
export function lockContacts(tx: Tx, ids: readonly number[]): void {
  tx.send(
    `select from contact where tenant_id = $1 and id = any($2) order by id for no key update`,
    [tx.tenantId, ids],
    'lock-contacts',
  );
}

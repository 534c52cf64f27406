/** Finds retries and installments whose day has come without a claim. */
import type { AgendaBranch } from '../../db/queries/due/agenda.ts';
import { allOnAgenda } from '../../db/queries/due/agenda.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { DueAudit, DueAuditOptions } from './due-audit.ts';

/** Nothing is late while a billing run is active, because the run claims attempts at its end. */
export async function auditAttempts(
  tx: Tx,
  kind: AgendaBranch & ('retry' | 'installment'),
  { today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const ids = await allOnAgenda(tx, kind, today);
  const faults = ids.map((id) => ({
    check: 'attempt.unclaimed',
    object: `${kind} ${id}`,
    detail: `was due by ${today}, but nothing has claimed it`,
  }));
  return { faults, underWay: 0 };
}

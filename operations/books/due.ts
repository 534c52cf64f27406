/** Finds overdue things that were not processed: one audit for each kind of due thing. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { dueKinds, type DueName } from '../due/due.ts';
import { auditAgeing, auditDebts } from './ageing.ts';
import { auditAttempts } from './attempts.ts';
import { auditAutopay } from './autopay.ts';
import { auditCommissions } from './commissions.ts';
import { auditOrders } from './orders.ts';
import { auditSettlement } from './settlement.ts';
import type { DueAudit, DueAuditOptions } from './due-audit.ts';

type AuditDue = (tx: Tx, options: DueAuditOptions) => Promise<DueAudit>;

/** Null for a kind that has no date: the audit checks its workflows instead. */
export const dueAudits: Readonly<Record<DueName, AuditDue | null>> = {
  settlement: auditSettlement,
  order: auditOrders,
  autopay: auditAutopay,
  retry: (tx, options) => auditAttempts(tx, 'retry', options),
  installment: (tx, options) => auditAttempts(tx, 'installment', options),
  payment: null,
  debt: auditDebts,
  ageing: auditAgeing,
  commission: auditCommissions,
};

/** Audits the kinds in the order of `dueKinds`. */
export async function auditDue(tx: Tx, options: DueAuditOptions): Promise<DueAudit> {
  const audits: DueAudit[] = [];
  for (const { name } of dueKinds) {
    const found = await dueAudits[name]?.(tx, options);
    if (found !== undefined) audits.push(found);
  }
  return {
    faults: audits.flatMap(({ faults }) => faults),
    underWay: audits.reduce((count, { underWay }) => count + underWay, 0),
  };
}

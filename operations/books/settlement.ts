/** Finds payments whose gateway was not asked on the day on which it was due to be asked. */
import type { IsoDate } from '../../domain/calendar/date.ts';
import { agendaBranches } from '../../db/queries/due/agenda.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { DueAudit, DueAuditOptions } from './due-audit.ts';

/**
 * A day's billing run asks the gateways first. A gateway that does not answer has until the end of
 * the day.
 */
export async function auditSettlement(
  tx: Tx,
  { today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ id: number; dueOn: IsoDate }>(
    `select due.object_id as id, due.due_on::text as due_on
     from (${agendaBranches.settlement}) due where due.due_on < $2 order by due.object_id`,
    [tx.tenantId, today],
    'audit-settlement',
  );
  const faults = rows.map(({ id, dueOn: day }) => ({
    check: 'payment.unsettled',
    object: `payment ${id}`,
    detail: `its gateway should have been asked on ${day}`,
  }));
  return { faults, underWay: 0 };
}

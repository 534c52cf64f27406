/** Finds date-based commissions whose day has passed. */
import type { IsoDate } from '../../domain/calendar/date.ts';
import { agendaBranches } from '../../db/queries/due/agenda.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { DueAudit, DueAuditOptions } from './due-audit.ts';

/** The run of a day earns them, so nothing is late while it works. */
export async function auditCommissions(
  tx: Tx,
  { today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ number: number; code: string; dueOn: IsoDate }>(
    `select o.order_number as number, s.code, min(due.due_on)::text as due_on
     from (${agendaBranches.commission}) due
     join order_agent a on a.tenant_id = $1 and a.id = due.object_id
     join subscription_order o on o.tenant_id = $1 and o.id = a.order_id
     join sales_agent s on s.tenant_id = $1 and s.id = a.sales_agent_id
     group by o.order_number, s.code order by o.order_number, s.code`,
    [tx.tenantId, today],
    'audit-commissions',
  );
  const faults = rows.map(({ number, code, dueOn: day }) => ({
    check: 'commission.due',
    object: `order ${number}`,
    detail: `sales agent ${code} should have earned a commission on ${day}`,
  }));
  return { faults, underWay: 0 };
}

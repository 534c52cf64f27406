/** Finds customers that owe something overdue without a dunning, and steps that no run has taken. */
import type { IsoDate } from '../../domain/calendar/date.ts';
import { withoutDunning } from '../../db/queries/ageing/due.ts';
import { agendaBranches } from '../../db/queries/due/agenda.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { PAYMENTS_WAIT_MS } from '../dunning/age.ts';
import type { DueAudit, DueAuditOptions } from './due-audit.ts';

const nothing: DueAudit = { faults: [], underWay: 0 };

/**
 * A day's run opens them, so nothing is late while it works. The agenda looks at what became overdue
 * lately; this looks at every open invoice.
 */
export async function auditDebts(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return nothing;
  const rows = await tx.query<{ id: number; dueOn: IsoDate }>(
    `select i.customer_id as id, (min(i.due_date) + 1)::text as due_on from invoice i
     where i.tenant_id = $1 and i.status = 'Outstanding' and i.due_date < $2
       and ${withoutDunning('i')}
     group by i.customer_id order by 1`,
    [tx.tenantId, today],
    'audit-debts',
  );
  const faults = rows.map(({ id, dueOn: day }) => ({
    check: 'dunning.missing',
    object: `customer ${id}`,
    detail: `owes something that is overdue since ${day}, but has no open dunning`,
  }));
  return { faults, underWay: 0 };
}

/**
 * A step may wait on the day itself, and where its hour goes beyond 00:00; the customer's workflow
 * then takes it.
 */
export async function auditAgeing(
  tx: Tx,
  { now, today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return nothing;
  const rows = await tx.query<{ id: number; dueOn: IsoDate }>(
    `select due.object_id as id, due.due_on::text as due_on
     from (${agendaBranches.ageing}) due
     join dunning d on d.tenant_id = $1 and d.customer_id = due.object_id
     where due.due_on < $2 and (d.waits_since is null or d.waits_since < $3)
     order by due.object_id`,
    [tx.tenantId, today, new Date(now.getTime() - PAYMENTS_WAIT_MS)],
    'audit-ageing',
  );
  const faults = rows.map(({ id, dueOn: day }) => ({
    check: 'dunning.overdue',
    object: `customer ${id}`,
    detail: `should have changed its status by age on ${day}`,
  }));
  return { faults, underWay: 0 };
}

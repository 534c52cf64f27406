/** Finds the invoices that nobody lets be paid by themselves, though their day has come. */
import type { IsoDate } from '../../domain/model.ts';
import { agendaBranches } from '../../db/queries/runs/agenda.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { DueAudit, DueAuditOptions } from './due-audit.ts';

/**
 * The run of a day claims what is of an earlier day, or has no order to see to it; of the rest the
 * workflow of its order has that day's time. While billing is at work nothing is late: who bills
 * claims at the end. What waits for a payment is a rule of its own.
 */
export async function auditAutopay(
  tx: Tx,
  { today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ number: number; due_on: IsoDate }>(
    `select i.invoice_number as number, due.due_on::text as due_on
     from (${agendaBranches.autopay}) due
     join invoice i on i.tenant_id = $1 and i.id = due.object_id
     where i.status = 'Outstanding' and (due.due_on < $2 or i.autopay_order_id is null)
     order by i.invoice_number`,
    [tx.tenantId, today],
    'audit-autopay',
  );
  const faults = rows.map(({ number, due_on: day }) => ({
    check: 'invoice.unclaimed',
    object: `invoice ${number}`,
    detail: `should have been paid by itself on ${day}, and nobody has begun`,
  }));
  return { faults, underWay: 0 };
}

/** Finds invoices whose autopay day has passed without a payment. */
import type { IsoDate } from '../../domain/calendar/date.ts';
import { invoiceNumberOf } from '../../db/queries/context/invoices.ts';
import { agendaBranches } from '../../db/queries/due/agenda.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { DueAudit, DueAuditOptions } from './due-audit.ts';

/**
 * A billing run claims the invoices of earlier days and those without an order. The order's
 * workflow claims the others until the end of the day. Nothing is late while a billing run is
 * active, because the run claims invoices at its end. Another rule covers invoices that wait for a
 * payment.
 */
export async function auditAutopay(
  tx: Tx,
  { today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ number: string; dueOn: IsoDate }>(
    `select ${invoiceNumberOf('i')} as number, due.due_on::text as due_on
     from (${agendaBranches.autopay}) due
     join invoice i on i.tenant_id = $1 and i.id = due.object_id
     where i.status = 'Outstanding' and (due.due_on < $2 or i.autopay_order_id is null)
     order by i.invoice_number, i.id`,
    [tx.tenantId, today],
    'audit-autopay',
  );
  const faults = rows.map(({ number, dueOn: day }) => ({
    check: 'invoice.unclaimed',
    object: `invoice ${number}`,
    detail: `should have been paid automatically on ${day}, but no payment has been started`,
  }));
  return { faults, underWay: 0 };
}

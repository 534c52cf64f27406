/** Finds the invoices that nobody lets be paid by themselves, though their day has come. */
import type { IsoDate } from '../../domain/model.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Fault } from './report.ts';

/**
 * The run of a day claims what is of an earlier day, or has no order to see to it; of the rest the
 * workflow of its order has that day's time. What waits for a payment is a rule of its own.
 */
export async function auditAutopay(tx: Tx, today: IsoDate): Promise<Fault[]> {
  const rows = await tx.query<{ number: number; autopay_on: IsoDate }>(
    `select invoice_number as number, autopay_on::text as autopay_on from invoice
     where tenant_id = $1 and status = 'Outstanding' and autopay_after_payment_id is null
       and (autopay_on < $2 or (autopay_on = $2 and autopay_order_id is null))
     order by invoice_number`,
    [tx.tenantId, today],
    'audit-autopay',
  );
  return rows.map(({ number, autopay_on: day }) => ({
    check: 'invoice.unclaimed',
    object: `invoice ${number}`,
    detail: `should have been paid by itself on ${day}, and nobody has begun`,
  }));
}

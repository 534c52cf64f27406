/** Reads whether, and when, a customer is billed next. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface NextBill {
  /** May have crashed a process, so only a separate one rates it. */
  readonly isSuspect: boolean;
  /** Null if no order bills anything more. */
  readonly nextBillOn: IsoDate | null;
}

export async function readNextBill(tx: Tx, customerId: number): Promise<NextBill> {
  const [row] = await tx.query<NextBill & Record<string, unknown>>(
    `select exists (select from billing_suspect s
              where s.tenant_id = $1 and s.customer_id = $2) as is_suspect,
            (select min(o.next_billable_date) from subscription_order o
              where o.tenant_id = $1 and o.customer_id = $2) as next_bill_on`,
    [tx.tenantId, customerId],
    'read-next-bill',
  );
  return row ?? { isSuspect: false, nextBillOn: null };
}

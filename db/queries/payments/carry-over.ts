/**
 * What a BatchInit does to credits, debits and unapplied payments: set-based, and beside the state
 * machine, which knows nothing that happens to a credit, and of which a closed payment keeps its
 * state.
 */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { CarryOver } from '../../entities/payments.ts';
import { inserting } from '../context/insertion.ts';
import { setAsideOf } from './payments.ts';

/** The customers, which are locked, and the id below which their objects are taken. */
export interface CarriedFrom {
  readonly batchId: number;
  readonly customerIds: readonly number[];
  readonly takesBelow: number;
}

interface Time {
  readonly now: Date;
  readonly today: IsoDate;
}

/** What the ledger says of invoices that were carried over. */
export const insertCarryOvers = inserting('insert-carry-overs', {
  into: CarryOver,
  columns: ['batchId', 'invoiceId', 'amount'],
  at: { carriedOn: 'today' },
});

/** The same of the rows `carried`, each a payment of some `amount`. */
const noted = `insert into carry_over (tenant_id, batch_id, payment_id, amount, carried_on)
  select $1, $5, id, amount, $6 from carried order by id`;

/** The condition of a credit with a balance, or of an open debit. */
export const carriableCredit = {
  carriedCredits: `o.payment_type = 'Credit' and o.balance > 0`,
  carriedDebits: `o.payment_type = 'Credit' and o.balance < 0`,
} as const;

/** Returns how many it carried over. */
export async function carryCredits(
  tx: Tx,
  kind: keyof typeof carriableCredit,
  { batchId, customerIds, takesBelow }: CarriedFrom,
  { now, today }: Time,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with carried as (
       update payment o set status = 'CarriedOver', carried_over_from = o.status,
         carried_open = o.balance, balance = 0, version = o.version + 1, updated_at = $4
       where o.tenant_id = $1 and o.customer_id = any($2) and o.id < $3
         and ${carriableCredit[kind]}
       returning o.id, o.carried_open as amount),
     noted as (${noted})
     select count(*)::int as count from carried`,
    [tx.tenantId, customerIds, takesBelow, now, batchId, today],
    `carry-${kind}`,
  );
  return row?.count ?? 0;
}

/** Closes unapplied payments, but for what a refund under way has reserved. */
export function closeUnapplied(
  tx: Tx,
  { batchId, customerIds, takesBelow }: CarriedFrom,
  { now, today }: Time,
): void {
  tx.send(
    `with carried as (
       update payment p set balance = p.balance - c.closed,
         carried_open = coalesce(p.carried_open, 0) + c.closed, version = p.version + 1,
         updated_at = $4
       from (
         select p.id, p.balance - ${setAsideOf('p')} as closed from payment p
         where p.tenant_id = $1 and p.customer_id = any($2) and p.id < $3
           and p.payment_type = 'Payment' and p.balance > 0) c
       where p.tenant_id = $1 and p.id = c.id and c.closed > 0
       returning p.id, c.closed as amount)
     ${noted}`,
    [tx.tenantId, customerIds, takesBelow, now, batchId, today],
    'close-unapplied',
  );
}

/** Balances of customers by currency, from which their next invoices continue. */
import { balanceKey, type Balances } from '../../domain/billing/balance.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

/** Reads the balances from which the customers' next invoices continue. */
export async function balancesOf(tx: Tx, ids: readonly number[]): Promise<Balances> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{
    customerId: number;
    currency: string;
    balance: Decimal;
    lastTotalDue: Decimal;
    hasUnapplied: boolean;
  }>(
    `select b.customer_id, b.currency, b.balance, b.last_total_due, exists (
       select from payment p where p.tenant_id = b.tenant_id and p.customer_id = b.customer_id
         and p.currency = b.currency and p.balance > 0) as has_unapplied
     from customer_balance b where b.customer_id = any($1)`,
    [ids],
    'balances-of-customers',
  );
  return new Map(
    rows.map(({ customerId, currency, balance, lastTotalDue, hasUnapplied }) => [
      balanceKey(customerId, currency),
      { balance, lastTotalDue, hasUnapplied },
    ]),
  );
}

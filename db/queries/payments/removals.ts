/** Methods that their gateways are to remove. */
import type { Database } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { PaymentMethod } from '../../entities/payments.ts';
import type { RowOf } from '../../entities/rows.ts';

/** Runs as the relay's role, which sees of methods nothing but this. */
export async function tenantsToRemove(relayDb: Database): Promise<number[]> {
  const { rows } = await relayDb.pool.query<{ id: string }>({
    name: 'tenants-to-remove-methods',
    text: `select distinct tenant_id as id from payment_method where remove_at <= now()`,
  });
  return rows.map(({ id }) => Number(id));
}

export interface Removal extends RowOf<typeof PaymentMethod, 'id' | 'gateway' | 'token'> {
  /** Another customer has it on file, too: the gateway keeps it. */
  readonly isShared: boolean;
}

/** Takes those that are due, and puts them off until then: another process asks nobody meanwhile. */
export function takeRemovals(
  tx: Tx,
  { limit, againMinutes }: { readonly limit: number; readonly againMinutes: number },
): Promise<Removal[]> {
  return tx.query<Removal & Record<string, unknown>>(
    `update payment_method m set remove_at = now() + make_interval(mins => $3)
     where m.tenant_id = $1 and m.id = any(array(
       select id from payment_method where tenant_id = $1 and remove_at <= now()
       order by remove_at limit $2 for update skip locked))
     returning m.id, m.gateway, m.token, exists (select from payment_method o
       where o.tenant_id = $1 and o.gateway = m.gateway and o.token = m.token
         and o.remove_at is null) as is_shared`,
    [tx.tenantId, limit, againMinutes],
    'take-removals',
  );
}

/** Nothing is left of it. */
export function noteRemoved(tx: Tx, id: number): void {
  tx.send(
    `update payment_method set token = '', remove_at = null where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
    'method-removed',
  );
}

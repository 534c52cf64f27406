/** Finds the orders that a suspension or a resumption of their customer changes. */
import type { Tx } from '../../connection/tenancy.ts';

export interface LiveOrderChoice {
  readonly customerIds: readonly number[];
  /** The customers whose service has just been resumed. */
  readonly resumed?: readonly number[];
}

/**
 * The orders of these customers that may still bill or change, ascending: those that have not
 * ended, and ended ones with something to bill. A pause leaves no date to an ended order. It was
 * written then, or when it ended in the pause, so a resumption finds it by when it was last written.
 */
export async function liveOrdersOf(
  tx: Tx,
  { customerIds, resumed = [] }: LiveOrderChoice,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select o.id from subscription_order o
     left join lateral (
       select max(p.suspended_on)::timestamp at time zone own.timezone as at
       from tenant own
       join service_pause p on p.tenant_id = own.id and p.customer_id = o.customer_id
         and p.order_id is null
       where own.id = $1 and o.customer_id = any($3) group by own.timezone) pause on true
     where o.tenant_id = $1 and o.customer_id = any($2)
       and (o.status in ('Provisioning', 'Active', 'Suspended') or o.next_action_on is not null
         or o.updated_at >= pause.at)
     order by o.id`,
    [tx.tenantId, customerIds, resumed],
    'live-orders-of-customers',
  );
  return rows.map(({ id }) => id);
}

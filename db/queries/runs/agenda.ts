/**
 * What must happen to a tenant on which day. All of it happens at 00:00 of its day, so a day says
 * the instant. Each kind of thing to do is one branch of the union: (kind, object_id, due_on).
 */
import type { IsoDate } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** Activations, renewals, ends and billing of orders; a held customer's wait for the hold to end. */
const orders = `
  select 'order' as kind, o.id as object_id, o.next_action_on as due_on
  from subscription_order o
  join customer c on c.tenant_id = o.tenant_id and c.id = o.customer_id
  where o.tenant_id = $1 and o.next_action_on <= $2 and c.billing_held_at is null`;

/** Invoices that pay themselves; one made for a payment under way waits for how that ends. */
const autopay = `
  select 'autopay' as kind, i.id as object_id, i.autopay_on as due_on
  from invoice i
  where i.tenant_id = $1 and i.autopay_on <= $2 and i.autopay_after_payment_id is null`;

/** The first of each: an index gives it at once, and never all that is due. */
const firsts = [orders, autopay]
  .map((branch) => `(${branch} order by due_on limit 1)`)
  .join(' union all ');

/** The first day, up to `until`, on which something is to be done; null when nothing is. */
export async function nextOnAgenda(tx: Tx, until: IsoDate): Promise<IsoDate | null> {
  const [row] = await tx.query<{ due_on: IsoDate }>(
    `select due_on from (${firsts}) as agenda order by due_on limit 1`,
    [tx.tenantId, until],
    'nextOnAgenda',
  );
  return row?.due_on ?? null;
}

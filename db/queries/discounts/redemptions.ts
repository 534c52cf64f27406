/**
 * The redemptions of a coupon, derived from its orders: orders of one chain of changes that follow each
 * other with the code are one. It stands while one of them goes on, is still to be billed, or has a
 * discount that stands.
 */
import type { Tx } from '../../connection/tenancy.ts';

/** The versions of the code `$2`. */
const versions = '(select id from coupon where tenant_id = $1 and code = $2)';

/** A discount `d` of an order `o`, unless its invoice was cancelled or a change gave it back whole. */
const standingDiscount = `select from order_line l
  join invoice_charge d on d.tenant_id = l.tenant_id and d.order_line_id = l.id
   and d.coupon_id = o.coupon_id
  join invoice_line n on n.tenant_id = d.tenant_id and n.id = d.invoice_line_id
  join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id and i.status <> 'Cancelled'
  where l.tenant_id = o.tenant_id and l.order_id = o.id
    and d.amount <> (select coalesce(sum(c.amount), 0) from charge_credit c
      where c.tenant_id = d.tenant_id and c.invoice_charge_id = d.id and c.voided_at is null
        and not c.by_note)`;

/** Whether an order `o` that has a coupon keeps its redemption. */
const keepsRedemption = `(o.status not in ('Complete', 'Superseded', 'Canceled')
  or o.bill_on is not null or exists (${standingDiscount}))`;

/**
 * Orders with a coupon, each with the first of those that are one redemption with it.
 * @param where which orders `o` begin a chain, beside their coupon
 */
export const redemptionsText = (where: string): string => `taken as (
  select o.id, o.id as first, o.coupon_id, o.customer_id from subscription_order o
  where o.tenant_id = $1 and o.coupon_id is not null and ${where}
    and not exists (select from subscription_order b
      join coupon k on k.tenant_id = b.tenant_id and k.id = b.coupon_id
      join coupon own on own.tenant_id = o.tenant_id and own.id = o.coupon_id
      where b.tenant_id = o.tenant_id and b.id = o.previous_order_id and k.code = own.code)
  union all
  select o.id, t.first, t.coupon_id, t.customer_id from taken t
  join subscription_order o on o.tenant_id = $1 and o.previous_order_id = t.id
   and o.coupon_id is not null
  join coupon k on k.tenant_id = $1 and k.id = o.coupon_id
  join coupon own on own.tenant_id = $1 and own.id = t.coupon_id and own.code = k.code),
redeemed as (
  select t.first, min(t.coupon_id) as coupon_id, min(t.customer_id) as customer_id
  from taken t join subscription_order o on o.tenant_id = $1 and o.id = t.id
  group by t.first having bool_or(${keepsRedemption}))`;

export interface Redemptions {
  /** Of the code, up to the number that was asked for. */
  readonly count: number;
  /** The customer has one of them. */
  readonly isCustomers: boolean;
}

/**
 * Fewer orders with the code than `limit` are fewer redemptions, however they ended: only beyond that
 * is each of them looked at.
 *
 * @param limit null: their number does not matter
 * @param customerId null: nobody's are asked for
 */
export async function readRedemptions(
  tx: Tx,
  { code, limit, customerId }: { code: string; limit: number | null; customerId: number | null },
): Promise<Redemptions> {
  const ofCode = `o.coupon_id = any(array${versions})`;
  const [row] = await tx.query<{ count: number; isCustomers: boolean }>(
    `select case when $3::int is null then 0
       when (select count(*) from subscription_order o where o.tenant_id = $1 and ${ofCode}) < $3
         then 0
       else (with recursive ${redemptionsText(ofCode)} select count(*)::int from redeemed)
       end as count,
       $4::bigint is not null and exists (with recursive
         ${redemptionsText(`o.customer_id = $4 and ${ofCode}`)} select from redeemed)
         as is_customers`,
    [tx.tenantId, code, limit, customerId],
    'coupon-redemptions',
  );
  if (row === undefined) throw new Error('a count has a row');
  return row;
}

/** No other transaction redeems the code until this one ends. After the customer, before any number. */
export async function lockRedemptions(tx: Tx, code: string): Promise<void> {
  const key = [`${tx.tenantId} coupon ${code}`];
  const [lock] = await tx.query<{ had: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as had',
    key,
    'try-coupon',
  );
  if (lock?.had === true) return;
  tx.beforeWaiting();
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', key, 'take-coupon');
}

/** The open sign-ups with a form of a network that have made an order with the code. */
export async function countOpenSignups(
  tx: Tx,
  { code, network }: { readonly code: string; readonly network: string },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from signup s
     join subscription_order o on o.tenant_id = s.tenant_id and o.id = s.order_id
     where s.tenant_id = $1 and s.status = 'DRAFT' and o.coupon_id = any(array${versions})
       and exists (select from signup_try t
         where t.tenant_id = s.tenant_id and t.signup_id = s.id and t.network = $3)`,
    [tx.tenantId, code, network],
    'signups-that-redeem',
  );
  return row?.count ?? 0;
}

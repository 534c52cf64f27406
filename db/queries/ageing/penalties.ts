/** Penalty charges of orders: marked when the customer gets to their status, cleared afterwards. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { customerStatuses, type CustomerStatus } from '../../../domain/customers/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { standsBy } from '../context/billed.ts';
import { givenOf } from '../context/insertion.ts';

export interface PenaltyMove {
  readonly customerId: number;
  /** The statuses that the customer has just got to. */
  readonly passed: readonly CustomerStatus[];
  /** Its present status and all below it. */
  readonly standsAt: readonly CustomerStatus[];
}

const { recordset: moves } = givenOf({
  customerId: 'bigint',
  passed: 'text[]',
  standsAt: 'text[]',
});

/** Most tenants have no penalties, and then this reads one index. */
const hasPenalties = `exists (select from plan_charge g where g.tenant_id = $1 and g.is_penalty)`;

/** Clears the marks of statuses that the customer has left; returns the customers. */
export async function clearPenalties(tx: Tx, rows: readonly PenaltyMove[]): Promise<number[]> {
  const cleared = await tx.query<{ id: number }>(
    `update order_line l set penalty_since = null
     from ${moves}
     join subscription_order o on o.tenant_id = $1 and o.customer_id = r."customerId"
     join order_line marked on marked.tenant_id = $1 and marked.order_id = o.id
       and marked.penalty_since is not null
     join plan_charge g on g.tenant_id = $1 and g.id = marked.charge_id
     where ${hasPenalties} and not g.penalty_status = any(r."standsAt")
       and l.tenant_id = $1 and l.id = marked.id
     returning o.customer_id as id`,
    [tx.tenantId, JSON.stringify(rows)],
    'clear-penalties',
  );
  return [...new Set(cleared.map(({ id }) => id))];
}

/** A one-time penalty counts its times; the first period of an order is 0, or -1 if it is a part. */
const firstPointer = `case when g.charge_type = 'OneTimeCharge' then 0 else -1 end`;

/** The order that it will replace has the mark, and passes it on. */
const awaitsChange = `(o.status = 'Provisioning' and o.previous_order_id is not null)`;

/**
 * Marks the penalties whose status the customer has got to. An order that took all charges of its
 * plan gets a line for a penalty that it does not have yet. Returns the customers.
 */
export async function penalize(
  tx: Tx,
  rows: readonly PenaltyMove[],
  { now, today }: { readonly now: Date; readonly today: IsoDate },
): Promise<number[]> {
  const reached = `${moves}
     join subscription_order o on o.tenant_id = $1 and o.customer_id = r."customerId"
       and o.status in ('Active', 'Provisioning', 'Suspended')
     join plan_charge g on g.tenant_id = $1 and g.plan_id = o.plan_id and g.is_penalty
       and g.penalty_status = any(r.passed)`;
  const values = [tx.tenantId, JSON.stringify(rows), today, now];
  const marked = await tx.query<{ id: number }>(
    `with added as (
       insert into order_line (tenant_id, order_id, position, charge_id, quantity, is_active,
         next_period_index, penalty_since, created_at, updated_at)
       select $1, o.id, (select coalesce(max(l.position), 0) from order_line l
           where l.tenant_id = $1 and l.order_id = o.id)
           + (row_number() over (partition by o.id order by g.position))::int,
         g.id, g.standard_quantity, true, ${firstPointer}, case when not ${awaitsChange} then $3::date end,
         $4, $4
       from ${reached}
       where (o.takes_penalties or g.is_mandatory) and exists (select from pricing_tier p
           where p.tenant_id = $1 and p.charge_id = g.id and p.currency = o.currency)
         and not exists (select from order_line l where l.tenant_id = $1 and l.order_id = o.id
           and l.charge_id = g.id)
       returning order_id),
     marked as (
       update order_line l set penalty_since = $3
       from ${reached}
       where l.tenant_id = $1 and l.order_id = o.id and l.charge_id = g.id and l.is_active
         and not ${awaitsChange}
       returning l.order_id)
     select distinct o.customer_id as id from subscription_order o
     where o.tenant_id = $1
       and o.id in (select order_id from added union all select order_id from marked)`,
    values,
    'penalize',
  );
  return marked.map(({ id }) => id);
}

/**
 * An invoice is to be rolled back, and what it billed is due again: so are its one-time penalties, of
 * customers that still stand at their status by ageing.
 */
export function restorePenalties(tx: Tx, invoiceId: number): void {
  tx.send(
    `update order_line l set penalty_since = b.billed_from
     from billed b
     join order_line own on own.tenant_id = $1 and own.id = b.order_line_id
     join plan_charge g on g.tenant_id = $1 and g.id = own.charge_id and g.is_penalty
       and g.charge_type = 'OneTimeCharge'
     join subscription_order o on o.tenant_id = $1 and o.id = own.order_id
     join customer c on c.tenant_id = $1 and c.id = o.customer_id and not c.status_by_hand
     where b.tenant_id = $1 and ${standsBy('$2')} and l.tenant_id = $1 and l.id = own.id
       and array_position($3::text[], c.status) >= array_position($3::text[], g.penalty_status)`,
    [tx.tenantId, invoiceId, [...customerStatuses]],
    'restore-penalties',
  );
}

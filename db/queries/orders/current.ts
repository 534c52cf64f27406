/** Reads what a change must know of an order beyond the row that billing reads. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { OrderLine, SubscriptionOrder } from '../../entities/orders.ts';
import type { RowOf } from '../../entities/rows.ts';
import { standsOf } from '../context/billed.ts';

export interface CurrentFacts extends RowOf<
  typeof SubscriptionOrder,
  'cancelReason' | 'keptAutoRenew' | 'keptEndDate'
> {
  readonly invoiceNotes: string | null;
  readonly notes: string | null;
  /** The index of the newest period billed; null if none is. */
  readonly newestPeriod: number | null;
  /** The last day of the newest usage billed; null if none is. */
  readonly usageTo: IsoDate | null;
  /** The priceCodes of one-time charges that it, or an order before it, was billed, here or elsewhere. */
  readonly billedOnce: readonly string[];
}

export async function readCurrentFacts(tx: Tx, orderId: number): Promise<CurrentFacts | undefined> {
  const [row] = await tx.query<CurrentFacts & Record<string, unknown>>(
    `with recursive chain as (
       select id, previous_order_id, plan_id, billed_through
       from subscription_order where id = $1
       union all
       select o.id, o.previous_order_id, o.plan_id, o.billed_through
       from chain c join subscription_order o on o.id = c.previous_order_id)
     select o.invoice_notes, o.notes, o.cancel_reason, o.kept_auto_renew, o.kept_end_date,
            newest.period as newest_period, newest.usage_to,
            array(select distinct g.price_code
                  from chain c
                  join order_line l on l.tenant_id = o.tenant_id and l.order_id = c.id
                  join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
                   and g.charge_type = 'OneTimeCharge' and not g.is_penalty
                  where exists (select from billed b where ${standsOf('l')})
                  union
                  select g.price_code
                  from chain c
                  join plan_charge g on g.tenant_id = o.tenant_id and g.plan_id = c.plan_id
                   and g.charge_type = 'OneTimeCharge' and not g.is_penalty
                  where c.billed_through is not null) as billed_once
     from subscription_order o
     cross join lateral (
       select max(b.period_index) filter (where g.charge_type = 'RecurringCharge') as period,
              max(b.billed_to) filter (where b.is_usage) as usage_to
       from order_line l
       join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
       cross join lateral (
         select b.period_index, b.billed_to, b.is_usage from billed b where ${standsOf('l')}
         order by b.period_index desc limit 1) b
       where l.tenant_id = o.tenant_id and l.order_id = o.id) newest
     where o.id = $1`,
    [orderId],
    'current-order-of-change',
  );
  return row;
}

/* Reads the days of order lines that have days of their own within the order's. */

type LineDays = RowOf<typeof OrderLine, 'startsOn' | 'endsOn'>;

/** By the ids of the lines. */
export async function readLineDays(
  tx: Tx,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, LineDays>> {
  const rows = await tx.query<LineDays & { readonly id: number }>(
    `select id, starts_on, ends_on from order_line
     where tenant_id = $1 and order_id = any($2) and coalesce(starts_on, ends_on) is not null`,
    [tx.tenantId, orderIds],
  );
  return new Map(rows.map(({ id, ...days }) => [id, days]));
}

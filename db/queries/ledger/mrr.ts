/** Reads what orders charge on two days, customer after customer, for the report of their monthly revenue. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Statement } from '../../connection/snapshot.ts';
import type { EarlierPrices } from '../../../domain/plans/price-moves.ts';
import type { SubscriptionOrder } from '../../entities/orders.ts';
import type { RowOf } from '../../entities/rows.ts';

export interface MrrOrderRow extends RowOf<
  typeof SubscriptionOrder,
  'id' | 'customerId' | 'previousOrderId' | 'planId' | 'couponId' | 'currency'
> {
  readonly contractCode: string;
  readonly earlier: readonly EarlierPrices[] | null;
  readonly hasBegun: boolean;
  /**
   * The lines on a day: `chargeId quantity unitPrice`, the last one `-` without a price; null if the
   * order does not count on it.
   */
  readonly onStart: readonly string[] | null;
  readonly onEnd: readonly string[] | null;
}

const linesOn = (
  day: string,
): string => `array_agg(l.charge_id || ' ' || trim_scale(l.quantity) || ' '
    || coalesce(trim_scale(l.unit_price)::text, '-') order by l.position, l.id)
  filter (where coalesce(l.starts_on <= ${day}, true) and coalesce(l.ends_on >= ${day}, true))`;

/** The day of a suspension and that of a resumption are served. */
const pausedOn = (day: string): string => `s.suspended_on < ${day}
  and coalesce(s.resumed_on > ${day}, true)`;

const countsOn = (day: string): string => `o.served and o.bills_from <= ${day}
  and coalesce(o.last_day >= ${day}, true)
  and o.id not in (select s.order_id from pause s where s.order_id is not null and ${pausedOn(day)})
  and o.customer_id not in (
    select s.customer_id from pause s where s.order_id is null and ${pausedOn(day)})`;

/** The days, so that each is a value once. */
const [START, END] = ['$2::date', '$3::date'];

/**
 * Orders as they stand that count on one of the days, and those between them in a chain of changes.
 * An order that replaces another does not begin before that one ends.
 */
const text = `
  with pause as materialized (
    select customer_id, order_id, suspended_on, resumed_on from service_pause
    where tenant_id = $1),
  line as (
    select l.order_id, ${linesOn(START)} as on_start, ${linesOn(END)} as on_end
    from order_line l where l.tenant_id = $1 and l.is_active group by l.order_id),
  standing as (
    select o.id, o.customer_id, o.previous_order_id, o.plan_id, o.coupon_id, o.currency,
      o.earlier_prices, o.start_date, coalesce(o.trial_end_date + 1, o.start_date) as bills_from,
      coalesce(o.ended_on, case when not o.is_auto_renew or o.status = 'Complete' then o.end_date end)
        as last_day,
      o.ended_on is not null or o.status not in ('Canceled', 'Superseded') as served
    from subscription_order o
    where o.tenant_id = $1 and o.status <> 'Draft'
      and not (o.status = 'Provisioning' and o.previous_order_id is not null))
  select o.id, o.customer_id, o.previous_order_id, o.plan_id, o.coupon_id, o.currency,
    p.contract_code, o.earlier_prices as earlier, o.served and o.start_date <= ${END} as has_begun,
    case when ${countsOn(START)} then coalesce(l.on_start, '{}') end as on_start,
    case when ${countsOn(END)} then coalesce(l.on_end, '{}') end as on_end
  from standing o
  join plan p on p.tenant_id = $1 and p.id = o.plan_id
  left join line l on l.order_id = o.id
  where coalesce(o.last_day >= ${START}, true) and o.start_date <= ${END}
  order by o.customer_id, o.id`;

export const mrrStatement = (
  tenantId: number,
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
): Statement => ({ text, values: [tenantId, from, to] });

/** Reads what parts of periods were billed for; most periods have one part, and nobody asks. */
import type { BilledCost, BilledDays } from '../../../domain/standing/line.ts';

import type { Tx } from '../../connection/tenancy.ts';

/** A charge `c` that is priced by the days of its period. */
const isByDays = (c: string): string =>
  `${c}.kind in ('period', 'penalty', 'tax') and not ${c}.is_percent`;

/**
 * For how many days an invoice `i` billed a period `b` of an order `o`: not for those of pauses that
 * were over by then.
 */
const daysOf = (b: string, i: string, o: string): string => `(
  select count(*)::int from generate_series(0, ${b}.billed_to - ${b}.billed_from) as after
  where not exists (
    select from service_pause s
    where s.tenant_id = ${o}.tenant_id and s.customer_id = ${o}.customer_id
      and (s.order_id is null or s.order_id = ${o}.id) and s.resumed_on <= ${i}.invoice_date
      and s.suspended_on < ${b}.billed_from + after and s.resumed_on > ${b}.billed_from + after))`;

/** What billed periods were billed for, by their ids. */
export async function costsOf(
  tx: Tx,
  periodIds: readonly number[],
): Promise<ReadonlyMap<number, BilledCost>> {
  const rows = await tx.query<BilledCost & { readonly id: number }>(
    `select b.id, ${daysOf('b', 'i', 'o')} as days, coalesce((
       select json_agg(json_build_object('tierId', c.pricing_tier_id,
         'unitPrice', trim_scale(c.unit_price)::text, 'quantity', trim_scale(c.quantity)::text,
         'amount', trim_scale(c.amount)::text) order by c.position)
       from invoice_line n
       join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
        and c.billed_period_id = b.id and ${isByDays('c')}
       where n.tenant_id = b.tenant_id and n.invoice_id = b.invoice_id and n.order_id = o.id), '[]')
         as parts
     from billed_period b
     join order_line l on l.tenant_id = b.tenant_id and l.id = b.order_line_id
     join subscription_order o on o.tenant_id = l.tenant_id and o.id = l.order_id
     left join invoice i on i.tenant_id = b.tenant_id and i.id = b.invoice_id
     where b.id = any($1)`,
    [periodIds],
    'costs-of-periods',
  );
  return new Map(rows.map(({ id, days, parts }) => [id, { days, parts }]));
}

/**
 * What was billed for earlier days of the period `b` of a charge `c` at its price, on a line `n` of an
 * order; no row without any.
 */
export const earlierDays = `(
  select sum(${daysOf('e', 'i', 'o')})::int as days, trim_scale(sum(ec.amount))::text as amount
  from billed_period e
  join subscription_order o on o.tenant_id = e.tenant_id and o.id = n.order_id
  join invoice i on i.tenant_id = e.tenant_id and i.id = e.invoice_id
  join invoice_line en on en.tenant_id = e.tenant_id and en.invoice_id = e.invoice_id
   and en.order_id = n.order_id
  join invoice_charge ec on ec.tenant_id = e.tenant_id and ec.invoice_line_id = en.id
   and ec.billed_period_id = e.id and ${isByDays('ec')}
   and ec.pricing_tier_id is not distinct from c.pricing_tier_id
   and ec.unit_price = c.unit_price and ec.quantity = c.quantity
  where e.tenant_id = b.tenant_id and e.order_line_id = b.order_line_id
    and e.charge_id = c.charge_id and e.period_index = b.period_index
    and e.voided_at is null and e.billed_to < b.billed_from and ${isByDays('c')}
  having count(*) > 0)`;

/** One of several parts of a period of a prorated charge. */
export interface PeriodPart extends BilledDays {
  readonly id: number;
  readonly orderId: number;
  readonly lineId: number;
  readonly linePosition: number;
  /** It was rolled back. */
  readonly isVoided: boolean;
}

/** The orders after this one that may have periods in several parts, in order of their ids. */
export async function ordersWithParts(
  tx: Tx,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct l.order_id as id
     from billed_period b join order_line l on l.tenant_id = $1 and l.id = b.order_line_id
     where b.tenant_id = $1 and b.segment > 0 and b.voided_at is null and l.order_id > $2
     order by 1 limit $3`,
    [tx.tenantId, after, limit],
    'orders-with-parts',
  );
  return rows.map(({ id }) => id);
}

/** The parts of periods of orders that were billed in several, those that were rolled back too. */
export async function partsOfOrders(
  tx: Tx,
  orderIds: readonly number[],
): Promise<readonly PeriodPart[]> {
  const rows = await tx.query<PeriodPart & Record<string, unknown>>(
    `select b.id, l.order_id, l.id as line_id, l.position as line_position,
            b.period_index, b.billed_from as "from", b.billed_to as "to",
            b.voided_at is not null as is_voided
     from order_line l
     join billed_period b on b.tenant_id = l.tenant_id and b.order_line_id = l.id
     join plan_charge g on g.tenant_id = b.tenant_id and g.id = b.charge_id
      and g.is_prorated and g.charge_type = 'RecurringCharge'
     where l.order_id = any($1) and exists (select from billed_period p
       where p.tenant_id = b.tenant_id and p.order_line_id = b.order_line_id
         and p.charge_id = b.charge_id and p.period_index = b.period_index
         and p.segment > 0 and p.voided_at is null)
     order by l.order_id, l.position, l.id, b.period_index, b.billed_from, b.id`,
    [orderIds],
    'parts-of-orders',
  );
  const costs = await costsOf(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const cost = costs.get(row.id);
    return { ...row, ...(cost && { cost }) };
  });
}

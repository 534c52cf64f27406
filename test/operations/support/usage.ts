/** A metered plan, and usage records as an upload stores them. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Books } from './books.ts';

/** 180 minutes cost 10.00 + 6.40. */
export const metered = {
  contractCode: 'METERED',
  name: 'Metered voice',
  billingPeriod: 'Monthly',
  billingAlignment: 'DayOfMonth',
  alignmentDay: 1,
  charges: [
    {
      priceCode: 'MINUTES',
      chargeType: 'UsageCharge',
      pricingType: 'TieredPricing',
      unitOfMeasure: 'minute',
      tiers: [
        { unitsFrom: 0, unitsTo: 100, price: 0.1 },
        { unitsFrom: 100, unitsTo: 1000, price: 0.08 },
        { unitsFrom: 1000, price: 0.05 },
      ],
    },
  ],
};

/** A record, and the period of the order whose window has it. */
export interface UsedRecord {
  readonly on: IsoDate;
  readonly period: number;
  readonly quantity: string;
  readonly amount?: string;
  readonly ref?: string;
}

/** Stores records of the only metered line of an order. */
export function used(books: Books, orderId: number, records: readonly UsedRecord[]) {
  return books.work(({ tx }) =>
    tx.query(
      `with line as (
         select l.id, o.customer_id from order_line l
         join subscription_order o on o.tenant_id = l.tenant_id and o.id = l.order_id
         join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
         where l.tenant_id = $1 and l.order_id = $2 and g.charge_type = 'UsageCharge'),
       made as (
         insert into usage_window (tenant_id, order_line_id, period_index)
         select distinct $1::bigint, line.id, r.period
         from line, json_to_recordset($3) as r(period int)
         on conflict (tenant_id, order_line_id, period_index)
           do update set period_index = excluded.period_index
         returning id, period_index)
       insert into activity (tenant_id, batch_id, customer_id, order_line_id, window_id, ext_ref_id,
         quantity, amount, charge_date, created_at)
       select $1, 1, line.customer_id, line.id, made.id, r.ref, r.quantity, r.amount, r."on", now()
       from line, json_to_recordset($3) as r("on" date, period int, quantity numeric,
         amount numeric, ref text)
       join made on made.period_index = r.period`,
      [books.tenantId, orderId, JSON.stringify(records)],
    ),
  );
}

/** `MINUTES 1001: 70 = 6.38` of each record, by day; its amount only if it was supplied. */
export function recordsOf(books: Books): Promise<string[]> {
  return books.read(async (tx) => {
    const rows = await tx.query<{ text: string }>(
      `select a.charge_date || ' ' || trim_scale(a.quantity) || ' '
         || coalesce(i.invoice_number, 'Unbilled')
         || case when a.window_id is null then ' in no window' else '' end as text
       from activity a
       left join usage_window w on w.tenant_id = a.tenant_id and w.id = a.window_id
       left join invoice i on i.tenant_id = w.tenant_id and i.id = w.invoice_id
       order by a.charge_date, a.id`,
    );
    return rows.map(({ text }) => text);
  });
}

/** The total of each invoice, and its charges without the subtotals. */
export async function billedCharges(books: Books): Promise<string[]> {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select i.number_value || ' ' || i.current_amount_due || ': '
         || string_agg(c.kind || ' ' || c.price_code || ' ' || c.amount, ', '
                       order by l.position, c.position) as text
       from invoice i join invoice_line l on l.tenant_id = i.tenant_id and l.invoice_id = i.id
       join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
         and c.kind <> 'usageSubTotal'
       group by i.id, i.number_value, i.current_amount_due order by i.number_value`,
    ),
  );
  return rows.map(({ text }) => text.replaceAll('00,', ',').replaceAll(/(\.\d\d)00\b/g, '$1'));
}

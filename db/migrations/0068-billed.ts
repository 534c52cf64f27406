/** What was billed is one reading of periods and usage windows. */
import { Migration } from '@mikro-orm/migrations';

// The days that a billed window has are those of its subtotal. Late records of an ended line have a
// window of their own, which repeats the days of the line's last one.
const days = `
alter table usage_window
  add column billed_from date,
  add column billed_to date,
  -- The period with its last day.
  add column of_period int;
update usage_window w
set billed_from = c.billing_start_date, billed_to = c.billing_end_date, of_period = w.period_index
from invoice_charge c
join invoice_line n on n.tenant_id = c.tenant_id and n.id = c.invoice_line_id
where w.invoice_id is not null and c.tenant_id = w.tenant_id and c.usage_window_id = w.id
  and c.kind = 'usageSubTotal' and n.invoice_id = w.invoice_id;
update usage_window w set of_period = s.period
from (select tenant_id, order_line_id, billed_to, min(period_index) as period
      from usage_window where billed_to is not null group by 1, 2, 3) s
where w.tenant_id = s.tenant_id and w.order_line_id = s.order_line_id and w.billed_to = s.billed_to;
alter table usage_window add constraint usage_window_days_check check (
  num_nonnulls(billed_from, billed_to, of_period) = case when invoice_id is null then 0 else 3 end);
`;

// A line is read from a period on, whatever it bills; a period that was rolled back counts by its id.
const order = `
drop index billed_period_once;
create unique index billed_period_once on billed_period (tenant_id, order_line_id, period_index,
  charge_id, segment, (case when voided_at is null then 0 else id end));
`;

// Neither part has a condition of its own, so that a join probes the indexes of both.
const reading = `
create view billed with (security_invoker = true) as
select tenant_id, id, order_line_id, period_index, period_index as of_period, billed_from, billed_to,
       invoice_id, false as is_usage, voided_at is null as stands
from billed_period
union all
select tenant_id, id, order_line_id, period_index, of_period, billed_from, billed_to,
       invoice_id, true, invoice_id is not null
from usage_window;
comment on view billed is
  'What order lines were billed for which days, by which invoice, while it stands: periods, and usage windows that had records.';
grant select on billed to sundial_app;
`;

export class Billed extends Migration {
  override up(): void {
    this.addSql(days);
    this.addSql(order);
    this.addSql(reading);
  }
}

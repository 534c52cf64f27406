/** Corrections of billed usage give back their part of each charge that their records caused. */
import { Migration } from '@mikro-orm/migrations';

/**
 * A correction credits the usage charges of the invoice that billed its record, and then what was
 * taken of these: discounts, percentages, taxes. A charge may be corrected again and again, but its
 * unused days are credited once.
 */
const credits = `
alter table charge_credit
  alter column unused_from drop not null,
  add constraint charge_credit_reason_check check (
    unused_from is not null or unused_to is null and credit_charge_id is not null);
drop index charge_credit_standing;
create unique index charge_credit_standing on charge_credit (tenant_id, invoice_charge_id)
  where voided_at is null and unused_from is not null;
`;

/**
 * A rollback makes a record Unbilled again: its corrections that are not billed yet then count with
 * it in its window, by their quantity if their amount was only their part of the record's.
 */
const records = `
alter table activity add column amount_is_share boolean not null default false,
  add constraint activity_share_check check (not amount_is_share or amount is not null);
grant update (amount, amount_is_share, corrects_billed, corrected_percent) on activity
  to sundial_app;
create index activity_corrections_of_billed on activity (tenant_id, order_line_id)
  where corrects_billed;
`;

/** What was billed before keeps its meaning: those corrections were charges like any other. */
const before = `
alter table usage_window add column corrects_plainly boolean not null default false;
alter table usage_window no force row level security;
alter table activity no force row level security;
update usage_window w set corrects_plainly = true
where w.closed_at is not null and exists (select from activity a
  where a.tenant_id = w.tenant_id and a.order_line_id = w.order_line_id and a.corrects_billed
    and a.window_id = w.id);
alter table usage_window force row level security;
alter table activity force row level security;
`;

/** As before, with the window whose records are corrected. */
const sums = `
create or replace function usage_sums(lines bigint[], periods int[], untils date[], at_most bigint)
returns table (place int, sums jsonb)
language plpgsql stable as $$
declare seen bigint := 0; found bigint; own record;
begin
  for place in 1 .. cardinality(lines) loop
    exit when seen >= at_most;
    select w.tenant_id, w.id, w.order_line_id as line into own from usage_window w
      where w.order_line_id = lines[place] and w.period_index = periods[place];
    select coalesce(sum(g.records), 0), coalesce(jsonb_agg(jsonb_build_object(
        'kind', g.kind, 'price', g.price, 'of', g.of, 'quantity', g.quantity, 'amount', g.amount,
        'last', case when g.kind = 'quantity' then array[g.day - date '1970-01-01', (
          select a.id from activity a
          where a.tenant_id = own.tenant_id and a.order_line_id = own.line
            and a.charge_date = g.day and a.window_id = own.id and a.amount is null
            and (untils[place] is null or activity_day(a) <= untils[place])
          order by a.id desc limit 1)] end)), '[]')
      into found, sums
      from (
        select k.kind, trim_scale(k.price)::text as price, k.of,
          trim_scale(sum(a.quantity))::text as quantity, sum(a.amount)::text as amount,
          count(*) as records, max(a.charge_date) as day
        from activity a
        cross join lateral (select
          case when a.corrects_billed then 'correction' when a.amount is null then 'quantity'
            else 'supplied' end as kind,
          case when a.corrects_billed then a.corrected_percent when a.amount is null then a.unit_price
            end as price,
          case when a.corrects_billed then (select r.window_id from activity r
            where r.tenant_id = a.tenant_id and r.id = a.corrects_id) end as of) k
        where a.tenant_id = own.tenant_id and a.window_id = own.id
          and (untils[place] is null or case when a.corrects_id is null then a.charge_date
            else activity_day(a) end <= untils[place])
        group by k.kind, k.price, k.of) g;
    seen := seen + found;
    return next;
  end loop;
end $$;
`;

export class Corrections extends Migration {
  override up(): void {
    this.addSql(credits);
    this.addSql(records);
    this.addSql(before);
    this.addSql(sums);
  }
}

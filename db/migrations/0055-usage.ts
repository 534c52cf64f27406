/** Usage: the records that callers upload, and the windows in which they are billed together. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const windows = `
create table usage_window (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  order_line_id bigint not null,
  period_index int not null,
  -- When it was billed, or passed without records: from then on it takes no more. Null while it is open.
  closed_at timestamptz,
  -- The invoice that billed it; null without records.
  invoice_id bigint,
  -- Of all its records, as on its subtotal.
  quantity numeric,
  amount numeric(20, 4),
  -- What its records without an amount share by quantity; null if there are none.
  shared_quantity numeric,
  shared_amount numeric(20, 4),
  -- The last of these by charge date, then id: it takes the rest of the shared amount.
  last_activity_id bigint,
  last_amount numeric(20, 4),
  -- The percentage of the amounts that were supplied; null if they were billed whole.
  percent numeric(20, 6),
  primary key (tenant_id, id),
  unique (tenant_id, order_line_id, period_index),
  -- Records refer to it together with its line.
  unique (tenant_id, order_line_id, id),
  foreign key (tenant_id, order_line_id) references order_line (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  check (invoice_id is null or closed_at is not null),
  check ((invoice_id is null) = (num_nonnulls(quantity, amount) = 0)),
  check ((shared_amount is null) = (num_nonnulls(shared_quantity, last_activity_id, last_amount) = 0)),
  check (invoice_id is not null or num_nonnulls(shared_amount, percent) = 0)
);
create index usage_window_of_invoice on usage_window (tenant_id, invoice_id)
  where invoice_id is not null;

alter table usage_window enable row level security;
alter table usage_window force row level security;
create policy own_tenant on usage_window using (tenant_id = ${ownTenant});
grant select, insert, update on usage_window to sundial_app;

-- A subtotal and the charges before it, or a discount of them.
alter table invoice_charge add column usage_window_id bigint,
  add foreign key (tenant_id, usage_window_id) references usage_window (tenant_id, id),
  add constraint invoice_charge_window_check check (
    (usage_window_id is not null) = (kind in ('usage', 'usageSubTotal'))
    or kind = 'discount' and billed_period_id is null);
create index invoice_charge_of_window on invoice_charge (tenant_id, usage_window_id)
  where usage_window_id is not null;
`;

const records = `
create table activity (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- The records of one upload share it.
  batch_id bigint not null,
  -- The owner of the line, for lists.
  customer_id bigint not null,
  order_line_id bigint not null,
  -- Null if the line ended before the record's day: it is never billed.
  window_id bigint,
  ext_ref_id text,
  quantity numeric(20, 6) not null,
  -- As it was supplied, or of a correction its part of its record's; null if the window prices it.
  amount numeric(20, 4),
  -- As it was supplied, for UserEnteredPricing; elsewhere null.
  unit_price numeric(20, 6),
  charge_date date not null,
  charge_end_date date check (charge_end_date >= charge_date),
  invoice_text text,
  corrects_id bigint,
  -- The corrected record was billed, at this percentage if at any, so this one counts by its amount.
  corrects_billed boolean not null default false,
  corrected_percent numeric(20, 6),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  -- The window's key names the line too; the line is not locked for each record.
  foreign key (tenant_id, order_line_id, window_id)
    references usage_window (tenant_id, order_line_id, id),
  foreign key (tenant_id, corrects_id) references activity (tenant_id, id),
  check (corrects_id is not null or quantity >= 0 and coalesce(amount, 0) >= 0),
  check (corrects_id is null or quantity < 0 and coalesce(amount, 0) <= 0),
  check (not corrects_billed or num_nonnulls(corrects_id, amount) = 2),
  check (corrected_percent is null or corrects_billed)
);
create unique index activity_reference on activity (tenant_id, ext_ref_id)
  where ext_ref_id is not null;
create index activity_of_line on activity (tenant_id, order_line_id, charge_date, id);
create index activity_of_customer on activity (tenant_id, customer_id, charge_date, id);
create index activity_by_date on activity (tenant_id, charge_date, id);
-- With the price, by which a window's records are summed.
create index activity_of_window on activity (tenant_id, window_id, unit_price);
create index activity_corrections on activity (tenant_id, corrects_id)
  where corrects_id is not null;

alter table activity enable row level security;
alter table activity force row level security;
create policy own_tenant on activity using (tenant_id = ${ownTenant});
grant select, insert, delete on activity to sundial_app;
grant update (window_id) on activity to sundial_app;
`;

/**
 * What the records of some windows come to, in this order. It ends after the window with which it has
 * read so many records, so that one statement has a limit. A window may count only records up to a
 * day: a correction of one of its records goes with that record. The last of all records that are
 * priced by quantity has the last of the days; its id comes from the index of the line.
 */
const sums = `
create function usage_sums(lines bigint[], periods int[], untils date[], at_most bigint)
returns table (place int, sums jsonb)
language plpgsql stable as $$
declare seen bigint := 0; found bigint; own record;
begin
  for place in 1 .. cardinality(lines) loop
    exit when seen >= at_most;
    select w.tenant_id, w.id, w.order_line_id as line into own from usage_window w
      where w.order_line_id = lines[place] and w.period_index = periods[place];
    select coalesce(sum(g.records), 0), coalesce(jsonb_agg(jsonb_build_object(
        'kind', g.kind, 'price', g.price, 'quantity', g.quantity, 'amount', g.amount,
        'last', case when g.kind = 'quantity' then array[g.day - date '1970-01-01', (
          select a.id from activity a
          where a.tenant_id = own.tenant_id and a.order_line_id = own.line
            and a.charge_date = g.day and a.window_id = own.id and a.amount is null
            and (untils[place] is null or activity_day(a) <= untils[place])
          order by a.id desc limit 1)] end)), '[]')
      into found, sums
      from (
        select k.kind, trim_scale(k.price)::text as price, trim_scale(sum(a.quantity))::text as quantity,
          sum(a.amount)::text as amount, count(*) as records, max(a.charge_date) as day
        from activity a
        cross join lateral (select
          case when a.corrects_billed then 'correction' when a.amount is null then 'quantity'
            else 'supplied' end as kind,
          case when a.corrects_billed then a.corrected_percent when a.amount is null then a.unit_price
            end as price) k
        where a.tenant_id = own.tenant_id and a.window_id = own.id
          and (untils[place] is null or case when a.corrects_id is null then a.charge_date
            else activity_day(a) end <= untils[place])
        group by k.kind, k.price) g;
    seen := seen + found;
    return next;
  end loop;
end $$;
`;

/** A correction in the window of its record goes with it. */
const day = `
create function activity_day(a activity) returns date language sql stable as $$
  select case when a.corrects_id is null or a.corrects_billed then a.charge_date
    else (select c.charge_date from activity c
          where c.tenant_id = a.tenant_id and c.id = a.corrects_id) end
$$;
`;

/**
 * A part of an amount in units of its currency (cents), rounded half away from zero, as
 * domain/usage/shares.ts does. The operator / would round the quotient before.
 */
const share = `
create function usage_share(units numeric, part numeric, whole numeric)
returns numeric language sql immutable as $$
  select case when whole = 0 then 0
    else sign(units * part) * div(2 * abs(units * part) + whole, 2 * whole) end
$$;
`;

export class Usage extends Migration {
  override up(): void {
    this.addSql(windows);
    this.addSql(records);
    this.addSql(day);
    this.addSql(sums);
    this.addSql(share);
  }
}

-- Usage records, the windows in which they are billed together, and the reading of what was billed.

create table usage_window (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  order_line_id bigint not null,
  period_index int not null,
  -- When it was billed, or passed without records: from then on it takes no more. Null while
  -- it is open.
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
  -- Of a billed window, the days of its subtotal. Late records of an ended line have a window of
  -- their own, which repeats the days of the line's last one.
  billed_from date,
  billed_to date,
  -- The period with its last day.
  of_period int,
  -- Its corrections were charges like any other, as before they gave back discounts and taxes.
  corrects_plainly boolean not null default false,
  primary key (tenant_id, id),
  unique (tenant_id, order_line_id, period_index),
  -- Records refer to it together with its line.
  unique (tenant_id, order_line_id, id),
  foreign key (tenant_id, order_line_id) references order_line (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  check (invoice_id is null or closed_at is not null),
  check ((invoice_id is null) = (num_nonnulls(quantity, amount) = 0)),
  check ((shared_amount is null)
    = (num_nonnulls(shared_quantity, last_activity_id, last_amount) = 0)),
  check (invoice_id is not null or num_nonnulls(shared_amount, percent) = 0),
  constraint usage_window_days_check check (
    num_nonnulls(billed_from, billed_to, of_period)
      = case when invoice_id is null then 0 else 3 end)
);
create index usage_window_of_invoice on usage_window (tenant_id, invoice_id)
  where invoice_id is not null;
grant select, insert, update on usage_window to sundial_app;

alter table invoice_charge
  add foreign key (tenant_id, usage_window_id) references usage_window (tenant_id, id);

-- Records that callers upload.
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
  -- The corrected record was billed, at this percentage if at any, so this one counts by its
  -- amount.
  corrects_billed boolean not null default false,
  corrected_percent numeric(20, 6),
  created_at timestamptz not null,
  -- Of a correction: its amount is only its part of the record's. If a rollback makes the record
  -- Unbilled again, it counts by its quantity in the record's window.
  amount_is_share boolean not null default false,
  primary key (tenant_id, id),
  -- The window's key names the line too; the line is not locked for each record.
  foreign key (tenant_id, order_line_id, window_id)
    references usage_window (tenant_id, order_line_id, id),
  foreign key (tenant_id, corrects_id) references activity (tenant_id, id),
  check (corrects_id is not null or quantity >= 0 and coalesce(amount, 0) >= 0),
  check (corrects_id is null or quantity < 0 and coalesce(amount, 0) <= 0),
  check (not corrects_billed or num_nonnulls(corrects_id, amount) = 2),
  check (corrected_percent is null or corrects_billed),
  constraint activity_share_check check (not amount_is_share or amount is not null)
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
create index activity_corrections_of_billed on activity (tenant_id, order_line_id)
  where corrects_billed;
grant select, insert,
  update (window_id, amount, amount_is_share, corrects_billed, corrected_percent), delete
  on activity to sundial_app;

-- A correction in the window of its record goes with it.
create function activity_day(a activity) returns date language sql stable as $$
  select case when a.corrects_id is null or a.corrects_billed then a.charge_date
    else (select c.charge_date from activity c
          where c.tenant_id = a.tenant_id and c.id = a.corrects_id) end
$$;

-- What the records of some windows come to, in this order. It ends after the window with which
-- it has
-- read so many records, so that one statement has a limit. A window may count only records up to a
-- day: a correction of one of its records goes with that record. The last of all records that are
-- priced by quantity has the last of the days; its id comes from the index of the line. Sums of
-- corrections name the window whose records are corrected.
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

-- A part of an amount in units of its currency (cents), rounded half away from zero, as
-- domain/usage/shares.ts does. The operator / would round the quotient before.
create function usage_share(units numeric, part numeric, whole numeric)
returns numeric language sql immutable as $$
  select case when whole = 0 then 0
    else sign(units * part) * div(2 * abs(units * part) + whole, 2 * whole) end
$$;

-- What was billed is one reading of periods and usage windows. Neither part has a condition of its
-- own, so that a join probes the indexes of both.
create view billed with (security_invoker = true) as
select tenant_id, id, order_line_id, period_index, period_index as of_period, billed_from,
       billed_to, invoice_id, false as is_usage, voided_at is null as stands
from billed_period
union all
select tenant_id, id, order_line_id, period_index, of_period, billed_from, billed_to,
       invoice_id, true, invoice_id is not null
from usage_window;
comment on view billed is
  'What order lines were billed for which days, by which invoice, while it stands: periods, and usage windows that had records.';
grant select on billed to sundial_app;

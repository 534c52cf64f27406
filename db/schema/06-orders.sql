-- Subscription orders, their lines, and the pauses of service.

create table subscription_order (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  order_number bigint not null,
  status text not null,
  customer_id bigint not null,
  plan_id bigint not null,
  currency text not null,
  start_date date not null,
  end_date date,
  -- The term in force: renewal n ends term_start + (n + 1) terms, less a day.
  term_start date not null,
  term_first_end date,
  is_auto_renew boolean not null,
  anchor date not null,
  separate_invoice smallint not null check (separate_invoice in (0, 1, 2)),
  job_code text,
  is_auto_pay boolean not null,
  due_date_value int,
  due_date_units text check (due_date_units in ('Days', 'Months')),
  invoice_text text,
  invoice_notes text,
  notes text,
  -- The last served day of a Canceled or Superseded order.
  ended_on date,
  bills_nothing_more boolean not null default false,
  next_billable_date date,
  -- The first day whose 00:00 run may bill it.
  bill_on date,
  -- The next day on which the status or the term changes.
  transition_on date,
  next_action_on date generated always as (least(bill_on, transition_on)) stored,
  -- Made without line items: it took all charges of its plan, and takes penalties when they
  -- are due.
  takes_penalties boolean not null default false,
  coupon_id bigint,
  -- The order that it replaces, or will replace: while it is Provisioning, the change is pending.
  previous_order_id bigint,
  -- The day of the pending change that replaces it.
  change_on date,
  -- Of a Superseded one: the first unused day, while what was billed for days from it on is to be
  -- credited.
  credit_from date,
  -- The order that it replaced and that was removed: no row names that one.
  removed_order_id bigint,
  -- The period of its first day, counted from its anchor.
  first_period int not null default 0,
  -- How many periods of its coupon the orders before it have used.
  coupon_periods_before int not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, order_number),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  foreign key (tenant_id, coupon_id) references coupon (tenant_id, id),
  foreign key (tenant_id, previous_order_id) references subscription_order (tenant_id, id),
  constraint subscription_order_one_successor unique (tenant_id, previous_order_id),
  constraint subscription_order_change_day check (change_on >= start_date),
  constraint subscription_order_one_before
    check (num_nonnulls(previous_order_id, removed_order_id) <= 1)
) with (fillfactor = 80);
create index on subscription_order (tenant_id, customer_id, id);
create index on subscription_order (tenant_id, next_action_on, customer_id)
  where next_action_on is not null;
create index on subscription_order (tenant_id, created_at, id);
create index on subscription_order (tenant_id, updated_at);
create unique index subscription_order_removed on subscription_order (tenant_id, removed_order_id)
  where removed_order_id is not null;
grant select, insert, update, delete on subscription_order to sundial_app;

create table order_line (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  order_id bigint not null,
  position int not null,
  charge_id bigint not null,
  quantity numeric(20, 6) not null check (quantity >= 0),
  unit_price numeric(20, 6),
  invoice_text text,
  is_active boolean not null,
  -- The lowest period that may still have something to bill.
  next_period_index int not null,
  -- The day since which the customer stands at or past the penaltyStatus of the charge by ageing. A
  -- one-time penalty loses it when it is billed.
  penalty_since date,
  -- Days of its own; without them it has its order's.
  starts_on date,
  ends_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  -- The order's number locks the tenant's counter until the commit, so the order comes late.
  foreign key (tenant_id, order_id) references subscription_order (tenant_id, id)
    on delete cascade deferrable,
  foreign key (tenant_id, charge_id) references plan_charge (tenant_id, id),
  constraint order_line_days check (starts_on <= ends_on)
) with (fillfactor = 80);
create index on order_line (tenant_id, order_id);
grant select, insert, update, delete on order_line to sundial_app;

-- Holds of an order, or of all orders of a customer (order_id null). The days strictly between are
-- not served. Its keys are named as before it was renamed.
create table service_pause (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  order_id bigint,
  suspended_on date not null,
  resumed_on date
    constraint service_break_check check (resumed_on >= suspended_on),
  constraint service_break_pkey primary key (tenant_id, id),
  constraint service_break_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customer (tenant_id, id)
    on delete cascade,
  constraint service_break_tenant_id_order_id_fkey
    foreign key (tenant_id, order_id) references subscription_order (tenant_id, id)
    on delete cascade
);
create index service_break_tenant_id_customer_id_idx on service_pause (tenant_id, customer_id);
create unique index service_break_open_order on service_pause (tenant_id, order_id)
  where resumed_on is null and order_id is not null;
create unique index service_break_open_customer on service_pause (tenant_id, customer_id)
  where resumed_on is null and order_id is null;
create index service_break_tenant_id_order_id_idx on service_pause (tenant_id, order_id)
  where order_id is not null;
grant select, insert, update, delete on service_pause to sundial_app;

-- Commission plans, sales agents, their links to orders, and what they have earned.

create table commission_plan (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  commission_code text not null,
  name text not null,
  accounting_code text,
  is_active boolean not null,
  -- contractCodes.
  plans text[] not null,
  -- False once the file does not have it any more.
  is_in_file boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, commission_code)
);
grant select, insert, update on commission_plan to sundial_app;

create table commission_charge (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  commission_plan_id bigint not null,
  position int not null,
  code text not null,
  commission_text text,
  -- A percentage or an amount.
  commission_amount numeric(20, 6) not null check (commission_amount >= 0),
  commission_type text not null check (commission_type in ('Percent', 'Amount')),
  charge_type text not null
    check (charge_type in ('DateBasedChargeOneTime', 'DateBasedCharge', 'RecurringCharge')),
  date_to_charge_value int check (date_to_charge_value >= 0),
  date_to_charge_units text check (date_to_charge_units in ('Months', 'Years')),
  custom_options text,
  notes text,
  is_in_file boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, commission_plan_id, code),
  foreign key (tenant_id, commission_plan_id) references commission_plan (tenant_id, id),
  check ((date_to_charge_value is null) = (date_to_charge_units is null))
);
grant select, insert, update on commission_charge to sundial_app;

create table sales_agent (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  code text not null,
  first_name text,
  last_name text,
  company_name text,
  email text,
  work_phone text,
  cell_phone text,
  reference_number text,
  referring_commission_code text,
  -- By the names of its elements.
  address jsonb not null,
  commission_plan_id bigint,
  notifications_enabled boolean not null,
  disbursements_enabled boolean not null,
  ach_routing_number text,
  account_type text,
  -- Sealed; of each the last four characters are shown.
  ach_account_number text,
  ach_account_shown text,
  disbursement_token text,
  disbursement_token_shown text,
  is_in_file boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, code),
  foreign key (tenant_id, commission_plan_id) references commission_plan (tenant_id, id),
  check ((ach_account_number is null) = (ach_account_shown is null)),
  check ((disbursement_token is null) = (disbursement_token_shown is null))
);
grant select, insert, update on sales_agent to sundial_app;

create table order_agent (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  order_id bigint not null,
  -- Of the order.
  customer_id bigint not null,
  sales_agent_id bigint not null,
  commission_plan_id bigint not null,
  joining_date date not null,
  -- The first of the links that change orders have taken along: whatever has a greater id of the
  -- customer's came later.
  first_id bigint not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, order_id, sales_agent_id),
  -- An order takes its number, and so its place, last in the transaction.
  foreign key (tenant_id, order_id) references subscription_order (tenant_id, id)
    on delete cascade deferrable initially deferred,
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, sales_agent_id) references sales_agent (tenant_id, id),
  foreign key (tenant_id, commission_plan_id) references commission_plan (tenant_id, id)
);
create index order_agent_customer on order_agent (tenant_id, customer_id);
create index order_agent_plan on order_agent (tenant_id, commission_plan_id);
create index order_agent_first on order_agent (tenant_id, first_id);
grant select, insert on order_agent to sundial_app;

create table commission_due (
  tenant_id bigint not null,
  order_agent_id bigint not null,
  commission_charge_id bigint not null,
  -- Of the order.
  customer_id bigint not null,
  -- The dates up to this one are over; null: none is.
  considered_to date,
  -- Null: nothing falls due any more.
  next_due_on date,
  primary key (tenant_id, order_agent_id, commission_charge_id),
  foreign key (tenant_id, order_agent_id) references order_agent (tenant_id, id)
    on delete cascade,
  foreign key (tenant_id, commission_charge_id) references commission_charge (tenant_id, id),
  check (next_due_on > considered_to)
);
create index commission_due_next on commission_due (tenant_id, next_due_on, customer_id)
  where next_due_on is not null;
create index commission_due_customer on commission_due (tenant_id, customer_id)
  where next_due_on is not null;
grant select, insert, update on commission_due to sundial_app;

create table commission (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  -- No foreign key: the order may be removed, and with it the link, but not what it has earned.
  order_agent_id bigint not null,
  sales_agent_id bigint not null,
  commission_charge_id bigint not null,
  order_number bigint not null,
  -- Null for an amount that fell due on a date.
  invoice_id bigint,
  -- The orders whose charges on the invoice are the base.
  order_ids bigint[] not null,
  -- The date of a date-based charge; null if it was earned because the invoice was paid.
  due_on date,
  -- The terms of then.
  commission_type text not null check (commission_type in ('Percent', 'Amount')),
  rate numeric(20, 6) not null,
  -- Of the base, if it has one only.
  price_code text,
  -- In the invoice's currency.
  base_amount numeric(20, 4) not null,
  amount numeric(20, 4) not null,
  currency text not null,
  -- How often it was earned, and taken back, for the same invoice before.
  turn int not null,
  earned_on date not null,
  earned_at timestamptz not null,
  reversal_of bigint,
  -- Of a reversal: it takes back all that was left.
  is_whole boolean,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, sales_agent_id) references sales_agent (tenant_id, id),
  foreign key (tenant_id, commission_charge_id) references commission_charge (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  foreign key (tenant_id, reversal_of) references commission (tenant_id, id),
  check (num_nonnulls(invoice_id, due_on) >= 1),
  check ((reversal_of is null) = (is_whole is null)),
  check (invoice_id is not null or reversal_of is null)
);
create unique index commission_once on commission
  (tenant_id, order_agent_id, commission_charge_id, invoice_id, turn)
  where reversal_of is null and invoice_id is not null;
create unique index commission_once_on_date on commission
  (tenant_id, order_agent_id, commission_charge_id, due_on) where invoice_id is null;
create unique index commission_reversed_once on commission (tenant_id, reversal_of) where is_whole;
create index commission_reversal on commission (tenant_id, reversal_of)
  where reversal_of is not null;
create index commission_invoice on commission (tenant_id, invoice_id) where invoice_id is not null;
create index commission_listed on commission (tenant_id, earned_on, id);
create index commission_agent on commission (tenant_id, sales_agent_id, earned_on, id);
create index commission_link on commission (tenant_id, order_agent_id, id);
create index commission_customer on commission (tenant_id, customer_id);
create trigger commission_append_only before update or delete or truncate on commission
  for each statement execute function refuse_change();
grant select, insert on commission to sundial_app;

-- Products, plans with their charges and prices, coupons: versions that never change.

create table product_offering (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  sku text not null,
  name text not null,
  primary key (tenant_id, id),
  unique (tenant_id, sku)
);
-- Here and for plans, charges, invoices and billed periods: no right to delete. Rows that refer to
-- these are many, and nobody looks for them that way: an index would cost each renewal its part for
-- a deletion that never comes.
grant select, insert, update on product_offering to sundial_app;

create table plan (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  contract_code text not null,
  is_newest boolean not null,
  name text not null,
  product_offering_id bigint,
  start_date date,
  end_date date,
  billing_period text not null,
  billing_alignment text not null,
  alignment_day int check (alignment_day between 1 and 31),
  due_date_value int,
  due_date_units text check (due_date_units in ('Days', 'Months')),
  is_auto_renew boolean,
  invoice_text text,
  notes text,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, contract_code, version),
  foreign key (tenant_id, product_offering_id) references product_offering (tenant_id, id),
  check ((billing_alignment = 'DayOfMonth') = (alignment_day is not null))
);
create unique index plan_newest on plan (tenant_id, contract_code) where is_newest;
grant select, insert, update on plan to sundial_app;

create table plan_charge (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  plan_id bigint not null,
  position int not null,
  price_code text not null,
  invoice_text text,
  accounting_code text,
  charge_type text not null,
  pricing_type text not null,
  is_prepaid boolean not null,
  is_penalty boolean not null,
  penalty_status text,
  is_prorated boolean not null,
  is_tax boolean not null,
  is_mandatory boolean not null,
  is_separate_invoice boolean not null,
  unit_of_measure text,
  standard_quantity numeric(20, 6) not null,
  min_quantity numeric(20, 6),
  max_quantity numeric(20, 6),
  tax_codes text[] not null,
  notes text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, plan_id, price_code),
  foreign key (tenant_id, plan_id) references plan (tenant_id, id)
);
grant select, insert, update on plan_charge to sundial_app;

create table pricing_tier (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  charge_id bigint not null,
  position int not null,
  units_from numeric(20, 6) not null,
  units_to numeric(20, 6),
  price numeric(20, 6),
  percent numeric(20, 6),
  is_overage boolean not null,
  currency text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, charge_id) references plan_charge (tenant_id, id),
  check ((price is null) <> (percent is null))
);
create index on pricing_tier (tenant_id, charge_id);
grant select, insert, update, delete on pricing_tier to sundial_app;

-- A coupon of the tenant's file, one row for each version: an order keeps the terms that it
-- began with.
create table coupon (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  code text not null,
  version int not null,
  -- The version that new orders take; false once the file has another, or none.
  is_newest boolean not null,
  percent numeric(20, 6) check (percent > 0 and percent <= 100),
  amount numeric(20, 6) check (amount > 0),
  -- Of the amount.
  currency text,
  -- Both absent: for ever.
  is_once boolean not null,
  periods int check (periods > 0),
  -- contractCodes; null: every plan.
  plans text[],
  start_date date,
  end_date date,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, code, version),
  check (num_nonnulls(percent, amount) = 1),
  check ((amount is null) = (currency is null)),
  check (not is_once or periods is null)
);
create unique index coupon_newest on coupon (tenant_id, code) where is_newest;
grant select, insert, update (is_newest) on coupon to sundial_app;

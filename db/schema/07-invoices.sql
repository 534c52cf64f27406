-- Invoices, their lines and charges, and the periods that were billed.

create table invoice (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  invoice_number bigint,
  status text not null check (status in ('Outstanding', 'Paid', 'Cancelled', 'CarriedOver')),
  customer_id bigint not null,
  currency text not null,
  invoice_date date not null,
  due_date date not null,
  billing_start_date date,
  billing_end_date date,
  billing_period text,
  previous_balance numeric(20, 4) not null,
  payments_and_adjustments numeric(20, 4) not null,
  current_amount_due numeric(20, 4) not null,
  total_due numeric(20, 4) not null
    check (total_due = previous_balance + payments_and_adjustments + current_amount_due),
  outstanding_balance numeric(20, 4) not null,
  is_auto_pay boolean not null default false,
  notes text,
  -- The day from which it is to be paid by itself; null when it is not, or when that was seen to.
  autopay_on date,
  -- The order whose workflow sees to it: its lowest. Null for an invoice made by hand.
  autopay_order_id bigint,
  -- Made by the generateInvoice of this cascade: paid by itself only if that declines.
  autopay_after_payment_id bigint,
  -- It waits for a payment that is Processing, autopay_after_payment_id: that one would pay it.
  autopay_set_aside boolean not null default false,
  -- The number that another system gave it, outside the tenant's own sequence.
  imported_number text,
  -- The status before CarriedOver.
  carried_over_from text check (carried_over_from in ('Outstanding', 'Paid', 'Cancelled')),
  -- What was open then, and what was taken back since.
  carried_open numeric(20, 4) check (carried_open >= 0),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, invoice_number),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  constraint invoice_set_aside
    check (not autopay_set_aside or autopay_after_payment_id is not null),
  constraint invoice_numbered check (num_nonnulls(invoice_number, imported_number) = 1),
  constraint invoice_carried_over check (
    (status = 'CarriedOver') = (carried_over_from is not null)
    and (carried_over_from is null) = (carried_open is null)
    and (status <> 'CarriedOver' or outstanding_balance = 0))
);
create index on invoice (tenant_id, customer_id, id);
create index on invoice (tenant_id, due_date, id);
create index on invoice (tenant_id, created_at);
create index on invoice (tenant_id, updated_at);
create index invoice_autopay on invoice (tenant_id, autopay_on) where autopay_on is not null;
create index invoice_autopay_order on invoice (tenant_id, autopay_order_id)
  where autopay_on is not null;
create index invoice_open_of_customer on invoice (tenant_id, customer_id, due_date)
  where status = 'Outstanding';
-- Row-level security bars an index of due_date + 1: the sum might tell of others' rows.
create index invoice_open_by_due on invoice (tenant_id, due_date, customer_id)
  where status = 'Outstanding';
create unique index invoice_imported_number on invoice (tenant_id, imported_number)
  where imported_number is not null;
grant select, insert, update on invoice to sundial_app;

create table invoice_line (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  invoice_id bigint not null,
  position int not null,
  order_id bigint,
  contract_code text,
  invoice_text text,
  billing_start_date date,
  billing_end_date date,
  line_amount_total numeric(20, 4) not null,
  -- Text that another system had: no order of ours.
  imported_order_number text,
  primary key (tenant_id, id),
  -- The invoice takes its number, and so its place, last in the transaction.
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  foreign key (tenant_id, order_id) references subscription_order (tenant_id, id) deferrable
);
create index on invoice_line (tenant_id, invoice_id);
create index invoice_line_of_order on invoice_line (tenant_id, order_id, id)
  where order_id is not null;
grant select, insert, update, delete on invoice_line to sundial_app;

-- What an order line was billed for in one of its periods, and whether that still stands.
create table billed_period (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  order_line_id bigint not null,
  charge_id bigint not null,
  period_index int not null,
  -- 0, or more for the days that a later end of the order added to a period billed in part.
  segment smallint not null,
  billed_from date not null,
  billed_to date not null check (billed_to >= billed_from),
  invoice_id bigint,
  voided_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_line_id) references order_line (tenant_id, id),
  foreign key (tenant_id, charge_id) references plan_charge (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred
);
create index on billed_period (tenant_id, invoice_id);
-- A period is billed once, and a line is read from a period on, whatever it bills. A period that
-- was rolled back counts by its own id, so never twice.
create unique index billed_period_once on billed_period (tenant_id, order_line_id, period_index,
  charge_id, segment, (case when voided_at is null then 0 else id end));
grant select, insert, update on billed_period to sundial_app;

create table invoice_charge (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  invoice_line_id bigint not null,
  position int not null,
  order_line_id bigint,
  charge_id bigint,
  pricing_tier_id bigint,
  billed_period_id bigint,
  price_code text,
  accounting_code text,
  invoice_text text,
  is_percent boolean not null,
  billing_start_date date,
  billing_end_date date,
  charge_date date not null,
  unit_price numeric(20, 6),
  quantity numeric(20, 6),
  unit_of_measure text,
  amount numeric(20, 4) not null,
  -- Repeats the sum of a usage charge's tiers; counts in no sum.
  is_usage_charge_sub_total boolean not null default false,
  kind text not null check (kind in ('period', 'oneTime', 'usage',
    'usageSubTotal', 'percent', 'discount', 'credit', 'penalty', 'tax', 'manual')),
  -- Of a percentage: the charges of which it is one, by their positions on the same line.
  base_positions int[],
  -- Of a discount: the version of its coupon.
  coupon_id bigint,
  -- Of a tax by rate, whose name and percentage are invoice_text and unit_price.
  tax_category text,
  -- Of a tax of the table: the code of the charges that it taxes, and why it exempts them.
  tax_code text,
  tax_reason text,
  -- A subtotal and the charges before it, or a discount of them.
  usage_window_id bigint,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_line_id) references invoice_line (tenant_id, id),
  foreign key (tenant_id, billed_period_id) references billed_period (tenant_id, id),
  -- What is due by a schedule says which days it bills; what is written by hand bills none.
  constraint invoice_charge_period_check check (case
    when kind in ('period', 'oneTime', 'percent', 'penalty')
      then charge_id is not null and billed_period_id is not null
    when kind = 'manual' then charge_id is null and billed_period_id is null
    else true end),
  constraint invoice_charge_percent_check check (is_percent or kind <> 'percent'),
  constraint invoice_charge_sub_total_check
    check (is_usage_charge_sub_total = (kind = 'usageSubTotal')),
  constraint invoice_charge_base_check
    check (base_positions is null or kind in ('percent', 'tax')),
  constraint invoice_charge_coupon_check check ((coupon_id is not null) = (kind = 'discount')),
  foreign key (tenant_id, coupon_id) references coupon (tenant_id, id),
  constraint invoice_charge_rate_check check (case
    when kind = 'tax' and charge_id is null then tax_code is not null and tax_category is not null
    else num_nonnulls(tax_code, tax_category, tax_reason) = 0 end),
  constraint invoice_charge_window_check check (
    (usage_window_id is not null) = (kind in ('usage', 'usageSubTotal'))
    or kind = 'discount' and billed_period_id is null)
);
create index on invoice_charge (tenant_id, invoice_line_id);
-- Only discounts are in them: which of an order's stand, and which of some billed periods.
create index invoice_charge_discount on invoice_charge (tenant_id, order_line_id)
  where coupon_id is not null;
create index invoice_charge_discounted_period on invoice_charge (tenant_id, billed_period_id)
  where coupon_id is not null;
create index invoice_charge_of_window on invoice_charge (tenant_id, usage_window_id)
  where usage_window_id is not null;
grant select, insert, update, delete on invoice_charge to sundial_app;

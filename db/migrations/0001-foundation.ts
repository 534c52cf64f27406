/** The first schema: tenants, customers, plans, orders, billing, invoices, ledger, outbox, fences. */
import { Migration } from '@mikro-orm/migrations';

const roles = `
do $$
begin
  if not exists (select from pg_roles where rolname = 'sundial_app') then
    create role sundial_app nologin nosuperuser nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'sundial_relay') then
    create role sundial_relay nologin nosuperuser nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another database of this cluster made them at the same moment
end $$;
grant sundial_app, sundial_relay to current_user;
grant usage on schema public to sundial_app, sundial_relay;

-- One sequence for all tables: an id names one object, whatever its kind. JSON numbers hold it.
create sequence id_seq as bigint maxvalue 9007199254740991 cache 1;
grant usage on sequence id_seq to sundial_app;
`;

const tenants = `
create table tenant (
  id bigint primary key default nextval('id_seq'),
  label text not null unique check (label ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  timezone text not null,
  currency text not null,
  payment_terms_value int not null,
  payment_terms_units text not null check (payment_terms_units in ('Days', 'Months')),
  has_test_clock boolean not null,
  -- The applied file, whole, its secrets sealed: later features read their part of it.
  file jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table test_clock (
  tenant_id bigint primary key references tenant,
  now timestamptz not null,
  target date,
  status text not null check (status in ('Ready', 'Advancing')),
  check ((status = 'Advancing') = (target is not null))
);

create table counter (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in ('order', 'invoice')),
  first bigint not null,
  next bigint not null check (next >= first),
  primary key (tenant_id, kind)
);

create table base_user (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  username text not null,
  password_hash text not null,
  roles text[] not null,
  first_name text,
  last_name text,
  disabled_at timestamptz,
  suspended_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, username)
);

create table product_offering (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  sku text not null,
  name text not null,
  primary key (tenant_id, id),
  unique (tenant_id, sku)
);

create table plan (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  contract_code text not null,
  version int not null,
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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, contract_code, version),
  foreign key (tenant_id, product_offering_id) references product_offering (tenant_id, id),
  check ((billing_alignment = 'DayOfMonth') = (alignment_day is not null))
);
create unique index plan_newest on plan (tenant_id, contract_code) where is_newest;

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
`;

const customersAndOrders = `
create table customer (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  name text not null,
  status text not null,
  -- Suspended by an action rather than by ageing: only an activate ends it.
  status_by_hand boolean not null default false,
  ext_customer_ref text,
  locale text,
  is_business_account boolean not null default false,
  payment_terms_value int,
  payment_terms_units text check (payment_terms_units in ('Days', 'Months')),
  currency text not null,
  -- Taken out of billing by an error of its own until someone resumes it.
  billing_held_at timestamptz,
  billing_held_code text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, ext_customer_ref)
);
create index on customer (tenant_id, created_at);
create index on customer (tenant_id, updated_at);
create index on customer (tenant_id) where billing_held_at is not null;

create table contact (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  kind text not null check (kind in ('billing', 'sales')),
  username text,
  password_hash text,
  first_name text,
  last_name text,
  company_name text,
  email_primary text,
  work_phone text,
  street1 text,
  street2 text,
  city text,
  state text,
  zip text,
  country text,
  country_code text,
  primary key (tenant_id, id),
  unique (tenant_id, customer_id, kind),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);

create table customer_balance (
  tenant_id bigint not null,
  customer_id bigint not null,
  currency text not null,
  -- Sum of the ledger: positive is owed to the tenant.
  balance numeric(20, 4) not null default 0,
  -- totalDue of the customer's last made invoice in this currency.
  last_total_due numeric(20, 4) not null default 0,
  primary key (tenant_id, customer_id, currency),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);

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
  version int not null default 1,
  -- The version that the order's workflow has seen; only kept on a test clock.
  workflow_seen_version int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, order_number),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, plan_id) references plan (tenant_id, id)
) with (fillfactor = 80);
create index on subscription_order (tenant_id, customer_id, id);
create index on subscription_order (tenant_id, next_action_on, customer_id) where next_action_on is not null;
create index on subscription_order (tenant_id, created_at, id);
create index on subscription_order (tenant_id, updated_at);

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
  next_k int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references subscription_order (tenant_id, id) on delete cascade,
  foreign key (tenant_id, charge_id) references plan_charge (tenant_id, id)
) with (fillfactor = 80);
create index on order_line (tenant_id, order_id);

-- Holds of an order, or of all orders of a customer (order_id null). The days strictly between are not served.
create table service_break (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  order_id bigint,
  suspended_on date not null,
  resumed_on date check (resumed_on >= suspended_on),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  foreign key (tenant_id, order_id) references subscription_order (tenant_id, id) on delete cascade
);
create index on service_break (tenant_id, customer_id);
create unique index service_break_open_order on service_break (tenant_id, order_id)
  where resumed_on is null and order_id is not null;
create unique index service_break_open_customer on service_break (tenant_id, customer_id)
  where resumed_on is null and order_id is null;
`;

const invoices = `
create table invoice (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  invoice_number bigint not null,
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
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, invoice_number),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id)
);
create index on invoice (tenant_id, customer_id, id);
create index on invoice (tenant_id, due_date, id);
create index on invoice (tenant_id, created_at);
create index on invoice (tenant_id, updated_at);

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
  primary key (tenant_id, id),
  -- The invoice takes its number, and so its place, last in the transaction.
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) deferrable initially deferred,
  foreign key (tenant_id, order_id) references subscription_order (tenant_id, id)
);
create index on invoice_line (tenant_id, invoice_id);
create index on invoice_line (tenant_id, order_id) where order_id is not null;

-- What an order line was billed for in its period k, and whether that still stands.
create table billed_period (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  order_line_id bigint not null,
  charge_id bigint not null,
  k int not null,
  -- 0, or more for the days that a later end of the order added to a period billed in part.
  part smallint not null,
  billed_from date not null,
  billed_to date not null check (billed_to >= billed_from),
  invoice_id bigint,
  voided_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_line_id) references order_line (tenant_id, id),
  foreign key (tenant_id, charge_id) references plan_charge (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) deferrable initially deferred
);
create unique index billed_once on billed_period (tenant_id, order_line_id, charge_id, k, part)
  where voided_at is null;
create index on billed_period (tenant_id, invoice_id);

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
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_line_id) references invoice_line (tenant_id, id),
  foreign key (tenant_id, billed_period_id) references billed_period (tenant_id, id)
);
create index on invoice_charge (tenant_id, invoice_line_id);

create table ledger_entry (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  currency text not null,
  kind text not null check (kind in ('invoice', 'invoiceCancelled')),
  amount numeric(20, 4) not null,
  invoice_id bigint,
  entered_on date not null,
  entered_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) deferrable initially deferred
);
create index on ledger_entry (tenant_id, customer_id, currency);
create unique index ledger_invoice_once on ledger_entry (tenant_id, invoice_id, kind)
  where invoice_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger ledger_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
`;

const engine = `
-- What a committed transaction owes the workflow engine: "look again" at a workflow, by its id.
create table outbox (
  tenant_id bigint not null references tenant,
  workflow_id text not null,
  kind text not null check (kind in ('order', 'billing', 'clock')),
  object_id bigint,
  version int not null default 1,
  deliver_after timestamptz not null default now() + interval '3 seconds',
  attempts int not null default 0,
  last_error text,
  primary key (tenant_id, workflow_id)
);
create index on outbox (deliver_after);

create table billing_run (
  tenant_id bigint not null references tenant,
  run_on date not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null,
  finished_at timestamptz,
  customers int not null default 0,
  orders int not null default 0,
  invoices int not null default 0,
  held int not null default 0,
  primary key (tenant_id, run_on)
);

-- Of the installation, not of a tenant.
create table worker_heartbeat (
  identity text primary key,
  beat_at timestamptz not null
);
create table installation (
  key text primary key,
  value text not null
);
`;

/** Every table of a tenant; the policy test reads the catalogue and must find the same. */
const tenanted = [
  'test_clock',
  'counter',
  'base_user',
  'product_offering',
  'plan',
  'plan_charge',
  'pricing_tier',
  'customer',
  'contact',
  'customer_balance',
  'subscription_order',
  'order_line',
  'service_break',
  'invoice',
  'invoice_line',
  'billed_period',
  'invoice_charge',
  'ledger_entry',
  'outbox',
  'billing_run',
];

// After a transaction with a local setting a pooled connection answers '' and not NULL.
const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

function fences(): string {
  const policies = tenanted.map(
    (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update, delete on ${table} to sundial_app;`,
  );
  return `
alter table tenant enable row level security;
alter table tenant force row level security;
create policy own_tenant on tenant using (id = ${ownTenant});
grant select, insert, update on tenant to sundial_app;
${policies.join('\n')}
revoke update, delete on ledger_entry from sundial_app;
grant select, insert, update, delete on worker_heartbeat to sundial_app;
grant select, insert, update on installation to sundial_app;

-- The relay sees every tenant's outbox, and nothing else.
create policy relay on outbox to sundial_relay using (true);
create policy relay on tenant for select to sundial_relay using (true);
grant select, update, delete on outbox to sundial_relay;
grant select on tenant to sundial_relay;
grant select, insert, update, delete on worker_heartbeat to sundial_relay;
`;
}

// Owned by the schema's owner, whose rights they lend for one narrow question each. Row-level
// security is forced, so the owner needs a policy of its own for what they ask.
const beforeATenantIsKnown = `
do $$
declare t text;
begin
  foreach t in array array['tenant', 'base_user', 'customer', 'subscription_order', 'invoice', 'plan'] loop
    execute format('create policy owner_reads on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

create function tenant_by_host(host_label text) returns bigint
  language sql stable security definer set search_path = public
  return (select id from tenant where label = host_label);

create function user_by_login(tenant bigint, login text)
  returns table (id bigint, password_hash text, roles text[], disabled boolean)
  language sql stable security definer set search_path = public
  begin atomic
    select u.id, u.password_hash, u.roles, u.disabled_at is not null or u.suspended_at is not null
    from base_user u where u.tenant_id = tenant and u.username = login;
  end;

-- Asked only after a miss in the caller's own tenant.
create function id_is_foreign(kind text, wanted bigint, own bigint) returns boolean
  language sql stable security definer set search_path = public
  return case kind
    when 'customer' then exists (select from customer where id = wanted and tenant_id <> own)
    when 'order' then exists (select from subscription_order where id = wanted and tenant_id <> own)
    when 'invoice' then exists (select from invoice where id = wanted and tenant_id <> own)
    when 'plan' then exists (select from plan where id = wanted and tenant_id <> own)
    else false end;

revoke execute on function tenant_by_host, user_by_login, id_is_foreign from public;
grant execute on function tenant_by_host, user_by_login, id_is_foreign to sundial_app;
`;

export class Foundation extends Migration {
  override up(): void {
    this.addSql(roles);
    this.addSql(tenants);
    this.addSql(customersAndOrders);
    this.addSql(invoices);
    this.addSql(engine);
    this.addSql(fences());
    this.addSql(beforeATenantIsKnown);
  }
}

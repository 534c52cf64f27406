/** Coupons of orders, what a tax of the table was taken of, and the tax id of a customer. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const coupons = `
-- A coupon of the tenant's file, one row for each version: an order keeps the terms that it began with.
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

alter table coupon enable row level security;
alter table coupon force row level security;
create policy own_tenant on coupon using (tenant_id = ${ownTenant});
grant select, insert, update (is_newest) on coupon to sundial_app;
`;

// A stored file has its defaults filled in, except for the currency, which is the tenant's.
const appliedCoupons = `
alter table tenant no force row level security;
alter table coupon no force row level security;
insert into coupon (tenant_id, code, version, is_newest, percent, amount, currency, is_once,
  periods, plans, start_date, end_date, created_at)
select t.id, c->>'code', 1, true, (c->>'percent')::numeric, (c->>'amount')::numeric,
       case when c ? 'amount' then coalesce(c->>'currency', t.currency) end,
       coalesce((c->>'once')::boolean, false), (c->>'periods')::int,
       case when c ? 'plans' then array(
         select p from jsonb_array_elements_text(c->'plans') p order by p collate "C") end,
       (c->>'startDate')::date, (c->>'endDate')::date, t.updated_at
from tenant t, jsonb_array_elements(coalesce(t.file->'coupons', '[]')) c;
alter table coupon force row level security;
alter table tenant force row level security;
`;

const uses = `
alter table subscription_order
  add column coupon_id bigint,
  add foreign key (tenant_id, coupon_id) references coupon (tenant_id, id);

alter table invoice_charge
  add foreign key (tenant_id, coupon_id) references coupon (tenant_id, id);
-- Only discounts are in them: which of an order's stand, and which of some billed periods.
create index invoice_charge_discount on invoice_charge (tenant_id, order_line_id)
  where coupon_id is not null;
create index invoice_charge_discounted_period on invoice_charge (tenant_id, billed_period_id)
  where coupon_id is not null;
`;

const taxes = `
alter table invoice_charge
  -- Of a tax of the table: the code of the charges that it taxes, and why it exempts them.
  add column tax_code text,
  add column tax_reason text,
  drop constraint invoice_charge_category_check,
  add constraint invoice_charge_rate_check check (case
    when kind = 'tax' and charge_id is null then tax_code is not null and tax_category is not null
    else num_nonnulls(tax_code, tax_category, tax_reason) = 0 end);

alter table customer add column tax_id text;
`;

export class Prices extends Migration {
  override up(): void {
    this.addSql(coupons);
    this.addSql(appliedCoupons);
    this.addSql(uses);
    this.addSql(taxes);
  }
}

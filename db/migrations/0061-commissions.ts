/** The links of orders to sales agents, when commissions fall due, and the commissions themselves. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const links = `
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
`;

const rows = `
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
`;

const fences = [
  ['order_agent', 'select, insert'],
  ['commission_due', 'select, insert, update'],
  ['commission', 'select, insert'],
].map(
  ([table, granted]) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant ${granted} on ${table} to sundial_app;`,
);

export class Commissions extends Migration {
  override up(): void {
    this.addSql(links);
    this.addSql(rows);
    this.addSql(fences.join('\n'));
  }
}

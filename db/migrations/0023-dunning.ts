/** Dunning: the customers that owe overdue money, the tenant's thresholds, and penalties. */
import { Migration } from '@mikro-orm/migrations';

const rules = `
-- The thresholds that the tenant's runs apply.
create table dunning_rules (
  tenant_id bigint primary key references tenant,
  thresholds jsonb not null,
  -- The day of their first run: what was reached by then is one transition, without mail and penalty.
  in_force_on date not null,
  -- The last day whose statuses are complete: what becomes due later waits for the next day.
  aged_on date not null
);

-- Tenants applied before dunning was in force. Their today may be a day off, which delays nothing.
alter table tenant no force row level security;
insert into dunning_rules (tenant_id, thresholds, in_force_on, aged_on)
select t.id, coalesce(t.file->'dunning'->'thresholds', '[
    {"daysOverdue": 15, "status": "Overdue1"}, {"daysOverdue": 30, "status": "Overdue2"},
    {"daysOverdue": 45, "status": "Overdue3"}, {"daysOverdue": 60, "status": "Suspended1"},
    {"daysOverdue": 120, "status": "InActive1"}]'::jsonb),
  day.today + 1, day.today - 1
from tenant t left join test_clock k on k.tenant_id = t.id,
  lateral (select (coalesce(k.now, now()) at time zone 'UTC')::date as today) day;
alter table tenant force row level security;
`;

const dunnings = `
-- One for each customer that owes overdue money, or whose declined payment is tried again. A closed
-- one stays and is opened again.
create table dunning (
  tenant_id bigint not null,
  customer_id bigint not null,
  -- The workflow of a kind of objects is found by their id.
  id bigint not null generated always as (customer_id) stored,
  opened_on date not null,
  closed_on date,
  -- The day whose run changes the status; null if no run will.
  next_step_on date check (next_step_on is null or closed_on is null),
  -- Somebody activated the customer: thresholds reached by that day do not count.
  forgiven_on date,
  -- Held by hand: no step upwards and no retry until somebody resumes it.
  held_on date,
  held_reason text,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, customer_id),
  check ((held_on is null) = (held_reason is null)),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
) with (fillfactor = 80);
create index dunning_step on dunning (tenant_id, next_step_on) where next_step_on is not null;

-- What people did to it, and why.
create table dunning_note (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  action text not null check (action in ('hold', 'resume', 'retryNow')),
  reason text not null,
  -- The update that asked for it: repeating it changes nothing.
  request_id text not null,
  noted_on date not null,
  noted_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, customer_id, request_id),
  foreign key (tenant_id, customer_id) references dunning (tenant_id, customer_id) on delete cascade
);

alter table customer_transition add column cause text not null default 'hand'
  check (cause in ('hand', 'ageing'));

-- The day since which the customer stands at or past the penaltyStatus of the charge by ageing. A
-- one-time penalty loses it when it is billed.
alter table order_line add column penalty_since date;

-- Made without line items: it took all charges of its plan, and takes penalties when they are due.
alter table subscription_order add column takes_penalties boolean not null default false;
alter table subscription_order no force row level security;
alter table plan_charge no force row level security;
alter table order_line no force row level security;
update subscription_order o set takes_penalties = true
where exists (select from plan_charge g
    where g.tenant_id = o.tenant_id and g.plan_id = o.plan_id and g.is_penalty)
  and not exists (select from plan_charge g
    where g.tenant_id = o.tenant_id and g.plan_id = o.plan_id and not g.is_penalty
      and not exists (select from order_line l where l.tenant_id = o.tenant_id
        and l.order_id = o.id and l.charge_id = g.id));
alter table subscription_order force row level security;
alter table plan_charge force row level security;
alter table order_line force row level security;

-- An invoice is overdue from the day after its dueDate; the index has open invoices only.
create index invoice_open_due on invoice (tenant_id, (due_date + 1), customer_id)
  where status = 'Outstanding';
create index invoice_open_of_customer on invoice (tenant_id, customer_id, due_date)
  where status = 'Outstanding';
`;

// Other migrations add kinds too, so this one extends the list that it finds.
const outboxKind = `
do $$
declare kinds text;
begin
  select pg_get_constraintdef(oid) into kinds from pg_constraint where conname = 'outbox_kind_check';
  alter table outbox drop constraint outbox_kind_check;
  execute 'alter table outbox add constraint outbox_kind_check '
    || replace(kinds, 'ARRAY[', 'ARRAY[''dunning''::text, ');
end $$;
`;

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const fences = ['dunning_rules', 'dunning', 'dunning_note'].map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update on ${table} to sundial_app;`,
);

export class Dunning extends Migration {
  override up(): void {
    this.addSql(rules);
    this.addSql(dunnings);
    this.addSql(outboxKind);
    this.addSql(fences.join('\n'));
    this.addSql('revoke update on dunning_note from sundial_app');
  }
}

-- Customers that owe overdue money.

-- The thresholds that the tenant's runs apply.
create table dunning_rules (
  tenant_id bigint primary key references tenant,
  thresholds jsonb not null,
  -- The day of their first run: what was reached by then is one transition, without mail and
  -- penalty.
  in_force_on date not null,
  -- The last day whose statuses are complete: what becomes due later waits for the next day.
  aged_on date not null,
  -- A run found nobody without an open dunning who owed something overdue on that day. The first
  -- run looks at everything.
  debts_opened_on date not null default '-infinity'
);
grant select, insert, update on dunning_rules to sundial_app;

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
  -- When the step was found due beside a payment under way: it waits for an hour at most from then.
  waits_since timestamptz,
  -- The last day on which money in processing held back a step: the next 00:00 looks again.
  aided_on date,
  -- An import opened it, and no workflow follows it before the run of its next step has looked
  -- at it:
  -- thousands of starts at once would keep everybody else waiting.
  awaits_run boolean not null default false,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, customer_id),
  check ((held_on is null) = (held_reason is null)),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  check (waits_since is null or next_step_on is not null)
) with (fillfactor = 80);
create index dunning_step on dunning (tenant_id, next_step_on) where next_step_on is not null;
-- The triggers are to find the rows that workflows look for by their id.
create unique index dunning_id on dunning (tenant_id, id);
grant select, insert, update on dunning to sundial_app;

-- What people did to it, and why.
create table dunning_note (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  action text not null check (action in ('hold', 'resume', 'retryNow')),
  reason text not null,
  noted_on date not null,
  noted_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references dunning (tenant_id, customer_id) on delete cascade
);
-- The notes of a customer, the newest ones.
create index dunning_note_of_customer on dunning_note (tenant_id, customer_id, id);
grant select, insert on dunning_note to sundial_app;

-- Payment plans, and the attempts to collect money on a day.

-- A customer's payment plan: installments on days counted from its start date.
create table payment_plan (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  currency text not null,
  charge_amount numeric(20, 4) not null check (charge_amount > 0),
  charge_only_if_balance_owed boolean not null,
  start_date date not null,
  total_installments int not null check (total_installments > 0),
  -- The installments whose day has come, or that were skipped.
  counted_installments int not null default 0
    check (counted_installments between 0 and total_installments),
  frequency_value int not null check (frequency_value > 0),
  frequency_units text not null
    check (frequency_units in ('Days', 'Weeks', 'Months', 'Quarters', 'Years')),
  is_enabled boolean not null default true,
  -- The tenant's day on which it was no longer enabled.
  ended_on date,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  check (is_enabled = (ended_on is null))
);
create index on payment_plan (tenant_id, customer_id, id);
-- A customer has one enabled plan at a time; while it has one, no invoice of it pays itself.
create unique index payment_plan_enabled on payment_plan (tenant_id, customer_id) where is_enabled;
grant select, insert, update on payment_plan to sundial_app;

-- An attempt to collect money on a day: the retry of an invoice's automatic payment, an installment
-- of a plan, or the retry of an installment.
create table collection_attempt (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  kind text not null check (kind in ('retry', 'installment')),
  -- Of a retry.
  invoice_id bigint,
  -- Of an installment and its retries: the plan, and the installment's number from 1.
  payment_plan_id bigint,
  installment int check (installment > 0),
  -- Retries of an invoice count from 1; an installment is 1, and its retries count from 2.
  attempt int not null check (attempt > 0),
  due_on date not null,
  -- The day of the first decline, from which the days of retries count.
  declined_on date,
  state text not null check (state in ('due', 'claimed', 'done', 'ended')),
  -- How a done attempt went, or why one was ended before its turn.
  outcome text check (outcome in ('paid', 'declined', 'nothingOwed', 'noMethod', 'skipped',
    'overtaken', 'planEnabled', 'planEnded')),
  -- Of a skipped one: why.
  reason text,
  concluded_on date,
  -- The first payment of its cascade, and what it was asked for when it was claimed.
  payment_id bigint,
  amount numeric(20, 4) check (amount > 0),
  only_if_owed boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, invoice_id, attempt),
  unique (tenant_id, payment_plan_id, installment, attempt),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id),
  foreign key (tenant_id, payment_plan_id) references payment_plan (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  check ((kind = 'retry') = (invoice_id is not null)),
  check ((kind = 'installment') = (payment_plan_id is not null)),
  check ((kind = 'installment') = (installment is not null)),
  check ((state in ('done', 'ended')) = (outcome is not null)),
  check ((outcome is null) = (concluded_on is null)),
  check (declined_on is not null or (kind = 'installment' and attempt = 1)),
  check ((outcome is not distinct from 'skipped') = (reason is not null))
);
create index on collection_attempt (tenant_id, customer_id);
create index on collection_attempt (tenant_id, payment_id) where payment_id is not null;
create index collection_attempt_due on collection_attempt (tenant_id, kind, due_on, id)
  where state = 'due';
-- An invoice has one retry at a time; so has an installment.
create unique index collection_attempt_open_retry on collection_attempt (tenant_id, invoice_id)
  where invoice_id is not null and state in ('due', 'claimed');
create unique index collection_attempt_open_installment
  on collection_attempt (tenant_id, payment_plan_id, installment)
  where payment_plan_id is not null and state in ('due', 'claimed');
grant select, insert, update on collection_attempt to sundial_app;

alter table payment
  add foreign key (tenant_id, collection_attempt_id)
  references collection_attempt (tenant_id, id);

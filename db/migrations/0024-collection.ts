/** Collection attempts (retries of automatic payments, installments) and payment plans. */
import { Migration } from '@mikro-orm/migrations';

const tables = `
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
  -- Of a skipped one: why, and the request that skipped it.
  reason text,
  request_key text,
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
create unique index collection_attempt_request
  on collection_attempt (tenant_id, payment_plan_id, request_key) where request_key is not null;

-- The attempt that made the payment; each payment of its cascade has it.
alter table payment add column collection_attempt_id bigint;
alter table payment add foreign key (tenant_id, collection_attempt_id)
  references collection_attempt (tenant_id, id);
create index payment_of_attempt on payment (tenant_id, collection_attempt_id)
  where collection_attempt_id is not null;
`;

/** Keeps the kinds that other migrations have added. */
const outboxKind = `
do $$
declare known text;
begin
  select string_agg(distinct quote_literal(quoted[1]), ', ') into known
  from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''::text', 'g') quoted
  where conname = 'outbox_kind_check';
  alter table outbox drop constraint outbox_kind_check;
  execute format(
    'alter table outbox add constraint outbox_kind_check check (kind in (%s, ''paymentPlan''))',
    known);
end $$;
`;

/** A body that names a plan's id is checked as well; other migrations may have added tables. */
const foreignIds = `
do $$
declare definition text := pg_get_functiondef('id_is_foreign'::regproc);
declare opening text := 'WHEN ''any''::text THEN (';
begin
  execute replace(definition, opening, opening || '(exists (select from payment_plan
    where payment_plan.id = wanted and payment_plan.tenant_id <> own)) or ');
  execute format('create policy owner_reads on payment_plan for select to %I using (true)',
    current_user);
end $$;
`;

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const fences = ['payment_plan', 'collection_attempt'].map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update on ${table} to sundial_app;`,
);

export class Collection extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(outboxKind);
    this.addSql(fences.join('\n'));
    this.addSql(foreignIds);
  }
}

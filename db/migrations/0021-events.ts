/** Events: written with what they refer to, numbered afterwards, and the documents kept with them. */
import { Migration } from '@mikro-orm/migrations';

const events = `
-- Without foreign keys: an event outlives a deleted customer, and a run inserts many.
create table event (
  tenant_id bigint not null,
  -- Taken under the customer's lock, so ids have the order of the customer's transactions.
  id bigint not null default nextval('id_seq'),
  type text not null check (type in ('customer.transition', 'customer.created', 'customer.updated',
    'order.created', 'order.updated', 'invoice.created', 'invoice.cancelled', 'invoice.paid',
    'payment.success', 'payment.failed', 'refund.success', 'credit.created',
    'paymentPlan.installment', 'usage.billed', 'batch.finished', 'signup.processed')),
  -- Null only for an event that concerns no customer.
  customer_id bigint,
  -- Its kind follows from the type.
  object_id bigint not null,
  object_version int,
  detail jsonb,
  -- On the tenant's clock, and in real time.
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- Counts the tenant's committed events without holes; null until the sequencer has numbered it.
  sequence bigint check (sequence > 0),
  -- Counts the customer's events in the order of their ids.
  customer_sequence bigint check (customer_sequence > 0),
  primary key (tenant_id, id),
  check ((customer_sequence is not null) = (sequence is not null and customer_id is not null))
);
create unique index event_sequence on event (tenant_id, sequence) where sequence is not null;
create unique index event_customer_sequence on event (tenant_id, customer_id, customer_sequence)
  where customer_sequence is not null;
create index event_unnumbered on event (tenant_id, id) where sequence is null;
`;

const documents = `
-- The object as it was when the transaction of the event committed.
create table event_document (
  tenant_id bigint not null,
  event_id bigint not null,
  document jsonb not null,
  kept_at timestamptz not null default now(),
  primary key (tenant_id, event_id),
  foreign key (tenant_id, event_id) references event (tenant_id, id)
);
create index event_document_kept on event_document (tenant_id, kept_at);

-- An event to be sent again; taken_at is when the sequencer has told its hooks.
create table event_resend (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  event_id bigint not null,
  requested_at timestamptz not null default now(),
  taken_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, event_id) references event (tenant_id, id)
);
create unique index event_resend_open on event_resend (tenant_id, event_id) where taken_at is null;
create index on event_resend (tenant_id, event_id);

-- An object that was deleted: its events have no fact in the books any more.
create table removed_object (
  tenant_id bigint not null,
  object_id bigint not null,
  removed_at timestamptz not null default now(),
  primary key (tenant_id, object_id)
);

-- The audit expects no event for a fact with a lower id: it is from before events were raised.
insert into installation (key, value) values ('events_since_id', nextval('id_seq')::text);
`;

/** Of this migration; the policy test reads the catalogue and must find the same. */
const tenanted = ['event', 'event_document', 'event_resend', 'removed_object'];

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

function fences(): string {
  const policies = tenanted.map(
    (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert on ${table} to sundial_app;`,
  );
  return `${policies.join('\n')}
grant update (sequence, customer_sequence) on event to sundial_app;
grant delete on event_document to sundial_app;
grant update (taken_at) on event_resend to sundial_app;

-- The worker looks for tenants with something to number or to send again.
create policy relay on event for select to sundial_relay using (sequence is null);
grant select (tenant_id, sequence) on event to sundial_relay;
create policy relay on event_resend for select to sundial_relay using (taken_at is null);
grant select (tenant_id, taken_at) on event_resend to sundial_relay;
`;
}

const acrossTenants = `
do $$ begin
  execute format('create policy owner_reads on event for select to %I using (true)', current_user);
end $$;

create or replace function id_is_foreign(kind text, wanted bigint, own bigint) returns boolean
  language sql stable security definer set search_path = public
  return case kind
    when 'customer' then exists (select from customer where id = wanted and tenant_id <> own)
    when 'order' then exists (select from subscription_order where id = wanted and tenant_id <> own)
    when 'invoice' then exists (select from invoice where id = wanted and tenant_id <> own)
    when 'plan' then exists (select from plan where id = wanted and tenant_id <> own)
    when 'payment' then exists (select from payment where id = wanted and tenant_id <> own)
    -- A look for each tenant: a scan of all events would take too long.
    when 'event' then exists (select from event, tenant t
      where event.tenant_id = t.id and event.id = wanted and t.id <> own)
    when 'any' then exists (select from customer where id = wanted and tenant_id <> own)
      or exists (select from contact where id = wanted and tenant_id <> own)
      or exists (select from subscription_order where id = wanted and tenant_id <> own)
      or exists (select from order_line where id = wanted and tenant_id <> own)
      or exists (select from invoice where id = wanted and tenant_id <> own)
      or exists (select from invoice_line where id = wanted and tenant_id <> own)
      or exists (select from invoice_charge where id = wanted and tenant_id <> own)
      or exists (select from product_offering where id = wanted and tenant_id <> own)
      or exists (select from plan where id = wanted and tenant_id <> own)
      or exists (select from plan_charge where id = wanted and tenant_id <> own)
      or exists (select from pricing_tier where id = wanted and tenant_id <> own)
      or exists (select from payment where id = wanted and tenant_id <> own)
      or exists (select from payment_method where id = wanted and tenant_id <> own)
      or exists (select from event, tenant t
        where event.tenant_id = t.id and event.id = wanted and t.id <> own)
    else false end;
`;

export class Events extends Migration {
  override up(): void {
    this.addSql(events);
    this.addSql(documents);
    this.addSql(fences());
    this.addSql(acrossTenants);
  }
}

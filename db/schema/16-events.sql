-- Events: written with what they refer to, numbered afterwards, and the documents kept with them.

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
-- The worker looks for tenants with something to number or to send again.
create policy relay on event for select to sundial_relay using (sequence is null);
grant select, insert, update (sequence, customer_sequence) on event to sundial_app;
grant select (tenant_id, sequence) on event to sundial_relay;

-- The object as it was when the transaction of the event committed.
create table event_document (
  tenant_id bigint not null,
  event_id bigint not null,
  -- As the text that made it: PostgreSQL never looks into it.
  document json not null,
  kept_at timestamptz not null default now(),
  primary key (tenant_id, event_id),
  foreign key (tenant_id, event_id) references event (tenant_id, id)
);
create index event_document_kept on event_document (tenant_id, kept_at);
-- A row is locked before it is deleted, which needs the right to update it.
grant select, insert, update (kept_at), delete on event_document to sundial_app;

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
create index event_resend_taken on event_resend (tenant_id, taken_at) where taken_at is not null;
create policy relay on event_resend for select to sundial_relay using (taken_at is null);
grant select, insert, update (taken_at), delete on event_resend to sundial_app;
grant select (tenant_id, taken_at) on event_resend to sundial_relay;

-- An object that was deleted: its events have no fact in the books any more.
create table removed_object (
  tenant_id bigint not null,
  object_id bigint not null,
  removed_at timestamptz not null default now(),
  primary key (tenant_id, object_id)
);
grant select, insert on removed_object to sundial_app;

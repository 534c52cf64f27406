-- What processes owe each other: the outbox, billing runs, and what workflows have seen.

-- What a committed transaction owes the workflow engine: "look again" at a workflow, by its id.
create table outbox (
  tenant_id bigint not null references tenant,
  workflow_id text not null,
  kind text not null check (kind in
    ('batch', 'billing', 'callbacks', 'clock', 'dunning', 'mail', 'order', 'passwords', 'payment',
     'paymentPlan', 'taxes', 'signup')),
  object_id bigint,
  version int not null default 1,
  deliver_after timestamptz not null default now() + interval '3 seconds',
  attempts int not null default 0,
  last_error text,
  primary key (tenant_id, workflow_id)
);
create index outbox_overdue on outbox (tenant_id, deliver_after);
-- The relay sees every tenant's outbox, and nothing else.
create policy relay on outbox to sundial_relay using (true);
grant select, insert, update, delete on outbox to sundial_app;
grant select, update, delete on outbox to sundial_relay;

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
  -- The sums of its invoices, by currency.
  amounts jsonb not null default '{}',
  primary key (tenant_id, run_on)
);
grant select, insert, update, delete on billing_run to sundial_app;

-- Written before customers are rated, deleted after. Without foreign keys: a row lives for
-- milliseconds, and its insert locks nothing.
create table billing_note (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- Of the advisory lock that the process holds for as long as it lives.
  process_id int not null,
  customer_ids bigint[] not null,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
-- The worker looks for suspects of all tenants.
create policy relay on billing_note for select to sundial_relay using (true);
grant select, insert, update, delete on billing_note to sundial_app;
grant select on billing_note to sundial_relay;

-- Customers that were being rated when a process died, until they are billed.
create table billing_suspect (
  tenant_id bigint not null,
  customer_id bigint not null,
  since timestamptz not null default clock_timestamp(),
  -- When the process that billed this customer alone died of it.
  blamed_at timestamptz,
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
-- The worker looks for suspects of all tenants.
create policy relay on billing_suspect for select to sundial_relay using (true);
grant select, insert, update, delete on billing_suspect to sundial_app;
grant select on billing_suspect to sundial_relay;

-- What the workflows that a test clock awaits have seen. No foreign key: an object of any kind may
-- have a workflow, and no kind is deleted that has one.
create table workflow_seen (
  tenant_id bigint not null references tenant,
  -- The kind of the object, as in the outbox.
  kind text not null,
  object_id bigint not null,
  -- The object's version that its workflow has read; 0 has it look again.
  seen_version int not null,
  primary key (tenant_id, kind, object_id)
) with (fillfactor = 80);
grant select, insert, update, delete on workflow_seen to sundial_app;

-- The versions on a test clock that a workflow has not read yet, by the objects that have them. A
-- row may outlive its reason: whether an object is behind is said by its version in workflow_seen.
create table workflow_unseen (
  tenant_id bigint not null references tenant,
  -- The kind of the object, as in the outbox.
  kind text not null,
  object_id bigint not null,
  -- Each write adds a row of its own, so no writer waits for another or for a workflow.
  id bigint not null default nextval('id_seq'),
  primary key (tenant_id, kind, object_id, id)
);
grant select, insert, delete on workflow_unseen to sundial_app;

-- What Updates were answered, so that one that comes again has the answer of the first time. Answers
-- are the only memory of requests.
create table update_answer (
  tenant_id bigint not null references tenant,
  -- The object of the workflow.
  kind text not null,
  object_id bigint not null,
  -- The id that the sender gave the Update, or that the engine gave it.
  request_id text not null,
  answer jsonb not null,
  -- In real time: after some weeks an answer is deleted.
  answered_at timestamptz not null default now(),
  primary key (tenant_id, kind, object_id, request_id)
);
create index update_answer_old on update_answer (tenant_id, answered_at);
grant select, insert, delete on update_answer to sundial_app;

-- Once a statement: a tenant in real time pays for one look at an empty table.
create function note_unseen() returns trigger language plpgsql as $$
begin
  if exists (select from test_clock) then
    insert into workflow_unseen (tenant_id, kind, object_id)
    select w.tenant_id, tg_argv[0], w.id
    from written w
    join test_clock c on c.tenant_id = w.tenant_id
    left join workflow_seen s
      on s.tenant_id = w.tenant_id and s.kind = tg_argv[0] and s.object_id = w.id
    where w.version > coalesce(s.seen_version, 0);
  end if;
  return null;
end $$;

-- The kinds that a test clock awaits: a test compares them with operations/context/kinds.ts.
create trigger note_unseen_insert after insert on subscription_order
  referencing new table as written for each statement execute function note_unseen('order');
create trigger note_unseen_update after update on subscription_order
  referencing new table as written for each statement execute function note_unseen('order');
create trigger note_unseen_insert after insert on dunning
  referencing new table as written for each statement execute function note_unseen('dunning');
create trigger note_unseen_update after update on dunning
  referencing new table as written for each statement execute function note_unseen('dunning');
create trigger note_unseen_insert after insert on payment_plan
  referencing new table as written for each statement execute function note_unseen('paymentPlan');
create trigger note_unseen_update after update on payment_plan
  referencing new table as written for each statement execute function note_unseen('paymentPlan');

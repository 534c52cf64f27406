-- Mails to customers: which kinds a tenant has enabled, its templates, and each mail's life.

-- The kinds of mails that a tenant has ever enabled.
create table notification (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in
    ('newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed', 'customerOverdue')),
  -- In real time. An event from before is never mailed.
  first_in_force_at timestamptz not null,
  -- The last time at which the tenant enabled it; null while it is disabled.
  enabled_at timestamptz,
  primary key (tenant_id, kind)
);
grant select, insert, update on notification to sundial_app;

-- The tenant's own templates, which replace the delivered ones of the same name.
create table mail_template (
  tenant_id bigint not null references tenant,
  name text not null,
  content text not null,
  primary key (tenant_id, name)
);
grant select, insert, update, delete on mail_template to sundial_app;

create table mail (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- A password reset follows no event, and no tenant enables it: no kind of notification.
  kind text not null check (kind in
    ('newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed', 'customerOverdue',
     'passwordReset')),
  -- The event that it follows; null for one that a caller requested.
  event_id bigint,
  customer_id bigint not null,
  -- The invoice, order, payment or transition, by the kind.
  object_id bigint not null,
  state text not null default 'queued'
    check (state in
      ('queued', 'sending', 'sent', 'failed', 'givenUp', 'noAddress', 'obsolete')),
  attempts int not null default 0 check (attempts >= 0),
  -- How often a process ended while it was sending this mail.
  interruptions int not null default 0 check (interruptions >= 0),
  -- All times are real ones.
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  attempted_at timestamptz,
  sent_at timestamptz,
  -- Of the first attempt, and the same for all others.
  message_id text,
  -- A code of the SMTP answer, of the connection, or of ours; never an address.
  error_code text,
  -- On the tenant's clock, as all instants by which rows are deleted: in a state that stays.
  done_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, event_id) references event (tenant_id, id),
  check ((state = 'sent') = (sent_at is not null)),
  check (state <> 'sending' or attempted_at is not null),
  constraint mail_done
    check ((done_at is null) = (state in ('queued', 'sending')))
);
create index on mail (tenant_id, customer_id);
-- An event is mailed once for each kind.
create unique index mail_of_event on mail (tenant_id, event_id, kind) where event_id is not null;
create index mail_queued on mail (tenant_id, next_attempt_at) where state = 'queued';
create index mail_sending on mail (tenant_id, attempted_at) where state = 'sending';
create index mail_troubled on mail (tenant_id, attempted_at) where error_code is not null;
create index mail_done on mail (tenant_id, done_at) where done_at is not null;
grant select, insert, update, delete on mail to sundial_app;

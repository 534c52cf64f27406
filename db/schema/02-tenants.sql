-- Tenants, their clocks and counters, and how far their old rows are deleted.

create table tenant (
  id bigint primary key default nextval('id_seq'),
  label text not null unique check (label ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  timezone text not null,
  currency text not null,
  payment_terms_value int not null,
  payment_terms_units text not null check (payment_terms_units in ('Days', 'Months')),
  has_test_clock boolean not null,
  -- The applied file, whole, its secrets sealed: later features read their part of it.
  file jsonb not null,
  -- Since when the dates of the tenant's orders may not follow its usageGraceDays.
  usage_days_moved_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create policy relay on tenant for select to sundial_relay using (true);
grant select, insert, update on tenant to sundial_app;
grant select on tenant to sundial_relay;

create table test_clock (
  tenant_id bigint primary key references tenant,
  now timestamptz not null,
  target date,
  status text not null check (status in ('Ready', 'Advancing')),
  check ((status = 'Advancing') = (target is not null))
);
grant select, insert, update, delete on test_clock to sundial_app;

create table counter (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in ('order', 'invoice')),
  first bigint not null,
  next bigint not null check (next >= first),
  -- The start that the file asked for once numbers had been given; null while it is the first.
  moved_to bigint,
  -- What lies between the last number given then and that start is never given.
  skipped int8multirange not null default '{}',
  primary key (tenant_id, kind)
);
grant select, insert, update, delete on counter to sundial_app;

-- What was deleted of a kind: rows that were done with up to this instant may be gone. So the audit
-- knows what it may expect, also after the tenant's retention has changed.
create table retention_mark (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in
    ('deliveries', 'resends', 'mails', 'gatewayEvents', 'documents', 'taxAnswers')),
  deleted_to timestamptz not null,
  primary key (tenant_id, kind)
);
grant select, insert, update on retention_mark to sundial_app;

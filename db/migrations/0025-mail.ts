/** Mails to customers: which kinds a tenant has enabled, its templates, and each mail's life. */
import { Migration } from '@mikro-orm/migrations';

const tables = `
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

-- The tenant's own templates, which replace the delivered ones of the same name.
create table mail_template (
  tenant_id bigint not null references tenant,
  name text not null,
  content text not null,
  primary key (tenant_id, name)
);

create table mail (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  kind text not null check (kind in
    ('newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed', 'customerOverdue')),
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
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, event_id) references event (tenant_id, id),
  check ((state = 'sent') = (sent_at is not null)),
  check (state <> 'sending' or attempted_at is not null)
);
create index on mail (tenant_id, customer_id);
-- An event is mailed once for each kind.
create unique index mail_of_event on mail (tenant_id, event_id, kind) where event_id is not null;
create index mail_queued on mail (tenant_id, next_attempt_at) where state = 'queued';
create index mail_sending on mail (tenant_id, attempted_at) where state = 'sending';
create index mail_troubled on mail (tenant_id, attempted_at) where error_code is not null;
`;

// The other kinds are those that the migrations before this one have added.
const kindOfOutbox = `
do $$ declare kinds text;
begin
  select pg_get_constraintdef(oid) into kinds from pg_constraint where conname = 'outbox_kind_check';
  alter table outbox drop constraint outbox_kind_check;
  execute 'alter table outbox add constraint outbox_kind_check '
    || replace(kinds, 'ARRAY[', 'ARRAY[''mail''::text, ');
end $$;
`;

/** Tenants were applied before mails were built: their kinds are in force from now on. */
const enabledBefore = `
alter table tenant no force row level security;
insert into notification (tenant_id, kind, first_in_force_at, enabled_at)
select t.id, k.kind, now(), now()
from tenant t, jsonb_array_elements_text(t.file->'notifications'->'enabled') k(kind)
on conflict do nothing;
alter table tenant force row level security;
`;

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

function fence(table: string, rights: string): string {
  return `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant ${rights} on ${table} to sundial_app;`;
}

export class Mail extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(kindOfOutbox);
    this.addSql(enabledBefore);
    this.addSql(fence('notification', 'select, insert, update'));
    this.addSql(fence('mail_template', 'select, insert, update, delete'));
    this.addSql(fence('mail', 'select, insert, update'));
  }
}

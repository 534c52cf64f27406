/**
 * A database that was restored from an older backup gives nothing out again that it gave out before:
 * each tenant notes from which id on it goes on, and which numbers are lost. Calls of gateways that no row has
 * are findings without a payment.
 */
import { Expanding } from '../connection/migration-kinds.ts';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const tables = `
create table restoration (
  tenant_id bigint not null references tenant,
  -- Counts the restorations of the installation: it stands in webhook-id.
  epoch int not null check (epoch > 0),
  -- What has a lower id was in the backup.
  first_id bigint not null,
  -- In real time, from when to when the database was another one.
  lost_from timestamptz not null,
  restored_at timestamptz not null default now(),
  primary key (tenant_id, epoch)
);
create table lost_number (
  tenant_id bigint not null,
  epoch int not null,
  -- Of events, of the audit log, or of a counter.
  kind text not null check (kind in ('event', 'auditLog', 'order', 'invoice')),
  -- Of a counter of documents.
  prefix text not null default '',
  year int not null default 0,
  -- The last one that the backup has, and the last one that may have been given.
  after bigint not null check (after >= 0),
  up_to bigint not null check (up_to > after),
  primary key (tenant_id, kind, prefix, year, after),
  foreign key (tenant_id, epoch) references restoration (tenant_id, epoch)
);
create index on lost_number (tenant_id, epoch)`;

const fences = ['restoration', 'lost_number'].map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update on ${table} to sundial_app`,
);

/** It only raises, so whoever may take ids may call it. Returns the last id that counts as taken. */
const ids = `
create function raise_ids(up_to bigint) returns bigint
  language sql volatile security definer set search_path = public, pg_temp
  return (select setval('id_seq', greatest(s.last_value, up_to)) from id_seq s);
revoke execute on function raise_ids from public;
grant execute on function raise_ids to sundial_app;
grant select on sequence id_seq to sundial_app`;

const findings = `
alter table gateway_finding
  alter column payment_id drop not null,
  drop constraint gateway_finding_kind_check,
  add constraint gateway_finding_kind_check check (kind in ('difference', 'lateApproval',
    'lateDecline', 'withdrawnExcess', 'unknownCall')),
  -- Of a call that no payment has: whose method was charged, if it is known.
  add column customer_id bigint,
  add constraint gateway_finding_payment check ((payment_id is null) = (kind = 'unknownCall')),
  add constraint gateway_finding_customer check (customer_id is null or payment_id is null),
  add foreign key (tenant_id, customer_id) references customer (tenant_id, id)
    on delete set null (customer_id);
create unique index gateway_finding_unknown on gateway_finding (tenant_id, gateway_key)
  where payment_id is null;
create index gateway_finding_customer on gateway_finding (tenant_id, customer_id)
  where customer_id is not null`;

export class Restorations extends Expanding {
  override up(): void {
    for (const statements of [tables, ...fences, ids, findings]) this.addSql(statements);
  }
}

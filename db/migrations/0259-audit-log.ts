/**
 * Each row of the audit log names its object and what changed, and is chained to the row before by
 * its hash. A loop gives numbers and hashes after the commit, so that a write adds no statement and
 * waits for no other one. The head is kept apart: it tells that the end of the log is missing.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const columns = `
alter table audit_log
  add column object_type text,
  add column object_id bigint,
  add column changes jsonb,
  -- Counts the tenant's committed rows without gaps; null until the loop has chained the row.
  add column sequence bigint check (sequence > 0),
  add column previous_hash text,
  add column hash text,
  add constraint audit_log_chained check (
    (sequence is null) = (hash is null) and (sequence is null) = (previous_hash is null)),
  drop constraint audit_log_action_check,
  add constraint audit_log_action_check check (action in
    ('write', 'export', 'command', 'refused', 'foreignId', 'foreignHost', 'userSuspended',
     'userEnabled'));
create unique index audit_log_sequence on audit_log (tenant_id, sequence)
  where sequence is not null;
create index audit_log_unnumbered on audit_log (tenant_id, id) where sequence is null;
-- Of numbered rows alone: a write fills none of them.
create index audit_log_at on audit_log (tenant_id, at) where sequence is not null;
create index audit_log_username on audit_log (tenant_id, username, sequence)
  where sequence is not null;
create index audit_log_action on audit_log (tenant_id, action, sequence)
  where sequence is not null;
create index audit_log_object on audit_log (tenant_id, object_type, object_id, sequence)
  where sequence is not null and object_type is not null;
create index audit_log_code on audit_log (tenant_id, code, sequence)
  where sequence is not null and code is not null`;

/** All that a row says. */
const columnsSaid =
  'tenant_id id at user_id username action method path status code address request_id object_type ' +
  'object_id changes';

const said = (row: string): string =>
  columnsSaid
    .split(' ')
    .map((column) => `${row}.${column}`)
    .join(', ');

/** Nobody changes a row but to chain it once, and nobody deletes one that is younger than a year. */
const fences = `
drop trigger audit_append_only on audit_log;
create trigger audit_append_only before truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_chained_once before update on audit_log
  for each row when (old.sequence is not null or new.sequence is null
    or (${said('old')}) is distinct from (${said('new')}))
  execute function refuse_change();
create trigger audit_kept_a_year before delete on audit_log
  for each row when (old.sequence is null or old.at > now() - interval '365 days')
  execute function refuse_change();
grant update (sequence, previous_hash, hash), delete on audit_log to sundial_app;
create policy relay on audit_log for select to sundial_relay using (sequence is null);
grant select (tenant_id, sequence) on audit_log to sundial_relay`;

const head = `
create table audit_head (
  tenant_id bigint primary key,
  -- The newest chained row.
  sequence bigint not null default 0,
  hash text not null default repeat('0', 64),
  -- The newest row that its retention has deleted: the chain begins after it.
  removed_sequence bigint not null default 0,
  removed_hash text not null default repeat('0', 64),
  -- What has left the database last, in real time.
  shown_sequence bigint not null default 0,
  shown_at timestamptz
);
alter table audit_head enable row level security;
alter table audit_head force row level security;
create policy own_tenant on audit_head using (tenant_id = ${ownTenant});
create policy relay on audit_head for select to sundial_relay using (true);
grant select, insert, update on audit_head to sundial_app;
grant select (tenant_id, sequence, shown_sequence, shown_at) on audit_head to sundial_relay`;

export class ChainedAuditLog extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(fences);
    this.addSql(head);
  }
}

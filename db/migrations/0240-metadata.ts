/**
 * Integrators note texts by keys of their own on customers, orders, invoices and payments. The column
 * of an object is read and written with it; `metadata_entry` is its copy by which lists are filtered,
 * because row-level security lets no condition on a jsonb column use an index. Triggers keep the copy,
 * as no writer can forget them; an object without metadata costs nothing more than their conditions.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const columns = `
alter table customer add column metadata jsonb;
alter table subscription_order
  add column metadata jsonb,
  -- A call has replaced it since: invoices of before need not have it.
  add column has_new_metadata boolean not null default false;
alter table invoice
  add column metadata jsonb,
  -- A call has given or replaced it: it need not be that of its orders, or of its original.
  add column has_own_metadata boolean not null default false;
alter table payment add column metadata jsonb`;

const copy = `
create table metadata_entry (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in ('customer', 'order', 'invoice', 'payment')),
  key text not null,
  value text not null,
  object_id bigint not null,
  primary key (tenant_id, kind, key, value, object_id)
);
create index on metadata_entry (tenant_id, object_id);
alter table metadata_entry enable row level security;
alter table metadata_entry force row level security;
create policy own_tenant on metadata_entry using (tenant_id = ${ownTenant});
grant select, insert, delete on metadata_entry to sundial_app;
create function note_metadata() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from metadata_entry where tenant_id = old.tenant_id and object_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into metadata_entry (tenant_id, kind, key, value, object_id)
    select new.tenant_id, tg_argv[0], e.key, e.value, new.id from jsonb_each_text(new.metadata) e;
  end if;
  return null;
end $$`;

const tables = {
  customer: 'customer',
  subscription_order: 'order',
  invoice: 'invoice',
  payment: 'payment',
} as const;

const triggers = Object.entries(tables).map(
  ([table, kind]) => `
create trigger metadata_given after insert on ${table}
  for each row when (new.metadata is not null) execute function note_metadata('${kind}');
create trigger metadata_replaced after update of metadata on ${table}
  for each row when (old.metadata is distinct from new.metadata)
  execute function note_metadata('${kind}');
create trigger metadata_removed after delete on ${table}
  for each row when (old.metadata is not null) execute function note_metadata('${kind}')`,
);

export class ObjectMetadata extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(copy);
    for (const trigger of triggers) this.addSql(trigger);
  }
}

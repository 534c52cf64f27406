/**
 * What documents say of a customer and of its tenant stays as it was when they were made: an invoice
 * names the version of either.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const tables = `
-- The pictures that documents show, each once, whatever the file says today.
create table logo (
  tenant_id bigint not null references tenant,
  -- SHA-256 of the picture.
  digest bytea not null,
  picture text not null,
  primary key (tenant_id, digest)
);

-- A version of what documents say of a customer, or of the tenant. No version ever changes.
create table party (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  -- Null: the tenant.
  customer_id bigint,
  content jsonb not null,
  logo_digest bytea,
  -- SHA-256 of both, so that what changes back is the earlier version.
  digest bytea not null,
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, customer_id, digest),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  foreign key (tenant_id, logo_digest) references logo (tenant_id, digest)
);

-- The version that holds today; null while no document has needed it.
alter table customer add column party_id bigint;
alter table tenant add column party_id bigint;

-- No foreign keys: nobody may delete a version, and each insertion would lock the tenant's.
alter table invoice add column customer_party_id bigint, add column tenant_party_id bigint;
-- Those of before, until the worker has come to them.
create index invoice_without_party on invoice (tenant_id, id) where customer_party_id is null;
grant select (tenant_id, id, customer_party_id) on invoice to sundial_relay;
create policy relay on invoice for select to sundial_relay using (customer_party_id is null);
`;

const fences = ['logo', 'party'].map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert on ${table} to sundial_app;`,
);

const changes = `
create function forget_party() returns trigger language plpgsql as $$
begin
  new.party_id := null;
  return new;
end $$;
create trigger forget_party before update on customer for each row
  when (old.party_id is not null and (old.name, old.ext_customer_ref, old.locale, old.tax_id)
    is distinct from (new.name, new.ext_customer_ref, new.locale, new.tax_id))
  execute function forget_party();

create function forget_party_of_contact() returns trigger language plpgsql as $$
declare own contact := coalesce(new, old);
begin
  if own.kind = 'billing' then
    update customer set party_id = null
    where tenant_id = own.tenant_id and id = own.customer_id and party_id is not null;
  end if;
  return null;
end $$;
create trigger forget_party after insert or delete on contact for each row
  execute function forget_party_of_contact();
create trigger forget_changed_party after update on contact for each row
  when ((old.first_name, old.last_name, old.company_name, old.street1, old.street2, old.city, old.state,
      old.zip, old.country, old.country_code)
    is distinct from (new.first_name, new.last_name, new.company_name, new.street1, new.street2, new.city,
      new.state, new.zip, new.country, new.country_code))
  execute function forget_party_of_contact();
`;

/** The worker comes to invoices of before; those that are made from now on need their tenant's version. */
const tenants = `
do $$
declare own record; content jsonb; picture bytea;
begin
  for own in select id, name, file from tenant loop
    perform set_config('app.tenant', own.id::text, true);
    content := jsonb_build_object('name', own.name, 'address', own.file->'address',
      'taxId', own.file->>'taxId', 'contact', own.file->'contact', 'bankAccount', own.file->'bankAccount');
    picture := sha256(convert_to(own.file->>'logo', 'UTF8'));
    insert into logo (tenant_id, digest, picture)
      select own.id, picture, own.file->>'logo' where picture is not null;
    with made as (
      insert into party (tenant_id, content, logo_digest, digest)
      values (own.id, content, picture,
        sha256(convert_to(content::text, 'UTF8') || coalesce(picture, '')))
      returning id)
    update tenant set party_id = made.id from made where tenant.id = own.id;
  end loop;
  perform set_config('app.tenant', '', true);
end $$;
`;

export class FrozenParties extends Migration {
  override up(): void {
    this.addSql(tables);
    for (const each of fences) this.addSql(each);
    this.addSql(tenants);
    this.addSql(changes);
  }
}

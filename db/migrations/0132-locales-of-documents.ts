/** Documents keep the locale that they were made in, also when locales are known in another way. */
import { Migration } from '@mikro-orm/migrations';

export class LocalesOfDocuments extends Migration {
  override up(): void {
    this.addSql(`
alter table customer add column document_locale text;
-- Those of before, until the worker has come to them.
create index customer_without_locale on customer (tenant_id, id)
  where locale is not null and document_locale is null;
grant select (tenant_id, locale, document_locale) on customer to sundial_relay;
create policy relay on customer for select to sundial_relay
  using (locale is not null and document_locale is null);

-- Whoever writes another locale, and not what it is resolved to, leaves that to the worker.
create function forget_document_locale() returns trigger language plpgsql as $$
begin
  new.document_locale := null;
  return new;
end $$;
create trigger forget_document_locale before update on customer for each row
  when (old.locale is distinct from new.locale
    and old.document_locale is not distinct from new.document_locale)
  execute function forget_document_locale();

drop trigger forget_party on customer;
create trigger forget_party before update on customer for each row
  when (old.party_id is not null and (old.name, old.ext_customer_ref, old.locale, old.tax_id,
      old.electronic_address, old.buyer_reference, old.document_locale)
    is distinct from (new.name, new.ext_customer_ref, new.locale, new.tax_id,
      new.electronic_address, new.buyer_reference, new.document_locale))
  execute function forget_party();
`);
  }
}

/**
 * Electronic invoices: where those of a customer go and what they name for it, and what the first
 * one that was given out took from the parties of its day because the invoice's own said nothing.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const fields = `
alter table customer add column electronic_address text, add column buyer_reference text;
drop trigger forget_party on customer;
create trigger forget_party before update on customer for each row
  when (old.party_id is not null and (old.name, old.ext_customer_ref, old.locale, old.tax_id,
      old.electronic_address, old.buyer_reference)
    is distinct from (new.name, new.ext_customer_ref, new.locale, new.tax_id,
      new.electronic_address, new.buyer_reference))
  execute function forget_party();
`;

const supplements = `
-- One for each invoice of which an electronic one was given out; it never changes.
create table ubl_supplement (
  tenant_id bigint not null,
  invoice_id bigint not null,
  content jsonb not null,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) on delete cascade
);
alter table ubl_supplement enable row level security;
alter table ubl_supplement force row level security;
create policy own_tenant on ubl_supplement using (tenant_id = ${ownTenant});
grant select, insert on ubl_supplement to sundial_app;
`;

export class ElectronicInvoices extends Migration {
  override up(): void {
    this.addSql(fields);
    this.addSql(supplements);
  }
}

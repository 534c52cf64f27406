/** The records of returns at tax providers: what cancelled orders give back of recorded invoices. */
import { Migration } from '@mikro-orm/migrations';

const returns = `
alter table tax_record
  -- Of a return: the credit that gives back charges of the invoice.
  add column payment_id bigint,
  -- The record's name at the provider: the invoice's id, and that of the credit.
  add column code text generated always as
    (invoice_id::text || coalesce('-' || payment_id::text, '')) stored;
alter table tax_record drop constraint tax_record_pkey, add primary key (tenant_id, code);
alter table tax_record add foreign key (tenant_id, payment_id) references payment (tenant_id, id)
  deferrable initially deferred;
create index tax_record_of_invoice on tax_record (tenant_id, invoice_id);
create index tax_record_of_credit on tax_record (tenant_id, payment_id)
  where payment_id is not null;
`;

export class TaxReturns extends Migration {
  override up(): void {
    this.addSql(returns);
  }
}

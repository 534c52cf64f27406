/**
 * Numbers of invoices are texts of series, and imported ones are numbers like others. One statement
 * writes the table anew: the columns are generated first, then they stand for themselves.
 */
import { Migration } from '@mikro-orm/migrations';

const counters = `
alter table counter
  -- Of a series of documents: its prefix as written, and of a yearly one the year, otherwise 0.
  add column prefix text not null default '',
  add column year int not null default 0,
  drop constraint counter_pkey,
  add primary key (tenant_id, kind, prefix, year)`;

const invoices = `
alter table invoice drop constraint invoice_numbered;
alter table invoice drop constraint invoice_tenant_id_invoice_number_key;
alter table invoice rename column invoice_number to number_value;
alter table invoice
  add column invoice_number text
    generated always as (coalesce(number_value::text, imported_number)) stored,
  add column is_imported boolean generated always as (imported_number is not null) stored,
  -- The counter that gave the number, and its place there; null of a number of another system.
  add column number_prefix text
    generated always as (case when imported_number is null then '' end) stored,
  add column number_year int
    generated always as (case when imported_number is null then 0 end) stored;
alter table invoice
  alter column invoice_number drop expression,
  alter column is_imported drop expression,
  alter column number_prefix drop expression,
  alter column number_year drop expression,
  drop column imported_number;
alter table invoice
  alter column invoice_number set not null,
  alter column is_imported set not null,
  alter column is_imported set default false,
  add unique (tenant_id, invoice_number),
  add constraint invoice_numbered check (num_nonnulls(number_prefix, number_year, number_value)
    = case when is_imported then 0 else 3 end)`;

const texts = `
create function document_number(prefix text, digits int, value bigint) returns text
  language sql immutable parallel safe as
  $$ select prefix || lpad(value::text, greatest(digits, length(value::text)), '0') $$`;

export class NumberSeries extends Migration {
  override up(): void {
    for (const statements of [counters, invoices, texts]) this.addSql(statements);
  }
}

/**
 * Invoices by POST are taxed: a charge keeps the codes by which it was. Of tenants that are applied
 * already they are not, until their file names `tax.oneOffInvoices`: a stored file without that key
 * says so, and files that were stored before taxes existed get theirs.
 */
import { Migration } from '@mikro-orm/migrations';

export class TaxesByHand extends Migration {
  override up(): void {
    this.addSql(`alter table invoice_charge add column tax_codes text[],
      add constraint invoice_charge_codes_check check (tax_codes is null or kind = 'manual')`);
    this.addSql('alter table tenant no force row level security');
    this.addSql(`update tenant
      set file = file || '{"tax": {"type": "none", "validateAddresses": false, "rates": []}}'
      where file->'tax' is null`);
    this.addSql('alter table tenant force row level security');
  }
}

/** What customers see of their books is read in the order of an index, however much it is. */
import { Migration } from '@mikro-orm/migrations';

export class CustomerRecords extends Migration {
  override up(): void {
    this.addSql(`
-- A statement sums and lists the entries from the newest on.
create index ledger_entry_of_customer
  on ledger_entry (tenant_id, customer_id, currency, entered_on, id) include (amount);
drop index ledger_entry_tenant_id_customer_id_currency_idx;
create index invoice_of_customer_by_date on invoice (tenant_id, customer_id, invoice_date, id)`);
  }
}

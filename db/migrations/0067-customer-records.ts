/** The statement of a customer is read in the order of an index, however long it is. */
import { Migration } from '@mikro-orm/migrations';

export class CustomerRecords extends Migration {
  override up(): void {
    this.addSql(`
-- A statement sums and lists the entries from the newest on.
create index ledger_entry_of_customer
  on ledger_entry (tenant_id, customer_id, currency, entered_on, id) include (amount);
drop index ledger_entry_tenant_id_customer_id_currency_idx`);
  }
}

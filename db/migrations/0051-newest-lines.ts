/** The newest invoices of an order are read in the order of an index, however many it has. */
import { Migration } from '@mikro-orm/migrations';

export class NewestLines extends Migration {
  override up(): void {
    this.addSql(`
create index invoice_line_of_order on invoice_line (tenant_id, order_id, id)
  where order_id is not null;
drop index invoice_line_tenant_id_order_id_idx`);
  }
}

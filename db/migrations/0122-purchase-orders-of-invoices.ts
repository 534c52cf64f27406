/** The purchase order that a line of an invoice names, as it was when the invoice was made. */
import { Migration } from '@mikro-orm/migrations';

export class PurchaseOrdersOfInvoices extends Migration {
  override up(): void {
    this.addSql('alter table invoice_line add column purchase_order text');
  }
}

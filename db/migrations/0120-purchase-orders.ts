/** The purchase order that a customer wants to see on its invoices. */
import { Migration } from '@mikro-orm/migrations';

export class PurchaseOrders extends Migration {
  override up(): void {
    this.addSql('alter table customer add column purchase_order text');
  }
}

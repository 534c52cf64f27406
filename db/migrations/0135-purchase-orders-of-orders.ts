/** The purchase order that the invoices of an order name in place of their customer's. */
import { Migration } from '@mikro-orm/migrations';

export class PurchaseOrdersOfOrders extends Migration {
  override up(): void {
    this.addSql('alter table subscription_order add column purchase_order text');
  }
}

/** A transaction may insert an order after its lines and their invoice lines. */
import { Migration } from '@mikro-orm/migrations';

// The order's number locks the tenant's counter until the commit, so the order comes late.
export class OrderAfterItsLines extends Migration {
  override up(): void {
    this.addSql(
      `alter table order_line alter constraint order_line_tenant_id_order_id_fkey deferrable`,
    );
    this.addSql(
      `alter table invoice_line alter constraint invoice_line_tenant_id_order_id_fkey deferrable`,
    );
  }
}

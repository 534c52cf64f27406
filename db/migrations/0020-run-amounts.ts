/** A billing run knows what its invoices come to, by currency. */
import { Migration } from '@mikro-orm/migrations';

export class RunAmounts extends Migration {
  override up(): void {
    this.addSql(`alter table billing_run add column amounts jsonb not null default '{}'`);
  }
}

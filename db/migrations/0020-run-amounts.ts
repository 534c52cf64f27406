/** A billing run stores the sums of its invoices, by currency. */
import { Migration } from '@mikro-orm/migrations';

export class RunAmounts extends Migration {
  override up(): void {
    this.addSql(`alter table billing_run add column amounts jsonb not null default '{}'`);
  }
}

/**
 * A new payment method is tried once for each invoice that was declined, and a call may retry an invoice
 * at once. Neither belongs to a schedule of retry days.
 */
import { Migration } from '@mikro-orm/migrations';

export class NewMethods extends Migration {
  override up(): void {
    this.addSql(`
      alter table collection_attempt add column by_new_method boolean not null default false;
      -- It uses no method that a gateway has declined for ever, and charges at most what is open.
      alter table payment add column is_retry boolean not null default false`);
  }
}

/** Accounts may let customers end their orders with the term, and take that back. */
import { Migration } from '@mikro-orm/migrations';

export class CancelAtEnd extends Migration {
  override up(): void {
    for (const table of ['self_service_profile', 'self_service_session']) {
      this.addSql(`alter table ${table}
        drop constraint ${table}_edit_order_options_check,
        add constraint ${table}_edit_order_options_check check (
          edit_order_options <@ array['Cancel', 'CancelAtEnd', 'Upgrade', 'Downgrade', 'New'])`);
    }
  }
}

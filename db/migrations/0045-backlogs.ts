/** Finds the oldest delivery that waits, and those whose time is over, however many wait. */
import { Migration } from '@mikro-orm/migrations';

export class Backlogs extends Migration {
  override up(): void {
    this.addSql(`
create index callback_delivery_oldest on callback_delivery (tenant_id, endpoint_id, event_id)
  where state = 'Waiting';
create index callback_delivery_overdue on callback_delivery (tenant_id, endpoint_id, give_up_at)
  where state = 'Waiting'`);
  }
}

/** The batch jobs of a tenant are processed in the order in which they were finalized. */
import { Migration } from '@mikro-orm/migrations';

export class BatchQueue extends Migration {
  override up(): void {
    this.addSql(`
-- Of ids, so that it grows; null before it is finalized, and of jobs below others.
alter table batch add column queue_number bigint;
alter table batch no force row level security;
update batch set queue_number = id where status = 'Queued' and parent_id is null;
alter table batch force row level security;
create index batch_queue on batch (tenant_id, queue_number)
  where status = 'Queued' and queue_number is not null`);
  }
}

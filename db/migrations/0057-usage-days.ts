/** Since when the dates of a tenant's orders may not follow its usageGraceDays. */
import { Migration } from '@mikro-orm/migrations';

// Orders that were made before usage was billed have dates without it.
const moved = `
alter table tenant add column usage_days_moved_at timestamptz;
update tenant set usage_days_moved_at = now();
`;

export class UsageDays extends Migration {
  override up(): void {
    this.addSql(moved);
  }
}

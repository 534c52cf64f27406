/** When a delivery failed first: what failed before an outage keeps its own pause over it. */
import { Migration } from '@mikro-orm/migrations';

// Row-level security is forced for the owner, too. What failed in an outage that lasts is due at its
// end, as it was.
const failures = `
alter table callback_delivery add column failed_at timestamptz;
alter table callback_delivery no force row level security;
update callback_delivery set failed_at = now() where state = 'Waiting' and attempts > 0;
alter table callback_delivery force row level security;
`;

export class CallbackFailures extends Migration {
  override up(): void {
    this.addSql(failures);
  }
}

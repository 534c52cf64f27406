/** The relay looks for overdue rows tenant by tenant, not for the oldest of all. */
import { Migration } from '@mikro-orm/migrations';

const byTenant = `
create index outbox_overdue on outbox (tenant_id, deliver_after);
drop index outbox_deliver_after_idx;
`;

export class RelayByTenant extends Migration {
  override up(): void {
    this.addSql(byTenant);
  }
}

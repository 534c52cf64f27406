/** Tenants whose orders keep their prices do not look for a move with each order. */
import { Migration } from '@mikro-orm/migrations';

export class MovingVersions extends Migration {
  override up(): void {
    this.addSql('create index plan_moving on plan (tenant_id) where moves_to is not null');
  }
}

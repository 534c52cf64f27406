/** Challenges of the sandbox that are over are deleted, the oldest first. */
import { Migration } from '@mikro-orm/migrations';

export class PrunedChallenges extends Migration {
  override up(): void {
    this.addSql('create index on sandbox_challenge (tenant_id, made_at)');
  }
}

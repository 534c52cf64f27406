/** For a test: a migration that needs the one before it. */
import { Migration } from '@mikro-orm/migrations';

export class Last extends Migration {
  override up(): void {
    this.addSql('alter table later add column name text');
  }
}

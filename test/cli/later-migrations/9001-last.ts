/** For a test: a migration that needs the one before it. */
import { Expanding } from '../../../db/connection/migration-kinds.ts';

export class Last extends Expanding {
  override up(): void {
    this.addSql('alter table later add column name text');
  }
}

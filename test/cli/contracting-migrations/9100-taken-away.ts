/** For a test: a migration after which releases of before no longer run. */
import { Contracting } from '../../../db/connection/migration-kinds.ts';

export class TakenAway extends Contracting {
  static override readonly servesFrom = '9001-last';

  override up(): void {
    this.addSql('alter table later drop column name');
  }
}

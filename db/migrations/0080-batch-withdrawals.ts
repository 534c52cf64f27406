/** A Draft of a batch job can be withdrawn. */
import { Migration } from '@mikro-orm/migrations';

export class BatchWithdrawals extends Migration {
  override up(): void {
    this.addSql('grant delete on batch to sundial_app');
  }
}

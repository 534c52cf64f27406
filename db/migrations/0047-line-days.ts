/** An order line may have days of its own; without them it has its order's. */
import { Migration } from '@mikro-orm/migrations';

export class LineDays extends Migration {
  override up(): void {
    this.addSql(`
alter table order_line
  add column starts_on date,
  add column ends_on date,
  add constraint order_line_days check (starts_on <= ends_on)`);
  }
}

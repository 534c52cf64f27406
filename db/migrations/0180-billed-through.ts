/**
 * Orders that ran in another system before: the last day that is billed there, and the same for
 * charges in arrears and usage. The days follow from neither alone: the lines begin after them
 * (`order_line.starts_on`). Rows of before have none.
 */
import { Migration } from '@mikro-orm/migrations';

export class BilledThrough extends Migration {
  override up(): void {
    this.addSql(`alter table subscription_order
      add column billed_through date,
      -- Of the periods that were over when billed_through was said.
      add column arrears_billed_through date,
      add constraint subscription_order_arrears_billed_check check (
        arrears_billed_through is null
        or billed_through is not null and arrears_billed_through <= billed_through)`);
  }
}

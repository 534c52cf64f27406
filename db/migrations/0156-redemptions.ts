/**
 * A coupon may have a number of redemptions, and be for one order of a customer. Both are derived from
 * the orders that name a version of it, which are looked for by it.
 */
import { Migration } from '@mikro-orm/migrations';

export class Redemptions extends Migration {
  override up(): void {
    this.addSql(`alter table coupon
      add column max_redemptions int check (max_redemptions between 1 and 1000000),
      add column once_per_customer boolean not null default false`);
    this.addSql(`create index subscription_order_coupon on subscription_order (tenant_id, coupon_id)
      where coupon_id is not null`);
  }
}

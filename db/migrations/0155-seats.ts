/**
 * A charge says whether the quantity of quotes and pages multiplies it, and whether it may be parts
 * of a unit. What exists is multiplied in whole units, as it was.
 */
import { Migration } from '@mikro-orm/migrations';

export class Seats extends Migration {
  override up(): void {
    this.addSql(`alter table plan_charge
      add column follows_quantity boolean not null default true,
      add column decimals boolean not null default false,
      add constraint plan_charge_follows_check
        check (follows_quantity or charge_type = 'RecurringCharge')`);
  }
}

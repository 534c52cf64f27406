/**
 * Orders have free days before their billing begins. Plans and orders of before have none. The index is
 * of orders with a trial alone: a customer has one for each plan.
 */
import { Migration } from '@mikro-orm/migrations';

export class Trials extends Migration {
  override up(): void {
    this.addSql(`alter table plan
      add column trial_value int,
      add column trial_units text,
      add column trial_card text,
      add constraint plan_trial_check check (
        num_nonnulls(trial_value, trial_units, trial_card) in (0, 3) and trial_value > 0
        and trial_units in ('Days', 'Weeks', 'Months') and trial_card in ('optional', 'required'))`);
    this.addSql(`alter table subscription_order
      -- The last free day; billing begins on the day after it.
      add column trial_end_date date,
      -- Agreed on for this order; null: the trial is that of its plan.
      add column trial_days int
        constraint subscription_order_trial_days_check check (trial_days between 0 and 365),
      add constraint subscription_order_trial_check check (trial_end_date >= start_date)`);
    this.addSql(`create index subscription_order_trials
      on subscription_order (tenant_id, customer_id) where trial_end_date is not null`);
  }
}

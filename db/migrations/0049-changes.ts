/** Change orders: one order replaces another on a day, and what that gives back. */
import { Migration } from '@mikro-orm/migrations';

const changes = `
alter table subscription_order
  -- The order that it replaces, or will replace: while it is Provisioning, the change is pending.
  add column previous_order_id bigint,
  -- The day of the pending change that replaces it.
  add column change_on date,
  -- Of a Superseded one: the first unused day, while what was billed for days from it on is to be
  -- credited.
  add column credit_from date,
  -- The order that it replaced and that was removed: no row names that one.
  add column removed_order_id bigint,
  -- The period of its first day, counted from its anchor.
  add column first_period int,
  -- How many periods of its coupon the orders before it have used.
  add column coupon_periods_before int not null default 0,
  add foreign key (tenant_id, previous_order_id) references subscription_order (tenant_id, id),
  add constraint subscription_order_one_successor unique (tenant_id, previous_order_id),
  add constraint subscription_order_change_day check (change_on >= start_date),
  add constraint subscription_order_one_before
    check (num_nonnulls(previous_order_id, removed_order_id) <= 1);
create unique index subscription_order_removed on subscription_order (tenant_id, removed_order_id)
  where removed_order_id is not null;
`;

const firstPeriods = `
alter table subscription_order no force row level security;
update subscription_order
set first_period = case when anchor > start_date then -1 else 0 end;
alter table subscription_order force row level security;
alter table subscription_order alter column first_period set not null;
alter table subscription_order alter column first_period set default 0;
`;

export class Changes extends Migration {
  override up(): void {
    this.addSql(changes);
    this.addSql(firstPeriods);
  }
}

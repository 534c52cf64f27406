/**
 * Running orders may take the prices of their plan's newest version. A plan says when; an older version
 * says which one its orders move to, so that an order is read with it. An order keeps the versions that
 * it had, as what began before the day costs what it did.
 */
import { Migration } from '@mikro-orm/migrations';

export class PriceMoves extends Migration {
  override up(): void {
    this.addSql(`alter table plan
      add column existing_orders text not null default 'keep'
        constraint plan_existing_orders_check
          check (existing_orders in ('keep', 'nextPeriod', 'nextTerm')),
      add column moves_dated_on date,
      add column moves_to bigint,
      add column moves_by text
        constraint plan_moves_by_check check (moves_by in ('nextPeriod', 'nextTerm')),
      add column moves_from date,
      add constraint plan_moves_check check (num_nulls(moves_to, moves_by, moves_from) in (0, 3))`);
    this.addSql(`create index plan_moves_dated_on on plan (tenant_id, moves_dated_on)
      where moves_dated_on is not null`);
    this.addSql(`alter table subscription_order
      add column price_change_on date, add column earlier_prices jsonb`);
    // A plan has ended orders, too: those that run are few beside all that there ever were.
    this.addSql(`create index subscription_order_running
      on subscription_order (tenant_id, plan_id, customer_id)
      where status in ('Provisioning', 'Active', 'Suspended')`);
    this.addSql(`create index subscription_order_price_change
      on subscription_order (tenant_id, price_change_on) where price_change_on is not null`);
  }
}

/**
 * Orders end by request, and the request can be taken back: what it set aside stays with the order
 * until then. Rows of before have no request.
 */
import { Migration } from '@mikro-orm/migrations';

export class EndsByRequest extends Migration {
  override up(): void {
    this.addSql(`alter table subscription_order
      add column cancel_reason text
        constraint subscription_order_cancel_reason_check check (length(cancel_reason) <= 255),
      -- Null: no end is requested.
      add column kept_auto_renew boolean,
      add column kept_end_date date`);
  }
}

/** Payments of which a gateway has something to say are paged by day and id. */
import { Migration } from '@mikro-orm/migrations';

export class NewsIndex extends Migration {
  override up(): void {
    this.addSql(`
      drop index payment_news;
      create index payment_news on payment (tenant_id, gateway_news_on, id)
        where gateway_news_on is not null;`);
  }
}

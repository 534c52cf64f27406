/** The gateway is asked about payments that a person resolved. */
import { Migration } from '@mikro-orm/migrations';

export class ResolvedPayments extends Migration {
  override up(): void {
    this.addSql(`
alter table payment
  -- The day on which a person resolved a call of it; null once the gateway has said what became of
  -- the call, or was asked long enough. Meanwhile gateway_news_on is the day of the next question.
  add column resolved_on date`);
  }
}

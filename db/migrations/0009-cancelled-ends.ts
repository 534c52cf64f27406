/** Orders that were cancelled before show the day on which they ended as their endDate, too. */
import { Migration } from '@mikro-orm/migrations';

// One that was cancelled before its startDate never began, and so did not end.
const cancelledEnds = `
alter table subscription_order no force row level security;
update subscription_order
set end_date = case when ended_on >= start_date then ended_on end
where status = 'Canceled';
alter table subscription_order force row level security;
`;

export class CancelledEnds extends Migration {
  override up(): void {
    this.addSql(cancelledEnds);
  }
}

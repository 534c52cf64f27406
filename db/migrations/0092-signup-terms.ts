/** What the page of a sign-up showed beside the amount due today, so that nothing else is made. */
import { Migration } from '@mikro-orm/migrations';

const terms = `
alter table signup_try
  -- Of the price that the page showed; null for tries of before.
  add column quote_hash text,
  -- The order's first day that the page showed.
  add column start_date date;
`;

export class SignupTerms extends Migration {
  override up(): void {
    this.addSql(terms);
  }
}

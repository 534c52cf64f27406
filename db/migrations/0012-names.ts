/** Columns and a table get the names that the code has for them. */
import { Migration } from '@mikro-orm/migrations';

const names = `
alter table billed_period rename column k to period_index;
alter table billed_period rename column part to segment;
alter table order_line rename column next_k to next_period_index;
alter table payment rename column chain_id to cascade_id;
alter table service_break rename to service_pause;
`;

export class Names extends Migration {
  override up(): void {
    this.addSql(names);
  }
}

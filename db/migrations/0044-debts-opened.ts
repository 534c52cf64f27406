/** Keeps up to which day each debtor has an open dunning, so that runs look at what comes after. */
import { Migration } from '@mikro-orm/migrations';

export class DebtsOpened extends Migration {
  override up(): void {
    this.addSql(`
alter table dunning_rules
  -- A run found nobody without an open dunning who owed something overdue on that day. The first
  -- run looks at everything.
  add column debts_opened_on date not null default '-infinity';

-- Row-level security bars an index of due_date + 1: the sum might tell of others' rows.
create index invoice_open_by_due on invoice (tenant_id, due_date, customer_id)
  where status = 'Outstanding';
drop index invoice_open_due`);
  }
}

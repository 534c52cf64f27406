/** Indexes for the checks of foreign keys, and no right to delete what is checked without one. */
import { Migration } from '@mikro-orm/migrations';

const indexes = `
-- One index for both: a period is billed once, and the periods of an order line are found whether
-- they still stand or not. A period that was rolled back counts by its own id, so never twice.
create unique index billed_period_once on billed_period (tenant_id, order_line_id, charge_id, k,
  part, (case when voided_at is null then 0 else id end));
drop index billed_once;

create index on service_break (tenant_id, order_id) where order_id is not null;
create index on payment (tenant_id, payment_method_id) where payment_method_id is not null;
create index on invoice_payment (tenant_id, customer_id);
`;

// Rows that refer to these are many, and nobody looks for them that way: an index would cost each
// renewal its part for a deletion that never comes.
const rights = `
revoke delete on product_offering, plan, plan_charge, invoice, billed_period from sundial_app;
`;

export class Indexes extends Migration {
  override up(): void {
    this.addSql(indexes);
    this.addSql(rights);
  }
}

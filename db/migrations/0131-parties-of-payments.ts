/** Payments, credits and refunds name the versions of their parties, as invoices do. */
import { Migration } from '@mikro-orm/migrations';

export class PartiesOfPayments extends Migration {
  override up(): void {
    this.addSql(`
alter table payment add column customer_party_id bigint, add column tenant_party_id bigint;
-- Those of before, until the worker has come to them.
create index payment_without_party on payment (tenant_id, id) where customer_party_id is null;
grant select (tenant_id, id, customer_party_id) on payment to sundial_relay;
create policy relay on payment for select to sundial_relay using (customer_party_id is null);
`);
  }
}

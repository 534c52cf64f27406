/** An id in a body is another tenant's whatever it names: ids are of one sequence. */
import { Migration } from '@mikro-orm/migrations';

const anyKind = `
create or replace function id_is_foreign(kind text, wanted bigint, own bigint) returns boolean
  language sql stable security definer set search_path = public
  return case kind
    when 'customer' then exists (select from customer where id = wanted and tenant_id <> own)
    when 'order' then exists (select from subscription_order where id = wanted and tenant_id <> own)
    when 'invoice' then exists (select from invoice where id = wanted and tenant_id <> own)
    when 'plan' then exists (select from plan where id = wanted and tenant_id <> own)
    when 'payment' then exists (select from payment where id = wanted and tenant_id <> own)
    when 'any' then exists (select from customer where id = wanted and tenant_id <> own)
      or exists (select from contact where id = wanted and tenant_id <> own)
      or exists (select from subscription_order where id = wanted and tenant_id <> own)
      or exists (select from order_line where id = wanted and tenant_id <> own)
      or exists (select from invoice where id = wanted and tenant_id <> own)
      or exists (select from invoice_line where id = wanted and tenant_id <> own)
      or exists (select from invoice_charge where id = wanted and tenant_id <> own)
      or exists (select from product_offering where id = wanted and tenant_id <> own)
      or exists (select from plan where id = wanted and tenant_id <> own)
      or exists (select from plan_charge where id = wanted and tenant_id <> own)
      or exists (select from pricing_tier where id = wanted and tenant_id <> own)
      or exists (select from payment where id = wanted and tenant_id <> own)
      or exists (select from payment_method where id = wanted and tenant_id <> own)
    else false end;
`;

export class AnyForeignId extends Migration {
  override up(): void {
    this.addSql(anyKind);
  }
}

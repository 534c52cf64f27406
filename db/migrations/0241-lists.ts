/**
 * Lists are filtered by more, and read on after an object. Each index is of a filter whose rows would
 * otherwise be sought among all that the tenant ever had. The search begins after a customer; the
 * version before calls the function without that.
 */
import { Migration } from '@mikro-orm/migrations';

const indexes = `
create index on invoice (tenant_id, invoice_date);
create index invoice_line_of_imported_order on invoice_line (tenant_id, imported_order_number)
  where imported_order_number is not null;
create index on order_line (tenant_id, charge_id);
create index on plan_charge (tenant_id, price_code);
-- Compared by bytes, which costs billing least.
create index invoice_charge_price_code on invoice_charge (tenant_id, price_code collate "C");
-- There are few of them among all payments.
create index payment_others on payment (tenant_id, payment_type, effective_date, id)
  where payment_type <> 'Payment'`;

const search = `
create function find_customers(pattern text, other_pattern text, wanted_status text,
  created_from timestamptz, created_before timestamptz,
  updated_from timestamptz, updated_before timestamptz,
  after_id bigint, page_offset bigint, page_max bigint)
  returns setof bigint
  language plpgsql stable security definer set search_path = public as $$
begin
  return query execute
    'select id from customer where tenant_id = $1 and '
    || case when other_pattern is null then 'search_text like $2'
            else '(search_text like $2 or search_text like $3)' end
    || case when wanted_status is null then '' else ' and status = $4' end
    || case when created_from is null then '' else ' and created_at >= $5' end
    || case when created_before is null then '' else ' and created_at < $6' end
    || case when updated_from is null then '' else ' and updated_at >= $7' end
    || case when updated_before is null then '' else ' and updated_at < $8' end
    || case when after_id is null then '' else ' and id > $9' end
    || ' order by id offset $10' || case when page_max is null then '' else ' limit $11' end
    using nullif(current_setting('app.tenant', true), '')::bigint, pattern, other_pattern,
      wanted_status, created_from, created_before, updated_from, updated_before,
      after_id, page_offset, page_max;
end $$;
revoke execute on function find_customers from public;
grant execute on function find_customers to sundial_app`;

export class Lists extends Migration {
  override up(): void {
    this.addSql(indexes);
    this.addSql(search);
  }
}

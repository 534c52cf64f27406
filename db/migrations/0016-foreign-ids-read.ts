/** The schema's owner may read what id_is_foreign looks in, also where it is no superuser. */
import { Migration } from '@mikro-orm/migrations';

// Row-level security is forced, so without a policy of its own the owner found no row in these.
const ownerReads = `
do $$
declare t text;
begin
  foreach t in array array['contact', 'order_line', 'invoice_line', 'invoice_charge',
    'product_offering', 'plan_charge', 'pricing_tier', 'payment_method'] loop
    execute format('create policy owner_reads on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;
`;

export class ForeignIdsRead extends Migration {
  override up(): void {
    this.addSql(ownerReads);
  }
}

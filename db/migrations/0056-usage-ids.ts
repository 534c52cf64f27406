/** Another tenant's usage record or window is recognized by its id. */
import { Migration } from '@mikro-orm/migrations';

// A look for each tenant: a scan of all records would take too long.
const foreignIds = `
do $$
declare definition text := pg_get_functiondef('id_is_foreign'::regproc);
declare opening text := 'WHEN ''any''::text THEN (';
declare looks text := '(exists (select from activity, tenant t
  where activity.tenant_id = t.id and activity.id = wanted and t.id <> own))';
begin
  definition := replace(definition, opening, opening || looks || ' or ');
  execute replace(definition, 'WHEN ''any''::text THEN',
    'WHEN ''activity''::text THEN ' || looks || ' WHEN ''any''::text THEN');
  execute format('create policy owner_reads on activity for select to %I using (true)', current_user);
end $$;
`;

export class UsageIds extends Migration {
  override up(): void {
    this.addSql(foreignIds);
  }
}

/** Who was being rated when a process died: such customers are suspects until they are billed. */
import { Migration } from '@mikro-orm/migrations';

const tables = `
-- Written before customers are rated, deleted after. Without foreign keys: a row lives for
-- milliseconds, and its insert locks nothing.
create table billing_note (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- Of the advisory lock that the process holds for as long as it lives.
  process_id int not null,
  customer_ids bigint[] not null,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);

create table billing_suspect (
  tenant_id bigint not null,
  customer_id bigint not null,
  since timestamptz not null default clock_timestamp(),
  -- When the process that billed this customer alone died of it.
  blamed_at timestamptz,
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
`;

/** Of this migration; the policy test reads the catalogue and must find the same. */
const tenanted = ['billing_note', 'billing_suspect'];

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

function fences(): string {
  const policies = tenanted.map(
    (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update, delete on ${table} to sundial_app;
-- The worker looks for suspects of all tenants.
create policy relay on ${table} for select to sundial_relay using (true);
grant select on ${table} to sundial_relay;`,
  );
  return policies.join('\n');
}

export class BillingSuspects extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(fences());
  }
}

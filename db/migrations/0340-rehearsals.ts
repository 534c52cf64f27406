/** What rehearsals of billing runs found: their figures, and the customers that are beyond the limits. */
import { Expanding } from '../connection/migration-kinds.ts';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const fenced = (table: string): string => `
  alter table ${table} enable row level security;
  alter table ${table} force row level security;
  create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
  grant select, insert, update, delete on ${table} to sundial_app`;

export class Rehearsals extends Expanding {
  override up(): void {
    this.addSql(`create table rehearsal (
      tenant_id bigint not null references tenant,
      id bigint not null default nextval('id_seq'),
      run_on date not null,
      -- Real time.
      rehearsed_at timestamptz not null,
      -- Who asked for it.
      operator text not null,
      limits jsonb not null,
      figures jsonb not null,
      primary key (tenant_id, id))`);
    this.addSql(fenced('rehearsal'));
    // With the same amount a customer is not held again once a person has released it.
    this.addSql(`create table rehearsal_outlier (
      tenant_id bigint not null,
      rehearsal_id bigint not null,
      customer_id bigint not null,
      currency text not null,
      total numeric(20, 4) not null,
      -- Without taxes, as that of the last period; null if it is the first.
      amount numeric(20, 4) not null,
      last_amount numeric(20, 4),
      -- Real time; null if the rehearsal has not held the customer.
      held_at timestamptz,
      primary key (tenant_id, rehearsal_id, customer_id, currency),
      foreign key (tenant_id, rehearsal_id) references rehearsal (tenant_id, id) on delete cascade,
      foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade)`);
    this.addSql(`create index rehearsal_outlier_of_customer
      on rehearsal_outlier (tenant_id, customer_id, rehearsal_id)`);
    this.addSql(fenced('rehearsal_outlier'));
  }
}

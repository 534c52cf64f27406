/** Customers that wait for their tax provider, and what it said of those that it refuses. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const waits = `
-- The provider did not answer about invoices of these customers. All times are real, also of a
-- tenant on a test clock.
create table tax_wait (
  tenant_id bigint not null,
  customer_id bigint not null,
  -- The first failure.
  since timestamptz not null,
  -- How often the provider was asked in vain.
  tries int not null,
  next_try_at timestamptz not null,
  -- The provider's code of the last failure, or ours.
  code text not null,
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);

alter table tax_wait enable row level security;
alter table tax_wait force row level security;
create policy own_tenant on tax_wait using (tenant_id = ${ownTenant});
grant select, insert, update, delete on tax_wait to sundial_app;
`;

/** A quote leaves an answer, and is no reason to keep its customer. */
const answers = `
alter table tax_answer
  drop constraint tax_answer_tenant_id_customer_id_fkey,
  add constraint tax_answer_tenant_id_customer_id_fkey foreign key (tenant_id, customer_id)
    references customer (tenant_id, id) on delete cascade;
`;

/** In the provider's words. */
const heldText = `
alter table customer add column billing_held_text text;
`;

export class TaxWaits extends Migration {
  override up(): void {
    this.addSql(waits);
    this.addSql(answers);
    this.addSql(heldText);
  }
}

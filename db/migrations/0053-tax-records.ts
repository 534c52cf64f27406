/** The records of invoices at tax providers: which have to be made or voided, and which are. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const records = `
create table tax_record (
  tenant_id bigint not null,
  -- The code of the record is the invoice's id.
  invoice_id bigint not null,
  state text not null default 'toRecord'
    check (state in ('toRecord', 'recorded', 'toVoid', 'voided')),
  -- What is to be recorded. It has addresses, so it is kept no longer than it is needed.
  document jsonb,
  -- What the record should come to: the amounts that are sent, without tax, and their tax.
  expected_total numeric not null,
  expected_tax numeric not null,
  recorded_total numeric,
  recorded_tax numeric,
  -- All times are real ones. Since when it has to be recorded, or voided.
  opened_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- Calls that were begun: the number of the last one names it.
  attempts int not null default 0 check (attempts >= 0),
  -- Until then the provider may carry out a call of which no answer is known.
  leased_until timestamptz,
  -- Calls in a row without success, since the first of them.
  failures int not null default 0 check (failures >= 0),
  failing_since timestamptz,
  trouble text check (trouble in ('refused', 'silent')),
  -- The provider's code of the last failure, or ours; never its text.
  error_code text,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  check ((state = 'toRecord') = (document is not null)),
  check (state <> 'recorded' or num_nonnulls(recorded_total, recorded_tax) = 2),
  check ((failures > 0) = (num_nonnulls(failing_since, trouble, error_code) = 3)),
  check (failures = 0 or state in ('toRecord', 'toVoid'))
);
create index tax_record_open on tax_record (tenant_id, next_attempt_at, invoice_id)
  where state in ('toRecord', 'toVoid');
create index tax_record_troubled on tax_record
  (tenant_id, trouble, failing_since desc, invoice_id) where trouble is not null;

alter table tax_record enable row level security;
alter table tax_record force row level security;
create policy own_tenant on tax_record using (tenant_id = ${ownTenant});
grant select, insert, update on tax_record to sundial_app;
`;

// The other kinds are those that the migrations before this one have added.
const kindOfOutbox = `
do $$ declare kinds text;
begin
  select pg_get_constraintdef(oid) into kinds from pg_constraint where conname = 'outbox_kind_check';
  alter table outbox drop constraint outbox_kind_check;
  execute 'alter table outbox add constraint outbox_kind_check '
    || replace(kinds, 'ARRAY[', 'ARRAY[''taxes''::text, ');
end $$;
`;

export class TaxRecords extends Migration {
  override up(): void {
    this.addSql(records);
    this.addSql(kindOfOutbox);
  }
}

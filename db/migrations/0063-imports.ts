/**
 * Batches: imports of customers, invoices and line items, and BatchInit, which carries a tenant's
 * books over; what of invoices, payments, the ledger and contacts they touch.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const batches = `
create table batch (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  job_id text not null,
  kind text not null check (kind in ('customers', 'invoices', 'lines',
    'init', 'carriedInvoices', 'carriedCredits', 'carriedDebits')),
  -- Of lines their invoice job, of what BatchInit carries over its job.
  parent_id bigint,
  status text not null
    check (status in ('Draft', 'Queued', 'Success', 'PartialSuccess', 'Failure')),
  input_filename text,
  is_validate_only boolean not null default false,
  zeroes_balances boolean not null default false,
  -- The upload that was finalized; another file under its name later fails the job.
  upload_etag text,
  upload_bytes bigint,
  -- Null until the file was read once: its columns in their order, and how many rows it has.
  columns text[],
  row_count int,
  -- Where the rows begin that are still to be done, and the number of their first line.
  next_offset bigint,
  next_line int,
  -- BatchInit takes what is older than this id, and is done with the customers up to the other.
  takes_below bigint,
  done_customer_id bigint,
  success_count int not null default 0,
  fail_count int not null default 0,
  error_message text,
  cancelled_at timestamptz,
  cancel_reason text,
  created_at timestamptz not null,
  finalized_at timestamptz,
  -- Real time: the rate of the rows is counted from here.
  started_at timestamptz,
  finished_at timestamptz,
  -- The result file, and with it import_row, is gone.
  result_deleted_at timestamptz,
  updated_at timestamptz not null,
  version int not null default 1,
  primary key (tenant_id, id),
  unique (tenant_id, job_id),
  foreign key (tenant_id, parent_id) references batch (tenant_id, id),
  check ((kind in ('lines', 'carriedInvoices', 'carriedCredits', 'carriedDebits'))
    = (parent_id is not null)),
  check ((status in ('Success', 'PartialSuccess', 'Failure')) = (finished_at is not null))
);
create index batch_parent on batch (tenant_id, parent_id) where parent_id is not null;
create index batch_open on batch (tenant_id) where status = 'Queued';
create index batch_result on batch (tenant_id, finished_at)
  where finished_at is not null and result_deleted_at is null;

-- What became of a row of a file, so that a restart does each one once.
create table import_row (
  tenant_id bigint not null,
  batch_id bigint not null,
  line int not null,
  status text not null check (status in ('Success', 'Failure')),
  -- What it made or changed; null if it failed, and if the job only validates.
  object_id bigint,
  code text,
  error text,
  -- Of repeated keys the first row counts. Null of a row that repeats one.
  key text,
  -- The user name of a customer.
  login text,
  primary key (tenant_id, batch_id, line),
  foreign key (tenant_id, batch_id) references batch (tenant_id, id),
  check ((status = 'Failure') = (code is not null and error is not null))
);
create unique index import_row_key on import_row (tenant_id, batch_id, key) where key is not null;
create unique index import_row_login on import_row (tenant_id, batch_id, login)
  where login is not null;

-- Line items wait here until the rows of their invoices are done.
create table import_line (
  tenant_id bigint not null,
  -- The line item job.
  batch_id bigint not null,
  line int not null,
  -- The invoice job, whose files of line items are one.
  parent_id bigint not null,
  invoice_number text not null,
  -- Null of a bad row, which fails its invoice.
  position int,
  invoice_text text,
  price_code text,
  contract_code text,
  order_number text,
  accounting_code text,
  unit_price numeric(20, 6),
  quantity numeric(20, 6),
  amount numeric,
  billing_start_date date,
  billing_end_date date,
  primary key (tenant_id, batch_id, line),
  foreign key (tenant_id, batch_id) references batch (tenant_id, id)
);
create unique index import_line_position
  on import_line (tenant_id, parent_id, invoice_number, position);
`;

const invoices = `
alter table invoice alter column invoice_number drop not null;
alter table invoice
  -- The number that another system gave it, outside the tenant's own sequence.
  add column imported_number text,
  -- The status before CarriedOver.
  add column carried_over_from text check (carried_over_from in ('Outstanding', 'Paid', 'Cancelled')),
  -- What was open then, and what was taken back since.
  add column carried_open numeric(20, 4) check (carried_open >= 0),
  add constraint invoice_numbered check (num_nonnulls(invoice_number, imported_number) = 1),
  add constraint invoice_carried_over check (
    (status = 'CarriedOver') = (carried_over_from is not null)
    and (carried_over_from is null) = (carried_open is null)
    and (status <> 'CarriedOver' or outstanding_balance = 0));
create unique index invoice_imported_number on invoice (tenant_id, imported_number)
  where imported_number is not null;
-- Text that another system had: no order of ours.
alter table invoice_line add column imported_order_number text;
`;

const payments = `
do $$
declare known text;
begin
  select pg_get_constraintdef(oid) into known from pg_constraint
  where conname = 'payment_status_check';
  alter table payment drop constraint payment_status_check;
  execute 'alter table payment add constraint payment_status_check '
    || replace(known, 'ARRAY[', 'ARRAY[''CarriedOver''::text, ');
end $$;
alter table payment
  -- The status before CarriedOver, which credits and debits may become.
  add column carried_over_from text,
  -- What was open then (below zero of a debit), and what was taken back since; of a payment, what
  -- zeroOutCustomerBalance closed of it.
  add column carried_open numeric(20, 4),
  add constraint payment_carried_over check (
    (status = 'CarriedOver') = (carried_over_from is not null)
    and (status <> 'CarriedOver' or payment_type = 'Credit' and balance = 0
      and carried_open is not null));

alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check check (kind in
  ('invoice', 'invoiceCancelled', 'payment', 'paymentCanceled', 'surcharge', 'surchargePaid',
   'credit', 'debit', 'refund', 'paymentReturned', 'paymentDisputed',
   'openingBalance', 'import', 'zeroOut'));
alter table ledger_entry add column batch_id bigint;
alter table ledger_entry drop constraint ledger_entry_check;
alter table ledger_entry
  add foreign key (tenant_id, batch_id) references batch (tenant_id, id),
  add constraint ledger_entry_check check (num_nonnulls(invoice_id, payment_id, batch_id) = 1),
  add constraint ledger_zero_out check ((batch_id is not null) = (kind = 'zeroOut'));
create unique index ledger_zero_out_once
  on ledger_entry (tenant_id, batch_id, customer_id, currency) where batch_id is not null;
`;

const customers = `
alter table customer
  -- The batch that moved it in; no foreign key, so that nothing is locked for it.
  add column imported_by bigint;
-- The user name by which its customer may log in: unique, where user names were not.
alter table contact add column login text;
alter table contact no force row level security;
update contact k set login = username where username is not null and not exists (
  select from contact o
  where o.tenant_id = k.tenant_id and o.username = k.username and o.id <> k.id);
alter table contact force row level security;
create unique index contact_login on contact (tenant_id, login) where login is not null;

-- Hashing a password takes long: those of imported customers wait here, sealed.
create table password_to_hash (
  tenant_id bigint not null,
  contact_id bigint not null,
  batch_id bigint not null,
  sealed text not null,
  primary key (tenant_id, contact_id),
  foreign key (tenant_id, contact_id) references contact (tenant_id, id) on delete cascade,
  foreign key (tenant_id, batch_id) references batch (tenant_id, id)
);
create index password_to_hash_batch on password_to_hash (tenant_id, batch_id);
`;

/** Keeps the kinds that other migrations have added. */
const outboxKinds = `
do $$
declare known text;
begin
  select string_agg(distinct quote_literal(quoted[1]), ', ') into known
  from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''::text', 'g') quoted
  where conname = 'outbox_kind_check';
  alter table outbox drop constraint outbox_kind_check;
  execute format('alter table outbox add constraint outbox_kind_check
    check (kind in (%s, ''batch'', ''passwords''))', known);
end $$;
`;

const foreignIds = `
do $$
declare definition text := pg_get_functiondef('id_is_foreign'::regproc);
declare opening text := 'WHEN ''any''::text THEN (';
declare looks text := '(exists (select from batch where batch.id = wanted
  and batch.tenant_id <> own))';
begin
  definition := replace(definition, opening, opening || looks || ' or ');
  execute replace(definition, 'WHEN ''any''::text THEN',
    'WHEN ''batch''::text THEN ' || looks || ' WHEN ''any''::text THEN');
  execute format('create policy owner_reads on batch for select to %I using (true)', current_user);
end $$;
create index batch_id on batch (id);
`;

const fences = [
  ['batch', 'select, insert, update'],
  ['import_row', 'select, insert, delete'],
  ['import_line', 'select, insert, delete'],
  ['password_to_hash', 'select, insert, update, delete'],
].map(
  ([table, granted]) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant ${granted} on ${table} to sundial_app;`,
);

export class Imports extends Migration {
  override up(): void {
    this.addSql(batches);
    this.addSql(invoices);
    this.addSql(payments);
    this.addSql(customers);
    this.addSql(outboxKinds);
    this.addSql(foreignIds);
    this.addSql(fences.join('\n'));
  }
}
